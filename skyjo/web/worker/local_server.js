/** In the server's place: answers what pages ask, as the routes of skyjo/web do. It knows no page and no browser. */

import { DAILY_ROUTES } from "./daily.js";
import { AnalysisSocket, GAME_ROUTES, newNumber } from "./games.js";
import { Kind, ofGame } from "./kinds.js";
import { LEARN_ROUTES } from "./learning.js";
import { LiveTable } from "./live_tables.js";
import { Refusal } from "./played_game.js";
import { extended } from "./remote.js";
import { WebTable } from "./tables.js";
import { readName, YOU } from "./views.js";

/**
 * @typedef {{get: (kind: string, number: string) => Promise<any>, put: (kind: string, kept: any) => Promise<void>,
 *   delete: (kind: string, number: string) => Promise<void>, all: (kind: string) => Promise<any[]>}} Store of tables and games
 * @typedef {{kind: Kind, number: string, query: URLSearchParams, body: any, server: LocalServer}} Asked
 * @typedef {Record<string, (asked: Asked) => any>} Routes by method and path
 */

const LISTED = 12, MAX_KEPT = 200;
const NUMBERED = /(tables|games|lessons|puzzles)\/([^/]+)/;
const DATA = ["start", "learn", "ladder", "rules"]; // what Python wrote down, for which no module is loaded

/** @type {Routes} */
const ROUTES = {
  "POST tables": ({ kind, body, server }) => ("game" in body ? server.playOn(body) : server.open(kind, body)),
  "GET tables/*": async ({ number, server }) => (await server.table(number)).view(server.live.has(number)),
  "DELETE tables/*": ({ number, server }) => server.forget(number),
  "POST tables/*/join": () => { throw new Refusal("no seat is free at this table"); },
  "GET tables/*/link": () => ({ link: "", free: 0, local: true }),
  "GET tables/*/record": async ({ number, server }) => server.written((await server.finished(number)).record),
  "GET unable": ({ kind, query }) => ({ unable: kind.unable(kind.rules(query.get("rules") ?? "", Number(query.get("players")))) }),
  ...DAILY_ROUTES,
  ...GAME_ROUTES,
  ...LEARN_ROUTES,
};

export class LocalServer {
  /**
   * @param {{store: Store, read: (game: string, name: string) => Promise<any>, remote: import("./remote.js").Remote,
   *   Engine: typeof import("../engine/engine.js").Engine, send: (message: any) => void, home: string}} outside files,
   *   storage, what a server adds, and pages; the game that requests without one are about
   */
  constructor({ store, read, remote, Engine, send, home }) {
    Object.assign(this, { store, read, remote, Engine, send, home });
    /** @type {Map<string, Promise<Kind>>} by game */
    this.kinds = new Map();
    /** @type {Map<string, LiveTable>} the tables that pages are at */
    this.live = new Map();
    /** @type {Map<number, Promise<LiveTable | AnalysisSocket | void>>} what pages are connected to */
    this.sockets = new Map();
  }

  /** @param {string} game @returns {Promise<Kind>} */
  kind(game) {
    const kind = this.kinds.get(game) ?? Kind.load(game, name => this.read(game, name), this.Engine);
    this.kinds.set(game, kind);
    kind.catch(() => this.kinds.delete(game));
    return kind;
  }

  /** Answer a page. @param {any} message */
  async hear(message) {
    if ("socket" in message) return this.hearSocket(message);
    const { number, path, method = "GET", body } = message;
    try {
      this.send({ number, status: 200, answer: await this.answer(method, path, Object(body)) });
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      const { status, message: words } = error instanceof Refusal ? error : new Refusal("something went wrong at the table", 500);
      this.send({ number, status, answer: { error: words } });
    }
  }

  /** @param {string} method @param {string} path @param {any} body */
  async answer(method, path, body) {
    const [address, search] = path.split("?"), query = new URLSearchParams(search), asked = address.replace("/api/", "");
    const game = query.get("game") || this.home, number = NUMBERED.exec(asked)?.[2] ?? "";
    const name = `${method} ${asked.replace(NUMBERED, "$1/*")}`, route = Object.hasOwn(ROUTES, name) && ROUTES[name];
    if (route) return route({ kind: await this.kind(game), number, query, body, server: this });
    if (method !== "GET" || !DATA.includes(asked)) throw new Refusal("Not Found", 404);
    const written = extended(game, ofGame(await this.read(game, `${asked}.json`)), await this.remote.served);
    return asked === "start" ? { ...written, tables: (await this.listed(game)).slice(0, LISTED) } : written;
  }

  /** @param {any} message */
  async hearSocket({ socket, path, message, closed }) {
    if (path) return void this.sockets.set(socket, this.enter(socket, path)); // what a page says meanwhile waits
    const other = await this.sockets.get(socket);
    if (!closed) return other?.hear(message, socket);
    this.sockets.delete(socket);
    other?.leave(socket);
    for (const [number, live] of this.live) if (live.sockets.size === 0) this.live.delete(number);
  }

