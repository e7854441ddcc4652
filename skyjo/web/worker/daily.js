/** Today's deal, and how this browser has played. */

import { PlayedGame, Refusal, rounded } from "./played_game.js";
import { resultsOf, sum } from "./results.js";
import { PEOPLE, titles, VERSION, YOU } from "./views.js";

/** @typedef {import("./local_server.js").Asked} Asked */

const MAX_GAMES = 200, MIN_GAMES = 5, DIGITS = 3;
const Z = 1.959963984540054; // the quantile of the normal distribution for intervals of 95 %

/** @type {import("./local_server.js").Routes} */
export const DAILY_ROUTES = {
  "GET daily": async ({ kind, server }) => {
    const day = today(), kept = await dailyOf(server, kind, day), rival = (await rivalOf(kind)).name, table = kept && (await server.table(kept.number));
    const isOver = table?.decider === null;
    return { version: VERSION, day, rival, table: kept?.number ?? null, over: isOver, result: isOver ? await resultOf(table) : null };
  },
  "POST daily": async ({ kind, body, server }) => {
    const day = today(), kept = await dailyOf(server, kind, day), { agent, name } = await rivalOf(kind);
    if (kept) return { id: kept.number };
    return server.open(kind, { seats: [YOU, agent], names: [body.name ?? "", name], episode: "round", daily: day, seed: await seedOf(kind, day) });
  },
  "GET own": async ({ kind, server }) => {
    const games = [], rounds = [];
    for (const kept of (await server.all("tables", kind.data.game)).slice(0, MAX_GAMES)) {
      if (!kept.listed.over || kept.practice || kept.seats.filter(text => text === YOU).length !== 1) continue;
      kept.results ??= await played(server, kept);
      if (!kept.results.margins) continue;
      const seat = kept.seats.indexOf(YOU), { margins, luck } = kept.results, own = margins.map((by, k) => ({ margin: by[seat], luck: luck[k][seat] }));
      rounds.push(...own);
      games.push(lineOf(kept, own, seat));
    }
    return { version: VERSION, most: MAX_GAMES, fewest: MIN_GAMES, games, total: games.length ? totalOf(rounds) : null };
  },
};

const today = () => new Date().toISOString().slice(0, 10);
const rivalOf = async kind => (await kind.read("start.json")).rivals.findLast(({ playable }) => playable);
const dailyOf = async (server, { data: { game } }, day) => (await server.all("tables", game)).find(({ daily }) => daily === day);

/** The seed of a day's deal, the same as on every server. */
async function seedOf({ data: { game } }, day) {
  if (!crypto.subtle) throw new Refusal("today's deal needs an address that begins with https");
  return String(new DataView(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${game} ${day}`))).getBigUint64(0));
}

/** The results of a table, kept from now on; empty if it does not count, since somebody helped or gave up. */
async function played(server, kept) {
  const table = await server.table(kept.number), isOwn = !table.practice && !table.assisted && table.conceded === null;
  const results = (isOwn && resultsOf(table.played)) || {};
  await server.store.put("tables", { ...kept, results });
  return results;
}

/** By how much a person was ahead in a round, how much of that was luck, and the same of the rival in that seat. */
async function resultOf({ played: game, practice, conceded, kind, kept }) {
  const own = practice || conceded !== null ? null : resultsOf(game);
  if (!own) return null;
  const twin = new PlayedGame(kind, game.tables[0]), agent = kept.seats[1];
  while (!twin.table.isOver) twin.apply(await twin.choice(agent));
  const other = resultsOf(twin), figures = ({ margins, luck }) => ({ margin: rounded(sum(margins.map(by => by[0])), DIGITS), luck: rounded(sum(luck.map(by => by[0])), DIGITS) });
  return { ...figures(own), rival: other && figures(other) };
}

/** A line of the list of one's own games. */
function lineOf({ number, seats, names, when, results: { wins } }, own, seat) {
  const titled = titles(seats, names), others = titled.map((title, k) => (PEOPLE.includes(seats[k]) ? title : names[k] || seats[k])).filter((_, k) => k !== seat);
  const counted = [...new Set(others)].map(name => [others.filter(other => other === name).length, name]).map(([count, name]) => (count === 1 ? name : `${count} × ${name}`));
  const share = wins[seat], outcome = share === 1 ? "won" : share === 0 ? "lost" : share === Math.min(...wins) ? "drew" : "shared the win", last = counted.pop();
  const mean = name => rounded(sum(own.map(each => each[name])) / own.length, DIGITS);
  return { table: number, words: `${outcome} against ${counted.length ? `${counted.join(", ")} and ${last}` : last}`, when, margin: mean("margin"), luck: mean("luck"), rounds: own.length };
}

const totalOf = rounds => ({ rounds: rounds.length, margin: estimate(rounds.map(({ margin }) => margin)), without_luck: estimate(rounds.map(({ margin, luck }) => margin - luck)) });

/** The mean, and half the width of its interval; of few numbers there is none. @param {number[]} values */
function estimate(values) {
  const count = values.length, mean = sum(values) / count, deviation = Math.sqrt(sum(values.map(value => (value - mean) ** 2)) / (count - 1));
  return [rounded(mean, DIGITS), count < MIN_GAMES ? null : rounded((quantile(count - 1) * deviation) / Math.sqrt(count), DIGITS)];
}

/** The quantile of Student's t: Abramowitz and Stegun, 26.7.5. @param {number} freedom */
function quantile(freedom) {
  const z = Z, terms = [z, (z ** 3 + z) / 4, (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96, (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384, (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160];
  return sum(terms.map((term, power) => term / freedom ** power));
}
