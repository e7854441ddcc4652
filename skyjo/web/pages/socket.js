/** The connection to a table: it reconnects by itself, with growing waits, and says so. */

import { sentence } from "./nodes.js";

const FIRST_WAIT = 0.5; // seconds
const LONGEST_WAIT = 10;
export const GONE = 4404; // the server says why this browser has no place here
const FULL = 4503; // the same, but there may be one later

/**
 * @typedef {object} Line
 * @property {(message: object) => boolean} send false if there is no connection
 */

/**
 * Keep a table's socket open.
 * @param {string} path
 * @param {(message: any) => void} hear called with every message
 * @param {(words: string) => void} say how the connection stands; empty if it is well
 * @param {(words: string) => void} [turnAway] called instead, if there is no place here and never will be
 * @returns {Line}
 */
export function connect(path, hear, say, turnAway = say) {
  /** @type {WebSocket} */
  let socket;
  let wait = FIRST_WAIT;
  let wasOpen = false;

  const open = () => {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket.onopen = () => {
      say("");
      wait = FIRST_WAIT;
      wasOpen = true;
    };
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = (event) => (event.code === GONE ? turnAway(sentence(event.reason)) : comeBack(event.code === FULL ? event.reason : ""));
  };

  const comeBack = (/** @type {string} */ reason) => {
    const gone = reason ? sentence(reason) : wasOpen ? "The connection is lost." : "The table does not answer.";
    say(`${gone} Trying again in ${Math.ceil(wait)} s.`);
    setTimeout(open, wait * 1000);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  };

  open();
  return {
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
}
