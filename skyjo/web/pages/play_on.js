/** A new table that continues from the position shown, with everybody in the seat that they had. */

import { openDialog } from "./dialogs.js";
import { make } from "./dom.js";
import { answered, goTo } from "./server.js";
import { seatTitle } from "./words.js";

/**
 * Offer who may sit where.
 * @param {Game} game @param {any} page
 */
export async function offerToPlayOn(game, page) {
  const { agents, opponents } = await answered("/api/start");
  const known = agents.map(({ name }) => name);
  const own = ownSeat(game, page);
  const options = [["you", "Me"], ...known.map(name => [name, name])];
  const selects = game.seats.map((who, seat) => {
    const select = make("select", ...options.map(([value, words]) => make("option", { value }, words)));
    select.value = seat === own || who === "you" ? "you" : known.includes(who) ? who : (opponents[0] ?? "you");
    return select;
  });
  const labels = selects.map((select, seat) => make("label", make("span", seatTitle(game.names[seat], seat)), select));

  const start = () =>
    goTo("/api/tables", { game: page.id, after: page.standing(), seats: selects.map(({ value }) => value) }).catch(
      error => page.refuse(error.message),
    );
  const words = "You keep the cards and the moves so far. The game is practice and does not count.";
  const buttons = [make("button.main", { click: start }, "Play on"), make("button", "Cancel")];
  await openDialog("Play on from here", [make("p.note", words), make("div.seats", ...labels)], ...buttons);
}

/** The seat that whoever is here goes on with: the own one, or the one that is looked from. @param {Game} game @param {any} page */
function ownSeat(game, page) {
  return game.seats.includes("you") ? game.seats.indexOf("you") : page.looking();
}
