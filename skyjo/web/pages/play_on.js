/** A new table that continues from the position shown, with everybody in the seat that they had. */

import { openDialog } from "./dialog.js";
import { make, seatTitle } from "./dom.js";
import { answered, toTable } from "./server.js";

/**
 * Offer who may sit where.
 * @param {import("./timeline.js").Game} game @param {any} page
 */
export async function offerToPlayOn(game, page) {
  const { agents, opponents } = await answered("/api/start");
  const known = agents.map((/** @type {{name: string}} */ { name }) => name);
  const own = ownSeat(game, page);
  const usual = game.seats.map((who, seat) =>
    seat === own || who === "you" ? "you" : known.includes(who) ? who : (opponents[0] ?? "you"),
  );
  const options = [["you", "Me"], ...known.map((/** @type {string} */ name) => [name, name])];
  const selects = game.names.map(() =>
    make("select", {}, ...options.map(([value, words]) => make("option", { value }, words))),
  );
  selects.forEach((select, seat) => (select.value = usual[seat]));
  const labels = selects.map((select, seat) =>
    make("label", {}, make("span", {}, seatTitle(game.names[seat], seat)), select),
  );
  const [start, cancel] = [
    make("button", { type: "button", class: "main" }, "Play on"),
    make("button", { type: "button" }, "Cancel"),
  ];
  start.addEventListener("click", async () => {
    const seats = selects.map((/** @type {HTMLSelectElement} */ select) => select.value);
    await answered("/api/tables", { game: page.id, after: page.standing(), seats }).then(
      (/** @type {{id: string}} */ { id }) => location.assign(toTable(id)),
      (/** @type {Error} */ error) => page.refuse(error.message),
    );
  });
  const note = make(
    "p",
    { class: "note" },
    "The cards and the moves so far stay as they are. This is a practice table.",
  );
  await openDialog(
    "Play on from here",
    [note, make("div", { class: "seats" }, ...labels), make("div", { class: "tools" }, start, cancel)],
    [cancel],
  );
}

/** The seat that whoever is here goes on with: the own one, or the one that is looked from. @param {import("./timeline.js").Game} game @param {any} page */
function ownSeat(game, page) {
  return game.seats.includes("you") ? game.seats.indexOf("you") : page.looking();
}
