/** For fingers: the first tap on a card says what a second one does, and only the second does it. */

import { byId, setAttribute, setText } from "./dom.js";
import { isOn } from "./storage.js";

/** Watch the taps. @param {() => void} draw draws the table again, with its own question */
export function createSecondTap(draw) {
  /** @type {any} the card that was tapped last; keys press without a tap */
  let tapped = null;
  /** @type {{card: HTMLElement, words: string}|null} what a second tap would do */
  let asked = null;

  function forget() {
    if (asked) setAttribute(asked.card, "aria-pressed", null);
    asked = null;
  }

  /** @param {any} event */
  function note({ detail, target }) {
    tapped = detail > 0 ? target.closest(".card") : null;
    if (!asked || asked.card === tapped) return;
    forget();
    draw();
  }
  document.addEventListener("click", note, true);

  return {
    forget,

    /** Is a decision not to be sent before a second tap? @param {string} words what it does */
    holdsBack(words) {
      const card = tapped;
      tapped = null;
      const isSecond = card === null || "chosen" in card.dataset || asked?.words === words;
      forget();
      if (isSecond || !isOn("tap-twice")) return false;
      asked = { card, words };
      setAttribute(card, "aria-pressed", "true");
      setText(byId("question"), `Tap again to ${words}.`);
      return true;
    },
  };
}
