/** The worst decisions of a game, to be made again: the position as the seat saw it, then what the answer was worth. */

import { byId, make } from "./dom.js";
import { signed } from "./numbers.js";

/** @typedef {import("./analysis.js").Move} Move */

const SAME = 0.005; // points: what looks the same in two digits

/**
 * Ask for decisions again, one after the other.
 * @param {import("./timeline.js").Game} game @param {Move[]} moves @param {any} page @param {() => void} done
 */
export function createQuiz(game, moves, page, done) {
  const panel = make("section", { id: "quiz", class: "answers", "aria-label": "Marked decisions again" });
  byId("analysis").append(panel);
  let [index, found, given, played] = [0, 0, 0, 0];
  const finish = button("End the quiz", "", end);
  pose();

  function pose() {
    const move = moves[index];
    const question = make("p", {}, `Decision ${move.move}. What would you do? Press the cards.`);
    page.pose(move.move - 1, {
      seat: move.seat,
      act: answer,
      question: game.seats[move.seat] === "you" ? "" : `You are ${game.names[move.seat]}.`,
    });
    present(`Question ${index + 1} of ${moves.length}`, question, make("div", { class: "tools" }, finish));
  }

  /** Show something new; its heading has the focus, so that it is read aloud. @param {string} title @param {...Node} nodes */
  function present(title, ...nodes) {
    const heading = make("h3", { tabindex: "-1" }, title);
    panel.replaceChildren(heading, ...nodes);
    heading.focus({ preventScroll: true });
  }

  /** @param {number} action @param {string} [then] what would have followed */
  function answer(action, then) {
    const move = moves[index];
    const [best] = move.choices;
    const mine = move.choices.find(choice => choice.action === action);
    const theirs = move.choices.find(choice => choice.action === move.action);
    if (!mine || !theirs) return page.refuse();
    const lostBy = (/** @type {any} */ choice) =>
      choice === theirs && move.check ? move.lost : best.worth - choice.worth;
    const lost = lostBy(mine);
    found += Number(lost < SAME);
    given += lost;
    played += lostBy(theirs);
    const verdict =
      lost < SAME
        ? "That is the best choice."
        : mine === theirs
          ? "That is what was played."
          : `That gives away ${lost.toFixed(2)} points.`;
    const lines = [
      ["You", mine, "you"],
      ["Played", theirs, ""],
      ["Best", best, ""],
    ].map(([who, choice, kind]) => answerLine(who, choice, kind));
    const isLast = index === moves.length - 1;
    const goOn = button(isLast ? "See the score" : "Next", "main", () => (isLast ? showScore() : next()));
    const counted = then
      ? [
          make(
            "p",
            { class: "note" },
            "Only your first action, taking the card, counts here: where the card goes is a separate decision.",
          ),
        ]
      : [];
    if (move.check)
      counted.push(
        make(
          "p",
          { class: "note" },
          `Playing out rounds showed that the choice made in the game gave away ${move.lost.toFixed(2)} ± ${(2 * move.check.error).toFixed(2)} points.`,
        ),
      );
    const solved = make("p", { class: "verdict", role: "status" }, verdict);
    const why = make("p", { class: "why" }, page.reason(move));
    page.pose(move.move - 1, { seat: move.seat, act: null, question: "" });
    page.point(move, mine);
    panel.replaceChildren(
      make("h3", {}, `Question ${index + 1} of ${moves.length}`),
      solved,
      why,
      ...counted,
      make("ul", { class: "answers" }, ...lines),
      make("div", { class: "tools" }, goOn, finish),
    );
    return goOn.focus();
  }

  /** @param {any} who @param {any} choice @param {any} kind */
  function answerLine(who, { name, worth }, kind) {
    return make(
      "li",
      { class: kind },
      make("span", {}, `${who}: ${page.plain(name)}`),
      make("span", { class: "worth" }, signed(worth)),
    );
  }

  function next() {
    index += 1;
    pose();
  }

  function showScore() {
    const score = make(
      "p",
      { class: "verdict", role: "status" },
      `You found the best choice in ${found} of ${moves.length} decisions.`,
    );
    const gave = make(
      "p",
      {},
      `You gave away ${given.toFixed(2)} points; the game's players gave away ${played.toFixed(2)}.`,
    );
    const again = button("Try again", "", () => {
      [index, found, given, played] = [0, 0, 0, 0];
      pose();
    });
    present(
      "Your score",
      score,
      gave,
      make("div", { class: "tools" }, button("Back to the analysis", "main", end), again),
    );
  }

  function end() {
    panel.remove();
    page.pose(page.standing(), null);
    done();
  }
}

/** @param {string} words @param {string} kind @param {() => void} press */
function button(words, kind, press) {
  const node = make("button", { type: "button", class: kind }, words);
  node.addEventListener("click", press);
  return node;
}
