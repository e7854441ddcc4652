/** The help: what keys do, and the rules. */

import { openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { foldedRules } from "./rules.js";

/** Open the help. @param {[string, string][]} lines keys, and what they do */
export function openHelp(lines) {
  const named = (/** @type {string} */ keys) => keys.split(" ").map(key => make("kbd", {}, key));
  const words = lines.flatMap(([keys, meaning]) => [make("dt", {}, ...named(keys)), make("dd", {}, meaning)]);
  const close = make("button", { type: "button", class: "main" }, "Close");
  return openDialog("Keys", [make("dl", { class: "help-keys" }, ...words), foldedRules(), close], [close]);
}
