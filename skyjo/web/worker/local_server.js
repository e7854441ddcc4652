/** Answers what pages ask, from files, from what this browser keeps, and with a server's help. It knows no page. */

import { DAILY_ROUTES } from "./daily.js";
import { AnalysisSocket } from "./analysing.js";
import { GAME_ROUTES } from "./games.js";
import { Kind, ofGame, once } from "./kinds.js";
import { LEARN_ROUTES } from "./learning.js";
import { LiveTable } from "./live_tables.js";
import { Refusal } from "./played_game.js";
import { newNumber, written } from "./records.js";
import { extended } from "./remote.js";
import { isRoom, Room } from "./rooms.js";
import { WebTable } from "./tables.js";
import { OPEN, readName, YOU } from "./views.js";

const LISTED = 12,
  MAX_KEPT = 200;
const NOTHING_LEFT = "the game is over there; play on from an earlier move";
const NUMBERED = /(tables|games|lessons|puzzles|stores)\/([^/]+)/;
const DATA = ["start", "learn", "ladder", "rules"]; // what Python wrote down, for which no module is loaded

/** @type {Routes} */
const ROUTES = {
  "POST tables": ({ kind, body, server }) => ("game" in body ? server.playOn(body) : server.open(kind, body)),
  "GET tables/*": async ({ number, server }) => (await server.table(number)).view(server.live.has(number)),
  "DELETE tables/*": ({ number, server }) => server.forget(number),
  "GET tables/*/record": async ({ number, server }) => written((await server.finished(number)).record),
  "GET tables/*/deal": async ({ number, server }) => {
    const { seed, rules, episode, seats, names, start } = (await server.table(number)).kept;
    if (start) throw new Refusal("this game went on from another one: its cards cannot be dealt again");
    return { seed, rules, episode, seats, names };
  },
  "GET unable": async ({ kind, query }) => {
    const rules = await kind.learn(query.get("rules") ?? "", Number(query.get("players")));
    return { unable: kind.unable(rules) };
  },
  ...DAILY_ROUTES,
  ...GAME_ROUTES,
  ...LEARN_ROUTES,
};

export class LocalServer {
  /**
   * @param {{store: any, read: (game: string, name: string) => Promise<any>, remote: import("./remote.js").Remote,
   *   Engine: Engine, send: (message: any) => void, home: string}} outside files,
   *   storage, what a server adds, and pages; the game that requests without one are about
   */
  constructor({ store, read, remote, Engine, send, home }) {
    this.store = store;
    this.read = read;
    this.remote = remote;
    this.Engine = Engine;
    this.send = send;
    this.home = home;
    /** @type {Map<string, Promise<Kind>>} by game */
    this.kinds = new Map();
    /** @type {Map<string, LiveTable | Room>} the tables that pages are at */
    this.live = new Map();
    /** @type {Map<number, Promise<LiveTable | Room | AnalysisSocket | void>>} what pages are connected to */
    this.sockets = new Map();
  }

  /** @param {string} game @returns {Promise<Kind>} */
  kind(game) {
    const read = name => this.read(game, name);
    return once(this.kinds, game, () => Kind.load(game, read, this.Engine, this.remote));
  }

  /** Answer a page. @param {any} message */
  async hear(message) {
    if ("socket" in message) return this.hearSocket(message);
    const { number, path, method = "GET", body } = message;
    try {
      this.send({ number, status: 200, answer: await this.answer(method, path, Object(body)) });
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      const refusal = error instanceof Refusal ? error : new Refusal("something went wrong at the table", 500);
      this.send({ number, status: refusal.status, answer: { error: refusal.message } });
    }
  }

  /** @param {string} method @param {string} path @param {any} body */
  async answer(method, path, body) {
    const [address, search] = path.split("?"),
      query = new URLSearchParams(search),
      asked = address.replace("/api/", "");
    const game = query.get("game") || this.home,
      number = NUMBERED.exec(asked)?.[2] ?? "";
    if (isRoom(number) && asked.startsWith("tables/"))
      return this.askRoom(asked.replace("tables", "rooms"), method, body);
    const name = `${method} ${asked.replace(NUMBERED, "$1/*")}`,
      route = Object.hasOwn(ROUTES, name) && ROUTES[name];
    if (route) return route({ kind: await this.kind(game), number, query, body, server: this });
    if (method !== "GET" || !DATA.includes(asked)) throw new Refusal("Not Found", 404);
    const [found, served] = await Promise.all([this.read(game, `${asked}.json`).then(ofGame), this.remote.served]);
    const answer = extended(game, found, served);
    return asked === "start" ? { ...answer, tables: (await this.listed(game)).slice(0, LISTED) } : answer;
  }

  /** @param {string} path @param {string} method @param {any} body */
  async askRoom(path, method, body) {
    const text = await this.remote.text(`/api/${path}`, method === "POST" ? body : undefined, method);
    return path.endsWith("/record") ? text : JSON.parse(text); // whose numbers may have 64 bits
  }

  /** @param {any} message */
  async hearSocket({ socket, path, message, closed }) {
    if (path) return void this.sockets.set(socket, this.enter(socket, path)); // what a page says meanwhile waits
    const other = await this.sockets.get(socket);
    if (!other) return;
    if (!closed) return other.hear(message, socket);
    this.sockets.delete(socket);
    other.leave(socket);
    for (const [number, live] of this.live) if (live.sockets.size === 0) this.live.delete(number);
  }

