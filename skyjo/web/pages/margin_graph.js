/** The graph over the timeline: the expected margin over the decisions, and what of it was luck and what was skill. */

import { byId, draw, make, setAttribute } from "./dom.js";
import { signed } from "./numbers.js";
import { across, down } from "./timeline.js";

/**
 * @typedef {import("./analysis.js").Move} Move
 * @typedef {{at: number, expected: number, luck: number, skill: number}} Point
 */

/** How a mark is drawn around its place, and written. */
export const MARKS = {
  inaccuracy: { sign: "?!", path: "M0-4a4 4 0 1 0 .01 0z" },
  mistake: { sign: "?", path: "M0-5l5 9h-10z" },
  blunder: { sign: "??", path: "M0-6l6 6-6 6-6-6z" },
};

const HEIGHT = 104; // pixels
const [ABOVE, BELOW] = [6, 6];
const LINES = [
  { name: "expected", title: "expected margin of the round" },
  { name: "luck", title: "luck so far" },
  { name: "skill", title: "given away by others, less by this seat" },
];
const STEPS = [5, 10, 20, 50, 100];
const USUAL = 0.92; // the share of all points that decides how high the graph is
const ROOM = 1.3; // how much higher it is than that; what is within is never cut off
const MIN_SPAN = 5; // points, up and down
const APART = 40; // pixels between the numbers of what is cut off

/**
 * How high the graph is: a few points far away are cut off, lest they flatten the rest.
 * @param {number[]} all @returns {[number, number]} the lowest and highest that are drawn
 */
export function rangeOf(all) {
  const sizes = all.map(Math.abs).sort((one, other) => one - other);
  const usual = (sizes[Math.floor(USUAL * (sizes.length - 1))] ?? 0) * ROOM;
  const most = Math.max(usual, 2 * MIN_SPAN);
  return [Math.max(Math.min(-MIN_SPAN, ...all), -most), Math.min(Math.max(MIN_SPAN, ...all), most)];
}

/**
 * What a seat could expect before every decision, round by round; luck and skill begin anew with every round.
 * @param {Move[]} moves @param {number} seat @returns {Point[][]}
 */
function pointsOf(moves, seat) {
  /** @type {Point[][]} */
  const rounds = [[]];
  let [luck, skill] = [0, 0];
  for (const move of [...moves].sort((one, other) => one.move - other.move)) {
    const at = move.move - 1;
    rounds.at(-1)?.push({ at, expected: move.expected[seat], luck, skill });
    skill += move.chosen[seat] - move.expected[seat];
    luck += move.luck?.[seat] ?? 0;
    if (!move.margins) continue;
    rounds.at(-1)?.push({ at: at + 0.8, expected: move.margins[seat], luck, skill });
    rounds.push([]);
    [luck, skill] = [0, 0];
  }
  return rounds.filter(points => points.length > 0);
}

/**
 * The graph over the timeline.
 * @param {import("./timeline.js").Game} game @param {boolean} hasLuck is luck measured?
 */
export function createMarginGraph(game, hasLuck) {
  const shown = LINES.filter(({ name }) => hasLuck || name !== "luck");
  const count = game.decisions.length;
  const svg = byId("graph");
  const legend = make(
    "ul",
    { class: "legend" },
    ...shown.map(({ name, title }) => make("li", {}, sample(name), title)),
  );
  const marks = draw("svg", { id: "marks", "aria-hidden": "true" });
  byId("player").prepend(legend);
  byId("at").before(marks);
  setAttribute(svg, "hidden", null);
  /** @type {Move[]} */
  let moves = [];
  let seat = 0;
  let at = 0;
  new ResizeObserver(() => show()).observe(svg);

  function show() {
    const rounds = pointsOf(moves, seat);
    const width = svg.clientWidth;
    const all = rounds.flat().flatMap(point => shown.map(({ name }) => point[name]));
    const [low, high] = rangeOf(all);
    const x = (/** @type {number} */ place) => across(place, count, width);
    const y = (/** @type {number} */ points) =>
      ABOVE + ((high - Math.max(low, Math.min(high, points))) / (high - low)) * (HEIGHT - ABOVE - BELOW);
    svg.replaceChildren(
      ...rules(low, high, y, width),
      area(rounds, x, y),
      ...shown.toReversed().map(({ name }) => line(rounds, name, x, y)),
      ...cutOff(rounds, low, high, x),
      here(x),
    );
    marks.replaceChildren(...moves.filter(({ mark }) => mark).map(move => markOf(move, x)));
  }

  /** A mark in the lane of its seat. @param {Move} move @param {(place: number) => number} x */
  const markOf = ({ move, mark, seat: who }, x) =>
    draw("path", {
      d: MARKS[mark].path,
      class: `mark ${mark}`,
      transform: `translate(${x(move - 1)} ${HEIGHT + down(who, game.players)})`,
    });

  /** @param {(place: number) => number} x */
  const here = x => draw("path", { id: "here", d: `M0 0V${HEIGHT}`, transform: `translate(${x(at)} 0)` });

  return {
    /** Draw what is judged by now. @param {Move[]} judged @param {number} looking */
    update(judged, looking) {
      [moves, seat] = [judged, looking];
      show();
    },

    /** Show where the page stands. @param {number} now @param {number} looking */
    stand(now, looking) {
      at = now;
      if (looking !== seat) this.update(moves, looking);
      svg.querySelector("#here")?.setAttribute("transform", `translate(${across(at, count, svg.clientWidth)} 0)`);
    },

    /** The same in numbers. */
    numbers() {
      const heads = ["Decision", ...shown.map(({ name }) => `${name[0].toUpperCase()}${name.slice(1)}`)];
      const head = make("tr", {}, ...heads.map(words => make("th", { scope: "col" }, words)));
      const rows = pointsOf(moves, seat)
        .flat()
        .map(point => numbersOf(shown, point));
      return make("table", { class: "scores" }, make("thead", {}, head), make("tbody", {}, ...rows));
    },
  };
}

