/** The ladder: how strong the agents are, a table against one of them, and this browser's own games. */

import { byId, draw, make, sentence, setText } from "./dom.js";
import { counted, signed } from "./numbers.js";
import { answered, toTable } from "./server.js";
import { ownName } from "./storage.js";

/**
 * @typedef {{agent: string, rating: number, low: number, high: number, points: number, error: number, score: number,
 *   won: number, rounds: number, playable: boolean}} Row
 * @typedef {{players: number, episode: string, command: string, rows: Row[]}} Table
 * @typedef {{title: string, made: {begun: string, version: string, anchor: string}, tables: Table[]}} Ladder
 * @typedef {[number, number|null]} Estimate a mean, and half the width of its interval if there is one
 * @typedef {{table: string, words: string, when: string, margin: number, luck: number|null, rounds: number}} Game
 * @typedef {{rounds: number, margin: Estimate, without_luck: Estimate|null}} Total without luck, if that is measured
 * @typedef {{most: number, fewest: number, games: Game[], total: Total|null}} Own
 * @typedef {{title: string, measures_luck: boolean, agents: {name: string, words: string}[],
 *   rivals: {name: string, agent: string}[]}} Start
 */

const LISTED = 10; // games, before all are asked for

/** @param {number} number */
const plain = number => number.toFixed(0).replace("-", "−");

/**
 * An interval on an axis, for the eye alone: its numbers stand beside it.
 * @param {[number, number]} axis from where to where @param {number} low @param {number} mean @param {number} high
 * @param {number} [zero] a value that is marked on the axis
 */
function interval([from, to], low, mean, high, zero) {
  const at = (/** @type {number} */ value) => `${(100 * (value - from)) / (to - from)}%`;
  const along = (/** @type {string} */ name, /** @type {number} */ start, /** @type {number} */ end) =>
    draw("line", { class: name, x1: at(start), x2: at(end), y1: "50%", y2: "50%" });
  const across = (/** @type {string} */ name, /** @type {number} */ value) =>
    draw("line", { class: name, x1: at(value), x2: at(value), y1: "0", y2: "100%" });
  const marked = zero === undefined ? [] : [across("zero", zero)];
  return draw(
    "svg",
    { class: "interval", "aria-hidden": "true" },
    along("axis", from, to),
    ...marked,
    along("range", low, high),
    across("mark", mean),
  );
}

/** A number under its name. @param {string} kind @param {string} name @param {...(Node|string)} parts */
const figure = (kind, name, ...parts) =>
  make("div", { class: `figure ${kind}` }, make("span", { class: "name" }, name), ...parts);

// The agents

