/**
 * The server: what it answers, and where its pages are. Nothing else on a page asks it anything or names an address, so
 * the site that needs no server has just this module replaced (anywhere/pages/server.js, with the same exports).
 */

const GONE = 4404; // the server says why this browser has no place here
const FULL = 4503; // the same, but there may be one later

/** Why nobody can be invited from here; empty where other browsers can come to a table. */
export const ALONE = "";

/** The texts of games that can be opened, beside addresses. */
export const OPENED = "a record or a position";

/** The number of the table or game that this page shows. */
export const ownNumber = () => location.pathname.split("/").filter(Boolean).pop() ?? "";

/** @param {string} number */
export const toTable = (number) => `/t/${encodeURIComponent(number)}`;

/** @param {string} number @param {string} [place] in the game, after a # */
export const toGame = (number, place = "") => `/g/${encodeURIComponent(number)}${place}`;

/** The page that opens games, as a whole address. */
export const toGames = () => `${location.origin}/games`;

/**
 * JSON from the server, about the game of this page, once that has started; an error with its words if it refuses.
 * @param {string} path @param {object} [body] sent if there is one @param {string} [method]
 */
export async function answered(path, body, method = body ? "POST" : "GET") {
  const isNamed = /^\/api\/(tables|games)\/|[?&]game=/.test(path); // a number says what it is of, too
  const asked = isNamed ? path : `${path}${path.includes("?") ? "&" : "?"}game=${document.documentElement.dataset.game ?? ""}`;
  const sent = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(asked, { method, ...sent }).catch(() => null);
  if (answer?.headers.has("Retry-After")) return answered(path, body, method); // the game is starting; the server has waited a moment
  const told = await answer?.json().catch(() => null);
  if (!answer?.ok || !told || told.error) throw new Error(told?.error ?? "The server does not answer. Is it still running?");
  return told;
}

/** Let a link save a text that the server has. @param {Element} link @param {string} path @param {string} name of the file */
export function offerText(link, path, name) {
  link.setAttribute("href", path);
  link.setAttribute("download", name);
}

/**
 * @typedef {object} Line
 * @property {(message: object) => boolean} send false if there is no connection
 * @property {() => void} close
 */

/**
 * Open a connection.
 * @param {string} path @param {() => void} opened @param {(message: any) => void} hear called with every message
 * @param {(reason: string, isFinal: boolean) => void} closed the reason is empty if there is none; is trying again in vain?
 * @returns {Line}
 */
export function dial(path, opened, hear, closed) {
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
  socket.onopen = opened;
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = ({ code, reason }) => closed([GONE, FULL].includes(code) ? reason : "", code === GONE);
  return {
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    close: () => socket.close(),
  };
}
