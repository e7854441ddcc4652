/** The connection to a table: it comes back by itself, with growing waits, and says so. */

const FIRST_WAIT = 0.5; // seconds
const LONGEST_WAIT = 10;
const GONE = 4404; // the server says that there is no such table

/**
 * @typedef {object} Line
 * @property {(message: object) => boolean} send false if nobody is there to hear it
 * @property {() => void} renew hang up and call again
 */

/**
 * Keep a table's socket open.
 * @param {string} path
 * @param {(message: any) => void} hear called with every message
 * @param {(words: string) => void} say how the connection stands; empty if it is well
 * @returns {Line}
 */
export function connect(path, hear, say) {
  /** @type {WebSocket} */
  let socket;
  let wait = FIRST_WAIT;
  let wasOpen = false;

  const open = () => {
    const mine = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket = mine;
    mine.onopen = () => {
      say("");
      wait = FIRST_WAIT;
      wasOpen = true;
    };
    mine.onmessage = (event) => mine === socket && hear(JSON.parse(event.data));
    mine.onclose = (event) => mine === socket && (event.code === GONE ? say(`There is no table here: ${event.reason}.`) : comeBack());
  };

  const comeBack = () => {
    const gone = wasOpen ? "The connection is gone." : "The table does not answer.";
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
    renew() {
      const old = socket;
      open();
      old.close();
    },
  };
}
