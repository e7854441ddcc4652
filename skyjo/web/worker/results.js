/** What finished games brought their seats, and how much of that was luck. */

export const sum = values => values.reduce((one, other) => one + other, 0);

/** By how much every value exceeds the mean of the others. @param {number[]} values */
export const ahead = values => values.map(own => own - (sum(values) - own) / (values.length - 1));

/**
 * What every round of a finished game brought every seat; null if the game was stopped.
 * @param {PlayedGame} game @returns {any}
 */
export function resultsOf({ tables, decisions, table, kind }) {
  const { luckWeights } = kind.data,
    { mostPointsWin } = kind.engine.description;
  if (table.isTruncated) return null;
  const margins = [],
    luck = [],
    winners = table.winners.length ? table.winners : [...Array(table.players).keys()]; // all share what nobody wins
  let brought = Array(table.players).fill(0);
  decisions.forEach(({ action, end }, k) => {
    tables[k]
      .luck(action)
      .forEach((terms, seat) => (brought[seat] += sum(terms.map((term, place) => term * luckWeights[place]))));
    if (!end) return;
    margins.push(ahead(tables[k + 1].roundScores).map(margin => (mostPointsWin ? margin : -margin)));
    luck.push(ahead(brought));
    brought = brought.map(() => 0);
  });
  const wins = brought.map((_, seat) => (winners.includes(seat) ? 1 / winners.length : 0));
  return { margins, luck: luckWeights.length ? luck : null, wins };
}
