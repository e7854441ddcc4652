/** The keyboard: letters by their place on it. The help says what they do; the settings switch them off. */

import { byId } from "./dom.js";
import { isOn } from "./storage.js";

/** What a key does, by its code, such as KeyQ. @typedef {(code: string) => boolean} KeyAction */

/** @type {[string, string][]} what the help shows */
let helped = [];

const openHelp = async () => (await import("./dialogs.js")).openHelp(helped);

/**
 * Listen to the keyboard. Letters and digits work while single keys are on, other keys always.
 * @param {KeyAction} act does what a key is for; false if it is for nothing
 * @param {() => void} letGo what Escape does
 * @param {{repeats?: boolean}} [options] does a key that is held act again and again?
 */
export function listen(act, letGo, { repeats = false } = {}) {
  byId("help-button").addEventListener("click", openHelp);
  document.addEventListener("keydown", event => {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches("input:not([type=checkbox], [type=range]), textarea, select");
    const isAsking = document.querySelector("dialog[open]");
    const isForOthers = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey;
    if (isForOthers || (event.repeat && !repeats) || isTyping || isAsking) return;
    if (event.key === "Escape") letGo();
    else if (event.key === "?") openHelp();
    else if ((isOn("single-keys") || event.key.length > 1) && act(event.code)) event.preventDefault();
  });
}

/** What the help shows: keys and what they do. @param {[string, string][]} lines */
export function explain(lines) {
  helped = lines;
}
