/** All moves of a game as a list: a line for every turn, a button for every decision, scores at the end of every round. */

import { byId, make, setAttribute } from "./dom.js";
import { seatTitle, shortWords, withMinus } from "./words.js";

/** Colours of seats in lists and lines, after Okabe and Ito. */
export const SEAT_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#888888"];

/**
 * The list.
 * @param {Game} game @param {any} page
 */
export function createMoves(game, page) {
  const list = byId("moves");
  /** @type {any[]} by decision */
  const buttons = [];
  let current = null;

  function build() {
    let turn = null; // where its decisions stand
    game.decisions.forEach(({ seat, words, turn_over: isOver }, at) => {
      const round = game.rounds.findIndex(({ first }) => first === at);
      if (round >= 0 && game.rounds.length > 1) {
        const scores = withMinus((game.rounds[round].scores ?? []).join(" : "));
        list.append(make("li.head", make("span", `Round ${round + 1}`), make("span", scores)));
      }
      if (!turn || round >= 0) {
        turn = make("span.does");
        const who = make("span.who", { title: seatTitle(game.names[seat], seat) }, game.names[seat]);
        who.style.setProperty("--seat", SEAT_COLOURS[seat]);
        list.append(make("li", who, turn));
      }
      const does = shortWords(page.plain(words)) || "…";
      buttons.push(make("button", { "data-at": String(at), tabindex: "-1", click: () => page.go(at) }, does));
      turn.append(buttons[at]);
      if (isOver) turn = null;
    });
    list.addEventListener("focusin", event => stop(event.target));
  }

  /** The one button that the Tab key reaches. @param {any} button */
  function stop(button) {
    for (const one of list.querySelectorAll('[tabindex="0"]')) one.tabIndex = -1;
    button.tabIndex = 0;
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
      const [top, margin] = [line.offsetTop - sheet.scrollTop, line.offsetHeight];
      if (top < margin || top + 2 * margin > sheet.clientHeight)
        sheet.scrollTop = line.offsetTop - sheet.clientHeight / 2;
    },

    /** Show the marks of judged decisions. @param {{move: number, mark: string}[]} moves @param {Record<string, {sign: string}>} signs */
    mark(moves, signs) {
      for (const { move, mark } of moves) {
        const button = buttons[move - 1];
        if (!button) continue;
        button.className = mark;
        const shown = { "data-mark": mark, "data-sign": signs[mark]?.sign, title: mark };
        for (const [name, value] of Object.entries(shown)) setAttribute(button, name, value || null);
      }
    },
  };
}
