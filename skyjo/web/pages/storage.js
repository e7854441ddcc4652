/** What a browser remembers: choices, what was learned, and the name of its player. If storage is blocked, values last until the page is left. */

/** @type {Record<string, any>} what could not be kept */
const held = {};

/** @param {string} name */
const key = name => `skyjo.${name}`;

/** What was kept under a name, or what is usual. @template Kept @param {string} name @param {Kept} usual @returns {Kept} */
export function kept(name, usual) {
  try {
    return JSON.parse(localStorage.getItem(key(name)) ?? "null") ?? usual;
  } catch {
    return held[name] ?? usual; // storage is switched off, or somebody else has written there
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    localStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    held[name] = value;
  }
}

/** Is a switch of the settings on in this browser? Keys are, if nobody has touched it. @param {string} name */
export const isOn = name => kept(name, name === "single-keys") === true;

/** The name of the person at this browser; empty if none was typed. */
export const ownName = () => String(kept("name", "")).slice(0, 20);

/** Decisions of agents a second. At the fastest pace the server does not wait. @type {Record<string, number>} */
export const PACES = { slow: 1, normal: 2, fast: 6, instant: 20 };
const MANY = 4; // agents, from which on they are fast if nobody has chosen

/** The pace that this browser wants at a table. @param {number} agents */
export const wantedPace = agents => PACES[kept("pace", "")] ?? (agents < MANY ? PACES.normal : PACES.fast);
