/** Giving up, which cannot be undone, and leaving: asked once more before it is done. */

import { openDialog } from "./dialog.js";
import { byId, make } from "./dom.js";

/**
 * Ask once more.
 * @param {string} title @param {string} words what follows @param {string} verb @param {() => void} act
 * @param {string} other what to do instead
 */
function confirm(title, words, verb, act, other) {
  const yes = make("button", { type: "button" }, verb);
  const no = make("button", { type: "button", class: "main" }, other);
  yes.addEventListener("click", act);
  return openDialog(title, [make("p", {}, words), make("div", { class: "tools" }, no, yes)], [yes, no]);
}

/** @param {string} episode a round or a game @param {() => void} giveUp */
export function confirmConcede(episode, giveUp) {
  const words = "The table ends here, with no winner. You can save its record and play the same cards again.";
  return confirm(`Give up this ${episode}?`, words, "Give up", giveUp, "Play on");
}

/** Among people the table goes on, and a seat is kept for whoever leaves. */
export function confirmLeaving() {
  const others = "The others will see that you have left, and can wait for you or let an agent play on.";
  const words = `${others} Your seat is kept: “Your last tables” on the first page leads back to it.`;
  return confirm("Leave this table?", words, "Leave", () => location.assign(byId("title").href), "Stay");
}
