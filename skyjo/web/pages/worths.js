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
  const words = choices.map(({ name }) => plain(name).replace(" it and flip", ", flip"));
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
  const meaning = ["the expected lead in points", "the chance of winning the round"];
  const words = `The value of each choice: ${meaning.slice(0, titles.length - 1).join(", and ")}`;
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
  const isBest = index === 0;
  const range = isPlayed && !isBest && check && `${signed(-check.lost)} ± ${(2 * check.error).toFixed(2)}`;
  const shown = make("button", { title: "Show it on the board" }, lineWords(line, plain));
  return make(
    "tr",
    {
      class: [isBest && "best", isPlayed && "played"].filter(Boolean).join(" "),
      focusin: () => preview(line.choices),
      focusout: () => preview(null),
      // not if the page moved below the pointer
      mouseenter: ({ movementX, movementY }) => (movementX || movementY) && preview(line.choices),
    },
    make("td", shown, isBest && make("span.tag.gold", "best"), isPlayed && make("span.tag", "played")),
    make("td", signed(line.worth), " ", range && make("small", range)),
    line.chance !== null && make("td", `${(100 * line.chance).toFixed(1)} %`),
  );
}
