/** What an adviser would do: asked with Hint, beside the cards. */

import { byId, make } from "./nodes.js";
import { signed } from "./numbers.js";

/** @typedef {{action: number, words: string, worth: number|null, reason: string}} Choice */

/** The adviser may need a while. */
export function showThinking() {
  byId("advice").replaceChildren(make("h2", {}, "Thinking …"));
  byId("advice").hidden = false;
}

/**
 * What the adviser says, best first.
 * @param {Choice[]} choices @param {{plain: (words: string) => string, worth: string}} board how the game tells them, and what worths count
 */
export function showAdvice(choices, board) {
  const lines = folded(choices.map((choice) => ({ ...choice, words: board.plain(choice.words) }))).map(({ words, worth }, index) => {
    const points = worth === null ? "" : signed(worth, 1);
    return make("li", index === 0 ? { class: "best" } : {}, make("span", {}, words), make("span", { class: "worth" }, points));
  });
  const title = make("h2", {}, lines.length > 1 ? "Hint, best first" : "Hint");
  const why = choices[0].reason ? [make("p", {}, `${board.plain(choices[0].words)}: ${choices[0].reason}.`)] : [];
  const unit = choices.some(({ worth }) => worth !== null) ? [make("p", { class: "note" }, `In ${board.worth}.`)] : [];
  const close = make("button", { type: "button", class: "quiet", "aria-label": "Close the hint" }, "×");
  close.addEventListener("click", () => (byId("advice").hidden = true));
  byId("advice").replaceChildren(title, close, make("ol", { class: "advice" }, ...lines), ...why, ...unit);
  byId("advice").hidden = false;
}

/** Choices that differ only in the row and are worth the same become one. @param {Choice[]} choices */
function folded(choices) {
  /** @type {Map<string, {words: string, worth: number|null, rows: string[]}>} */
  const kinds = new Map();
  for (const { words, worth } of choices) {
    const [, start, row] = /^(.* row )(\d+)$/.exec(words) ?? [, words, ""];
    const kind = kinds.get(`${start} ${worth}`);
    if (kind) kind.rows.push(row);
    else kinds.set(`${start} ${worth}`, { words: start, worth, rows: [row] });
  }
  const either = new Intl.ListFormat("en-GB", { type: "disjunction" });
  return [...kinds.values()].map(({ words, worth, rows }) => ({ words: words + either.format(rows.sort()), worth }));
}
