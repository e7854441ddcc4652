/** What Skyjo Action asks, and the buttons that answer: loaded where somebody decides. */

import { cardWords } from "../dom.js";
import { openingWords, ownSeat, seatName, subject } from "../view.js";

const OPENING = 2; // cards that everybody turns up (docs/rules/skyjo_action.md, 2.4)

/**
 * Where a decision is to be made.
 * @typedef {object} Asked
 * @property {import("../view.js").View} view @property {Map<string, number>} legal actions by name @property {any} held what is begun on the board
 * @property {string[]} lines that can be looked at from the card that is pressed, by name
 * @property {(word: string) => string[]} starting names of legal actions @property {boolean} canTurnUp
 * @property {(line: number) => string} lineName
 */

/** What is asked. @param {Asked} asked */
export function question({ view, legal, held, starting, canTurnUp, lineName }) {
  const { discard: top, hand: cards, attacked, line, played, mover, picked } = view.table;
  if (held?.kind) return `Play the ${held.kind}, or discard it?`;
  if (held?.seat !== undefined) return "Look at the column or at the row of this card?";
  if (held) return held.take ? `Choose a place for the ${cardWords(top)}.` : "Choose a hidden card to turn up.";
  const more = canTurnUp ? ", or" : ".";
  const actions = legal.has("pile") || starting("open").length > 0 ? " or an action card" : "";
  const mine = starting("discard").length > 0 ? ", or press one of yours" : "";
  const whom = attacked === null ? "" : seatName(view, attacked);
  const questions = {
    opening: openingWords(view.table.boards[ownSeat(view)], OPENING),
    turn: legal.has("take")
      ? `Draw a card, or take the ${cardWords(top)}${actions}${mine}.`
      : `You have no card left: take an action card or pass${mine}.`,
    drawn: `You drew ${cardWords(cards[0])}. Place it${more}`,
    taken: `Choose a place for the ${cardWords(cards[0])}.`,
    claim: "A star earns you an action card: choose one.",
    line: `Clear your ${lineName(line ?? 0)}, or keep it?`,
    swap: "Swap: choose one of your cards.",
    "swap with": "Swap: choose the card to change places with.",
    three: `Choose the card to lay${legal.has("none") ? ", or lay none" : ""}.`,
    "three place": `Choose a place for the ${cardWords(cards[picked] ?? "?")}.`,
    "three top": "Choose the card that goes on top of the discard pile.",
    "three flip": "Turn a card up.",
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

/** What can be chosen by a button: its words and its action's name. @param {Asked} asked @returns {string[][]} */
export function choices({ view, legal, held, lines, starting, canTurnUp, lineName }) {
  const cancel = ["Cancel", "cancel"];
  if (held?.kind)
    return [
      ...["Play", "Discard"]
        .map(verb => [`${verb} ${held.kind}`, `${verb.toLowerCase()} ${held.kind}`])
        .filter(([, name]) => legal.has(name)),
      cancel,
    ];
  if (held)
    return [...lines.map(name => [`Look at the ${lineName(Number(name.split(" ")[1])).split(" ")[0]}`, name]), cancel];
  const words = {
    draw: "Draw a card",
    take: `Take the ${cardWords(view.table.discard)}`,
    pass: view.phase === "claim" ? "Take none" : "Pass",
    none: "Lay none",
    clear: "Clear it",
    keep: "Keep it",
    defend: "Use your defence",
    allow: "Let it pass",
  };
  const verb = { replay: "Replay", "steal card": "Steal", remove: "Remove" }[view.phase];
  const kinds = verb
    ? [...starting("play"), ...starting("discard")].map(name => [`${verb} ${name.split(" ")[1]}`, name])
    : [];
  const offered = Object.entries(words)
    .filter(([name]) => legal.has(name))
    .map(([name, text]) => [text, name]);
  return [...offered, ...kinds, ...(canTurnUp ? [["Discard it, turn a card up", "held"]] : [])];
}
