/** The help: what keys do, and switches that the browser remembers. */

import { openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { foldedRules } from "./rules.js";
import { isOn, keep } from "./storage.js";

/** A switch. @param {string} name @param {string} words @param {() => void} [changed] */
export function toggle(name, words, changed) {
  const box = make("input", { type: "checkbox" });
  box.checked = isOn(name);
  box.addEventListener("change", () => {
    keep(name, box.checked);
    changed?.();
  });
  return make("label", { class: "switch" }, box, make("span", {}, words));
}

/** Open the help. @param {[string, string][]} lines @param {() => void} [tapsChanged] offers second taps, and is called when that changes */
export function openHelp(lines, tapsChanged) {
  const words = lines.flatMap(([keys, meaning]) => [make("dt", {}, ...keys.split(" ").map((key) => make("kbd", {}, key))), make("dd", {}, meaning)]);
  const switches = [toggle("single-keys", "Use single letters and digits as shortcuts")];
  if (tapsChanged) switches.push(toggle("tap-twice", "Tap twice: the first tap says what a card would do, the second does it", tapsChanged));
  const close = make("button", { type: "button", class: "main" }, "Close");
  return openDialog("Keys", [make("dl", { class: "help-keys" }, ...words), ...switches, foldedRules(), close], [close]);
}
