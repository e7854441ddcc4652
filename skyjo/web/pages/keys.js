/** The keyboard: letters by their place on it, and a switch that turns single keys off. */

import { byId, make } from "./nodes.js";

const REMEMBERED = "single-keys";

/** What a key does, by its code, such as KeyQ. @typedef {(code: string) => boolean} KeyAction */

/**
 * Listen to the keyboard. Escape and ? always work; the rest while single keys are on.
 * @param {KeyAction} act does what a key is for; false if it is for nothing
 * @param {() => void} letGo what Escape does
 */
export function listen(act, letGo) {
  const box = byId("single-keys");
  const help = byId("help");
  box.checked = localStorage.getItem(REMEMBERED) !== "off";
  box.addEventListener("change", () => localStorage.setItem(REMEMBERED, box.checked ? "on" : "off"));
  byId("help-button").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches("input:not([type=checkbox]), textarea, select");
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isTyping || help.open) return;
    if (event.key === "Escape") letGo();
    else if (event.key === "?") help.showModal();
    else if (box.checked && act(event.code)) event.preventDefault();
  });
}

/** Fill the help with keys and what they do. @param {[string, string][]} lines */
export function explain(lines) {
  byId("help-keys").replaceChildren(...lines.flatMap(([keys, words]) => [make("dt", {}, ...keys.split(" ").map((key) => make("kbd", {}, key))), make("dd", {}, words)]));
}
