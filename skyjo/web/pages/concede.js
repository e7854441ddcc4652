/** Giving up, which cannot be undone: asked once more before it is sent. */

import { openDialog } from "./dialog.js";
import { make } from "./nodes.js";

/** @param {string} episode a round or a game @param {() => void} giveUp */
export function confirmConcede(episode, giveUp) {
  const yes = make("button", { type: "button" }, "Give up");
  const no = make("button", { type: "button", class: "main" }, "Play on");
  const words = make("p", {}, "The table ends here, with no winner. You can save its record and play the same cards again.");
  yes.addEventListener("click", giveUp);
  return openDialog(`Give up this ${episode}?`, [words, make("div", { class: "tools" }, no, yes)], [yes, no]);
}
