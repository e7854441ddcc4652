/** What pages are shown of a table, wherever that comes from. */

import { canBeJudged } from "./judging.js";
import { filled } from "./phrases.js";
import { Refusal, seen } from "./played_game.js";

const MAX_NAME = 20;
export const VERSION = 1, // of records
  YOU = "you",
  OPEN = "open";
export const PEOPLE = [YOU, OPEN];
const MAX_DECISIONS = 12,
  MAX_ROUNDS = 24,
  MAX_TITLE = 24;

/**
 * A view: what seats are called, who looks, and whatever differs from a game that is only looked at.
 * @param {Standing} standing
 * @param {{names: string[], people?: boolean[], here?: boolean[], seat?: number | null, isCovered?: boolean,
 *   conceded?: number | null, [name: string]: any}} given
 */
export function view(standing, { names, people, here, seat = null, isCovered = false, conceded = null, ...more }) {
  const { kind, rules, decisions, round, phase, episode, totals, observation } = standing,
    { data, documents } = kind;
  const isOwn = seat !== null && !isCovered,
    decider = conceded === null ? standing.decider : null;
  const legal = isOwn && decider === seat ? standing.legal : {},
    first = Math.max(0, decisions.length - MAX_DECISIONS);
  const scored = decisions.map(({ end }) => end?.scores).filter(Boolean);
  return {
    ...{ kind: "view", game: data.game, seq: decisions.length, phase, round, episode },
    ...{ seat, covered: isCovered, decider },
    seats: names.map((name, k) => ({ name, person: people?.[k] ?? false, here: here?.[k] ?? false, total: totals[k] })),
    ...{ actions: Object.keys(legal).map(Number), names: legal },
    told: decisions.slice(first).map(({ round, end, ...told }, k) => ({ seq: first + k, ...told })),
    rounds: scored.slice(-MAX_ROUNDS),
    ...{ practice: false, assisted: false, room: false, watch: null, pace: null, judged: canBeJudged(standing) },
    began: decisions.filter(decision => decision.round < round).length,
    over: decider === null ? { words: result(standing, names, conceded), winners: standing.winners } : null,
    end: decisions.at(-1)?.end ?? null,
    table: documents.viewDocument(data, rules, seen(rules, observation), isOwn),
    ...more,
  };
}

/** How a game ended. @param {Standing} standing @param {string[]} names @param {number | null} conceded who gave up */
export function result({ kind, winners, isTruncated }, names, conceded) {
  const { results } = kind.data;
  if (conceded !== null) return filled(results.conceded, { name: names[conceded] });
  const won = winners.map(seat => names[seat]).join(results.and) || results.nobody;
  return filled(isTruncated ? results.stopped : results.over, { winners: won });
}

/**
 * What an agent would be given in a seat, and the position as far as that sees it, which a server writes.
 * @param {Standing} standing @param {number | null} seat null for somebody who looks on
 */
export async function inspected({ kind, rules, decisions, episode, observation, decider, legal }, seat) {
  const told = { kind: "inspected", seq: decisions.length, seat };
  if (seat === null) return { ...told, actions: {}, slices: [], position: "" };
  const slices = rules.observation.slices.map(([name, start, ...shape]) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const values = Array.from(observation).slice(start, start + size);
    return { name, start, shape, values, meaning: kind.data.meanings?.[name] ?? "" };
  });
  const position = await kind.position(rules, episode, observation);
  return { ...told, actions: decider === seat ? legal : {}, slices, position };
}

/**
 * What seats are called here: "you", a name or an agent's text, or else the number of the seat, from 1.
 * @param {string[]} seats @param {string[]} names
 */
export function titles(seats, names) {
  const titled = seats.map((text, seat) => {
    if (text === YOU) return YOU;
    const short = text.length <= MAX_TITLE ? text : `${text.slice(0, MAX_TITLE - 1)}…`;
    return names[seat] || (PEOPLE.includes(text) ? `seat ${seat + 1}` : short);
  });
  const isAlone = title => titled.filter(other => other.toLowerCase() === title.toLowerCase()).length === 1;
  return titled.map((title, seat) => (isAlone(title) ? title : `${title} (seat ${seat + 1})`));
}

/** A name that somebody typed, as in skyjo/web/requests.py. @param {any} typed */
export function readName(typed = "") {
  const name = typeof typed === "string" ? typed.trim() : null;
  if (name === null || Array.from(name).length > MAX_NAME || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new Refusal(`a name may have at most ${MAX_NAME} characters, all of them visible`);
  }
  return name;
}
