/** A table of agents only: whoever opened it sets the pace, pauses, and steps through it. */

import { byId, make, setAttribute, setText, style } from "./dom.js";

const [SLOWEST, FASTEST] = [0.1, 20]; // decisions a second
const STEPS = 100; // of the slider, which is logarithmic

export const KEYS = [
  ["P", "pause, or continue"],
  [".", "one decision"],
];

await style("watch.css");

/** @param {number} pace where the slider stands for it */
const placeOf = pace => Math.round((STEPS * Math.log(pace / SLOWEST)) / Math.log(FASTEST / SLOWEST));

/** @param {number} place */
const paceAt = place => Number((SLOWEST * (FASTEST / SLOWEST) ** (place / STEPS)).toPrecision(2));

/** @param {string} word @param {string} key */
const button = (word, key) => make("button", { type: "button" }, make("span", {}, word), make("kbd", {}, key));

/** The controls, hidden until the first view. @param {(what: string, more?: object) => void} ask */
export function createWatch(ask) {
  const [pause, step] = [button("Pause", "P"), button("One decision", ".")];
  const slider = make("input", { type: "range", min: "0", max: String(STEPS), "aria-label": "Pace" });
  const number = make("input", {
    type: "number",
    min: String(SLOWEST),
    max: String(FASTEST),
    step: "any",
    "aria-label": "Decisions per second",
  });
  const controls = make("div", { class: "tools" }, pause, step);
  const pace = make("div", { class: "pace" }, slider, number, make("span", { class: "note" }, "decisions a second"));
  byId("tools").before(
    make("section", { id: "watch", class: "paper", "aria-label": "Pace of the agents", hidden: "" }, controls, pace),
  );
  let isPaused = false;

  const setPace = (/** @type {number} */ wanted) =>
    ask("pace", { pace: Math.min(FASTEST, Math.max(SLOWEST, wanted || SLOWEST)) });
  pause.addEventListener("click", () => ask(isPaused ? "resume" : "pause"));
  step.addEventListener("click", () => ask("step"));
  slider.addEventListener("change", () => setPace(paceAt(Number(slider.value))));
  number.addEventListener("change", () => setPace(Number(number.value)));

  return {
    /** Show how the table is paced. @param {any} view */
    update(view) {
      const { watch, over } = view;
      byId("watch").hidden = !watch.yours || over !== null;
      isPaused = watch.paused;
      setText(pause.firstElementChild, isPaused ? "Continue" : "Pause");
      setAttribute(slider, "aria-valuetext", `${watch.pace} decisions a second`);
      if (document.activeElement !== number) number.value = String(watch.pace);
      if (!slider.matches(":active")) slider.value = String(placeOf(watch.pace));
    },

    /** What a key presses, if anything. @param {string} code */
    key: code => (byId("watch").hidden ? undefined : { KeyP: pause, Period: step }[code]),
  };
}
