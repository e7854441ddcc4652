/** Views of a table, of a game that is looked at, and of a lesson, as skyjo/web/messages.py makes them. */

import { filled, Refusal, seen } from "./played_game.js";

/** @typedef {import("./played_game.js").PlayedGame} PlayedGame */

export const VERSION = 1, YOU = "you";
export const PEOPLE = [YOU, "open"];
const MAX_DECISIONS = 12, MIN_DECISIONS = 4, MAX_ROUNDS = 24, ROOMY = 2000, MAX_TITLE = 24;

/**
 * A view after so many decisions: what seats are called, who looks, and whatever differs from a game that is only looked at.
 * @param {PlayedGame} played @param {number} count @param {{names: string[], seat?: number | null, [name: string]: any}} given
 */
export function view(played, count, { names, people = [], here = [], seat = null, isCovered = false, decides = false, conceded = null, ...more }) {
  const { kind: { engine, data, words }, rules } = played, table = played.tables[count], decisions = played.decisions.slice(0, count);
  const isOwn = seat !== null && !isCovered, isOver = table.isOver || conceded !== null, legal = decides && isOwn ? played.legal(table) : {}, { totals } = table;
  const message = {
    ...{ kind: "view", version: VERSION, seq: count, game: data.game, phase: table.phase, round: table.field("round_number") },
    episode: engine.description.episodes[table.field("episode")],
    seats: names.map((name, k) => ({ name, person: people[k] ?? false, here: here[k] ?? false, total: totals[k] })),
    ...{ seat, covered: isCovered, decider: isOver ? null : table.seat, actions: Object.keys(legal).map(Number), names: legal },
    told: decisions.slice(-MAX_DECISIONS).map(({ number, round, end, ...told }) => ({ seq: number - 1, ...told })),
    rounds: decisions.map(({ end }) => end?.scores).filter(Boolean).slice(-MAX_ROUNDS),
    ...{ practice: false, watch: null, pace: null, began: 0 },
    over: isOver ? { words: result(played, table, names, conceded), winners: table.winners } : null,
    end: decisions.at(-1)?.end ?? null,
    table: words.viewDocument(data, rules, seen(rules, table.observation(seat ?? 0)), isOwn),
    ...more,
  };
  while (message.told.length > MIN_DECISIONS && [...JSON.stringify(message)].length > ROOMY) message.told.shift();
  return message;
}

/** How a game ended. @param {number | null} conceded the seat that gave up */
export function result({ kind: { data: { results } } }, table, names, conceded) {
  if (conceded !== null) return filled(results.conceded, { name: names[conceded] });
  const winners = table.winners.map(seat => names[seat]).join(results.and) || results.nobody;
  return filled(table.isTruncated ? results.stopped : results.over, { winners });
}

/** What seats are called here: "you", a name or an agent's text, or else the number of the seat, from 1. @param {string[]} seats @param {string[]} names */
export function titles(seats, names) {
  const titled = seats.map((text, seat) => {
    if (text === YOU) return YOU;
    const short = text.length <= MAX_TITLE ? text : `${text.slice(0, MAX_TITLE - 1)}…`;
    return names[seat] || (PEOPLE.includes(text) ? `seat ${seat + 1}` : short);
  });
  const isAlone = title => titled.filter(other => other.toLowerCase() === title.toLowerCase()).length === 1;
  return titled.map((title, seat) => (isAlone(title) ? title : `${title} (seat ${seat + 1})`));
}

/**
 * A name as somebody has typed it, by the measures of skyjo/web/person_names.py.
 * @param {any} typed @param {any} measures
 */
export function readName(typed = "", { letters, signs, kinds, marks, alphabets, reserved, unseen, refusals }) {
  const allowed = new RegExp(`^[${kinds.map(kind => `\\p{${kind}}`).join("")}${signs}]{0,${letters}}$`, "u"), around = new RegExp(`^[${signs}]+|[${signs}]+$`, "g");
  if (typeof typed !== "string" || typed.length > 8 * letters) throw new Refusal(refusals.plain);
  const name = typed.normalize("NFC").replace(/^ +| +$/g, ""), plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(around, "");
  if (!allowed.test(name) || new RegExp(unseen, "u").test(name)) throw new Refusal(refusals.plain);
  if (new RegExp(`^\\p{M}|\\p{M}{${marks + 1}}`, "u").test(name) || (name && !/[\p{L}\p{N}]/u.test(name))) throw new Refusal(refusals.marks);
  if (alphabets.filter(each => new RegExp(`\\p{Script=${each}}`, "u").test(plain)).length > 1) throw new Refusal(refusals.alphabets);
  if (reserved.includes(plain.split(" ")[0].replace(around, ""))) throw new Refusal(filled(refusals.reserved, { name }));
  return name.replace(/ +/g, " ");
}
