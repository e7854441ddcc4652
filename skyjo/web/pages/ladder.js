/** The ladder: how strong people and programs are, a table against one of them, and this browser's own games. */

import { byId, complain, draw, make, setText } from "./dom.js";
import { portrait } from "./people.js";
import { answered, goTo, toTable } from "./server.js";
import { isOn, ownName } from "./storage.js";
import { counted, sentence, signed, withMinus } from "./words.js";

/**
 * @typedef {{agent: string, rating: number, low: number, high: number, points: number, error: number, won: number,
 *   rounds: number, playable: boolean}} Row
 * @typedef {{players: number, episode: string, command: string, rows: Row[]}} Rungs
 * @typedef {{made: {begun: string, version: string, anchor: string}, tables: Rungs[]}} Ladder
 * @typedef {[number, number|null]} Estimate a mean, and half the width of its interval if there is one
 * @typedef {{table: string, words: string, when: string, margin: number, luck: number|null, rounds: number}} OwnGame
 */

const LISTED = 10; // games, before all are asked for

/** @param {number} number */
const whole = number => withMinus(number.toFixed(0));

/**
 * An interval on an axis, for the eye alone: its numbers stand beside it.
 * @param {[number, number]} axis from where to where @param {number} low @param {number} mean @param {number} high
 * @param {number} [zero] a value that is marked on the axis
 */
function interval([from, to], low, mean, high, zero) {
  const at = value => `${(100 * (value - from)) / (to - from)}%`;
  const line = (name, start, end, y1, y2) => draw("line", { class: name, x1: at(start), x2: at(end), y1, y2 });
  const along = (name, start, end) => line(name, start, end, "50%", "50%");
  const across = (name, value) => line(name, value, value, "0", "100%");
  const marked = zero === undefined ? [] : [across("zero", zero)];
  const parts = [along("axis", from, to), ...marked, along("range", low, high), across("mark", mean)];
  return draw("svg", { class: "interval", "aria-hidden": "true" }, ...parts);
}

/** A number under its name. @param {string} kind @param {string} name @param {string} number @param {...any} parts */
const figure = (kind, name, number, ...parts) =>
  make("div", { class: `figure ${kind}` }, make("span.name", name), make("strong", number), ...parts);

// The agents

/** What people call the options of agents that have been rated. @type {Record<string, (value: string) => string>} */
const OPTIONS = {
  n: value => `${value} rounds a move`,
  base: value => `${value.match(/\w+/)} plays on`,
  t: value => `up to ${value}`,
  columns: () => "with columns",
  pile: value => `on the ${value} pile`,
};

/** An agent's text in words, such as threshold (up to 2, with columns). @param {string} agent */
function readable(agent) {
  const [, name, options] = agent.match(/^([^:]*):?(.*)$/) ?? [];
  const words = (options.match(/(?:[^,(]|\([^)]*\))+/g) ?? []).map(part => {
    const [key, value] = part.split(/=(.*)/);
    return OPTIONS[key]?.(value) ?? `${key} ${value}`;
  });
  return words.length ? `${name} (${words.join(", ")})` : name;
}

/** Open a table for one round. @param {string} agent @param {number} players @param {string} called */
function playAgainst(agent, players, called) {
  setText(byId("error"), "");
  const others = Array(players - 1).fill(agent);
  const names = [ownName(), ...others.map(() => called)];
  return goTo("/api/tables", { seats: ["you", ...others], names, episode: "round" }).catch(complain);
}

/**
 * @param {Row} row @param {number} index @param {number} players @param {string} words @param {[number, number]} axis
 * @param {Rival} [rival] who plays like that, if somebody does
 */