/** @param {typeof LINES} lines @param {any} point */
function numbersOf(lines, point) {
  const place = Number.isInteger(point.at) ? String(point.at + 1) : "End of the round";
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, place),
    ...lines.map(({ name }) => make("td", {}, signed(point[name], 1))),
  );
}

/** How a line looks. @param {string} name */
function sample(name) {
  const picture = draw("svg", { viewBox: "0 0 36 12", "aria-hidden": "true" });
  picture.append(draw("path", { class: `line ${name}`, d: "M1 6h34" }));
  return picture;
}

/** A line, which begins anew with every round. @param {Point[][]} rounds @param {string} name @param {(place: number) => number} x @param {(points: number) => number} y */
function line(rounds, name, x, y) {
  const pieces = rounds.map(points =>
    points.map((point, index) => `${index ? "L" : "M"}${x(point.at).toFixed(1)} ${y(point[name]).toFixed(1)}`).join(""),
  );
  return draw("path", { class: `line ${name}`, d: pieces.join("") });
}

/** What lies between the first line and zero. @param {Point[][]} rounds @param {(place: number) => number} x @param {(points: number) => number} y */
function area(rounds, x, y) {
  const pieces = rounds.map(
    points =>
      `M${x(points[0].at).toFixed(1)} ${y(0).toFixed(1)}${points.map(point => `L${x(point.at).toFixed(1)} ${y(point.expected).toFixed(1)}`).join("")}V${y(0).toFixed(1)}z`,
  );
  return draw("path", { class: "area", d: pieces.join("") });
}

/** The numbers of expected margins that are too far away to be drawn, of each run the furthest, as far as there is room. @param {Point[][]} rounds @param {number} low @param {number} high @param {(place: number) => number} x */
function cutOff(rounds, low, high, x) {
  const far = (/** @type {Point|undefined} */ point) =>
    point ? Math.max(point.expected - high, low - point.expected) : 0;
  const beyond = rounds.flatMap(points =>
    points.filter(
      (point, index) => far(point) > Math.max(0, far(points[index + 1])) && far(point) >= far(points[index - 1]),
    ),
  );
  /** @type {{place: number, expected: number}[]} */
  const shown = [];
  for (const { at, expected } of beyond.sort((one, other) => Math.abs(other.expected) - Math.abs(one.expected))) {
    if (shown.every(({ place }) => Math.abs(place - x(at)) >= APART)) shown.push({ place: x(at), expected });
  }
  return shown.map(({ place, expected }) =>
    draw(
      "text",
      { class: "cut", x: place - 4, y: expected > high ? ABOVE + 14 : HEIGHT - BELOW - 6, "text-anchor": "end" },
      `${signed(expected, 0)} ${expected > high ? "↑" : "↓"}`,
    ),
  );
}

/** @param {number} low @param {number} high @param {(points: number) => number} y @param {number} width */
function rules(low, high, y, width) {
  const step = STEPS.find(one => (high - low) / one <= 5) ?? 200;
  const marks = [];
  for (let points = Math.ceil(low / step) * step; points <= high; points += step) {
    marks.push(
      draw("path", { class: points === 0 ? "zero" : "rule", d: `M0 ${y(points)}H${width}` }),
      draw("text", { class: "axis", x: 2, y: Math.max(y(points) - 3, 10) }, String(points).replace("-", "−")),
    );
  }
  return marks;
}
