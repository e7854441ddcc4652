/** The keyboard: letters by their place on it. The help says what they do, and switches them off. */

import { byId } from "./dom.js";
import { isOn } from "./storage.js";

/** What a key does, by its code, such as KeyQ. @typedef {(code: string) => boolean} KeyAction */

/** @type {[[string, string][], (() => void)|undefined]} what the help shows */
let helped = [[], undefined];

const openHelp = async () => (await import("./help.js")).openHelp(...helped);

/**
 * Listen to the keyboard. Letters and digits work while single keys are on, other keys always.
 * @param {KeyAction} act does what a key is for; false if it is for nothing
 * @param {() => void} letGo what Escape does
 * @param {{repeats?: boolean}} [options] does a key that is held act again and again?
 */
export function listen(act, letGo, { repeats = false } = {}) {
  byId("help-button").addEventListener("click", openHelp);
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches("input:not([type=checkbox], [type=range]), textarea, select");
    const isAsking = document.querySelector("dialog[open]");
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || (event.repeat && !repeats) || isTyping || isAsking) return;
    if (event.key === "Escape") letGo();
    else if (event.key === "?") openHelp();
    else if ((isOn("single-keys") || event.key.length > 1) && act(event.code)) event.preventDefault();
  });
}

/**
 * What the help shows: keys and what they do.
 * @param {[string, string][]} lines @param {() => void} [tapsChanged] offers second taps, and is called when they are switched on or off
 */
export function explain(lines, tapsChanged) {
  helped = [lines, tapsChanged];
}