/** What people call the options of agents that have been rated. @type {Record<string, (value: string) => string>} */
const OPTIONS = {
  n: value => `${value} rounds an action`,
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
async function playAgainst(agent, players, called) {
  setText(byId("error"), "");
  const seats = ["you", ...Array(players - 1).fill(agent)];
  try {
    const { id } = await answered("/api/tables", {
      seats,
      names: [ownName(), ...Array(players - 1).fill(called)],
      episode: "round",
    });
    location.assign(toTable(id));
  } catch (error) {
    complain(error);
  }
}

/** @param {unknown} error */
const complain = error => setText(byId("error"), sentence(/** @type {Error} */ (error).message));

/**
 * @param {Row} row @param {number} index @param {number} players @param {string} words @param {[number, number]} axis
 * @param {string} called what people call it, if they do
 */
function agentRow(row, index, players, words, axis, called) {
  const range =
    row.low === row.high ? [] : [" ", make("span", { class: "range" }, `${plain(row.low)} to ${plain(row.high)}`)];
  const [exact, name] = [{ title: row.agent }, called || readable(row.agent)];
  const agent = called && make("p", { class: "called", ...exact }, `agent ${readable(row.agent)}`);
  const against = make("span", { class: "against" }, "against it");
  const press = make("button", { type: "button", "aria-label": `Play against it: ${name}` }, "Play", against);
  press.addEventListener("click", () => playAgainst(row.agent, players, called));
  return make(
    "li",
    {},
    make("span", { class: "place", "aria-hidden": "true" }, String(index + 1)),
    make("div", { class: "who" }, make("h3", exact, name), agent, make("p", { class: "note" }, words)),
    figure(
      "rating",
      "Rating",
      make("strong", {}, plain(row.rating)),
      ...range,
      interval(axis, row.low, row.rating, row.high),
    ),
    figure(
      "points",
      "Points",
      make("strong", {}, signed(row.points, 1)),
      " ",
      make("span", { class: "range" }, `± ${row.error.toFixed(1)}`),
    ),
    figure("won", "Won", make("strong", {}, `${(100 * row.won).toFixed(0)} %`)),
    make("div", { class: "press" }, press),
  );
}

/** The ladder of those that can be played against here. @param {Ladder} ladder @returns {Ladder} */
function playable({ tables, ...more }) {
  const kept = tables.map(table => ({ ...table, rows: table.rows.filter(row => row.playable) }));
  return { ...more, tables: kept };
}

/** @param {Ladder} ladder @param {Table} table @param {Map<string, string>} words by agent @param {Map<string, string>} names of rivals */
function showTable(ladder, table, words, names) {
  const axis = /** @type {[number, number]} */ ([
    Math.min(...table.rows.map(({ low }) => low)),
    Math.max(...table.rows.map(({ high }) => high)),
  ]);
  const wordsOf = (/** @type {string} */ agent) => words.get(agent.split(":")[0]) ?? "";
  byId("rungs").replaceChildren(
    ...table.rows.map((row, index) =>
      agentRow(row, index, table.players, wordsOf(row.agent), axis, names.get(row.agent) ?? ""),
    ),
  );
  const others = table.players === 2 ? "" : ` It takes all ${table.players - 1} other seats.`;
  setText(byId("invitation"), `“Play against it” deals a single round.${others}`);
  setText(byId("command"), table.command);
  const rounds = counted(Math.max(...table.rows.map(row => row.rounds)), table.episode);
  setText(
    byId("made"),
    `Every agent played up to ${rounds} at such tables, each deal from every seat, with version ${ladder.made.version} in ${month(ladder.made.begun)}:`,
  );
}

/** @param {string} day */
const month = day => new Date(day).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** @param {Ladder} ladder @param {Start} start */
function showLadder(ladder, { agents, rivals }) {
  const names = new Map(rivals.map(({ name, agent }) => [agent, name]));
  const words = new Map(agents.map(({ name, words }) => [name, words]));
  const pills = ladder.tables.map((table, index) => {
    const input = make("input", {
      type: "radio",
      name: "players",
      value: String(table.players),
      ...(index === 0 ? { checked: "" } : {}),
    });
    input.addEventListener("change", () => showTable(ladder, table, words, names));
    return make("label", {}, input, make("span", {}, String(table.players)));
  });
  byId("sizes").replaceChildren(...pills);
  setText(byId("anchor"), readable(ladder.made.anchor));
  byId("details").addEventListener("click", showDetails);
  showTable(ladder, ladder.tables[0], words, names);
  byId("agents").hidden = false;
}

/** On a phone, rows are short until more is asked for. */
function showDetails() {
  const isShown = byId("rungs").toggleAttribute("data-details");
  byId("details").setAttribute("aria-expanded", String(isShown));
  setText(byId("details"), isShown ? "Less about each" : "More about each");
}

// Own games

/** @param {Estimate} estimate */
const withInterval = ([mean, half]) => `${signed(mean, 1)}${half === null ? "" : ` ± ${half.toFixed(1)}`}`;

/** @param {Total} total @param {number} fewest */
function showTotal({ rounds, margin, without_luck: lucky }, fewest) {
  const fair = lucky ?? margin;
  const ends = [margin, fair].flatMap(([mean, half]) => [mean - (half ?? 0), mean + (half ?? 0)]);
  const reach = Math.max(5, ...ends.map(Math.abs)) * 1.1;
  const row = (/** @type {string} */ kind, /** @type {string} */ name, /** @type {Estimate} */ [mean, half]) =>
    make(
      "div",
      { class: kind },
      make("span", { class: "what" }, name),
      make("span", {}, withInterval([mean, half])),
      interval([-reach, reach], mean - (half ?? 0), mean, mean + (half ?? 0), 0),
    );
  const scale = make(
    "div",
    { "aria-hidden": "true" },
    make("p", { class: "ends" }, ...["behind", "even", "ahead"].map(word => make("span", {}, word))),
  );
  const rows = [row("raw", "As played", margin), ...(lucky ? [row("fair", "Without luck", fair)] : [])];
  byId("figures").replaceChildren(...rows, scale);
  const side = fair[0] < 0 ? "behind" : "ahead of";
  const lead = `${Math.abs(fair[0]).toFixed(1)} points a round ${side} your opponents`;
  setText(byId("verdict"), `${lucky ? "Without luck you" : "You"} are ${lead}, after ${counted(rounds, "round")}.`);
  setText(byId("meaning"), meaning(fair, rounds, fewest));
  byId("total").hidden = false;
}

/** How sure it is. @param {Estimate} fair @param {number} rounds @param {number} fewest */
function meaning([mean, half], rounds, fewest) {
  if (half === null)
    return `Play ${counted(fewest - rounds, "more round")} to see how sure this is: a single round is mostly luck.`;
  const [low, high] = [mean - half, mean + half];
  const verdict =
    low > 0
      ? "You play better than they do"
      : high < 0
        ? "They play better than you do"
        : "That may still be chance: more rounds will tell";
  return `${verdict}. In the long run you would be between ${signed(low, 1)} and ${signed(high, 1)} points a round ahead; such an interval is right 95 times out of 100. Points are your distance from the mean of the others’ scores, and more is better.`;
}

/** @param {Game} game */
function ownGame({ table, words, when, margin, luck, rounds }) {
  const day = new Date(when).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const link = make(
    "a",
    { href: toTable(table) },
    make("strong", {}, sentence(words).slice(0, -1)),
    make("span", { class: "note" }, `${day}, ${counted(rounds, "round")}`),
  );
  const number = (/** @type {string} */ name, /** @type {number} */ value) =>
    figure("", name, make("strong", {}, signed(value, 1)));
  const lucky = luck === null ? [] : [number("Luck", luck), number("Without luck", margin - luck)];
  return make("li", {}, link, number("Points", margin), ...lucky);
}

/** @param {Own} own */
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
    `Of your last ${most} tables, only those played to the end with one seat in this browser count. Practice games, and games in which you took a move back, do not. All numbers are points a round, and depend on your opponents.`,
  );
}

/** @param {Start} start */
function showTitle({ title, measures_luck: measuresLuck }) {
  document.title = `${title}: ladder`;
  for (const part of document.querySelectorAll(".lucky")) /** @type {HTMLElement} */ (part).hidden = !measuresLuck;
}

/** No tournament of this game has been played. @param {Start} start */
function showUnrated({ title }) {
  setText(document.querySelector(".lead"), `The agents of ${title} have not been rated yet. How you do against them:`);
}

async function begin() {
  const [start, ladder, own] = ["/api/start", "/api/ladder", "/api/own"].map(path => answered(path));
  const show = (/** @type {[Ladder, Start]} */ [found, offered]) =>
    found.tables.length ? showLadder(playable(found), offered) : showUnrated(offered);
  const agents = Promise.all([ladder, start]).then(show);
  const above = agents.catch(complain).then(() => (byId("own").hidden = false)); // it would be pushed away
  await Promise.all([start.then(showTitle).catch(complain), above, own.then(showOwn).catch(complain)]);
  byId("working").hidden = true;
}

void begin();
