/** What this browser remembers of how a table looks, sounds and is played, and how quickly agents decide. */

import { openDialog } from "./dialogs.js";
import { make } from "./dom.js";
import { PACES, isOn, keep, kept } from "./storage.js";

const SWITCHES = {
  sound: "Sound",
  "single-keys": "Single-key shortcuts",
  cues: "Dots on the cards, where colours are hard to tell apart",
  "tap-twice": "Tap twice: the first tap shows the move, the second plays it",
  developer: "Developer tools: inspector and rules as text",
};

/** Remember a choice; whoever listens to the window hears of it. @param {string} name @param {unknown} value */
function choose(name, value) {
  keep(name, value);
  dispatchEvent(new Event("settings"));
}

/** A switch. @param {[string, string]} named what the browser calls it, and words */
function toggle([name, words]) {
  const box = make("input", { type: "checkbox", change: () => choose(name, box.checked) });
  box.checked = isOn(name);
  return make("label.switch", box, make("span", words));
}

/**
 * One choice of a few.
 * @param {string} title @param {string} name what the browser calls it @param {string[][]} options values and words
 * @param {string} usual
 */
function choice(title, name, options, usual) {
  const buttons = options.map(([value, words]) => {
    const radio = make("input", { type: "radio", name, value, change: () => choose(name, value) });
    radio.checked = value === kept(name, usual);
    return make("label.option", radio, make("span", words));
  });
  return make("fieldset.options", make("legend", title), ...buttons);
}

/** Show the colours that are chosen, by default those of the system, and cues for them. */
function showTheme() {
  document.documentElement.toggleAttribute("data-cues", isOn("cues"));
  const theme = kept("theme", "");
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

addEventListener("settings", showTheme);

/** Open the settings. */
export function openSettings() {
  const paces = Object.keys(PACES).map(name => [name, name]);
  const themes = [["", "system"], ...["light", "dark"].map(name => [name, name])];
  const choices = [choice("Opponent speed", "pace", paces, "normal"), choice("Colours", "theme", themes, "")];
  return openDialog("Settings", [...choices, ...Object.entries(SWITCHES).map(toggle)]);
}
