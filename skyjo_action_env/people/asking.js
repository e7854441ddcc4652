/** What Skyjo Action asks, and the buttons that answer. */

import { openingWords, seatName, subject } from "../view.js";
import { cardWords } from "../words.js";

const OPENING = 2; // cards that everybody turns up (docs/rules/skyjo_action.md, 2.4)
const COLUMNS = 4;

/** A column or row of a layout. @param {number} line */
export const lineName = line => (line < COLUMNS ? `column ${line + 1}` : `row ${line - COLUMNS + 1}`);

/** What is asked. @param {any} board */
export function questionOf(board) {
  const { view, legal, held, own, canTurnUp } = board;
  const { discard: top, hand: cards, attacked, line, played, mover, picked } = view.table;
  const begun = {
    kind: `Play the ${held?.kind}, or discard it?`,
    cell: "Look at the column or at the row of this card?",
    take: `Choose a place for the ${cardWords(top)}.`,
    discard: "Choose a hidden card to flip.",
  };
  if (held) return begun[held.what];
  const actions = legal.has("pile") || board.starting("open").length > 0 ? " or an action card" : "";
  const mine = board.starting("discard").length > 0 ? ", or press one of yours" : "";
  const whom = attacked === null ? "" : seatName(view, attacked);
  const questions = {
    opening: openingWords(view.table.boards[own], OPENING),
    turn: legal.has("take")
      ? `Draw a card, or take the ${cardWords(top)}${actions}${mine}.`
      : `You have no card left: take an action card or pass${mine}.`,
    drawn: `You drew ${cardWords(cards[0])}. Place it${canTurnUp ? ", or" : "."}`,
    taken: `Choose a place for the ${cardWords(cards[0])}.`,
    claim: "A star earns you an action card: choose one.",
    line: `Clear your ${lineName(line ?? 0)}, or keep it?`,
    swap: "Swap: choose one of your cards.",
    "swap with": "Swap: choose the card to change places with.",
    three: `Choose the card to lay${legal.has("none") ? ", or lay none" : ""}.`,
    "three place": `Choose a place for the ${cardWords(cards[picked] ?? "?")}.`,
    "three top": "Choose the card that goes on top of the discard pile.",
    "three flip": "Flip a card.",
    look: "Look: choose a hidden card in the column or row to look at.",
    exchange: "Exchange: choose a card of any layout.",
    "exchange with": "Exchange: choose a card of another layout.",
    remove: `Remove: choose a card of ${whom}.`,
    replay: "Replay: choose a discarded action card.",
    steal: "Steal: press a card of the player to steal from.",
    "steal card": `Steal: choose an action card of ${whom}.`,
    defence: `${subject(view, mover ?? 0)} attacks you with ${played}. Use your defence?`,
  };
  return questions[view.phase];
}

/** The buttons that answer. @param {any} board @param {any[]} ofPiles those of all boards with piles */
export function answersOf(board, ofPiles) {
  const { view, held, cancel } = board;
  if (held) {
    const uses = ["Play", "Discard"].map(verb => [`${verb.toLowerCase()} ${held.kind}`, `${verb} ${held.kind}`]);
    const lines = held.what === "cell" ? board.linesOf(held.seat, held.cell) : [];
    const looks = lines.map(name => [name, `Look at the ${lineName(Number(name.split(" ")[1])).split(" ")[0]}`]);
    return [...[...uses, ...looks].map(([name, words]) => board.answer(name, words)), cancel];
  }
  const words = {
    pass: view.phase === "claim" ? "Take none" : "Pass",
    none: "Lay none",
    clear: "Clear it",
    keep: "Keep it",
    defend: "Use your defence",
    allow: "Let it pass",
  };
  const verb = { replay: "Replay", "steal card": "Steal", remove: "Remove" }[view.phase];
  const kinds = verb ? [...board.starting("play"), ...board.starting("discard")] : [];
  const named = [...Object.entries(words), ...kinds.map(name => [name, `${verb} ${name.split(" ")[1]}`])];
  return [...ofPiles, ...named.map(([name, text]) => board.answer(name, text))];
}
