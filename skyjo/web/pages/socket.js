/** The connection to a table: it reconnects by itself, with growing waits, and says so. */

import { dial } from "./server.js";
import { sentence } from "./words.js";

const FIRST_WAIT = 0.5; // seconds
const MAX_WAIT = 10;

/**
 * Keep a connection to a table.
 * @param {string} path
 * @param {(message: any) => void} hear called with every message
 * @param {(words: string) => void} say how the connection stands; empty if it is well
 * @param {(words: string) => void} turnAway called instead, if there is no place here and never will be
 * @returns {{send: (message: object) => boolean}} false if there is no connection
 */
export function connect(path, hear, say, turnAway) {
  let line;
  let wait = FIRST_WAIT;
  let wasOpen = false;

  const open = () => {
    let isNew = true; // until the first message, as a room of a server may be far away
    const take = message => {
      if (isNew) say("");
      if (isNew) [isNew, wasOpen, wait] = [false, true, FIRST_WAIT];
      hear(message);
    };
    line = dial(path, () => {}, take, closed);
  };

  const closed = (reason, isFinal) => {
    if (isFinal) return turnAway(sentence(reason));
    const gone = sentence(reason) || (wasOpen ? "Connection lost." : "The table does not answer.");
    say(`${gone} Trying again in ${Math.ceil(wait)} s.`);
    setTimeout(open, wait * 1000);
    wait = Math.min(wait * 2, MAX_WAIT);
  };

  open();
  return { send: message => line.send(message) };
}
