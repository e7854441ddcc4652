/** A table of agents only: whoever opened it sets the pace, pauses, and steps through it. */

import { byId, make, setText } from "./dom.js";

const PACES = [0.1, 0.5, 1, 2, 5, 10, 20]; // decisions a second

export const KEYS = [
  ["P", "pause or continue"],
  [".", "one move"],
];

/** The controls, hidden until the first view. @param {(what: string, more?: object) => void} ask */
export function createWatch(ask) {
  let isPaused = false;
  const word = make("span", "Pause");
  const pause = make("button", { click: () => ask(isPaused ? "resume" : "pause") }, word, make("kbd", "P"));
  const step = make("button", { click: () => ask("step") }, make("span", "One move"), make("kbd", "."));
  const paces = PACES.map(pace => make("option", { value: String(pace) }, `${pace} moves a second`));
  const choice = { "aria-label": "Speed", change: () => ask("pace", { pace: Number(select.value) }) };
  const select = make("select", choice, ...paces);
  const controls = make("div.tools", pause, step);
  byId("tools").before(make("section#watch.paper", { "aria-label": "Opponent speed", hidden: "" }, controls, select));

  return {
    /** Show how the table is paced. @param {View} view */
    update({ watch, over }) {
      byId("watch").hidden = !watch.yours || over !== null;
      isPaused = watch.paused;
      setText(word, isPaused ? "Continue" : "Pause");
      select.value = String(watch.pace);
    },

    /** What a key presses, if anything. @param {string} code */
    key: code => (byId("watch").hidden ? undefined : { KeyP: pause, Period: step }[code]),
  };
}
