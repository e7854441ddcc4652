/** The end of a round, on the felt: hidden cards turn up one after the other, then the scores and what decided it. */

import { byId, make, setAttribute, setText, showFace, showSum, style, turn, vanish } from "./dom.js";
import { outcome, winnersWords } from "./view.js";
import { sentence, withMinus } from "./words.js";

const STEP = 110; // milliseconds from card to card
const MAX_WAIT = 2600; // milliseconds until all are turned up
const still = matchMedia("(prefers-reduced-motion: reduce)");

await style("ending.css");

/** The cards that the end changes, seat by seat. @param {any[][]} before @param {any[][]} after */
const changes = (before, after) =>
  after.flatMap((board, seat) =>
    board.map((card, cell) => ({ seat, cell, was: before[seat][cell], card })).filter(({ was, card }) => was !== card),
  );

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
  for (const card of document.querySelectorAll("#felt button.card")) putDown(card);
  for (const line of document.querySelectorAll(".breakdown")) line.remove(); // of the round before
  if (boards)
    await turnUp(changes(start, boards), start, board, places, isWanted, before === undefined || still.matches);
  if (!isWanted()) return;
  const title = view.over ? outcome(view) : `Round ${view.round - 1}: ${winnersOf(end, view)}`;
  setText(byId("ending-title"), title);
  const { decided, breakdowns = [] } = end
    ? await board.ending(end, before && boards ? hiddenPoints(start, boards) : undefined)
    : { decided: "" };
  setText(byId("decided"), sentence(decided));
  if (!isWanted()) return;
  if (end?.scores && end.points) showScores(end, breakdowns, places);
  byId("ending").hidden = false;
}

/** Nothing can be done with it any more. @param {Element} card */
function putDown(card) {
  setAttribute(card, "aria-disabled", "true");
  setAttribute(card, "aria-describedby", "why");
  for (const name of ["data-hint", "data-best", "data-chosen", "data-target"]) setAttribute(card, name, null);
}

/** The score of every seat, and how it comes about. @param {any} end @param {string[]} breakdowns by seat @param {any[]} places */
function showScores({ scores, points }, breakdowns, places) {
  places.forEach(({ sum, body }, seat) => {
    const [words, own, score] = [breakdowns[seat], withMinus(points[seat]), withMinus(scores[seat])];
    setText(sum, words || own === score ? score : `${own} → ${score}`);
    if (words) body.append(make("p.breakdown", words));
  });
}

/** @param {any[]} steps @param {any[][]} start @param {any} board @param {any[]} places @param {() => boolean} isWanted @param {boolean} isAtOnce */
async function turnUp(steps, start, board, places, isWanted, isAtOnce) {
  const now = start.map(cells => [...cells]);
  const wait = isAtOnce ? 0 : Math.min(STEP, MAX_WAIT / steps.length);
  for (const { seat, cell, card } of steps) {
    if (wait) await new Promise(done => setTimeout(done, wait));
    if (!isWanted()) return;
    const node = places[seat].body.querySelector(`[data-key="cell-${cell}"]`);
    showFace(node, board.faceOf(card));
    if (card === ".") vanish(node);
    else turn(node);
    now[seat][cell] = card;
    showSum(places[seat].sum, now[seat]);
  }
}

/** Who has won a round after which the game goes on. @param {any} end @param {View} view */
function winnersOf(end, view) {
  const least = end.scores && Math.min(...end.scores);
  const fewest = (end.scores ?? []).flatMap((score, seat) => (score === least ? [seat] : []));
  return winnersWords(view.seats, end.winner === undefined ? fewest : end.winner === null ? [] : [end.winner]);
}
