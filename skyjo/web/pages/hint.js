/** What an adviser would do: asked with Hint, marked on the cards, and said beside them. */

import { behindWords, byId, make, sentence, setAttribute, signed, style } from "./dom.js";
import { kindOf, placesWords } from "./places.js";

/**
 * @typedef {{action: number, words: string, worth: number|null}} Choice
 * @typedef {Choice & {name: string}} Told in plain words, with the name of its action
 * @typedef {{choices: Choice[], reason: string}} Hint
 */

const SENSIBLE = 3; // points that a choice may be behind the best one
const MIN_CHOICES = 3; // choices that are shown all the same
const SAME = 0.05; // points
const NARROW = "(max-width: 60rem)"; // where the list is folded, so that the sheet covers no card

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
  const worthOf = (/** @type {Choice} */ { worth }) => worth ?? 0;
  const known = others.filter(({ worth }) => behindOf([best], worth) > -SAME);
  const behind = known.sort((one, other) => worthOf(other) - worthOf(one));
  return [best, ...behind.filter(({ worth }, index) => index + 1 < MIN_CHOICES || behindOf([best], worth) <= SENSIBLE)];
};

/** @param {Choice[]} choices @param {number|null} worth */
const behindOf = ([best], worth) => (best.worth === null || worth === null ? 0 : best.worth - worth);

/** Is nothing better than anything else? @param {Choice[]} choices */
const areEqual = choices =>
  choices.length > 1 && choices.every(({ worth }) => Math.abs(behindOf(choices, worth)) < SAME);

/**
 * What is marked on the board: the best choice, and how far the others are behind it; nothing where all are equal.
 * @param {Hint} hint @returns {{best: Set<number>, behind: Map<number, number>}}
 */
export function marksOf({ choices }) {
  if (areEqual(choices)) return { best: new Set(), behind: new Map() };
  const others = sensible(choices)
    .slice(1)
    .map(({ action, worth }) => [action, behindOf(choices, worth)]);
  return { best: new Set([choices[0].action]), behind: new Map(/** @type {[number, number][]} */ (others)) };
}

/**
 * What the best choice is worth, and what the numbers beside several mean.
 * @param {number|null} worth @param {string} others whom one is ahead of @param {boolean} hasNumbers
 */
function meaning(worth, others, hasNumbers) {
  if (worth === null) return [];
  const lead = `${Math.abs(worth).toFixed(1)} points ${worth < 0 ? "behind" : "ahead of"} ${others}.`;
  const words = hasNumbers ? "Points behind the best choice. With that one, expect" : "Expect";
  return [make("p", { class: "note" }, `${words} to be ${lead}`)];
}

/**
 * What the adviser says, best first.
 * @param {Hint} hint
 * @param {{plain: (words: string) => string, aheadOf: string}} board how the game tells them, and what a lead is
 *   measured by
 */
export function showAdvice({ choices, reason }, board) {
  const { worth: most } = choices[0];
  const told = sensible(choices).map(choice => ({ ...choice, name: choice.words, words: board.plain(choice.words) }));
  const equal = { words: `all ${choices.length} choices are equal`, worth: most, names: [] };
  const kinds = areEqual(choices) ? [equal] : folded(told);
  const hasNumbers = kinds.length > 1 && most !== null;
  const lines = kinds.map(({ words, worth, names }, index) => {
    const points = !hasNumbers ? "" : index === 0 ? "best" : behindWords(behindOf(choices, worth));
    const parts = [make("span", {}, words), make("span", { class: "worth" }, points)];
    const line = make("li", { tabindex: "0", ...(index === 0 ? { class: "best" } : {}) }, ...parts);
    pointFrom(line, names);
    return line;
  });
  const title = make("h2", {}, lines.length > 1 ? "Hint, best first" : "Hint");
  const first = areEqual(choices) ? kinds[0].words : board.plain(choices[0].words);
  const scrolls = matchMedia(NARROW).matches ? { tabindex: "0" } : {};
  const why = make("p", { class: "why", ...scrolls }, sentence(signed(reason ? `${first}: ${reason}` : first)));
  const close = make("button", { type: "button", class: "quiet", "aria-label": "Close the hint" }, "×");
  close.addEventListener("click", () => (byId("advice").hidden = true));
  const listed = make("ol", { class: "advice" }, ...lines);
  const parts = [make("summary", {}, "The best choices"), listed, ...meaning(most, board.aheadOf, hasNumbers)];
  const list = make("details", matchMedia(NARROW).matches ? {} : { open: "" }, ...parts);
  byId("advice").replaceChildren(title, close, why, list);
  byId("advice").hidden = false;
}

/** Choices of a kind that are worth the same become one. @param {Told[]} choices */
function folded(choices) {
  /** @type {Map<string, Told[]>} */
  const kinds = new Map();
  for (const choice of choices) {
    const key = `${kindOf(choice.words)} ${choice.worth}`;
    kinds.set(key, [...(kinds.get(key) ?? []), choice]);
  }
  return [...kinds.values()].map(same => {
    const [words, names] = [same.map(choice => choice.words), same.map(({ name }) => name)];
    return { words: placesWords(words), worth: same[0].worth, names };
  });
}

/** Where on the board an action is done: at an own card or at a pile. @param {string} name */
function placeOf(name) {
  const cell = /^(?:place|flip) (\d+)$/.exec(name)?.[1];
  const key = { draw: "draw", take: "discard" }[name];
  return document.querySelector(cell ? `#own [data-key="cell-${cell}"]` : `#middle [data-key="${key}"]`);
}

/** Point at actions on the board while their line is looked at. @param {HTMLElement} line @param {string[]} names */
function pointFrom(line, names) {
  const point = (/** @type {string|null} */ value) => {
    for (const place of names.map(placeOf)) if (place) setAttribute(place, "data-pointed", value);
  };
  for (const event of ["mouseenter", "focus"]) line.addEventListener(event, () => point(""));
  for (const event of ["mouseleave", "blur"]) line.addEventListener(event, () => point(null));
}
