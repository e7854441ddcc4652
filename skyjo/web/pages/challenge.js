/** A challenge: an address that opens a table with the same cards and opponents in any browser. No server is needed. */

import { copyable, openDialog } from "./dialogs.js";
import { make } from "./dom.js";
import { answered } from "./server.js";
import { ownName } from "./storage.js";

/** @typedef {{seed: string, rules: string, episode: string, seats: string[], names: string[]}} Deal */

const MARK = "#challenge&";
const SEED = /^\d{1,20}$/;

/** The address of a deal. @param {Deal} deal */
function addressOf({ seats, names, ...more }) {
  const fields = new URLSearchParams(more);
  seats.forEach((seat, index) => {
    fields.append("seat", seat);
    fields.append("name", seat === "you" ? "" : names[index]);
  });
  return `${new URL("index.html", location.href).href.split("#")[0]}${MARK}${fields}`;
}

/** The deal that the address of the page asks for. @returns {Deal} */
export function challenged() {
  const fields = new URLSearchParams(location.hash.slice(MARK.length));
  const [seats, names] = ["seat", "name"].map(name => fields.getAll(name));
  const [seed, rules, episode] = ["seed", "rules", "episode"].map(name => fields.get(name) ?? "");
  if (!SEED.test(seed)) throw new Error("This challenge link is damaged.");
  const called = seats.map((seat, index) => (seat === "you" ? ownName() : (names[index] ?? "")));
  return { seed, rules, episode, seats, names: called };
}

/** A deal of new cards. @param {Pick<Deal, "rules"|"episode"|"seats"|"names">} table @returns {Deal} */
export const newDeal = table => ({ ...table, seed: String(crypto.getRandomValues(new BigUint64Array(1))[0]) });

/** Show the address of a deal. @param {Deal} deal @param {() => void} [play] what plays it here, if that is offered */
export async function showChallenge(deal, play) {
  const opponents = deal.names.filter((name, seat) => name && deal.seats[seat] !== "you");
  const against = opponents.length ? ` against ${new Intl.ListFormat("en-GB").format(opponents)}` : "";
  const words = `Send this link to a friend, who gets the same cards${against}. Who scores better?`;
  const address = copyable(addressOf(deal), { "aria-label": "Challenge link" });
  const buttons = play ? [make("button", "Close"), make("button.main", { click: play }, "Play it myself")] : [];
  await openDialog("Challenge a friend", [make("p", words), address], ...buttons);
}

/** Show the address of the cards of a table. @param {string} api the table @param {(words: string) => void} refuse */
export const passOn = (api, refuse) => answered(`${api}/deal`).then(showChallenge, error => refuse(error.message));
