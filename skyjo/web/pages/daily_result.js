/** How today's deal went, for the first page and the end of its table. */

import { byId, make, setText } from "./dom.js";
import { answered } from "./server.js";
import { sentence, signed } from "./words.js";

/**
 * @typedef {{margin: number, luck: number|null}} Figures luck where the game measures it
 * @typedef {{rival: string, over: boolean, result: (Figures & {rival: Figures|null})|null}} Daily
 */

const UNCOUNTED = "This round does not count: you gave up, you took a move back, or the round was stopped.";

/** @param {number} points */
function ahead(points) {
  const size = signed(Math.abs(points), 1).slice(1);
  return Math.abs(points) < 0.05 ? "level" : `${size} points ${points > 0 ? "ahead" : "behind"}`;
}

/** How much somebody was ahead by play. @param {Figures} figures */
const fair = ({ margin, luck }) => margin - (luck ?? 0);

/** The result in a sentence. @param {Daily} daily */
export function dailyWords({ result, rival }) {
  if (!result) return UNCOUNTED;
  const compared = result.rival ? `; ${rival}, with your cards, was ${ahead(fair(result.rival))}` : "";
  return `${result.luck === null ? "You" : "Without luck, you"} were ${ahead(fair(result))}${compared}.`;
}

/** Say at a table what it brought, once that is worked out. @param {string} day */
export async function showDaily(day) {
  byId("daily-result").hidden = false;
  setText(byId("daily-result"), "Working out how your opponent would have played these cards …");
  const found = answered(`/api/daily?day=${day}`).then(dailyWords, error => sentence(error.message));
  setText(byId("daily-result"), await found);
}

/** The figures of the result, as parts of a list of terms. @param {Daily} daily */
export function dailyFigures({ result, rival }) {
  if (!result) return [];
  const { margin, luck } = result;
  const measured =
    luck === null
      ? []
      : [
          ["Luck", luck],
          ["Without luck", margin - luck],
        ];
  const figures = [["Points", margin], ...measured, ...(result.rival ? [[rival, fair(result.rival)]] : [])];
  const shown = (/** @type {any} */ [what, points]) => [make("dt", what), make("dd", signed(points, 1))];
  return figures.map(figure => make("div", ...shown(figure)));
}
