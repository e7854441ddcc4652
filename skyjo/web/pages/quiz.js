/** The worst decisions of a game, to be made again: the position as the seat saw it, then what the answer was worth. */

import { showArrows } from "./arrows.js";
import { byId, make } from "./dom.js";
import { signed } from "./words.js";

const SAME = 0.005; // points: what looks the same in two digits

/**
 * Ask for decisions again, one after the other.
 * @param {Game} game @param {Move[]} moves @param {any} page @param {() => void} done
 */
export function createQuiz(game, moves, page, done) {
  const panel = make("section#quiz.answers", { "aria-label": "Your mistakes again" });
  byId("analysis").append(panel);
  let [index, found, given, played] = [0, 0, 0, 0];
  const finish = make("button", { click: end }, "End the quiz");
  pose();

  function pose() {
    const { move, seat } = moves[index];
    const question = game.seats[seat] === "you" ? "" : `You are ${game.names[seat]}.`;
    page.pose(move - 1, { seat, act: answer, question });
    const words = `Move ${move}: what would you play?`;
    present(`Question ${index + 1} of ${moves.length}`, make("p", words), make("div.tools", finish));
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
    const { choices, seat, check } = move;
    const [mine, theirs] = [action, move.action].map(one => choices.find(choice => choice.action === one));
    if (!mine || !theirs) return page.refuse();
    const lostBy = choice => (choice === theirs && check ? move.lost : choices[0].worth - choice.worth);
    const lost = lostBy(mine);
    found += Number(lost < SAME);
    given += lost;
    played += lostBy(theirs);
    const gives = mine === theirs ? "That is what was played." : `That gives away ${lost.toFixed(2)} points.`;
    const isLast = index === moves.length - 1;
    const goOn = make("button.main", { click: isLast ? showScore : next }, isLast ? "See the score" : "Next");
    const checked = check && `${move.lost.toFixed(2)} ± ${(2 * check.error).toFixed(2)} points`;
    page.pose(move.move - 1, { seat, act: null, question: "" });
    const isDrawn = choices.some(({ name }) => name.startsWith("place"));
    const pointed = [mine, choices[0]].map(({ name }, best) => ({ name, seat, kind: best ? "best" : "played" }));
    showArrows(pointed, isDrawn ? "drawn" : "");
    panel.replaceChildren(
      make("h3", `Question ${index + 1} of ${moves.length}`),
      make("p.verdict", { role: "status" }, lost < SAME ? "That is the best choice." : gives),
      make("p.why", page.reason(move)),
      then ? make("p.note", "Only taking the card counts here, not where you put it.") : "",
      check ? make("p.note", `Played out many times, the move in the game gave away ${checked}.`) : "",
      make("ul.answers", line("You", mine, "you"), line("Played", theirs), line("Best", choices[0])),
      make("div.tools", goOn, finish),
    );
    return goOn.focus();
  }

  /** @param {string} who @param {Choice} choice @param {string} [kind] */
  const line = (who, { name, worth }, kind = "") =>
    make("li", { class: kind }, make("span", `${who}: ${page.plain(name)}`), make("span.worth", signed(worth)));

  function next() {
    index += 1;
    pose();
  }

  function showScore() {
    const score = `You found the best move in ${found} of ${moves.length} positions.`;
    const gave = `Your answers gave away ${given.toFixed(2)} points, the moves in the game ${played.toFixed(2)}.`;
    const restart = () => {
      [index, found, given, played] = [0, 0, 0, 0];
      pose();
    };
    const leave = make("button.main", { click: end }, "Back to the analysis");
    const tools = make("div.tools", leave, make("button", { click: restart }, "Try again"));
    present("Your score", make("p.verdict", { role: "status" }, score), make("p", gave), tools);
  }

  function end() {
    panel.remove();
    page.pose(page.standing(), null);
    done();
  }
}
