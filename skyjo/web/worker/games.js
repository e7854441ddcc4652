/** Games that are looked at: kept ones, decision by decision; as skyjo/web/game_routes.py and replaying.py. */

import { analyse, canBeJudged } from "./analysing.js";
import { PlayedGame, Refusal } from "./played_game.js";
import { isAddress, unpacked } from "./shared.js";
import { readName, titles, VERSION, view, YOU } from "./views.js";

/** @typedef {import("./local_server.js").Asked} Asked */

const LISTED = 12, MAX_VIEWS = 100, MAX_NAME = 20, MAX_LETTERS = 100_000, LETTERS = 12;
const FIELDS = ["rules", "seed", "deal", "episode", "actions", "totals"]; // of a record, beside its version

/** @type {{number: string, played: PlayedGame} | undefined} the game that was looked at last */
let looked;

/** @type {import("./local_server.js").Routes} */
export const GAME_ROUTES = {
  "GET games": async ({ kind, server }) => {
    const { game, title } = kind.data, tables = (await server.listed(game)).filter(({ over }) => over).slice(0, LISTED);
    const others = (await server.all("games", game)).filter(({ table }) => !tables.some(({ id }) => id === table));
    const kept = others.slice(0, LISTED).map(one => ({ id: one.number, words: one.words, when: one.when, names: isSeated(one) ? namesOf(one) : [] }));
    const { rooms: served = false } = await server.remote.served;
    return { version: VERSION, game, title, tables, kept, stores: [], served };
  },
  "POST games": async ({ body, kind, server }) => {
    if (!body.table) return keep(server, kind, await recordIn(kind, String(body.text)));
    const { kind: own, record, kept: { seats, names } } = await server.finished(body.table);
    return keep(server, own, record, { seats, names, table: body.table });
  },
  "DELETE games/*": async ({ number, server }) => {
    await server.store.delete("games", number);
    return {};
  },
  "GET games/*": async ({ number, server }) => document(await found(server, number)),
  "GET games/*/views": async ({ number, server, query }) => views(await found(server, number), query),
  "GET games/*/record": async ({ number, server }) => server.written((await found(server, number)).kept.record),
  "GET games/*/shared": async ({ number, server }) => {
    const { record, seats, names } = (await found(server, number)).kept, called = names.map((name, seat) => name || (seats[seat] === YOU ? "" : seats[seat]));
    return { text: server.written({ ...record, ...(called.some(Boolean) ? { names: called.map(name => name.split(":")[0].slice(0, MAX_NAME)) } : {}) }) };
  },
};

const isSeated = ({ seats, names }) => [...seats, ...names].some(Boolean);
const namesOf = ({ seats, names }) => titles(seats.map(text => text || "open"), names);
const isKey = key => ["string", "number"].includes(typeof key) && /^\d{1,20}$/.test(String(key));
const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** The number of a new table or game: letters, since randomUUID exists on safe connections only. */
export const newNumber = () => Array.from(crypto.getRandomValues(new Uint8Array(LETTERS)), byte => String.fromCharCode(97 + (byte % 26))).join("");

/** A page that has a game analysed. */
export class AnalysisSocket {
  /** @param {any} server @param {string} number @param {(message: any) => void} send */
  static async open(server, number, send) {
    const { played, kept } = await found(server, number);
    return new AnalysisSocket(played, namesOf(kept), send);
  }

  constructor(played, names, send) {
    Object.assign(this, { played, names, send, isBusy: false, isStopped: false });
  }

  /** @param {any} message */
  async hear({ ask }) {
    if (ask === "stop") return this.isBusy ? this.leave() : this.send({ kind: "stopped" });
    if (ask !== "analyse" || this.isBusy) return this.send({ kind: "refused", words: this.isBusy ? "this game is already being analysed; stop that first" : "decisions are checked by “skyjo web” only" });
    [this.isBusy, this.isStopped] = [true, false];
    await analyse(this.played, this.names, this.send, () => this.isStopped).catch(error => this.send({ kind: "refused", words: error.message }));
    this.isBusy = false;
  }

  leave() {
    this.isStopped = true;
  }
}

