/** The people to play against: their faces, what they say, and who sits at a table. */

import { draw, make, setAttribute, setText } from "./dom.js";
import { answered, goTo } from "./server.js";
import { ownName } from "./storage.js";
import { seatName } from "./view.js";

const FACES = new URL("faces.svg", import.meta.url).href;

/** What they say if they take your card, clear a line, play from their stock, or are doubled. @type {Record<string, Record<string, string>>} */
const LINES = {
  Pip: {
    ...{ take: "Mine! Thanks!", clear: "Whoosh, all gone!" },
    ...{ stock: "One less!", doubled: "Oops. Too fast again." },
  },
  Rosa: {
    ...{ take: "Just what I collect.", clear: "Three of a kind. Lovely." },
    ...{ stock: "My stock is melting.", doubled: "Oh no, twice as much!" },
  },
  Victor: {
    ...{ take: "I had counted on that.", clear: "As calculated." },
    ...{ stock: "One fewer.", doubled: "I miscounted." },
  },
  Ada: {
    ...{ take: "You left me that one.", clear: "That column has done its work." },
    ...{ stock: "Stock first.", doubled: "I ended that too early." },
  },
};

/** A drawn face. @param {string} name of somebody, or else a program's is drawn @returns {any} */
export function portrait(name) {
  const face = draw("svg", { class: "portrait", "aria-hidden": "true" }, draw("use", {}));
  showPortrait(face, name in LINES ? name : "program");
  return face;
}

/** Change whose face it is; people at the table have none. @param {any} face @param {string} name */
export function showPortrait(face, name) {
  const isDrawn = name in LINES || name === "program";
  setAttribute(face.firstElementChild, "href", isDrawn ? `${FACES}#${name.toLowerCase()}` : null);
  face.toggleAttribute("hidden", !isDrawn);
}

/** Let somebody say a line about what happened, or nobody. @param {any} place @param {View} view @param {number} seat @param {string} event */
export function speak(place, view, seat, event) {
  const name = seat < 0 ? "" : seatName(view, seat).replace(/ \(seat \d+\)$/, "");
  const words = LINES[name]?.[event] ?? "";
  place.hidden = !words;
  if (words && place.textContent !== words) place.replaceChildren(portrait(name), make("span", words));
}

/**
 * A table for whoever is here and an opponent; those who play about as well take the other seats.
 * @param {Rival[]} rivals the weakest first @param {Rival} rival @param {number} players @param {string} episode
 */
export function tableOf(rivals, rival, players, episode) {
  const strength = rivals.indexOf(rival);
  const distance = other => Math.abs(rivals.indexOf(other) - strength);
  const able = rivals.filter(other => other === rival || other.playable).reverse();
  const others = able.sort((one, other) => distance(one) - distance(other)).slice(0, players - 1);
  return {
    seats: ["you", ...others.map(({ agent }) => agent)],
    names: [ownName(), ...others.map(({ name }) => name)],
    episode,
  };
}

/**
 * Offer a table like one that is over, with the person who plays a little better.
 * @param {any} button @param {View} view @param {string} table its number @param {(words: string) => void} refuse
 */
export async function offerNext(button, { seats, episode }, table, refuse) {
  const { rivals } = await answered("/api/start");
  const able = rivals.filter(({ playable }) => playable);
  const last = able.findLastIndex(({ name }) => seats.some(seat => !seat.person && seat.name.startsWith(name)));
  if (last < 0) return;
  const rival = able[(last + 1) % able.length];
  const { rules } = await answered(`/api/tables/${encodeURIComponent(table)}/deal`);
  setText(button, `Next opponent: ${rival.name}`);
  const next = { ...tableOf(rivals, rival, seats.length, episode), rules };
  button.onclick = () => goTo("/api/tables", next).catch(({ message }) => refuse(message));
  button.hidden = false;
}
