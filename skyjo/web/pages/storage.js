/** What a browser remembers: choices and the name of its player. Nothing else is kept, and nothing if it must not be. */

/** @param {string} name */
const key = (name) => `skyjo.${name}`;

/** What was kept under a name, or what is usual. @template Kept @param {string} name @param {Kept} usual @returns {Kept} */
export function kept(name, usual) {
  try {
    return JSON.parse(localStorage.getItem(key(name)) ?? "null") ?? usual;
  } catch {
    return usual; // storage is switched off, or somebody else has written there
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    localStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    // the choice holds for this page
  }
}

/** The name of the person at this browser; empty if none was typed. */
export const ownName = () => String(kept("name", "")).slice(0, 20);