  /** Let a page in. @param {number} socket @param {string} path of a table, or of what analyses a game */
  async enter(socket, path) {
    const [, kind, number] = NUMBERED.exec(path) ?? [];
    try {
      if (kind === "games") return await AnalysisSocket.open(this, number, message => this.send({ socket, message }));
      const table = await this.table(number), live = this.live.get(number) ?? new LiveTable(table, this);
      this.live.set(number, live);
      live.enter(socket);
      return live;
    } catch (error) {
      this.sockets.delete(socket);
      this.send({ socket, closed: true, reason: error instanceof Refusal ? error.message : "the table cannot be read", isFinal: true });
    }
  }

  /** A table, whichever game it is of. @param {string} number */
  async table(number) {
    const kept = this.live.get(number)?.table.kept ?? (await this.store.get("tables", number));
    if (!kept) throw new Refusal("there is no such table", 404);
    return this.live.get(number)?.table ?? new WebTable(await this.kind(kept.game), kept);
  }

  /** A table whose game is over. @param {string} number */
  async finished(number) {
    const table = await this.table(number);
    if (table.decider !== null) throw new Refusal("the game is not over");
    return table;
  }

  /** What is kept of a game, the last first. @param {string} kind tables or games @param {string} game */
  async all(kind, game) {
    return (await this.store.all(kind)).filter(kept => kept.game === game).sort((one, other) => (one.when < other.when ? 1 : -1));
  }

  /** Forget what a game has too many of, the oldest first. @param {string} kind tables or games @param {string} game */
  async tidy(kind, game) {
    for (const { number } of (await this.all(kind, game)).slice(MAX_KEPT)) await this.store.delete(kind, number);
  }

  /** The lines of the list of tables. @param {string} game */
  async listed(game) {
    return (await this.all("tables", game)).map(({ listed }) => listed);
  }

  /** @param {WebTable} table */
  async keep(table) {
    table.kept.when = new Date().toISOString();
    table.kept.listed = table.document;
    await this.store.put("tables", table.kept);
  }

  /** Another page has changed a table, or deleted it. @param {string} number */
  async reload(number) {
    const live = this.live.get(number), kept = live && (await this.store.get("tables", number));
    if (!live) return;
    if (!kept) return this.close(number);
    live.table = new WebTable(live.table.kind, kept);
    live.update();
  }

  /** Open a table. @param {Kind} kind @param {any} asked */
  async open(kind, { seats, rules = "", episode = "game", names = [], ...more }) {
    const { game } = kind.data;
    if (!Array.isArray(seats) || !Array.isArray(names) || names.length > seats.length) throw new Refusal('a table has a list of "seats", and optionally "names", "rules" and "episode"');
    if (seats.includes("open")) throw new Refusal("nobody can come to a table without a server; “skyjo web” opens others");
    const known = kind.rules(String(rules), seats.length), [seed] = crypto.getRandomValues(new BigUint64Array(1));
    for (const text of seats.filter(each => each !== YOU)) {
      kind.check(text, known);
      await kind.ready(text, known); // or say so before anybody waits for it
    }
    const number = newNumber(), fresh = { practice: false, daily: "", start: null, lines: [], when: "", seed: String(seed), names: seats.map((_, seat) => readName(names[seat], kind.data.personNames)) };
    await this.keep(new WebTable(kind, { number, game, rules: known.text, episode, seats, ...fresh, ...more }));
    await this.tidy("tables", game);
    return { id: number };
  }

  /** A table that continues a kept game. @param {any} asked */
  async playOn({ game: number, after, seats }) {
    const { record, seats: were, names, game } = (await this.store.get("games", number)) ?? {};
    if (!record) throw new Refusal("there is no such game");
    if (!Number.isInteger(after) || after < 0 || after >= record.actions.length) throw new Refusal("nothing is left to decide there; continue from an earlier decision");
    if (!Array.isArray(seats) || seats.length !== were.length) throw new Refusal(`this game has ${were.length} seats`);
    const start = { ...record, actions: record.actions.slice(0, after) }, { rules, episode } = record;
    return this.open(await this.kind(game), { seats, rules, episode, names: names.map((name, seat) => (seats[seat] === were[seat] ? name : "")), practice: true, start });
  }

  /** The table that players go on to: with the same cards, for practice, or with new ones. @param {WebTable} table @param {boolean} isNew */
  async follow(table, isNew) {
    const { kept: { seats, rules, episode, names, start, seed }, kind } = table, name = isNew ? "next" : "again";
    if (table.isWatched) throw new Refusal("only players at this table can play again");
    if (table.decider !== null) throw new Refusal("the game is not over");
    if (table[name] && (await this.store.get("tables", table[name]))) return table[name];
    const { id } = await this.open(kind, { seats, rules, episode, names, ...(isNew ? {} : { practice: true, start, seed }) });
    table.write({ [name]: id });
    await this.keep(table);
    return id;
  }

  /** @param {string} number */
  async forget(number) {
    if (!(await this.store.get("tables", number))) throw new Refusal("this table is not in your list");
    await this.store.delete("tables", number);
    await this.close(number);
    return {};
  }

  /** Send everybody away from a table that is no more. @param {string} number */
  async close(number) {
    for (const socket of this.live.get(number)?.sockets ?? []) {
      this.send({ socket, closed: true, reason: "this table has been deleted", isFinal: true });
      await this.hearSocket({ socket, closed: true });
    }
  }

  /** A record as text: seeds have 64 bits, which are more than numbers have. @param {any} record */
  written(record) {
    return JSON.stringify(record).replace(/"(seed|deal)":"(\d+)"/g, '"$1":$2');
  }
}
