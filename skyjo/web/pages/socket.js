/** The connection to a table: it reconnects by itself, with growing waits, and says so. */

import { sentence } from "./dom.js";
import { dial } from "./server.js";

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
  /** @type {{send: (message: object) => boolean}} */
  let line;
  let wait = FIRST_WAIT;
  let wasOpen = false;

  const open = () => {
    let isNew = true;
    const opened = () => {
      [isNew, wasOpen, wait] = [false, true, FIRST_WAIT];
      say("");
    };
    const take = (/** @type {any} */ message) => {
      if (isNew) opened(); // a room of a server may be far away
      hear(message);
    };
    line = dial(
      path,
      () => {},
      take,
      (reason, isFinal) => (isFinal ? turnAway(sentence(reason)) : comeBack(reason)),
    );
  };

  const comeBack = (/** @type {string} */ reason) => {
    const gone = reason ? sentence(reason) : wasOpen ? "The connection is lost." : "The table does not answer.";
    say(`${gone} Trying again in ${Math.ceil(wait)} s.`);
    setTimeout(open, wait * 1000);
    wait = Math.min(wait * 2, MAX_WAIT);
  };

  open();
  return { send: message => line.send(message) };
}
