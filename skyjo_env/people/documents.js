/** Skyjo's table as pages show it. */

import { marks } from "../../worker/phrases.js";

const NOBODY = -1;

/** What a seat sees; unless it is the viewer's own, without the card that it has drawn.
 * @param {any} data @param {any} rules @param {any} view @param {boolean} isOwn */
export function viewDocument({ constants, phrases }, { record }, view, isOwn) {
  const { rows, columns, players, opening_flips } = record,
    { HIDDEN, EMPTY, DRAWN } = constants;
  const isSeen = view.hand !== EMPTY && view.hand !== HIDDEN && (isOwn || view.phase !== DRAWN);
  const seatAt = place => (place === NOBODY ? null : (view.seat + place) % players);
  return {
    ...{ rows, columns, opening_flips, turn: view.turns + 1, turns_left: view.turns_left },
    ...{ draw_pile: view.draw_pile_size, ender: seatAt(view.ender) },
    boards: view.cells.map((_, seat) => marks(phrases, view.cells[(seat - view.seat + players) % players])),
    discard: view.discard_top === EMPTY ? null : view.discard_top,
    hand: isSeen ? view.hand : null,
    hand_of: view.hand === EMPTY ? null : seatAt(view.decider),
  };
}

/** All cards of the boards, and the card in hand. */
export function openDocument({ constants: { EMPTY, MAX_CELLS }, phrases }, table) {
  const [cards, hand] = ["cards", "hand"].map(name => table.field(name)),
    { cells } = table.rules.record;
  const board = seat => cards.slice(seat * MAX_CELLS, seat * MAX_CELLS + cells);
  return {
    boards: Array.from({ length: table.players }, (_, seat) => marks(phrases, board(seat))),
    hand: hand === EMPTY ? null : hand,
  };
}
