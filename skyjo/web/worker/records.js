/** Written games: read from texts and addresses, kept in this browser, and played again. */

import { isAddress, unpacked } from "../pages/shared.js";
import { PlayedGame, Refusal } from "./played_game.js";
import { readName, VERSION } from "./views.js";

const MAX_LETTERS = 100_000,
  LETTERS = 12;
const FIELDS = ["rules", "seed", "deal", "episode", "start", "position", "actions", "totals"]; // beside the version
const UNREADABLE = "this is neither a game nor the link to one";

/** @type {{number: string, played: PlayedGame} | undefined} the game that was looked at last */
let looked;

const isKey = key => ["string", "number"].includes(typeof key) && /^\d{1,20}$/.test(String(key));

/** The number of a new table or game: letters, since randomUUID exists on safe connections only. */
export const newNumber = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(LETTERS)), byte => String.fromCharCode(97 + (byte % 26))).join("");

/** A record as text: seeds have 64 bits, which are more than numbers have. @param {GameRecord} record */
export const written = ({ position, ...record }) => JSON.stringify(record).replace(/"(seed|deal)":"(\d+)"/g, '"$1":$2');

/**
 * The record in an address, or in a text, or that of a position.
 * @param {Kind} kind @param {string} text @returns {Promise<GameRecord>}
 */
export async function recordIn(kind, text) {
  if (text.length > MAX_LETTERS) throw new Refusal(`a written game has at most ${MAX_LETTERS} characters`);
  const json = isAddress(text)
    ? await unpacked(text).catch(error => {
        throw new Refusal(error.message);
      })
    : text;
  const record = recordByTurns(kind.data.game, json) ?? recordInJson(kind.data.game, json);
  if (record && !record.start) return record;
  if (!kind.isServed) throw new Refusal(UNREADABLE);
  const asked = { text: record?.start ?? json };
  const { rules, state, episode, text: start } = await kind.remote.ask(`/api/positions/${kind.data.game}`, asked);
  const usual = { [`${kind.data.game}_record`]: VERSION, seed: "0", deal: "0", actions: [] };
  return { ...usual, ...record, rules: rules.text, episode, start, position: { rules, state } };
}

/** A record as JSON. Null for other text. @param {string} game @param {string} json @returns {GameRecord | null} */
function recordInJson(game, json) {
  try {
    const record = JSON.parse(json.replace(/"(seed|deal)"\s*:\s*(\d{1,20})/g, '"$1":"$2"'));
    return record?.[`${game}_record`] === VERSION && Array.isArray(record.actions) ? record : null;
  } catch {
    return null;
  }
}

/**
 * A record as text, with one turn a line: its actions are names. Null for other text.
 * @param {string} game @param {string} text
 */
function recordByTurns(game, text) {
  const [header, ...lines] = text.trim().split(/\s*\n\s*/);
  if (header !== `${game}-record ${VERSION}`) return null;
  const isTurn = line => line.startsWith("seat ");
  const actions = lines.filter(isTurn).flatMap(line => line.replace(/^[^:]*:\s*/, "").split(/\s*,\s*/));
  const { end, start, ...fields } = Object.fromEntries(
    lines.filter(line => !isTurn(line)).map(line => line.split(/ (.*)/)),
  );
  const [, moves, totals] = /^moves=(\d+) .*totals (.*)$/.exec(end) ?? [];
  if (Number(moves) !== actions.length) throw new Refusal("the end of this game is missing");
  const position = lines
    .filter(line => line.startsWith("start "))
    .map(line => `${line.slice("start ".length)}\n`)
    .join("");
  const usual = {
    rules: "",
    seed: "0",
    deal: "0",
    episode: "game",
    ...(start === undefined ? {} : { start: position }),
  };
  return { ...usual, ...fields, [`${game}_record`]: VERSION, actions, totals: totals.split(" ").map(Number) };
}

/**
 * Keep a game that can be played, unless it is kept already.
 * @param {LocalServer} server @param {Kind} kind @param {GameRecord} given
 * @param {{seats: string[], names: string[], table: string}} [at] where it was played
 */
export async function keep(server, kind, given, at) {
  const { game } = kind.data,
    names = [`${game}_record`, ...FIELDS].filter(name => (given[name] ?? null) !== null);
  const record = /** @type {GameRecord} */ (Object.fromEntries(names.map(name => [name, given[name]])));
  const played = await replayed(kind, record),
    { players } = played.table,
    called = Array.isArray(given.names) ? given.names : [];
  record.actions = played.actions;
  const text = written(record),
    counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const rounds = new Set(played.decisions.map(({ round }) => round)).size;
  const words = `${players} seats, ${counted(rounds, "round")}, ${counted(played.decisions.length, "move")}`;
  const same = (await server.all("games", game)).find(kept => written(kept.record) === text),
    number = same?.number ?? newNumber();
  const readNames = () => Array.from({ length: players }, (_, seat) => readName(called[seat]));
  /** @type {{seats: string[], names: string[], table?: string}} */
  const seated = at ?? same ?? { seats: Array(players).fill(""), names: readNames() };
  const { seats, names: titles, table = "" } = seated;
  const when = new Date().toISOString();
  await server.store.put("games", { number, game, record, words, when, seats, names: titles, table });
  await server.tidy("games", game);
  return { id: number };
}

/** A record, played to its end. @param {Kind} kind @param {GameRecord} record @returns {Promise<PlayedGame>} */
export async function replayed(kind, { actions, totals, ...record }) {
  try {
    if (![record.seed, record.deal ?? 0].every(isKey)) throw new Refusal("there is no such deal");
    const players = Number(/(?:^| )players=(\d+)/.exec(record.rules)?.[1] ?? kind.data.players[0]);
    if (!record.position) await kind.learn(record.rules, players);
    const played = new PlayedGame(kind, kind.begun(record, players));
    for (const action of actions) played.apply(played.names.includes(action) ? played.names.indexOf(action) : action);
    const isSame = !totals || JSON.stringify(totals) === JSON.stringify(played.table.totals);
    if (!isSame) throw new Refusal("the totals of this game do not follow from its moves");
    return played;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("this game is damaged");
  }
}

/** A kept game, and the same played. @param {LocalServer} server @param {string} number */
export async function found(server, number) {
  const kept = await server.store.get("games", number);
  if (!kept) throw new Refusal("there is no such game", 404);
  const now =
    looked?.number === number ? looked : { number, played: await replayed(await server.kind(kept.game), kept.record) };
  looked = now;
  return { kept, played: now.played };
}
