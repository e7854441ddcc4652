/** Choices that are alike but for their places on a board: one line that names the places. */

const PLACE = /column (\d+), row (\d+)/;
const either = new Intl.ListFormat("en-GB", { type: "disjunction" });

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
