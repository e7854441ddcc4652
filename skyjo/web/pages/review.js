/** What somebody gave away in a game that is over, for the button that leads to the quiz. */

import { counted } from "./numbers.js";
import { answered, dial, toGame } from "./server.js";

const MARKS = ["blunder", "mistake", "inaccuracy"]; // the worst first

/**
 * Let the game be judged.
 * @param {string} game @param {boolean[]} mine by seat @returns {Promise<Record<string, number>>} marks of own decisions
 */
function marksOf(game, mine) {
  /** @type {Record<string, number>} */
  const found = {};
  return new Promise((done, fail) => {
    const hear = (/** @type {any} */ message) => {
      for (const { seat, mark } of message.kind === "judged" ? message.moves : []) if (mine[seat] && mark) found[mark] = (found[mark] ?? 0) + 1;
      if (message.kind === "ready") done(found);
      if (message.kind === "ready" || message.kind === "refused") line.close();
    };
    const line = dial(`/api/games/${game}/analysis`, () => line.send({ ask: "analyse" }), hear, () => fail(new Error()));
  });
}

/**
 * Say on a button how much there is to review, as far as that can be told, and lead there.
 * @param {any} button @param {string} table @param {boolean[]} mine by seat @param {(words: string) => void} refuse
 */
export async function offerReview(button, table, mine, refuse) {
  const kept = answered("/api/games", { table });
  let place = "";
  button.onclick = () => kept.then(({ id }) => location.assign(toGame(id, place))).catch((error) => refuse(error.message));
  try {
    const game = encodeURIComponent((await kept).id);
    const { analysis } = await answered(`/api/games/${game}`);
    if (!analysis) return;
    const marks = await marksOf(game, mine);
    const worst = MARKS.find((mark) => marks[mark]);
    place = worst ? "#quiz" : "";
    button.replaceChildren(worst ? `Review my ${counted(marks[worst], worst)}` : "Review: no mistakes");
  } catch {
    // the button leads to the game all the same
  }
}
