/** The end of a round, on the felt: hidden cards turn up one after the other, are counted and doubled; then who has won. */

import { byId, make, pop, setAttribute, setText, showFace, showSum, style, turn } from "./dom.js";
import { linesOf } from "./grid_board.js";
import { speak } from "./people.js";
import { outcome, scoresWords, winnersWords } from "./view.js";
import { sentence, withMinus } from "./words.js";

const STEP = 130; // milliseconds from card to card
const MAX_WAIT = 2600; // milliseconds until all are turned up
const MOMENT = 700; // milliseconds to look at a line that leaves, or at points that are doubled
const still = matchMedia("(prefers-reduced-motion: reduce)");

await style("ending.css");

/** @param {number} time milliseconds */
const pause = time => time > 0 && new Promise(done => setTimeout(done, time));

/** What the end changes on a board: hidden cards turn up, then lines leave. @param {any[]} was @param {any[]} cards @param {number} rows */
function changes(was, cards, rows) {
  const changed = [...cards.keys()].filter(cell => cards[cell] !== was[cell]);
  const turned = changed.filter(cell => cards[cell] !== ".").map(cell => [cell]);
  const gone = changed.filter(cell => cards[cell] === ".");
  return [...turned, ...linesOf(gone, rows)];
}

/** Points that lay hidden, by seat. @param {any[][]} before @param {any[][]} after */
const hiddenPoints = (before, after) =>
  after.map((board, seat) =>
    board.reduce((sum, card, cell) => sum + (before[seat][cell] === "?" && Number.isFinite(card) ? card : 0), 0),
  );

/**
 * Show how a round ended.
 * @param {View} view in which it has ended @param {View|undefined} before the one before it, if the page has it
 * @param {any} board @param {any[]} places @param {() => boolean} isWanted false once the page has gone on
 */
export async function showEnding(view, before, board, places, isWanted) {
  const end = view.end;
  const boards = end?.boards;
  const start = (before ?? view).table.boards;
  const isAtOnce = before === undefined || still.matches;
  for (const card of document.querySelectorAll("#felt button.card")) putDown(card);
  for (const line of document.querySelectorAll(".breakdown")) line.remove(); // of the round before
  if (boards) await turnUp(start, boards, board, places, isWanted, isAtOnce);
  const { decided, breakdowns = [] } = end
    ? await board.ending(end, before && boards ? hiddenPoints(start, boards) : undefined)
    : { decided: "" };
  if (isWanted() && end?.scores && end.points) await showScores(end, breakdowns, places, isAtOnce);
  if (!isWanted()) return;
  const winners = view.over?.winners ?? winnersOf(end);
  const round = [sentence(`${winnersWords(view, winners)} the round`).slice(0, -1), scoresWords(view, winners)];
  const [who, score = ""] = view.over ? outcome(view) : round;
  byId("ending-title").replaceChildren(make("span", `${who}${score && ", "}`), make("strong", score));
  setText(byId("decided"), sentence(decided));
  places.forEach(({ section }, seat) => setAttribute(section, "data-winner", winners.includes(seat) ? "" : null));
  speak(byId("last-words"), view, end?.points?.findIndex((own, seat) => own !== end.scores?.[seat]) ?? -1, "doubled");
  byId("ending").hidden = false;
}

/** Nothing can be done with it any more. @param {Element} card */
function putDown(card) {
  setAttribute(card, "aria-disabled", "true");
  setAttribute(card, "aria-describedby", "why");
  for (const name of ["data-hint", "data-best", "data-chosen", "data-target"]) setAttribute(card, name, null);
}

/**
 * Show the score of every seat, and how it comes about; a score is doubled before the eyes of all.
 * @param {any} end @param {string[]} breakdowns by seat @param {any[]} places @param {boolean} isAtOnce
 */
async function showScores({ scores, points }, breakdowns, places, isAtOnce) {
  places.forEach(({ sum, body }, seat) => {
    setText(sum, withMinus(points[seat]));
    if (breakdowns[seat]) body.append(make("p.breakdown", breakdowns[seat]));
  });
  for (const [seat, { sum }] of places.entries()) {
    if (scores[seat] === points[seat]) continue;
    const doubled = `${points[seat]} × ${scores[seat] / points[seat]}`;
    for (const words of [doubled, `${doubled} = ${scores[seat]}`]) {
      await pause(isAtOnce ? 0 : MOMENT);
      setText(sum, withMinus(words));
      pop(sum);
    }
    await pause(isAtOnce ? 0 : MOMENT);
  }
}

/** @param {any[][]} start @param {any[][]} boards @param {any} board @param {any[]} places @param {() => boolean} isWanted @param {boolean} isAtOnce */
async function turnUp(start, boards, board, places, isWanted, isAtOnce) {
  const now = start.map(cells => [...cells]);
  const steps = boards.flatMap((cards, seat) =>
    changes(start[seat], cards, board.size.rows).map(cells => ({ seat, cells })),
  );
  for (const { seat, cells } of steps) {
    const isLine = cells.length > 1;
    if (!isAtOnce) await pause(isLine ? MOMENT : Math.min(STEP, MAX_WAIT / steps.length));
    if (!isWanted()) return;
    const nodes = cells.map(cell => places[seat].body.querySelector(`[data-key="cell-${cell}"]`));
    nodes.forEach((node, at) => showFace(node, board.faceOf(boards[seat][cells[at]])));
    if (isLine) board.clear(seat, cells, now[seat]);
    else turn(nodes[0]);
    for (const cell of cells) now[seat][cell] = boards[seat][cell];
    showSum(places[seat].sum, now[seat]);
  }
}

/** Who has won a round after which the game goes on. @param {any} end @returns {number[]} */
function winnersOf({ winner, scores }) {
  if (winner !== undefined) return winner === null ? [] : [winner];
  const least = scores && Math.min(...scores);
  return (scores ?? []).flatMap((score, seat) => (score === least ? [seat] : []));
}
