/** A new table that continues from the position shown. */

import { answered, byId, make, seatTitle } from "./nodes.js";

/**
 * Offer who may sit where.
 * @param {import("./timeline.js").Game} game @param {any} page
 */
export async function offerToPlayOn(game, page) {
  const { agents, opponents } = await answered("/api/start");
  const options = [["you", "Me"], ...agents.map((/** @type {{name: string}} */ { name }) => [name, name])];
  const selects = game.names.map(() => make("select", {}, ...options.map(([value, words]) => make("option", { value }, words))));
  const labels = selects.map((select, seat) => make("label", {}, seatTitle(game.names[seat], seat), select));
  const start = make("button", { type: "button", class: "main" }, "Deal this position");
  start.addEventListener("click", async () => {
    const seats = selects.map((/** @type {HTMLSelectElement} */ select) => select.value);
    await answered("/api/tables", { game: page.id, after: page.standing(), seats }).then(
      (/** @type {{id: string}} */ { id }) => location.assign(`/t/${encodeURIComponent(id)}`),
      (/** @type {Error} */ error) => page.refuse(error.message),
    );
  });
  const decider = game.decisions[Math.min(page.standing(), game.decisions.length - 1)]?.seat ?? 0;
  const known = new Set(agents.map((/** @type {{name: string}} */ { name }) => name));
  const usual = (/** @type {number} */ seat) => (known.has(game.names[seat]) ? game.names[seat] : (opponents[0] ?? "you"));
  selects.forEach((select, seat) => (select.value = seat === decider ? "you" : usual(seat)));
  byId("play-on").append(make("div", { class: "seats" }, make("p", { class: "note" }, "The cards stay as they are. This is a practice table."), ...labels, start));
}
