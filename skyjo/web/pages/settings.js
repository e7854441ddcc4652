/** What this browser remembers of how a table looks and sounds, and how quickly agents decide. */

import { openDialog } from "./dialog.js";
import { toggle } from "./help.js";
import { make } from "./dom.js";
import { PACES, keep, kept } from "./storage.js";

/**
 * One choice of a few.
 * @param {string} title @param {string} name what the browser calls it @param {[string, string][]} options values and words
 * @param {string} chosen @param {(value: string) => void} choose
 */
function choice(title, name, options, chosen, choose) {
  const buttons = options.map(([value, words]) => {
    const radio = make("input", { type: "radio", name, value });
    radio.checked = value === chosen;
    radio.addEventListener("change", () => choose(value));
    return make("label", { class: "option" }, radio, make("span", {}, words));
  });
  return make("fieldset", { class: "options" }, make("legend", {}, title), ...buttons);
}

/** @param {string} value light, dark, or nothing for what the system says */
function setTheme(value) {
  if (value) document.documentElement.dataset.theme = value;
  else delete document.documentElement.dataset.theme;
  keep("theme", value);
}

/**
 * Open the settings.
 * @param {number|null} pace how quickly agents decide, if that can be set here @param {() => void} changed called after every change
 */
export function openSettings(pace, changed) {
  const named = Object.keys(PACES).find((name) => PACES[name] === pace) ?? "";
  const setPace = (/** @type {string} */ value) => {
    keep("pace", value);
    changed();
  };
  const paces = pace === null ? [] : [choice("Pace of the agents", "pace", Object.keys(PACES).map((name) => [name, name]), named, setPace)];
  const themes = choice("Colours", "theme", [["", "as the system"], ["light", "light"], ["dark", "dark"]], kept("theme", ""), setTheme);
  const switches = [toggle("sound", "Sound", changed), toggle("developer", "Show the inspector, for people who write agents", changed)];
  const close = make("button", { type: "button", class: "main" }, "Close");
  return openDialog("Settings", [...paces, themes, ...switches, close], [close]);
}