function agentRow(row, index, players, words, axis, rival) {
  const { low, high, rating, points, error, won } = row;
  const called = rival?.name ?? "";
  const name = called || readable(row.agent);
  const exact = (!rival || isOn("developer")) && { title: row.agent };
  const range = low !== high && make("span.range", ` ${whole(low)} to ${whole(high)}`);
  const press = { "aria-label": `Play against it: ${name}`, click: () => playAgainst(row.agent, players, called) };
  return make(
    "li",
    make("span.place", { "aria-hidden": "true" }, String(index + 1)),
    make("div.who", portrait(called), make("div", make("h3", exact, name), make("p.note", words))),
    figure("rating", "Rating", whole(rating), range, interval(axis, low, rating, high)),
    figure("points", "Points", signed(points, 1), make("span.range", ` ± ${error.toFixed(1)}`)),
    figure("won", "Won", `${(100 * won).toFixed(0)} %`),
    make("div.press", make("button", press, "Play", make("span.against", "against it"))),
  );
}

/** @param {Ladder} ladder @param {Rungs} table @param {Map<string, string>} words by agent @param {Map<string, Rival>} rivals by agent */
function showTable({ made }, { rows: all, players, episode }, words, rivals) {
  const rows = all.filter(({ playable }) => playable);
  const axis = /** @type {[number, number]} */ ([
    Math.min(...rows.map(({ low }) => low)),
    Math.max(...rows.map(({ high }) => high)),
  ]);
  const rung = row => {
    const rival = rivals.get(row.agent);
    const told = rival?.words ?? words.get(row.agent.split(":")[0]) ?? "";
    return agentRow(row, rows.indexOf(row), players, told, axis, rival);
  };
  const isRival = row => rivals.has(row.agent);
  byId("people").replaceChildren(...rows.filter(isRival).map(rung));
  byId("programs").replaceChildren(...rows.filter(row => !isRival(row)).map(rung));
  const others = players === 2 ? "" : ` It takes all ${players - 1} other seats.`;
  setText(byId("invitation"), `“Play against it” deals one round.${others}`);
  const rounds = counted(Math.max(...rows.map(row => row.rounds)), episode);
  const day = { month: "long", year: "numeric", timeZone: "UTC" };
  const month = new Date(made.begun).toLocaleDateString("en-GB", /** @type {any} */ (day));
  const where = `at such tables, each deal from every seat, with version ${made.version} in ${month}`;
  setText(byId("made"), `Every opponent played up to ${rounds} ${where}.`);
}

/** @param {Ladder} ladder @param {Start} start */
function showLadder(ladder, { agents, rivals }) {
  const people = new Map(rivals.map(rival => [rival.agent, rival]));
  const words = new Map(agents.map(({ name, words }) => [name, words]));
  const pills = ladder.tables.map((table, index) => {
    const value = String(table.players);
    const change = () => showTable(ladder, table, words, people);
    const input = make("input", { type: "radio", name: "players", value, checked: index === 0 && "", change });
    return make("label", input, make("span", value));
  });
  byId("sizes").replaceChildren(...pills);
  setText(byId("anchor"), readable(ladder.made.anchor));
  byId("details").addEventListener("click", showDetails);
  showTable(ladder, ladder.tables[0], words, people);
  byId("agents").hidden = false;
}

/** On a phone, rows are short until more is asked for. */
function showDetails() {
  const isShown = byId("rungs").toggleAttribute("data-details");
  byId("details").setAttribute("aria-expanded", String(isShown));
  setText(byId("details"), isShown ? "Hide details" : "Show details");
}

// Own games

