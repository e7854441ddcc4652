/** The end of a round that the fewest points win, in words and pictures; loaded when a round ends. */

import { byRow, cardPicture, make, wideBy } from "./dom.js";
import { seatName } from "./view.js";
import { cardWords, counted, withMinus } from "./words.js";

/**
 * What decided the round, the points of all, how each score comes about where there is more to it than cards, and all cards.
 * @param {View} view @param {any} end what the server says of it @param {number} rows of a layout
 * @param {(card: any) => Face|null} faceOf
 * @param {number[]} hidden by seat, the points that lay hidden until the end @param {number} [worth] points of an action card that is left
 */
export function pointsEnding(view, end, rows, faceOf, hidden, worth = 0) {
  const stopped = "The round was stopped and does not count.";
  const names = view.seats.map((_, seat) => seatName(view, seat));
  const picture = (board, seat) => smallBoard(board, names[seat], rows, faceOf);
  const pictures = end.boards.map(picture);
  if (!end.scores) return { decided: stopped, words: stopped, pictures, breakdowns: [] };
  const found = names.map((_, seat) => breakdown(end, seat, worth));
  const scores = names
    .map((name, seat) => `${name} ${end.scores[seat]}${found[seat] && ` (${found[seat]})`}`)
    .join(end.kept ? "; " : ", ");
  const words = `Ended by ${names[end.ender]}. Points: ${withMinus(scores)}.`;
  return {
    decided: whatDecided(names, end, rows, hidden),
    words,
    pictures,
    breakdowns: end.kept ? found.map(withMinus) : [],
  };
}

/** How a score comes about, empty where it is just that of the cards. @param {any} end @param {number} seat @param {number} worth */
function breakdown({ scores, points, kept, boards }, seat, worth) {
  const [score, own, actions] = [scores[seat], points[seat], kept?.[seat] ?? 0];
  const cards = kept ? boards[seat].filter(Number.isFinite).reduce((sum, card) => sum + card, 0) : own;
  const stars = cards + worth * actions - own; // what lines of them are worth
  const costs = actions > 0 && `+ ${worth * actions} for ${counted(actions, "unused action card")}`;
  const parts = [stars > 0 && `− ${stars} for stars`, costs].filter(Boolean);
  const times = score === own ? [] : [score === 2 * own ? "doubled" : `times ${score / own}`];
  return parts.length + times.length > 0 ? [[cards, ...parts].join(" "), ...times].join(", ") : "";
}

/** @param {string[]} names @param {any} end @param {number} rows @param {number[]} hidden */
function whatDecided(names, { scores, points, ender, boards }, rows, hidden) {
  const [first, second] = names.map((_, seat) => seat).sort((one, other) => scores[one] - scores[other]);
  const [winner, next] = [names[first], names[second]];
  const lines = boards.map(board => Math.floor(board.filter(card => card === ".").length / rows));
  const lead = scores[second] - scores[first];
  const ahead = `${lead} ${lead === 1 ? "point" : "points"} ahead`;
  if (scores[ender] !== points[ender])
    return `${names[ender]} ended the round but ${penalty(names, scores, points, ender)}`;
  if (lead === 0) return `${winner} and ${next} tied`;
  if (hidden[second] - hidden[first] >= lead)
    return `${next} had ${hidden[second]} points in hidden cards, ${winner} had ${hidden[first]}`;
  if (lines[first] > lines[second])
    return `${winner} cleared ${lines[first] === 1 ? "a line" : `${lines[first]} lines`} and finished ${ahead}`;
  return ender === first
    ? `${winner} ended the round ${ahead}`
    : `${names[ender]} ended the round, but ${winner} finished ${ahead}`;
}

/** Why the score of the player who ended the round was multiplied. @param {string[]} names @param {number[]} scores @param {number[]} points @param {number} ender */
function penalty(names, scores, points, ender) {
  const lowest = Math.min(...points.filter((_, seat) => seat !== ender));
  const failed =
    points[ender] === lowest ? "tied for lowest" : `${/^you\\b/.test(names[ender]) ? "weren’t" : "wasn’t"} lowest`;
  const change = scores[ender] === 2 * points[ender] ? "doubles to" : "becomes";
  return `${failed}, so ${points[ender]} ${change} ${scores[ender]}`;
}

/**
 * The cards of a seat.
 * @param {any[]} cells @param {string} name @param {number} rows
 * @param {(card: any) => Face|null} faceOf
 */
function smallBoard(cells, name, rows, faceOf) {
  const cards = byRow(cells, rows).flat();
  const label = `Cards of ${name}, row by row: ${cards.map(cardWords).join(", ")}`;
  const grid = make(
    "div.small.grid",
    { role: "img", "aria-label": label },
    ...cards.map(card => cardPicture(faceOf(card))),
  );
  return make("figure", make("figcaption", name), wideBy(cells.length / rows, grid));
}