/** The record in an address, or in a text. @param {string} text */
async function recordIn({ data: { game } }, text) {
  if (text.length > MAX_LETTERS) throw new Refusal(`a written game has at most ${MAX_LETTERS} characters`);
  const json = isAddress(text) ? await unpacked(text).catch(error => { throw new Refusal(error.message); }) : text;
  try {
    const record = recordByTurns(game, json) ?? JSON.parse(json.replace(/"(seed|deal)"\s*:\s*(\d{1,20})/g, '"$1":"$2"'));
    if (record?.[`${game}_record`] === VERSION && Array.isArray(record.actions) && !record.start) return record;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refusal("here you can open the address of a game, and its record; “skyjo web” also opens positions");
}

/** A record as text, with one turn a line: its actions are names. Null for other text. @param {string} game @param {string} text */
function recordByTurns(game, text) {
  const [header, ...lines] = text.trim().split(/\s*\n\s*/);
  if (header !== `${game}-record ${VERSION}`) return null;
  const isTurn = line => line.startsWith("seat ");
  const actions = lines.filter(isTurn).flatMap(line => line.replace(/^[^:]*:\s*/, "").split(/\s*,\s*/));
  const { end, ...fields } = Object.fromEntries(lines.filter(line => !isTurn(line)).map(line => line.split(/ (.*)/)));
  const [, moves, totals] = /^moves=(\d+) .*totals (.*)$/.exec(end) ?? [];
  if (Number(moves) !== actions.length) throw new Refusal("the end of this record is missing");
  const usual = { rules: "", seed: "0", deal: "0", episode: "game" };
  return { ...usual, ...fields, [`${game}_record`]: VERSION, actions, totals: totals.split(" ").map(Number) };
}

/**
 * Keep a game that can be played, unless it is kept already.
 * @param {any} given @param {{seats: string[], names: string[], table: string}} [at] the table where it was played
 */
async function keep(server, kind, given, at) {
  const { game, personNames } = kind.data, record = Object.fromEntries([`${game}_record`, ...FIELDS].filter(name => name in given).map(name => [name, given[name]]));
  const played = replayed(kind, record), { players } = played.table;
  record.actions = played.actions;
  const text = server.written(record), called = Array.isArray(given.names) ? given.names : [];
  const words = `${players} seats, ${counted(roundsOf(played).length, "round")}, ${counted(played.decisions.length, "decision")}`;
  const same = (await server.all("games", game)).find(kept => server.written(kept.record) === text), number = same?.number ?? newNumber();
  const readNames = () => Array.from({ length: players }, (_, seat) => readName(called[seat], personNames));
  const { seats, names, table } = at ?? same ?? { seats: Array(players).fill(""), names: readNames() };
  await server.store.put("games", { number, game, record, words, when: new Date().toISOString(), seats, names, table });
  await server.tidy("games", game);
  return { id: number };
}

/** A record, played to its end. @returns {PlayedGame} */
function replayed(kind, { rules, actions, ...record }) {
  try {
    if (![record.seed, record.deal ?? 0].every(isKey)) throw new Refusal("there is no such deal");
    const players = Number(/(?:^| )players=(\d+)/.exec(rules)?.[1] ?? kind.data.players[0]), played = new PlayedGame(kind, kind.dealt(kind.rules(rules, players), record));
    for (const action of actions) played.apply(played.names.includes(action) ? played.names.indexOf(action) : action);
    if (record.totals && JSON.stringify(record.totals) !== JSON.stringify(played.table.totals)) throw new Refusal("the totals of this record are not those of its moves");
    return played;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("this record is damaged");
  }
}

/** A kept game, and the same played. @param {string} number */
async function found(server, number) {
  const kept = await server.store.get("games", number);
  if (!kept) throw new Refusal("there is no such game", 404);
  if (looked?.number !== number) looked = { number, played: replayed(await server.kind(kept.game), kept.record) };
  return { kept, played: looked.played };
}

/** Where rounds begin, and their scores if they were scored. @param {PlayedGame} played */
function roundsOf({ decisions }) {
  const firsts = decisions.filter(({ round }, k) => decisions[k - 1]?.round !== round);
  return firsts.map(({ number, round }) => ({ first: number - 1, scores: decisions.findLast(each => each.round === round)?.end?.scores ?? null }));
}

/** All but the cards. */
function document({ kept, played }) {
  const { kind: { data: { game, title } }, decisions } = played, { seats, record: { episode } } = kept;
  return {
    ...{ version: VERSION, game, title, episode, seats, names: namesOf(kept), players: seats.length, rounds: roundsOf(played), analysis: canBeJudged(played) },
    decisions: decisions.map(({ seat, round, words, turn_over: isOver }) => ({ seat, round, words, turn_over: isOver })),
  };
}

/** The table after some of the decisions, as one seat saw it or with all cards open. @param {URLSearchParams} query */
function views({ kept, played }, query) {
  const number = (name, usual) => (/^\d{0,9}$/.test(query.get(name) ?? "") ? Number(query.get(name) ?? usual) : usual), names = namesOf(kept);
  const seat = query.has("seat") ? Math.min(number("seat", 0), names.length - 1) : null;
  const { data, words } = played.kind, first = number("first", 0), last = first + Math.min(number("count", MAX_VIEWS), MAX_VIEWS);
  const shown = played.tables.slice(first, last).map((table, k) => {
    const one = view(played, first + k, { names, seat, decides: !table.isOver && table.seat === seat });
    return query.get("open") === "1" ? { ...one, table: { ...one.table, open: words.openDocument(data, table) } } : one;
  });
  return { views: shown };
}