/** @param {{rounds: number, margin: Estimate, without_luck: Estimate|null}} total @param {number} fewest */
function showTotal({ rounds, margin, without_luck: lucky }, fewest) {
  const fair = lucky ?? margin;
  const ends = [margin, fair].flatMap(([mean, half]) => [mean - (half ?? 0), mean + (half ?? 0)]);
  const reach = Math.max(5, ...ends.map(Math.abs)) * 1.1;
  const row = (kind, name, [mean, half]) => {
    const number = `${signed(mean, 1)}${half === null ? "" : ` ± ${half.toFixed(1)}`}`;
    const drawn = interval([-reach, reach], mean - (half ?? 0), mean, mean + (half ?? 0), 0);
    return make("div", { class: kind }, make("span.what", name), make("span", number), drawn);
  };
  const words = ["behind", "even", "ahead"].map(word => make("span", word));
  const scale = make("div", { "aria-hidden": "true" }, make("p.ends", ...words));
  const rows = [row("raw", "As played", margin), ...(lucky ? [row("fair", "Without luck", fair)] : [])];
  byId("figures").replaceChildren(...rows, scale);
  const side = fair[0] < 0 ? "behind" : "ahead of";
  const lead = `${Math.abs(fair[0]).toFixed(1)} points a round ${side} your opponents`;
  setText(byId("verdict"), `${lucky ? "Without luck, you" : "You"} are ${lead}, after ${counted(rounds, "round")}.`);
  setText(byId("meaning"), meaning(fair, rounds, fewest));
  byId("total").hidden = false;
}

/** How sure it is. @param {Estimate} fair @param {number} rounds @param {number} fewest */
function meaning([mean, half], rounds, fewest) {
  const more = counted(fewest - rounds, "more round");
  if (half === null) return `Play ${more} to see how sure this is: a single round is mostly luck.`;
  const [low, high] = [mean - half, mean + half];
  const better = low > 0 ? "You play better than they do" : "They play better than you do";
  const verdict = low <= 0 && high >= 0 ? "That may still be chance: more rounds will tell" : better;
  return `${verdict}. In the long run, expect to be ${signed(low, 1)} to ${signed(high, 1)} points a round ahead; such a range is right 95 times in 100. Points are your lead over the others’ average.`;
}

/** @param {OwnGame} game */
function ownGame({ table, words, when, margin, luck, rounds }) {
  const day = new Date(when).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const note = make("span.note", `${day}, ${counted(rounds, "round")}`);
  const link = make("a", { href: toTable(table) }, make("strong", sentence(words).slice(0, -1)), note);
  const number = (name, value) => figure("", name, signed(value, 1));
  const lucky = luck === null ? [] : [number("Luck", luck), number("Without luck", margin - luck)];
  return make("li", link, number("Points", margin), ...lucky);
}

/** @param {{most: number, fewest: number, games: OwnGame[], total: any}} own */
function showOwn({ most, fewest, games, total }) {
  byId("working").hidden = true;
  byId("none").hidden = total !== null;
  byId("counted").hidden = total === null;
  if (!total) return;
  showTotal(total, fewest);
  byId("games").replaceChildren(...games.slice(0, LISTED).map(ownGame));
  byId("more").hidden = games.length <= LISTED;
  byId("more").addEventListener("click", () => {
    byId("games").append(...games.slice(LISTED).map(ownGame));
    byId("more").hidden = true;
    byId("games").children[LISTED].querySelector("a").focus();
  });
  setText(
    byId("bounds"),
    `Of your last ${most} games, those count that you finished with one seat in this browser. Games with hints, moves taken back or cards played before do not. All numbers are points a round and depend on your opponents.`,
  );
}

/** @param {any} start */
function showTitle({ title, measures_luck: measuresLuck }) {
  document.title = `${title}: ladder`;
  for (const part of document.querySelectorAll(".lucky")) part.toggleAttribute("hidden", !measuresLuck);
}

/** No tournament of this game has been played. @param {Start} start */
function showUnrated({ title }) {
  setText(
    document.querySelector(".lead"),
    `The opponents of ${title} have not been rated yet. Your games against them:`,
  );
}

async function begin() {
  const [start, ladder, own] = ["/api/start", "/api/ladder", "/api/own"].map(path => answered(path));
  const show = ([found, offered]) => (found.tables.length ? showLadder(found, offered) : showUnrated(offered));
  const agents = Promise.all([ladder, start]).then(show);
  const above = agents.catch(complain).then(() => (byId("own").hidden = false)); // it would be pushed away
  await Promise.all([start.then(showTitle).catch(complain), above, own.then(showOwn).catch(complain)]);
  byId("working").hidden = true;
}

void begin();
