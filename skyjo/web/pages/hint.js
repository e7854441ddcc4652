/** What an adviser would do: asked with Hint, marked on the cards, and said beside them. */

import { behindWords, byId, make, sentence, signed, style } from "./dom.js";

/** @typedef {{action: number, words: string, worth: number|null}} Choice @typedef {{choices: Choice[], reason: string}} Hint */

const SENSIBLE = 3; // points that a choice may be behind the best one
const MIN_CHOICES = 3; // choices that are shown all the same
const SAME = 0.05; // points
const NARROW = "(max-width: 60rem)"; // where the list is folded, so that the sheet covers no card
const MANY = 3; // choices; more that are equal are one line

await style("hint.css");

/** The adviser may need a while. */
export function showThinking() {
  byId("advice").replaceChildren(make("h2", {}, "Thinking …"));
  byId("advice").hidden = false;
}

/**
 * The choices worth a look, best first. An adviser that guesses may choose one that seems to be worth less than
 * others: these are left out, since their worth is not why it chose.
 * @param {Choice[]} choices
 */
const sensible = ([best, ...others]) => {
  const behind = others.filter(({ worth }) => behindOf([best], worth) > -SAME).sort((one, other) => (other.worth ?? 0) - (one.worth ?? 0));
  return [best, ...behind.filter(({ worth }, index) => index + 1 < MIN_CHOICES || behindOf([best], worth) <= SENSIBLE)];
};

/** @param {Choice[]} choices @param {number|null} worth */
const behindOf = ([best], worth) => (best.worth === null || worth === null ? 0 : best.worth - worth);

/** Is nothing better than anything else? @param {Choice[]} choices */
const areEqual = (choices) => choices.length > 1 && choices.every(({ worth }) => Math.abs(behindOf(choices, worth)) < SAME);

/**
 * What is marked on the board: the best choice, and how far the others are behind it; nothing where all are equal.
 * @param {Hint} hint @returns {{best: Set<number>, behind: Map<number, number>}}
 */
export function marksOf({ choices }) {
  if (areEqual(choices)) return { best: new Set(), behind: new Map() };
  return { best: new Set([choices[0].action]), behind: new Map(sensible(choices).slice(1).map(({ action, worth }) => [action, behindOf(choices, worth)])) };
}

/**
 * What the best choice is worth, and what the numbers beside several mean.
 * @param {number|null} worth @param {string} others whom one is ahead of @param {boolean} hasNumbers
 */
function meaning(worth, others, hasNumbers) {
  if (worth === null) return [];
  const lead = `${Math.abs(worth).toFixed(1)} points ${worth < 0 ? "behind" : "ahead of"} ${others}.`;
  return [make("p", { class: "note" }, hasNumbers ? `Points behind the best choice. With that one, expect to be ${lead}` : `Expect to be ${lead}`)];
}

/**
 * What the adviser says, best first.
 * @param {Hint} hint
 * @param {{plain: (words: string) => string, aheadOf: string}} board how the game tells them, and what a lead is measured by
 */
export function showAdvice({ choices, reason }, board) {
  const { worth: most } = choices[0];
  const told = sensible(choices).map((choice) => ({ ...choice, words: board.plain(choice.words) }));
  const kinds = areEqual(choices) ? [{ words: `all ${choices.length} choices are equal`, worth: most }] : folded(told);
  const hasNumbers = kinds.length > 1 && most !== null;
  const lines = kinds.map(({ words, worth }, index) => {
    const points = index === 0 ? "best" : behindWords(behindOf(choices, worth));
    return make("li", index === 0 ? { class: "best" } : {}, make("span", {}, words), make("span", { class: "worth" }, hasNumbers ? points : ""));
  });
  const title = make("h2", {}, lines.length > 1 ? "Hint, best first" : "Hint");
  const first = areEqual(choices) ? kinds[0].words : board.plain(choices[0].words);
  const why = make("p", { class: "why", ...(matchMedia(NARROW).matches ? { tabindex: "0" } : {}) }, sentence(signed(reason ? `${first}: ${reason}` : first)));
  const close = make("button", { type: "button", class: "quiet", "aria-label": "Close the hint" }, "×");
  close.addEventListener("click", () => (byId("advice").hidden = true));
  const parts = [make("summary", {}, "The best choices"), make("ol", { class: "advice" }, ...lines), ...meaning(most, board.aheadOf, hasNumbers)];
  const list = make("details", matchMedia(NARROW).matches ? {} : { open: "" }, ...parts);
  byId("advice").replaceChildren(title, close, why, list);
  byId("advice").hidden = false;
}

/** Choices that are worth the same become one: of one column, or many. @param {Choice[]} choices */
function folded(choices) {
  /** @type {Map<string, {words: string, worth: number|null, rows: string[]}>} */
  const kinds = new Map();
  const splits = choices.map(({ words, worth }) => ({ worth, parts: /^(.*?)(column \d+, row )(\d+)$/.exec(words) ?? ["", words, "", ""] }));
  const alike = (/** @type {any} */ { worth, parts }) => splits.filter((one) => one.worth === worth && one.parts[1] === parts[1]).length;
  for (const split of splits) {
    const [, verb, column, row] = split.parts;
    const isMany = alike(split) > MANY;
    const words = isMany ? `${verb}any of ${alike(split)} ${verb.includes("turn up") ? "cards" : "places"}` : verb + column;
    const kind = kinds.get(`${words} ${split.worth}`);
    if (!kind) kinds.set(`${words} ${split.worth}`, { words, worth: split.worth, rows: isMany ? [] : [row] });
    else if (!isMany) kind.rows.push(row);
  }
  const either = new Intl.ListFormat("en-GB", { type: "disjunction" });
  return [...kinds.values()].map(({ words, worth, rows }) => ({ words: words + either.format(rows.sort()), worth }));
}