  /** Let a page in. @param {number} socket @param {string} path of a table, or of what analyses a game */
  async enter(socket, path) {
    const [, kind, number] = NUMBERED.exec(path) ?? [];
    try {
      if (kind === "games") return await AnalysisSocket.open(this, number, message => this.send({ socket, message }));
      const table = isRoom(number) ? null : await this.table(number);
      const live = this.live.get(number) ?? (table ? new LiveTable(table, this) : new Room(number, this));
      this.live.set(number, live);
      live.enter(socket);
      return live;
    } catch (error) {
      this.hangUp(socket, error instanceof Refusal ? error.message : "the table cannot be read");
    }
  }

  /**
   * End a page's connection.
   * @param {number} socket @param {string} reason @param {boolean} [isFinal] is it no use to come back?
   */
  hangUp(socket, reason, isFinal = true) {
    this.sockets.delete(socket);
    this.send({ socket, closed: true, reason, isFinal });
  }

  /** A table, whichever game it is of. @param {string} number */
  async table(number) {
    const known = () => /** @type {LiveTable | undefined} */ (this.live.get(number))?.table;
    const kept = known()?.kept ?? (await this.store.get("tables", number));
    if (!kept) throw new Refusal("there is no such table", 404);
    const kind = await this.kind(kept.game);
    if (!known() && !kept.start?.position) await kind.learn(kept.rules, kept.seats.length);
    return known() ?? new WebTable(kind, kept);
  }

  /** A table whose game is over. @param {string} number */
  async finished(number) {
    const table = await this.table(number);
    if (table.decider !== null) throw new Refusal("the game is not over");
    return table;
  }

  /**
   * What is kept of a game, the last first.
   * @param {string} kind tables or games @param {string} game @returns {Promise<any[]>}
   */
  async all(kind, game) {
    const all = (await this.store.all(kind)).filter(kept => kept.game === game);
    return lastFirst(all.reverse()); // of what was kept in the same moment, too
  }

  /** Forget what a game has too many of, the oldest first. @param {string} kind tables or games @param {string} game */
  async tidy(kind, game) {
    for (const { number } of (await this.all(kind, game)).slice(MAX_KEPT)) await this.store.delete(kind, number);
  }

  /** The lines of the list of tables, here and on the server. @param {string} game */
  async listed(game) {
    return lastFirst([...(await this.all("tables", game)).map(({ listed }) => listed), ...(await this.rooms(game))]);
  }

  /** The lines of rooms where this browser plays; none if the server does not answer. @param {string} game */
  async rooms(game) {
    if (!(await this.remote.served).rooms) return [];
    const asked = this.remote.ask(`/api/rooms?game=${game}`);
    return asked.then(
      ({ rooms }) => rooms,
      () => [],
    );
  }

  /** @param {WebTable} table */
  async keep(table) {
    table.kept.when = new Date().toISOString();
    table.kept.listed = table.document;
    await this.store.put("tables", table.kept);
  }

  /** Another page has changed a table, or deleted it. @param {string} number */
  async reload(number) {
    const live = this.live.get(number),
      kept = live && (await this.store.get("tables", number));
    if (!(live instanceof LiveTable)) return;
    if (!kept) return this.close(number);
    live.table = new WebTable(live.table.kind, kept);
    live.update();
  }

  /** Open a table. @param {Kind} kind @param {any} asked */
  async open(kind, { seats, rules = "", episode = "game", names = [], ...more }) {
    const { game } = kind.data;
    if (seats.includes(OPEN)) return this.openRoom({ game, seats, names, rules, episode }, more);
    const known = more.start?.position?.rules ?? (await kind.learn(rules, seats.length)),
      [seed] = crypto.getRandomValues(new BigUint64Array(1));
    for (const text of seats.filter(each => each !== YOU)) {
      kind.check(text, known);
      await kind.ready(text, known); // or say so before anybody waits for it
    }
    const number = newNumber(),
      called = seats.map((_, seat) => readName(names[seat]));
    const fresh = { practice: false, daily: "", start: null, lines: [], when: "", seed: String(seed), names: called };
    const table = new WebTable(kind, { number, game, rules: known.text, episode, seats, ...fresh, ...more });
    if (table.decider === null) throw new Refusal(NOTHING_LEFT);
    await this.keep(table);
    await this.tidy("tables", game);
    return { id: number };
  }

  /** Open a table to which others can come. @param {any} asked @param {any} more which rooms do not have */
  async openRoom(asked, more) {
    const { rooms } = await this.remote.served;
    if (!rooms) throw new Refusal("other players can only join a table on a server");
    if (Object.keys(more).length) throw new Refusal("other players can only join new games");
    return this.remote.ask("/api/rooms", asked);
  }

  /** A table that continues a kept game. @param {any} asked */
  async playOn({ game: number, after, seats }) {
    const { record, seats: were, names, game } = await this.store.get("games", number);
    const start = { ...record, actions: record.actions.slice(0, after) },
      { rules, episode } = record;
    const called = names.map((name, seat) => (seats[seat] === were[seat] ? name : ""));
    return this.open(await this.kind(game), { seats, rules, episode, names: called, practice: true, start });
  }

  /**
   * The table that players go on to: with the same cards, for practice, or with new ones.
   * @param {WebTable} table @param {boolean} isNew
   */
  async follow(table, isNew) {
    const { kept, kind } = table,
      { seats, rules, episode, names, start, seed } = kept,
      name = isNew ? "next" : "again";
    const same = isNew ? {} : { practice: true, start, seed };
    if (table.decider !== null) throw new Refusal("the game is not over");
    if (table[name] && (await this.store.get("tables", table[name]))) return table[name];
    const { id } = await this.open(kind, { seats, rules, episode, names, ...same });
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
      await this.hearSocket({ socket, closed: true });
      this.hangUp(socket, "this table has been deleted");
    }
  }
}

/** @param {any[]} all */
const lastFirst = all => all.sort((one, other) => Date.parse(other.when) - Date.parse(one.when));
