/** The timeline of a game: a tick for every decision in the lane of its seat, rounds, and the buttons that move along it. */

import { byId, draw, setAttribute, setText } from "./dom.js";

const EDGE = 8; // pixels: half the handle of the slider
const LANES = 26; // pixels of all lanes together
const TOP = 13; // pixels for round numbers

/** Where a decision lies. @param {number} at @param {number} count @param {number} width */
export const across = (at, count, width) => EDGE + (at / Math.max(count, 1)) * (width - 2 * EDGE);

/** @param {number} players */
const laneHeight = players => LANES / players;

/** The middle of the lane of a seat. @param {number} seat @param {number} players */
export const down = (seat, players) => TOP + (seat + 0.5) * laneHeight(players);

/**
 * The timeline.
 * @param {Game} game @param {(at: number, isPlaying?: boolean) => void} go
 */
export function createTimeline({ decisions, rounds, players }, go) {
  const [ticks, slider, play] = [byId("ticks"), byId("at"), byId("play")];
  const count = decisions.length;
  const lane = laneHeight(players);
  const height = TOP + players * lane;
  let at = 0;
  /** @type {any} the timer while it plays */
  let timer = null;

  slider.max = String(count);
  slider.addEventListener("input", () => go(Number(slider.value)));
  const goTo = { first: () => 0, back: () => at - 1, forward: () => at + 1, last: () => count };
  for (const [name, where] of Object.entries(goTo)) byId(name).addEventListener("click", () => go(where()));
  play.addEventListener("click", () => (timer ? pause() : start()));
  new ResizeObserver(drawTicks).observe(ticks);
  byId("player").hidden = count === 0;

  function drawTicks() {
    const width = ticks.clientWidth;
    const x = number => across(number, count, width).toFixed(1);
    const thick = Math.min(2.2, (0.5 * width) / (count || 1)).toFixed(2);
    const lines = Array.from({ length: players }, (_, seat) => {
      const own = decisions.map((one, number) =>
        one.seat === seat ? `M${x(number)} ${TOP + seat * lane}v${lane - 1}` : "",
      );
      return draw("path", { d: own.join(""), class: `tick seat-${seat % 2}`, "stroke-width": thick });
    });
    const borders = rounds.flatMap(({ first }, index) => [
      draw("path", { d: `M${x(first)} 0v${height}`, class: "border" }),
      draw("text", { x: Number(x(first)) + 3, y: 10, class: "round" }, String(index + 1)),
    ]);
    ticks.replaceChildren(...borders, ...lines, draw("path", { id: "cursor", d: `M0 ${TOP - 3}v${LANES + 3}` }));
    showCursor();
  }

  function showCursor() {
    byId("cursor")?.setAttribute("transform", `translate(${across(at, count, ticks.clientWidth)} 0)`);
  }

  function start() {
    if (at >= count) go(0);
    showPlaying(true);
    next();
  }

  function next() {
    const move = () => {
      go(at + 1, true);
      if (at >= count) pause();
      else if (timer) next();
    };
    timer = setTimeout(move, 1000 / Number(byId("speed").value));
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    showPlaying(false);
  }

  /** @param {boolean} isPlaying */
  function showPlaying(isPlaying) {
    setText(play, isPlaying ? "Pause" : "Play");
    setAttribute(byId("told"), "aria-live", isPlaying ? "off" : null); // else every move would be read aloud
  }

  return {
    pause,

    /** Stand at a decision. @param {number} now @param {string} words what a screen reader says of it */
    show(now, words) {
      at = now;
      slider.value = String(now);
      slider.setAttribute("aria-valuetext", words);
      setText(byId("place"), words);
      const ends = { first: 0, back: 0, forward: count, last: count };
      for (const [name, end] of Object.entries(ends))
        setAttribute(byId(name), "aria-disabled", now === end ? "true" : null);
      showCursor();
    },

    /** The first decision of the round before or after. @param {1|-1} step */
    round(step) {
      const firsts = [...rounds.map(({ first }) => first), count];
      go(step > 0 ? (firsts.find(first => first > at) ?? count) : (firsts.findLast(first => first < at) ?? 0));
    },
  };
}
