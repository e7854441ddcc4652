/** What action cards do, in a line each (docs/rules/skyjo_action.md, sections 4 and 7); loaded when somebody wants to know. */

import { draw, make, setAttribute, setText } from "../dom.js";
import { keep, kept } from "../storage.js";

/** @type {Record<string, string>} */
export const MEANINGS = {
  pile: "Action pile: you get the top card, whatever it is. Every action card that is unused at the end costs 10 points.",
  double: "Double: two extra turns follow.",
  swap: "Swap: two of your cards change places.",
  three: "Three: draw three cards and lay one of them, or lay none and flip a hidden card.",
  defence: "Defence: while it lies next to your cards, it stops one attack on you. Played, it brings an extra turn.",
  look: "Look: see the hidden cards of any column or row.",
  exchange: "Exchange (an attack): a card of one player and a card of another change places.",
  remove:
    "Remove (an attack): a card of every other player, of your choice, is replaced by the next card of the draw pile.",
  replay: "Replay: a discarded action card is carried out for you.",
  steal: "Steal (an attack): an action card of another player is carried out for you and discarded.",
};

/** The same in a line on the card. @type {Record<string, string>} */
const EFFECTS = {
  pile: "the unknown top card",
  double: "two extra turns",
  swap: "swap two of yours",
  three: "draw three, lay one",
  defence: "stops an attack",
  look: "see a column or row",
  exchange: "trade cards of two players",
  remove: "replace a card of each rival",
  replay: "repeat a discarded one",
  steal: "use one of a rival’s",
};

const ICONS = new URL("skyjo_action_icons.svg", import.meta.url).href;

/** A card with room for an icon and a line. @param {HTMLElement} card @returns {any} */
export function wide(card) {
  card.classList.add("wide");
  card.firstElementChild?.append(draw("svg", { class: "icon" }, draw("use", {})), make("small"));
  return card;
}

/** Draw the icon of what lies on a wide card, and say what it does. @param {any} card */
export function dress(card) {
  const kind = kindOf(card);
  const isKind = kind in EFFECTS;
  setAttribute(card.querySelector("use"), "href", isKind ? `${ICONS}#${kind}` : null);
  setText(card.querySelector("small"), EFFECTS[kind] ?? "");
  setAttribute(card, "title", MEANINGS[kind] ?? null);
}

const noHover = matchMedia("(hover: none)");
const explainedKinds = () => kept("explained-actions", /** @type {string[]} */ ([]));

/** What lies somewhere: a kind, "pile", or empty. @param {any} card */
const kindOf = card => card.querySelector(".number").textContent.split(" ")[0];

/** Is this a touch screen, and a kind that has not been explained in this browser yet? @param {Element} card */
export const isNew = card => noHover.matches && !explainedKinds().includes(kindOf(card));

/** What a card does, for somebody who pressed it. @param {Element} card @param {boolean} canTake */
export function explained(card, canTake = false) {
  if (isNew(card)) keep("explained-actions", [...explainedKinds(), kindOf(card)]);
  return `${MEANINGS[kindOf(card)] ?? "There is no card here."}${canTake ? " Press again to take it." : ""}`;
}
