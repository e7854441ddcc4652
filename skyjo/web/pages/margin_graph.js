/** The graph over the timeline: the expected margin over the decisions, and what of it was luck and what was skill. */

import { byId, draw, make, setAttribute } from "./dom.js";
import { across, down } from "./timeline.js";
import { signed, withMinus } from "./words.js";

/** @typedef {{at: number, expected: number, luck: number, skill: number}} Point */

/** How a mark is drawn around its place, and written. */
export const MARKS = {
  inaccuracy: { sign: "?!", path: "M0-4a4 4 0 1 0 .01 0z" },
  mistake: { sign: "?", path: "M0-5l5 9h-10z" },
  blunder: { sign: "??", path: "M0-6l6 6-6 6-6-6z" },
};

const HEIGHT = 104; // pixels
const EDGE = 6;
const LINES = [
  { name: "expected", title: "expected lead" },
  { name: "luck", title: "luck so far" },
  { name: "skill", title: "points from mistakes" },
];
const STEPS = [5, 10, 20, 50, 100];
const USUAL = 0.92; // the share of all points that decides how high the graph is
const ROOM = 1.3; // how much higher it is than that; what is within is never cut off
const MIN_SPAN = 5; // points, up and down

/**
 * How high the graph is: a few points far away are cut off, lest they flatten the rest.
 * @param {number[]} all @returns {[number, number]} the lowest and highest that are drawn
 */
function rangeOf(all) {
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
 * @param {Game} game @param {boolean} hasLuck is luck measured?
 */
export function createMarginGraph(game, hasLuck) {
  const shown = LINES.filter(({ name }) => hasLuck || name !== "luck");
  const count = game.decisions.length;
  const svg = byId("graph");
  const marks = draw("svg", { id: "marks", "aria-hidden": "true" });
  const sample = name => {
    const line = draw("path", { class: `line ${name}`, d: "M1 6h34" });
    return draw("svg", { viewBox: "0 0 36 12", "aria-hidden": "true" }, line);
  };
  byId("player").prepend(make("ul.legend", ...shown.map(({ name, title }) => make("li", sample(name), title))));
  byId("at").before(marks);
  setAttribute(svg, "hidden", null);
  /** @type {Move[]} */
  let moves = [];
  let [seat, at] = [0, 0];
  new ResizeObserver(() => show()).observe(svg);

  function show() {
    const rounds = pointsOf(moves, seat);
    const width = svg.clientWidth;
    const [low, high] = rangeOf(rounds.flat().flatMap(point => shown.map(({ name }) => point[name])));
    const x = place => across(place, count, width);
    const y = points => EDGE + ((high - Math.max(low, Math.min(high, points))) / (high - low)) * (HEIGHT - 2 * EDGE);
    const path = (points, name) => points.map(one => `${x(one.at).toFixed(1)} ${y(one[name]).toFixed(1)}`).join("L");
    const line = name =>
      draw("path", { class: `line ${name}`, d: rounds.map(points => `M${path(points, name)}`).join("") });
    const below = points =>
      `M${x(points[0].at).toFixed(1)} ${y(0).toFixed(1)}L${path(points, "expected")}V${y(0).toFixed(1)}z`;
    const lanes = ({ move, mark, seat: who }) => `translate(${x(move - 1)} ${HEIGHT + down(who, game.players)})`;
    svg.replaceChildren(
      ...rules(low, high, y, width),
      draw("path", { class: "area", d: rounds.map(below).join("") }),
      ...shown.toReversed().map(({ name }) => line(name)),
      draw("path", { id: "here", d: `M0 0V${HEIGHT}`, transform: `translate(${x(at)} 0)` }),
    );
    const marked = moves.filter(({ mark }) => mark);
    marks.replaceChildren(
      ...marked.map(move =>
        draw("path", { d: MARKS[move.mark].path, class: `mark ${move.mark}`, transform: lanes(move) }),
      ),
    );
  }

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
      const heads = ["Move", ...shown.map(({ name }) => `${name[0].toUpperCase()}${name.slice(1)}`)];
      const head = make("tr", ...heads.map(words => make("th", { scope: "col" }, words)));
      const rows = pointsOf(moves, seat)
        .flat()
        .map(point => {
          const place = Number.isInteger(point.at) ? String(point.at + 1) : "End of the round";
          const cells = shown.map(({ name }) => make("td", signed(point[name], 1)));
          return make("tr", make("th", { scope: "row" }, place), ...cells);
        });
      return make("table.scores", make("thead", head), make("tbody", ...rows));
    },
  };
}

/** @param {number} low @param {number} high @param {(points: number) => number} y @param {number} width */
function rules(low, high, y, width) {
  const step = STEPS.find(one => (high - low) / one <= 5) ?? 200;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step).flatMap(
    points => [
      draw("path", { class: points === 0 ? "zero" : "rule", d: `M0 ${y(points)}H${width}` }),
      draw("text", { class: "axis", x: 2, y: Math.max(y(points) - 3, 10) }, withMinus(points)),
    ],
  );
}
