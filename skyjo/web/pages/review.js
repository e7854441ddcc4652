/** What somebody gave away in a game that is over, for the button that leads to the quiz. */

import { answered, dial, toGame } from "./server.js";
import { counted } from "./words.js";

/**
 * Let the game be judged.
 * @param {string} game @param {boolean[]} mine by seat @returns {Promise<number>} how many own decisions are marked
 */
function mistakesOf(game, mine) {
  let found = 0;
  return new Promise((done, fail) => {
    const hear = message => {
      if (message.kind === "judged") found += message.moves.filter(({ seat, mark }) => mine[seat] && mark).length;
      if (message.kind === "ready") done(found);
      if (message.kind === "ready" || message.kind === "refused") line.close();
    };
    const line = dial(
      `/api/games/${game}/analysis`,
      () => line.send({ ask: "analyse" }),
      hear,
      () => fail(new Error()),
    );
  });
}

/**
 * Say on a button how much there is to review, as far as that can be told, and lead there.
 * @param {any} button @param {string} table @param {boolean[]} mine by seat @param {(words: string) => void} refuse
 */
export async function offerReview(button, table, mine, refuse) {
  const kept = answered("/api/games", { table });
  let place = "";
  button.onclick = () =>
    kept.then(({ id }) => location.assign(toGame(id, place))).catch(error => refuse(error.message));
  try {
    const game = encodeURIComponent((await kept).id);
    const { analysis } = await answered(`/api/games/${game}`);
    if (!analysis) return;
    const mistakes = await mistakesOf(game, mine);
    place = mistakes ? "#quiz" : "";
    button.replaceChildren(mistakes ? `Review my ${counted(mistakes, "mistake")}` : "Review: no mistakes");
  } catch {
    // the button leads to the game all the same
  }
}
