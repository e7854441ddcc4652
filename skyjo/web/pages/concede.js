/** Giving up, which cannot be undone, and leaving: asked once more before it is done. */

import { openDialog } from "./dialog.js";
import { byId, make } from "./nodes.js";

/** @param {string} title @param {string} words what follows @param {string} verb @param {() => void} act @param {string} other what else one can do */
function confirm(title, words, verb, act, other) {
  const yes = make("button", { type: "button" }, verb);
  const no = make("button", { type: "button", class: "main" }, other);
  yes.addEventListener("click", act);
  return openDialog(title, [make("p", {}, words), make("div", { class: "tools" }, no, yes)], [yes, no]);
}

/** @param {string} episode a round or a game @param {() => void} giveUp */
export const confirmConcede = (episode, giveUp) =>
  confirm(`Give up this ${episode}?`, "The table ends here, with no winner. You can save its record and play the same cards again.", "Give up", giveUp, "Play on");

/** Among people the table goes on, and a seat is kept for whoever leaves. */
export const confirmLeaving = () =>
  confirm("Leave this table?", "The others see that you have left, and can wait for you or let an agent play on. Your seat is kept: “Your last tables” on the first page lead back.", "Leave", () => location.assign(byId("title").href), "Stay");
