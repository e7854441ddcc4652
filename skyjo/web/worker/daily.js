/** Today's deal, and how this browser has played. */

import { PlayedGame, Refusal, rounded } from "./played_game.js";
import { resultsOf, sum } from "./results.js";
import { PEOPLE, titles, YOU } from "./views.js";

const MAX_GAMES = 200,
  MIN_GAMES = 5,
  DIGITS = 3;
const Z = 1.959963984540054; // the quantile of the normal distribution for intervals of 95 %

/** @type {Routes} */
export const DAILY_ROUTES = {
  "GET daily": async ({ kind, server, query }) => {
    const day = query.get("day") || today(),
      kept = await dailyOf(server, kind, day);
    const rival = kept?.names[1] || (await rivalOf(kind)).name;
    const table = kept && (await server.table(kept.number)),
      isOver = table?.decider === null;
    const result = isOver ? await dailyResult(server, table) : null;
    return { day, rival, table: kept?.number ?? null, over: isOver, result };
  },
  "POST daily": async ({ kind, body, server }) => {
    const day = today(),
      kept = await dailyOf(server, kind, day),
      { agent, name } = await rivalOf(kind);
    if (kept) return { id: kept.number };
    const table = { seats: [YOU, agent], names: [body.name ?? "", name], episode: "round", daily: day };
    return server.open(kind, { ...table, seed: await seedOf(kind, day) });
  },
  "GET own": async ({ kind, server }) => {
    const games = [],
      rounds = [];
    for (const kept of (await server.all("tables", kind.data.game)).slice(0, MAX_GAMES)) {
      if (!kept.listed.over || kept.practice || kept.seats.filter(text => text === YOU).length !== 1) continue;
      kept.results ??= await played(server, kept);
      if (!kept.results.margins) continue;
      const seat = kept.seats.indexOf(YOU),
        { margins, luck } = kept.results;
      const own = margins.map((by, k) => ({ margin: by[seat], luck: luck && luck[k][seat] }));
      rounds.push(...own);
      games.push(lineOf(kept, own, seat));
    }
    return { most: MAX_GAMES, fewest: MIN_GAMES, games, total: games.length ? totalOf(rounds) : null };
  },
};

const today = () => new Date().toISOString().slice(0, 10);

/** The opponent of today's deal: the strongest that decides at once, since it also plays in the person's seat. */
async function rivalOf({ engine, read }) {
  const { agents } = engine.description;
  const isQuick = ({ agent }) => Object.hasOwn(agents, agent) && agents[agent].calls !== "search_action";
  return (await read("start.json")).rivals.findLast(isQuick);
}

/** The table of a day's deal, if it was begun here. @param {any} server @param {Kind} kind @param {string} day */
async function dailyOf(server, { data: { game } }, day) {
  return (await server.all("tables", game)).find(({ daily }) => daily === day);
}

/** The seed of a day's deal, the same as on every server. */
async function seedOf({ data: { game } }, day) {
  if (!crypto.subtle) throw new Refusal("today’s deal needs a page whose address begins with https");
  return String(
    new DataView(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${game} ${day}`))).getBigUint64(0),
  );
}

/** The results of a table, kept from now on; empty if it does not count, since somebody helped or gave up. */
async function played(server, kept) {
  const table = await server.table(kept.number),
    isOwn = !table.practice && !table.assisted && table.conceded === null;
  const results = (isOwn && resultsOf(table.played)) || {};
  await server.store.put("tables", { ...kept, results });
  return results;
}

/** The result of today's deal, worked out once; null if it does not count. */
async function dailyResult(server, { kept, practice, conceded, played: game, kind }) {
  const own = practice || conceded !== null ? null : resultsOf(game);
  if (own && !kept.daily_result) {
    kept.daily_result = { ...figuresOf(own), rival: figuresOf(await resultsOfRival(kind, game, kept.seats[1])) };
    await server.store.put("tables", kept);
  }
  return own && kept.daily_result;
}

/** The results of the rival in the seat of the person, with the same cards. */
async function resultsOfRival(kind, { tables }, agent) {
  const twin = new PlayedGame(kind, tables[0]);
  while (!twin.table.isOver) {
    twin.apply(await twin.choice(agent));
    await new Promise(next => setTimeout(next)); // pages are heard meanwhile
  }
  return resultsOf(twin);
}

/** By how much a person was ahead, and how much of that was luck, where that is measured. @param {any} results */
function figuresOf(results) {
  const total = bySeat => rounded(sum(bySeat.map(by => by[0])), DIGITS);
  return results && { margin: total(results.margins), luck: results.luck && total(results.luck) };
}

/** A line of the list of one's own games. @param {any} kept @param {any[]} own its rounds @param {number} seat */
function lineOf({ number, seats, names, when, results }, own, seat) {
  const called = titles(seats, names).map((title, k) => (PEOPLE.includes(seats[k]) ? title : names[k] || seats[k]));
  const others = called.filter((_, k) => k !== seat),
    times = name => others.filter(other => other === name).length;
  const counted = [...new Set(others)].map(name => (times(name) === 1 ? name : `${times(name)} × ${name}`));
  const { wins } = results,
    share = wins[seat];
  const shared = share === Math.min(...wins) ? "drew" : "shared the win";
  const outcome = share === 1 ? "won" : share === 0 ? "lost" : shared;
  const mean = name => rounded(sum(own.map(each => each[name])) / own.length, DIGITS);
  const luck = own[0].luck === null ? null : mean("luck");
  const words = `${outcome} against ${new Intl.ListFormat("en-GB").format(counted)}`;
  return { table: number, words, when, margin: mean("margin"), luck, rounds: own.length };
}

function totalOf(rounds) {
  const margin = estimate(rounds.map(round => round.margin)),
    fair = estimate(rounds.map(round => round.margin - round.luck));
  return { rounds: rounds.length, margin, without_luck: rounds[0].luck === null ? null : fair };
}

/** The mean, and half the width of its interval; of few numbers there is none. @param {number[]} values */
function estimate(values) {
  const count = values.length,
    mean = sum(values) / count,
    deviation = Math.sqrt(sum(values.map(value => (value - mean) ** 2)) / (count - 1));
  const half = (quantile(count - 1) * deviation) / Math.sqrt(count);
  return [rounded(mean, DIGITS), count < MIN_GAMES ? null : rounded(half, DIGITS)];
}

/** The quantile of Student's t: Abramowitz and Stegun, 26.7.5. @param {number} freedom */
function quantile(freedom) {
  const z = Z,
    terms = [
      z,
      (z ** 3 + z) / 4,
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
      (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
      (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
    ];
  return sum(terms.map((term, power) => term / freedom ** power));
}
