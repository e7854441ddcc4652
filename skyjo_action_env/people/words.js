/** Skyjo Action's table for JSON, and decisions in words: what documents.py and terminal.py say of it. */

import { endOf, filled, told } from "../../worker/played_game.js";
import { sum } from "../../worker/results.js";

const CARDS = ["card", "replaced", "removed"]; // fields of events

/** A card as it is written. */
const mark = ({ constants: { STAR, HIDDEN, EMPTY } }, card) =>
  ({ [STAR]: "*", [HIDDEN]: "?", [EMPTY]: "." })[card] ?? card;

const marks = (data, cards) => cards.map(card => mark(data, card));

/** All layouts of a field, marked. @param {import("../../engine/engine.js").Table} table @param {string} field */
function boardsOf(data, table, field) {
  const { CELLS } = data.constants,
    cards = table.field(field);
  return Array.from({ length: table.players }, (_, seat) => marks(data, cards.slice(seat * CELLS, (seat + 1) * CELLS)));
}

/** What is counted, by name. @param {number[]} counts @param {(count: number, k: number) => [any, any]} named */
const nonzero = (counts, named) =>
  Object.fromEntries(counts.map((count, k) => (count ? named(count, k) : null)).filter(pair => pair !== null));

/** What a seat sees; unless it is the viewer's own, without drawn cards and hidden ones that it alone knows. @param {boolean} isOwn */
export function viewDocument(data, { record: { players } }, view, isOwn) {
  const { EMPTY, CELLS, KINDS, TAKEN } = data.constants,
    seats = [...Array(players).keys()];
  const placeOf = seat => (seat - view.seat + players) % players,
    seatAt = place => (place < 0 ? null : (view.seat + place) % players);
  const bySeat = field => seats.map(seat => field[placeOf(seat)]),
    kindOf = kind => KINDS[kind] ?? null;
  const knownOf = (bits, card) => [
    isOwn && bits & 1 ? mark(data, card) : "?",
    ...seats.filter(seat => (bits >> placeOf(seat)) & 1),
  ];
  const hand = marks(
    data,
    view.hand.filter(card => card !== EMPTY),
  );
  return {
    ...{ draw_pile: view.draw_pile_size, action_pile: view.action_pile_size, action_discard: kindOf(view.action_top) },
    ...{
      mover: seatAt(view.mover),
      played: kindOf(view.played),
      attacked: seatAt(view.attacked),
      extra_turns: view.extra_turns,
    },
    ...{ ender: seatAt(view.ender), turns_left: view.turns_left, line: view.line < 0 ? null : view.line },
    boards: bySeat(view.cells.map(cells => marks(data, cells))),
    known: bySeat(
      view.knowers.map((knowers, place) =>
        nonzero(knowers, (bits, cell) => [cell, knownOf(bits, view.known[place][cell])]),
      ),
    ),
    discard: view.discard_top === EMPTY ? null : mark(data, view.discard_top),
    hand: isOwn || view.phase === TAKEN ? hand : hand.map(() => "?"),
    picked: isOwn && view.picked >= 0 ? view.picked : null,
    open_actions: view.open_actions.map(kindOf),
    held: bySeat(view.held.map(counts => nonzero(counts, (count, kind) => [KINDS[kind], count]))),
    chosen: view.chosen < 0 ? null : [seatAt(Math.floor(view.chosen / CELLS)), view.chosen % CELLS],
  };
}

/** All cards of the layouts, and those in hand. */
export function openDocument(data, table) {
  return {
    boards: boardsOf(data, table, "cards"),
    hand: marks(
      data,
      table.field("hand").filter(card => card !== data.constants.EMPTY),
    ),
  };
}

/** The end of a round; of one that was stopped only the layouts. */
export function endDocument({ data, events }) {
  const { ender = null, scores = null, kept = null, boards } = endOf(events),
    isDoubled = events.some(({ event }) => event === "EnderDoubled");
  const points = scores?.map((score, seat) => (isDoubled && seat === ender ? score / 2 : score)) ?? null;
  return { ender, scores, points, kept, boards: boards.map(cards => marks(data, cards)) };
}

/** What a decision did, as far as everybody saw it; what the end of the round reveals is not part of it. */
export const describe = ({ data, events }) => told(data, events, ["CardRevealed"], each => phraseOf(data, each));

/**
 * The phrase for an event, and what fills it: a drawn card is named only once it is laid or discarded.
 * @param {any} data @param {any} each @returns {[string, any]}
 */
function phraseOf(data, each) {
  const {
      phrases,
      constants: { HIDDEN, LINES },
    } = data,
    { event } = each,
    shown = (name, value) =>
      CARDS.includes(name) ? mark(data, value) : name === "cells" ? value.join(", ") : (value ?? phrases.nothing);
  const values = Object.fromEntries(Object.entries(each).map(([name, value]) => [name, shown(name, value)])),
    { card, replaced, removed } = values;
  switch (event) {
    case "CardsDrawn":
      return [each.cards.length > 1 ? "three drawn" : event, {}];
    case "CardPlaced":
      return [
        event,
        {
          ...values,
          card: each.was_drawn ? card : phrases["taken card"],
          replaced: each.was_hidden ? filled(phrases["hidden card"], { card: replaced }) : replaced,
        },
      ];
    case "ActionTaken":
      return [event, { ...values, why: each.for_star ? phrases["for star"] : "" }];
    case "CardsMoved":
      return [each.seat === each.other_seat ? "swapped" : event, values];
    case "CardRemoved":
      return [event, { ...values, removed: each.removed === HIDDEN ? phrases["removed hidden"] : removed }];
    case "LineKept":
      return [event, { line: LINES[each.line] }];
    default:
      return [event, values];
  }
}

/** What a seat gains by a decision, from what it sees. */
export function reason({ data, view, name }) {
  const {
      phrases,
      constants: { HIDDEN, NOBODY, POINTS },
    } = data,
    [word, cell] = name.split(" ");
  const mean = sum(view.unseen.map((count, k) => count * POINTS[k])) / Math.max(1, sum(view.unseen));
  const end = view.hidden_left[0] === 1 && view.ender === NOBODY ? phrases.ends : "";
  if (word === "draw" || word === "take")
    return filled(phrases["drawn or taken"], { mean, card: mark(data, view.discard_top) });
  if (word === "flip") return filled(phrases["turned up"], { mean }) + end;
  if (word !== "place") return "";
  const old = view.cells[0][cell],
    hidden = filled(phrases["old hidden"], { mean }) + end;
  return filled(phrases.placed, {
    card: mark(data, view.hand[Math.max(view.picked, 0)]),
    old: old === HIDDEN ? hidden : mark(data, old),
  });
}
