/** Texts as people read them: sentences, numbers, cards, and choices with their places. */

const PLACE = /column (\d+), row (\d+)/;
const either = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** With a capital letter, and a full stop if no other mark ends it. @param {string} words */
export function sentence(words) {
  const plain = words.trim();
  return plain && `${plain[0].toUpperCase()}${plain.slice(1)}${/[.!?]$/.test(plain) ? "" : "."}`;
}

/** A text with true minus signs. @param {string|number} text */
export const withMinus = text => String(text).replace(/-(?=\d)/g, "−");

/** Points with a sign; what rounds to zero has a plus. @param {number} points @param {number} [digits] */
export function signed(points, digits = 2) {
  const size = Math.abs(points).toFixed(digits);
  return `${points < 0 && Number(size) > 0 ? "−" : "+"}${size}`;
}

/** How many things there are. @param {number} count @param {string} word for one of them */
export const counted = (count, word) =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? word : `${word.replace(/y$/, "ie")}s`}`;

/** How far a choice is behind the best one, in points. @param {number} lost */
export const behindWords = lost => (lost < 0.05 ? "=" : `−${lost.toFixed(1)}`);

/** What a seat of a kept game is called. @param {string} name @param {number} seat */
export const seatTitle = (name, seat) => (/seat \d+/.test(name) ? name : `${name} (seat ${seat + 1})`);

/** A card in words, as written positions have it. @param {string|number} mark */
export const cardWords = mark => ({ "?": "hidden", ".": "cleared", "*": "star" })[mark] ?? withMinus(mark);

/** A place of a board in words, by what lies there. @param {string|number} mark */
export const cellWords = mark => ("?.".includes(String(mark)) ? cardWords(mark) : `open, ${cardWords(mark)}`);

/** Words without where on a board it happened: the board shows that. @param {string} words */
export const shortWords = words => words.replace(/ in column \d+, row \d+/g, "");

/** What a choice is without its place. @param {string} words */
export const kindOf = words => words.replace(PLACE, "");

/**
 * What several choices of a kind are, such as "place it in column 1, row 1 or 2; column 3, row 2".
 * @param {string[]} words of each
 */
export const placesWords = words =>
  PLACE.test(words[0]) ? words[0].replace(PLACE, byColumn(words)) : either.format(words);

/** The places, by column. @param {string[]} words */
function byColumn(words) {
  /** @type {Map<string, string[]>} the rows of each column */
  const rows = new Map();
  for (const text of words) {
    const [, column, row] = PLACE.exec(text) ?? [];
    rows.set(column, [...(rows.get(column) ?? []), row]);
  }
  /** @type {Map<string, string[]>} the columns with the same rows */
  const columns = new Map();
  for (const [column, found] of [...rows].sort()) {
    const named = either.format(found.sort());
    columns.set(named, [...(columns.get(named) ?? []), column]);
  }
  return [...columns].map(([named, found]) => `column ${either.format(found)}, row ${named}`).join("; ");
}
