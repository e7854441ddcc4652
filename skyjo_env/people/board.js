/** Skyjo's cards: boards of hidden and open cards, two piles and the card in hand. */

import { cardPicture, pileOf, setAttribute, setText, showFace } from "../dom.js";
import { faceOf, GridBoard } from "../grid_board.js";
import { openingWords, seatName } from "../view.js";
import { cardWords } from "../words.js";

export const TITLE = "Skyjo";
export { KEYS } from "../grid_board.js";

class SkyjoBoard extends GridBoard {
  hand = pileOf(cardPicture(null));

  constructor(middle, bar, table) {
    super(middle, bar, table);
    this.lap.before(this.hand);
  }

  get inHand() {
    return this.hand.firstElementChild;
  }

  showMiddle() {
    super.showMiddle();
    const { discard, hand: card, hand_of: holder, open } = this.view.table;
    const isMine = this.isTaking || (holder !== null && holder === this.view.seat);
    const shown = this.isTaking ? discard : holder === null ? null : (card ?? open?.hand ?? "?");
    showFace(this.inHand, faceOf(shown));
    const name = holder === null ? "" : seatName(this.view, holder).replace(/^.+ \((seat \d+)\)$/, "$1");
    setText(this.hand.lastElementChild, isMine ? "In your hand" : name && `In hand: ${name}`);
    setAttribute(this.hand, "data-empty", shown === null ? "" : null);
  }

  answers() {
    return [...super.answers(), this.answer("clear", "Clear"), this.answer("keep", "Keep")];
  }

  /** What is asked. */
  question() {
    const { discard: top, hand: card, boards, opening_flips: flips } = this.view.table;
    const taken = `Choose a place for the ${cardWords(this.isTaking ? top : card)}.`;
    if (this.held) return this.isTaking ? taken : "Choose a hidden card to flip.";
    const questions = {
      opening: openingWords(boards[this.own], flips),
      turn: this.legal.has("draw") ? `Draw a card, or take the ${cardWords(top)}.` : `Take the ${cardWords(top)}.`,
      drawn: `You drew ${cardWords(card)}. Place it${this.canDiscard ? ", or" : "."}`,
      taken,
      confirm: "Clear your complete lines, or keep them?",
    };
    return questions[this.view.phase];
  }
}

export { SkyjoBoard as Board };
