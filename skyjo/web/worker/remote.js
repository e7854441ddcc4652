/** What a server adds to the site, where one sends it: `data/server.json` tells, which is empty among mere files. */

import { Refusal } from "./played_game.js";

const SERVED = "data/server.json",
  SILENT = "the server does not answer";
const GONE = 4404; // the code of a connection that will not come back

export class Remote {
  /** @param {string} site the address of its folder */
  constructor(site) {
    this.site = site;
    /** @type {Promise<any> | undefined} */
    this.asked = undefined;
  }

  /** @returns {Promise<any>} */
  get served() {
    this.asked ??= fetch(new URL(SERVED, this.site), { cache: "no-store" })
      .then(answer => (answer.ok ? answer.json() : {}))
      .catch(() => ({}));
    return this.asked;
  }

  /**
   * The text of an answer; refused in the server's words.
   * @param {string} path @param {any} [body] @param {string} [method]
   */
  async text(path, body, method = body ? "POST" : "GET") {
    const sent = body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {};
    const answer = await fetch(new URL(`.${path}`, this.site), { method, ...sent }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (!answer || typeof text !== "string") throw new Refusal(SILENT, 503);
    if (!answer.ok) throw new Refusal(wordsOf(text), answer.status);
    return text;
  }

  /** An answer. @param {string} path @param {any} [body] @param {string} [method] @returns {Promise<any>} */
  async ask(path, body, method) {
    return JSON.parse(await this.text(path, body, method));
  }

  /**
   * A connection, which does not come back by itself.
   * @param {string} path @param {(message: any) => void} hear
   * @param {(reason: string, isFinal: boolean) => void} closed
   */
  dial(path, hear, closed) {
    const socket = new WebSocket(new URL(`.${path}`, this.site.replace(/^http/, "ws")));
    socket.onmessage = ({ data }) => hear(JSON.parse(data));
    socket.onclose = ({ code, reason }) => closed(reason, code === GONE);
    return {
      send: message => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)),
      close: () => {
        socket.onclose = null;
        socket.close();
      },
    };
  }
}

/** What a server says of a refusal. @param {string} text */
function wordsOf(text) {
  try {
    return String(JSON.parse(text).error ?? SILENT);
  } catch {
    return SILENT;
  }
}

/**
 * What is written of a game for a page, with what the server adds to it.
 * @param {string} game @param {any} written @param {any} served
 */
export function extended(game, written, { rooms = false, local = false, agents = {} }) {
  const texts = agents[game] ?? [],
    names = (written.agents ?? []).map(({ name }) => name);
  const playable = one => ({ ...one, playable: one.playable || texts.includes(one.agent) });
  const given = texts.filter(text => !names.includes(text)).map(name => ({ name, words: "an agent of this server" }));
  return {
    ...written,
    ...(written.agents && { served: rooms, local, agents: [...written.agents, ...given] }),
    ...(written.rivals && { rivals: written.rivals.map(playable) }),
    ...(written.tables && { tables: written.tables.map(table => ({ ...table, rows: table.rows.map(playable) })) }),
  };
}
