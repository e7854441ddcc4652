/** The table of what the choices of a decision are worth: equal ones in one line. */

import { make } from "./dom.js";
import { kindOf, placesWords, signed } from "./words.js";

/**
 * @typedef {{choices: Choice[], worth: number, chance: number|null}} Line without a chance of winning where none is known
 */

const FEW = 4; // lines that are shown at first

/**
 * Choices of one kind that are worth the same, in one line each; the best first.
 * @param {Choice[]} choices @returns {Line[]}
 */
export function foldedChoices(choices) {
  /** @type {Map<string, Line>} */
  const lines = new Map();
  for (const choice of choices) {
    const key = `${choice.name.replace(/ \d+$/, "")} ${choice.worth.toFixed(2)}`;
    const line = lines.get(key);
    if (line) line.choices.push(choice);
    else lines.set(key, { ...choice, choices: [choice] });
  }
  return [...lines.values()];
}

/** What a line says. @param {Line} line @param {(words: string) => string} plain */
function lineWords({ choices }, plain) {
  const words = choices.map(({ name }) => plain(name).replace(" it and turn up", ", turn up"));
  if (kindOf(words[0]) !== words[0] || words.length === 1) return placesWords(words);
  const ends = words.map(each => /\d+$/.exec(each)?.[0] ?? "");
  return words[0].replace(/\d+$/, new Intl.ListFormat("en-GB", { type: "disjunction" }).format(ends));
}

/**
 * The table.
 * @param {Choice[]} choices
 * @param {{isAll: boolean, played: number|undefined, check: any, plain: (words: string) => string}} options
 * @param {(line: Choice[]|null) => void} preview shows a line on the board, or what is usually shown
 * @param {() => void} showAll
 */
export function worthTable(choices, options, preview, showAll) {
  const lines = foldedChoices(choices);
  const rows = lines.map((line, index) => row(line, index, options, preview));
  const kept = rows.filter((one, index) => options.isAll || index < FEW || one.classList.contains("played"));
  const titles = ["Choice", "Points", ...(lines[0].chance === null ? [] : ["Wins"])];
  const head = make("tr", ...titles.map(words => make("th", { scope: "col" }, words)));
  const meaning = ["the expected margin of the round in points", "how often such a round is won"];
  const words = `What each choice was worth: ${meaning.slice(0, titles.length - 1).join(", and ")}`;
  const caption = make("caption.unseen", words);
  const table = make("table.worths", caption, make("thead", head), make("tbody", ...kept));
  table.addEventListener("mouseleave", () => preview(null));
  if (kept.length === rows.length) return [table];
  const more = make("button.quiet", `Show all ${rows.length}`);
  more.addEventListener("click", showAll);
  return [table, more];
}

/**
 * A line of the table.
 * @param {Line} line @param {number} index @param {any} options @param {(line: Choice[]|null) => void} preview
 */
function row(line, index, { played, check, plain }, preview) {
  const isPlayed = line.choices.some(({ action }) => action === played);
  const tag = (words, kind = "") => make("span", { class: `tag ${kind}` }, words);
  const tags = [index === 0 && tag("best", "gold"), isPlayed && tag("played")];
  const range = isPlayed && index > 0 && check && `${signed(-check.lost)} ± ${(2 * check.error).toFixed(2)}`;
  const tried = range ? [make("small", range)] : [];
  const points = make("td", signed(line.worth), " ", ...tried);
  const chance = line.chance === null ? [] : [make("td", `${(100 * line.chance).toFixed(1)} %`)];
  const shown = make("button", { title: "Show it on the board" }, lineWords(line, plain));
  const kinds = [index === 0 && "best", isPlayed && "played"].filter(Boolean).join(" ");
  const one = make("tr", { class: kinds }, make("td", shown, ...tags.filter(Boolean)), points, ...chance);
  one.addEventListener("focusin", () => preview(line.choices));
  one.addEventListener("mouseenter", ({ movementX, movementY }) => {
    if (movementX || movementY) preview(line.choices); // not if the page moved below the pointer
  });
  one.addEventListener("focusout", () => preview(null));
  return one;
}
