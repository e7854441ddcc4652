/** The graph over the timeline: the expected margin over the decisions, and what of it was luck and what was skill. */

import { byId, draw, make, setAttribute } from "./nodes.js";
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

const HEIGHT = 180; // pixels
const [ABOVE, BELOW] = [8, 8];
const LINES = [
  { name: "expected", title: "expected margin of the round" },
  { name: "luck", title: "luck so far" },
  { name: "skill", title: "what others gave away, minus what this seat gave away" },
];
const APART = 13; // pixels between labels
const STEPS = [5, 10, 20, 50, 100];

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
  return rounds.filter((points) => points.length > 0);
}

/**
 * The graph over the timeline.
 * @param {import("./timeline.js").Game} game @param {any} page @param {boolean} hasLuck is luck measured?
 */
export function createMarginGraph(game, page, hasLuck) {
  const shown = LINES.filter(({ name }) => hasLuck || name !== "luck");
  const count = game.decisions.length;
  const svg = draw("svg", { role: "img" });
  const title = make("h2", {});
  const legend = make("ul", { class: "legend" }, ...shown.map(({ name, title: words }) => make("li", {}, sample(name), words)));
  const table = make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "The graph in numbers" });
  const numbers = make("details", {}, make("summary", {}, "The graph in numbers"), table);
  const marks = draw("svg", { id: "marks", "aria-hidden": "true" });
  byId("at").before(marks);
  byId("margin-graph").replaceChildren(title, legend, svg);
  byId("player").append(numbers);
  byId("margin-graph").hidden = false;
  /** @type {Move[]} */
  let moves = [];
  let seat = 0;
  let at = 0;
  svg.addEventListener("click", (event) => page.go(placeOf(event)));
  numbers.addEventListener("toggle", showNumbers);
  new ResizeObserver(() => show()).observe(svg);

  /** The decision under the pointer. @param {any} event */
  function placeOf(event) {
    const { left, width } = svg.getBoundingClientRect();
    const share = (event.clientX - left - across(0, count, width)) / (width - 2 * across(0, count, width));
    return Math.round(share * count);
  }

  function show() {
    const rounds = pointsOf(moves, seat);
    const width = svg.clientWidth;
    const all = rounds.flat().flatMap(({ expected, luck, skill }) => [expected, luck, skill]);
    const [low, high] = [Math.min(-5, ...all), Math.max(5, ...all)];
    const x = (/** @type {number} */ place) => across(place, count, width);
    const y = (/** @type {number} */ points) => ABOVE + ((high - points) / (high - low)) * (HEIGHT - ABOVE - BELOW);
    svg.replaceChildren(...rules(low, high, y, width), ...shown.toReversed().map(({ name }) => line(rounds, name, x, y)), ...labels(shown, rounds, x, y, width), here(x));
    const last = rounds.at(-1)?.at(-1);
    setAttribute(svg, "aria-label", last ? `Expected margin of ${game.names[seat]} over ${count} decisions; the numbers are below` : "Nothing is judged yet");
    marks.replaceChildren(...moves.filter(({ mark }) => mark).map((move) => markOf(move, x)));
    title.textContent = `Expected margin: ${game.names[seat]}`;
    if (numbers.open) showNumbers();
  }

  /** A mark in the lane of its seat. @param {Move} move @param {(place: number) => number} x */
  const markOf = ({ move, mark, seat: who }, x) => draw("path", { d: MARKS[mark].path, class: `mark ${mark}`, transform: `translate(${x(move - 1)} ${down(who, game.players)})` });

  /** @param {(place: number) => number} x */
  const here = (x) => draw("path", { id: "here", class: "zero", d: `M0 0V${HEIGHT}`, transform: `translate(${x(at)} 0)` });

  /** The numbers behind the graph. */
  function showNumbers() {
    const heads = ["Decision", ...shown.map(({ name }) => `${name[0].toUpperCase()}${name.slice(1)}`)];
    const head = make("tr", {}, ...heads.map((words) => make("th", { scope: "col" }, words)));
    const rows = pointsOf(moves, seat).flat().map((point) => numbersOf(shown, point));
    table.replaceChildren(make("table", { class: "scores" }, make("thead", {}, head), make("tbody", {}, ...rows)));
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
  };
}

/** @param {typeof LINES} lines @param {any} point */
function numbersOf(lines, point) {
  const place = Number.isInteger(point.at) ? String(point.at + 1) : "End of the round";
  return make("tr", {}, make("th", { scope: "row" }, place), ...lines.map(({ name }) => make("td", {}, signed(point[name], 1))));
}

/** How a line looks. @param {string} name */
function sample(name) {
  const picture = draw("svg", { viewBox: "0 0 36 12", "aria-hidden": "true" });
  picture.append(draw("path", { class: `line ${name}`, d: "M1 6h34" }));
  return picture;
}

/** A line, which begins anew with every round. @param {Point[][]} rounds @param {string} name @param {(place: number) => number} x @param {(points: number) => number} y */
function line(rounds, name, x, y) {
  const pieces = rounds.map((points) => points.map((point, index) => `${index ? "L" : "M"}${x(point.at).toFixed(1)} ${y(point[name]).toFixed(1)}`).join(""));
  return draw("path", { class: `line ${name}`, d: pieces.join("") });
}

/** How far apart the lines are at a point. @param {Point} point */
const apart = ({ expected, luck, skill }) => Math.min(Math.abs(expected - luck), Math.abs(expected - skill), Math.abs(luck - skill));

/** The names of the lines, where these are furthest apart. @param {typeof LINES} lines @param {Point[][]} rounds @param {(place: number) => number} x @param {(points: number) => number} y @param {number} width */
function labels(lines, rounds, x, y, width) {
  const end = rounds.flat().reduce((/** @type {Point|null} */ one, other) => (one && apart(one) > apart(other) ? one : other), null);
  if (!end) return [];
  const placed = lines.map(({ name }) => ({ name, height: y(end[name]) - 5 })).sort((one, other) => one.height - other.height);
  placed.forEach((label, index) => {
    if (index > 0) label.height = Math.max(label.height, placed[index - 1].height + APART);
  });
  const over = Math.max(0, placed[placed.length - 1].height - (HEIGHT - 3));
  const place = Math.max(28, Math.min(x(end.at) - 20, width - 60));
  return placed.map(({ name, height }) => draw("text", { class: "label", x: place, y: Math.max(height, 10) - over }, name));
}

/** @param {number} low @param {number} high @param {(points: number) => number} y @param {number} width */
function rules(low, high, y, width) {
  const step = STEPS.find((one) => (high - low) / one <= 5) ?? 200;
  const marks = [];
  for (let points = Math.ceil(low / step) * step; points <= high; points += step) {
    marks.push(draw("path", { class: points === 0 ? "zero" : "rule", d: `M0 ${y(points)}H${width}` }), draw("text", { class: "axis", x: 2, y: y(points) - 3 }, String(points).replace("-", "−")));
  }
  return marks;
}
