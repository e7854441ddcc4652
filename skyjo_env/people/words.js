/** Skyjo's table for JSON, and decisions in words: what documents.py and terminal.py say of it. */

import { endOf, filled, told } from "../../worker/played_game.js";

const NOBODY = -1;

/** Cells as a written position has them. */
const marks = ({ constants: { HIDDEN, EMPTY } }, cells) =>
  cells.map(card => (card === HIDDEN ? "?" : card === EMPTY ? "." : card));

/** The part of a field that is about one board. @param {any} step @param {number[]} field @param {number} seat */
const boardOf = (
  {
    data: {
      constants: { MAX_CELLS },
    },
    rules: {
      record: { cells },
    },
  },
  field,
  seat,
) => field.slice(seat * MAX_CELLS, seat * MAX_CELLS + cells);

/** All boards of a field, marked. @param {any} step @param {number[]} field */
const boardsOf = (step, field) =>
  Array.from({ length: step.rules.record.players }, (_, seat) => marks(step.data, boardOf(step, field, seat)));

/** What a seat sees; unless it is the viewer's own, without the card that it has drawn. @param {boolean} isOwn */
export function viewDocument(data, { record: { rows, columns, players, opening_flips } }, view, isOwn) {
  const { HIDDEN, EMPTY, DRAWN } = data.constants,
    isSeen = view.hand !== EMPTY && view.hand !== HIDDEN && (isOwn || view.phase !== DRAWN);
  const seatAt = place => (place === NOBODY ? null : (view.seat + place) % players);
  return {
    ...{
      rows,
      columns,
      opening_flips,
      turn: view.turns + 1,
      turns_left: view.turns_left,
      draw_pile: view.draw_pile_size,
      ender: seatAt(view.ender),
    },
    boards: view.cells.map((_, seat) => marks(data, view.cells[(seat - view.seat + players) % players])),
    discard: view.discard_top === EMPTY ? null : view.discard_top,
    hand: isSeen ? view.hand : null,
    hand_of: view.hand === EMPTY ? null : seatAt(view.decider),
  };
}

/** All cards of the boards, and the card in hand. */
export function openDocument(data, table) {
  const hand = table.field("hand");
  return {
    boards: boardsOf({ data, rules: table.rules }, table.field("cards")),
    hand: hand === data.constants.EMPTY ? null : hand,
  };
}

/** The end of a round; one that was stopped has neither ender nor scores nor points. */
export function endDocument({ data, events }) {
  const { ender = null, scores = null, boards: shown } = endOf(events),
    boards = shown.map(cells => marks(data, cells));
  const points = scores && boards.map(board => board.reduce((sum, card) => sum + (Number(card) || 0), 0));
  return { ender, scores, points, boards };
}

/** What a decision did. A drawn card is not named before it is placed or discarded: only then is it public. */
export function describe({ data, events }) {
  const { phrases } = data,
    taken = phrases["taken card"],
    hidden = card => filled(phrases["hidden card"], { card });
  return told(data, events, [], each => {
    const { event, card, replaced, cards } = each;
    if (event === "CardPlaced")
      return [
        event,
        { ...each, card: each.was_drawn ? card : taken, replaced: each.was_hidden ? hidden(replaced) : replaced },
      ];
    return event === "LinesCleared" ? [each.is_reveal ? "" : event, { cards: cards.length }] : [event, each];
  });
}

/** How many cards stand between a seat and the end of the round, on average. */
export const cardsLeft = ({ hidden_left: left }) => left.reduce((all, count) => all + count, 0) / left.length;

/** What a seat gains by a decision, from what it sees. */
export function reason({ data, rules, view, name }) {
  const {
      phrases,
      constants: { HIDDEN, EMPTY },
    } = data,
    [word, number] = name.split(" "),
    { low } = rules.record;
  const sum = pool => pool.reduce((all, count) => all + count, 0),
    mean = pool => sum(pool.map((count, k) => count * (low + k))) / Math.max(1, sum(pool));
  const end = view.hidden_left[0] === 1 && view.ender === NOBODY ? phrases.ends : "";
  if (word === "draw" && view.discard_top !== EMPTY)
    return filled(phrases["drawn or taken"], { mean: mean(view.draw_pool), card: withArticle(data, view.discard_top) });
  if (word === "draw" || word === "take") return filled(phrases.drawn, { mean: mean(view.draw_pool) });
  if (word === "flip") return filled(phrases["turned up"], { mean: mean(view.hidden_pool) }) + end;
  if (word !== "place") return "";
  return (
    exchange(data, rules, view, Number(number), mean(view.hidden_pool))
    + (view.cells[0][Number(number)] === HIDDEN ? end : "")
  );
}

/** What the card in hand does in a cell. @param {number} cell @param {number} mean of hidden cards */
function exchange(data, rules, { cells: [board], hand }, cell, mean) {
  const {
      phrases,
      constants: { HIDDEN },
    } = data,
    lines = linesOf(rules.record).filter(line => line.includes(cell));
  const others = lines.map(line => line.filter(other => other !== cell).map(other => board[other]));
  if (others.some(line => line.every(card => card === hand))) return filled(phrases.completed, { card: hand });
  const old = board[cell] === HIDDEN ? filled(phrases["old hidden"], { mean }) : withArticle(data, board[cell]);
  const beside = others.some(line => line.includes(hand)) ? filled(phrases.beside, { card: hand }) : "";
  return filled(phrases.placed, { card: withArticle(data, hand), old }) + beside;
}

/** The cells of every line that can be cleared. @returns {number[][]} */
function linesOf({ rows, columns, row_clear: clearsRows }) {
  const cells = [...Array(rows * columns).keys()],
    lines = (length, lineOf) => Array.from({ length }, (_, line) => cells.filter(cell => lineOf(cell) === line));
  return [...lines(columns, cell => Math.floor(cell / rows)), ...(clearsRows ? lines(rows, cell => cell % rows) : [])];
}

const withArticle = ({ phrases, constants: { WITH_AN } }, card) =>
  filled(phrases[WITH_AN.includes(card) ? "an" : "a"], { card });
