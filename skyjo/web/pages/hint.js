/** What an adviser would do: asked with Hint, marked on the cards, and said beside them. */

import { byId, make, setAttribute, style } from "./dom.js";
import { behindWords, kindOf, placesWords, sentence, withMinus } from "./words.js";

/**
 * @typedef {{action: number, words: string, worth: number|null}} Advised
 * @typedef {{choices: Advised[], reason: string, lead?: {lost: number, error: number, than: string}}} Hint
 */

const SENSIBLE = 3; // points that a choice may be behind the best one
const MIN_CHOICES = 3; // choices that are shown all the same
const SAME = 0.05; // points
const NARROW = "(max-width: 60rem)"; // where the list is folded, so that the sheet covers no card

await style("hint.css");

/** The adviser may need a while. */
export function showThinking() {
  byId("advice").replaceChildren(make("h2", "Thinking …"));
  byId("advice").hidden = false;
}

/** How far something is behind the best choice. @param {Advised[]} choices @param {number|null} worth */
const behindOf = ([best], worth) => (best.worth === null || worth === null ? 0 : best.worth - worth);

/**
 * The choices worth a look, best first. An adviser that guesses may choose one that seems to be worth less than
 * others: these are left out, since their worth is not why it chose.
 * @param {Advised[]} choices
 */
function sensible([best, ...others]) {
  const known = others.filter(({ worth }) => behindOf([best], worth) > -SAME);
  const behind = known.sort((one, other) => (other.worth ?? 0) - (one.worth ?? 0));
  return [best, ...behind.filter(({ worth }, index) => index + 1 < MIN_CHOICES || behindOf([best], worth) <= SENSIBLE)];
}

/** Is nothing better than anything else? @param {Advised[]} choices */
const areEqual = choices =>
  choices.length > 1 && choices.every(({ worth }) => Math.abs(behindOf(choices, worth)) < SAME);

/**
 * What is marked on the board: the best choice, and how far the others are behind it; nothing where all are equal.
 * @param {Hint} hint @returns {{best: Set<number>, behind: Map<number, number>}}
 */
export function marksOf({ choices }) {
  if (areEqual(choices)) return { best: new Set(), behind: new Map() };
  const [best, ...others] = sensible(choices);
  const behind = new Map(others.map(({ action, worth }) => [action, behindOf(choices, worth)]));
  return { best: new Set([best.action]), behind };
}

/**
 * What the adviser says, best first.
 * @param {Hint} hint
 * @param {{plain: (words: string) => string, aheadOf: string}} board how the game tells them, and what a lead is measured by
 */
export function showAdvice({ choices, reason, lead: tried }, board) {
  const { worth: most } = choices[0];
  const told = sensible(choices).map(choice => ({ ...choice, name: choice.words, words: board.plain(choice.words) }));
  const equal = { words: `all ${choices.length} choices are equal`, worth: most, names: [] };
  const kinds = areEqual(choices) ? [equal] : folded(told);
  const hasNumbers = kinds.length > 1 && most !== null;
  const lines = kinds.map(({ words, worth, names }, index) => {
    const points = index === 0 ? "best" : behindWords(behindOf(choices, worth));
    const [point, leave] = [() => pointAt(names, ""), () => pointAt(names, null)];
    const listeners = { mouseenter: point, focus: point, mouseleave: leave, blur: leave };
    const attributes = { tabindex: "0", class: index === 0 && "best", ...listeners };
    return make("li", attributes, make("span", words), make("span.worth", hasNumbers && points));
  });
  const isNarrow = matchMedia(NARROW).matches;
  const first = areEqual(choices) ? equal.words : told[0].words;
  const why = sentence(withMinus(reason ? `${first}: ${reason}` : first));
  const side = most < 0 ? "behind" : "ahead of";
  const expect = hasNumbers ? "Points behind the best choice. With it, expect" : "Expect";
  const lead = `${expect} to be ${Math.abs(most ?? 0).toFixed(1)} points ${side} ${board.aheadOf}.`;
  const interval = tried && `${tried.lost.toFixed(1)} ± ${(2 * tried.error).toFixed(1)} points`;
  const by = interval && tried.lost > 0 && ` The best choice is ${interval} better than: ${board.plain(tried.than)}.`;
  const list = make(
    "details",
    { open: !isNarrow && "" },
    make("summary", "The best choices"),
    make("ol.advice", ...lines),
    most !== null && make("p.note", lead, by),
  );
  const close = { "aria-label": "Close the hint", click: () => (byId("advice").hidden = true) };
  byId("advice").replaceChildren(
    make("h2", lines.length > 1 ? "Hint, best first" : "Hint"),
    make("button.quiet", close, "×"),
    make("p.why", { tabindex: isNarrow && "0" }, why),
    list,
  );
  byId("advice").hidden = false;
}

/** Choices of a kind that are worth the same become one. @param {(Advised & {name: string})[]} choices */
function folded(choices) {
  const kinds = Object.groupBy(choices, ({ words, worth }) => `${kindOf(words)} ${worth}`);
  return Object.values(kinds).map(same => ({
    words: placesWords(same.map(({ words }) => words)),
    worth: same[0].worth,
    names: same.map(({ name }) => name),
  }));
}

/** Where on the board an action is done: at an own card or at a pile. @param {string} name */
function placeOf(name) {
  const cell = /^(?:place|flip) (\d+)$/.exec(name)?.[1];
  const key = { draw: "draw", take: "discard" }[name];
  return document.querySelector(cell ? `#own [data-key="cell-${cell}"]` : `#middle [data-key="${key}"]`);
}

/** Point at actions on the board, or no longer. @param {string[]} names @param {string|null} value */
function pointAt(names, value) {
  for (const place of names.map(placeOf)) if (place) setAttribute(place, "data-pointed", value);
}
