/** Skyjo Action's table as pages show it. */

import { marks } from "../../worker/phrases.js";

/** What is counted, by name. @param {number[]} counts @param {(count: number, k: number) => [any, any]} named */
const nonzero = (counts, named) =>
  Object.fromEntries(counts.map((count, k) => (count ? named(count, k) : null)).filter(pair => pair !== null));

/** What a seat sees; unless it is the viewer's own, without drawn cards and hidden ones that it alone knows.
 * @param {any} data @param {any} rules @param {any} view @param {boolean} isOwn */
export function viewDocument({ constants, phrases }, { record: { players } }, view, isOwn) {
  const { EMPTY, CELLS, KINDS, TAKEN } = constants,
    seats = [...Array(players).keys()];
  const placeOf = seat => (seat - view.seat + players) % players,
    seatAt = place => (place < 0 ? null : (view.seat + place) % players);
  const bySeat = field => seats.map(seat => field[placeOf(seat)]),
    kindOf = kind => KINDS[kind] ?? null;
  const mark = card => marks(phrases, [card])[0],
    knowers = bits => seats.filter(seat => (bits >> placeOf(seat)) & 1);
  const knownOf = (bits, card) => [isOwn && bits & 1 ? mark(card) : "?", ...knowers(bits)];
  const held = view.hand.filter(card => card !== EMPTY),
    hand = marks(phrases, held);
  return {
    ...{ draw_pile: view.draw_pile_size, action_pile: view.action_pile_size, action_discard: kindOf(view.action_top) },
    ...{ mover: seatAt(view.mover), played: kindOf(view.played), attacked: seatAt(view.attacked) },
    extra_turns: view.extra_turns,
    ...{ ender: seatAt(view.ender), turns_left: view.turns_left, line: view.line < 0 ? null : view.line },
    boards: bySeat(view.cells.map(cells => marks(phrases, cells))),
    known: bySeat(
      view.knowers.map((knowers, place) =>
        nonzero(knowers, (bits, cell) => [cell, knownOf(bits, view.known[place][cell])]),
      ),
    ),
    discard: view.discard_top === EMPTY ? null : mark(view.discard_top),
    hand: isOwn || view.phase === TAKEN ? hand : hand.map(() => "?"),
    picked: isOwn && view.picked >= 0 ? view.picked : null,
    open_actions: view.open_actions.map(kindOf),
    held: bySeat(view.held.map(counts => nonzero(counts, (count, kind) => [KINDS[kind], count]))),
    chosen: view.chosen < 0 ? null : [seatAt(Math.floor(view.chosen / CELLS)), view.chosen % CELLS],
  };
}

/** All cards of the layouts, and those in hand. */
export function openDocument({ constants: { CELLS, EMPTY }, phrases }, table) {
  const cards = table.field("cards"),
    held = table.field("hand").filter(card => card !== EMPTY);
  const layout = seat => cards.slice(seat * CELLS, (seat + 1) * CELLS);
  return {
    boards: Array.from({ length: table.players }, (_, seat) => marks(phrases, layout(seat))),
    hand: marks(phrases, held),
  };
}
