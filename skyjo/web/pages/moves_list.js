/** All moves of a game as a list: a line for every turn, a button for every decision, scores at the end of every round. */

import { byId, make, seatTitle, setAttribute } from "./dom.js";

/** Colours of seats in lists and lines, after Okabe and Ito. */
export const SEAT_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#888888"];

/** Words without where on a board it happened: the board shows that. @param {string} words */
export const shortWords = words => words.replace(/ in column \d+, row \d+/g, "");

/**
 * The list.
 * @param {import("./timeline.js").Game} game @param {any} page
 */
export function createMoves(game, page) {
  const list = byId("moves");
  /** @type {any[]} by decision */
  const buttons = [];
  /** @type {any} */
  let current = null;

  function build() {
    const lines = [];
    /** @type {any} where the decisions of a turn stand */
    let turn = null;
    game.decisions.forEach(({ seat, words, turn_over: isOver }, at) => {
      const round = game.rounds.findIndex(({ first }) => first === at);
      if (round >= 0 && game.rounds.length > 1)
        lines.push(
          make("li", { class: "head" }, make("span", {}, `Round ${round + 1}`), make("span", {}, scores(round))),
        );
      const button = make(
        "button",
        { type: "button", "data-at": String(at), tabindex: "-1" },
        shortWords(page.plain(words)) || "…",
      );
      button.addEventListener("click", () => page.go(at));
      buttons.push(button);
      if (!turn || round >= 0) lines.push(line(seat, (turn = make("span", { class: "does" }))));
      turn.append(button);
      if (isOver) turn = null;
    });
    list.replaceChildren(...lines);
    list.addEventListener("focusin", (/** @type {any} */ event) => stop(event.target));
  }

  /** @param {number} round */
  const scores = round => (game.rounds[round].scores ?? []).join(" : ").replace(/-/g, "−");

  /** @param {number} seat @param {Node} does */
  function line(seat, does) {
    const who = make("span", { class: "who", title: seatTitle(game.names[seat], seat) }, game.names[seat]);
    who.style.setProperty("--seat", SEAT_COLOURS[seat]);
    return make("li", {}, who, does);
  }

  /** The one button that the Tab key reaches. @param {any} button */
  function stop(button) {
    for (const one of list.querySelectorAll('[tabindex="0"]')) one.tabIndex = -1;
    if (button) button.tabIndex = 0;
  }

  return {
    /** Show where the page stands. @param {number} at */
    stand(at) {
      if (buttons.length === 0) build();
      if (current) setAttribute(current, "aria-current", null);
      current = buttons[Math.min(at, buttons.length - 1)];
      if (!current) return;
      if (at < buttons.length) setAttribute(current, "aria-current", "true");
      stop(current);
      const [sheet, line] = [byId("moves-sheet"), current.closest("li")];
      const [top, bottom] = [line.offsetTop, line.offsetTop + line.offsetHeight];
      const margin = line.offsetHeight;
      if (top - margin < sheet.scrollTop || bottom + margin > sheet.scrollTop + sheet.clientHeight)
        sheet.scrollTop = top - sheet.clientHeight / 2;
    },

    /** Show the marks of judged decisions. @param {{move: number, mark: string}[]} moves @param {Record<string, {sign: string}>} signs */
    mark(moves, signs) {
      for (const { move, mark } of moves) {
        const button = buttons[move - 1];
        if (!button) continue;
        setAttribute(button, "data-mark", mark || null);
        setAttribute(button, "data-sign", mark ? signs[mark].sign : null);
        button.className = mark;
        setAttribute(button, "title", mark || null);
      }
    },
  };
}
