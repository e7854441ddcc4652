/** A worker of this browser answers what pages ask. Pages lie beside each other in the folder of their game. */

/* Its answers come by a channel, as Chromium keeps messages of workers back after a press until a frame is drawn. */
const name = `${document.documentElement.dataset.game ?? ""} ${Math.random()}`;
const channel = new BroadcastChannel(name);
const worker = new Worker(new URL("../worker/table_worker.js", import.meta.url), { type: "module", name });
/** @type {Map<number, (answer: any) => void>} by number, what takes the answer */
const asked = new Map();
/** @type {Map<number, {hear: (message: any) => void, closed: (reason: string, isFinal: boolean) => void}>} by number */
const lines = new Map();
const BROKEN = { status: 500, answer: { error: "This browser cannot run the table; it may be too old." } };
let count = 0,
  isBroken = false;

channel.onmessage = ({ data }) => {
  if ("number" in data) asked.get(data.number)?.(data);
  else if (data.closed) hangUp(data.socket)?.closed(data.reason ?? "", data.isFinal);
  else lines.get(data.socket)?.hear(data.message);
};
worker.onerror = () => {
  isBroken = true;
  for (const done of asked.values()) done(BROKEN);
  for (const socket of lines.keys()) hangUp(socket)?.closed(BROKEN.answer.error, true);
};

/** @param {number} socket */
function hangUp(socket) {
  const line = lines.get(socket);
  lines.delete(socket);
  return line;
}

export const ownNumber = () => location.search.slice(1);

/** @param {string} number */
export const toTable = number => `table.html?${encodeURIComponent(number)}`;

/** @param {string} number @param {string} [place] */
export const toGame = (number, place = "") => `game.html?${encodeURIComponent(number)}${place}`;

export const toGames = () => new URL("games.html", location.href).href.split("#")[0];

/** @param {string} path @param {object} [body] @param {string} [method] */
export async function answered(path, body, method = body ? "POST" : "GET") {
  const number = ++count;
  const { status, answer } = isBroken
    ? BROKEN
    : await new Promise(done => {
        asked.set(number, done);
        worker.postMessage({ number, path, method, body });
      });
  asked.delete(number);
  if (status !== 200) throw new Error(answer.error);
  return answer;
}

/** Ask for a table, and go there. @param {string} path @param {object} body */
export async function goTo(path, body) {
  const { id } = await answered(path, body);
  location.assign(toTable(id));
}

/** @param {any} link @param {string} path @param {string} name */
export function offerText(link, path, name) {
  link.href = path;
  link.onclick = async event => {
    if (link.href.startsWith("blob:")) return;
    event.preventDefault();
    link.href = URL.createObjectURL(new Blob([await answered(path)], { type: "text/plain" }));
    link.download = name;
    link.click();
  };
}

/** @param {string} path @param {() => void} opened @param {(message: any) => void} hear @param {(reason: string, isFinal: boolean) => void} closed */
export function dial(path, opened, hear, closed) {
  const socket = ++count;
  lines.set(socket, { hear, closed });
  worker.postMessage({ socket, path });
  queueMicrotask(isBroken ? () => hangUp(socket)?.closed(BROKEN.answer.error, true) : opened);
  return {
    send(message) {
      if (lines.has(socket)) worker.postMessage({ socket, message });
      return lines.has(socket);
    },
    close: () => hangUp(socket) && worker.postMessage({ socket, closed: true }),
  };
}

addEventListener("load", () =>
  navigator.serviceWorker?.register(new URL("../service_worker.js", import.meta.url)).catch(() => {}),
);
