/** The people to play against: who sits at a table. */

import { ownName } from "./storage.js";

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
