/** How the seats of a judged game played, in figures and in words. */

import { point } from "./judging.js";
import { filled } from "./phrases.js";
import { sum } from "./results.js";

/** @typedef {import("./judging.js").Judged} Judged */

/**
 * How all seats played.
 * @param {import("./played_game.js").PlayedGame} played @param {Judged[]} judged @param {string[]} names
 */
export function conduct({ kind }, judged, names) {
  const { judging } = kind.data;
  const costs = new Map(judged.filter(({ mark }) => mark).map(one => [one.number + 1, one.cost()]));
  const conducts = names.map((_, seat) => conductOf(judging, judged, seat));
  return {
    players: conducts.map(({ away, lost, margin, luck, marks: [inaccuracies, mistakes, blunders], ...more }) => ({
      ...more,
      ...{ inaccuracies, mistakes, blunders, lost: point(lost), lost_a_decision: point(away), margin: point(margin) },
      luck: luck === null ? null : point(luck),
    })),
    worst: [...costs.keys()].sort((one, other) => costs.get(other) - costs.get(one)),
    lines: conducts.map((one, seat) => linesOf(judging, names[seat], one)),
    doubtful: judged.filter(one => one.isDoubtful).length,
  };
}

/** How a seat played. @param {any} judging @param {Judged[]} judged @param {number} seat */
function conductOf({ names, levels, measuresLuck }, judged, seat) {
  const own = judged.filter(each => each.seat === seat),
    unforced = own.filter(({ isForced }) => !isForced).length;
  const lost = sum(own.map(each => each.lost)),
    away = lost / Math.max(1, unforced),
    marks = own.map(({ mark }) => mark);
  const distance = level => Math.abs(level[1] - away),
    scored = judged.filter(({ margins }) => margins);
  const [level] = levels.reduce((one, other) => (distance(other) < distance(one) ? other : one), ["", Infinity]);
  return {
    ...{ decisions: own.length, unforced, lost, away, level, rounds: scored.length },
    marks: names.map(name => marks.filter(mark => mark === name).length),
    margin: sum(scored.map(({ margins }) => margins[seat])),
    luck: measuresLuck ? sum(judged.map(one => one.luck[seat])) : null,
  };
}

/** How a seat played, in two sentences. */
function linesOf({ phrases, names }, name, { lost, rounds, away, level, marks, margin, luck }) {
  const plural = (word, count) => (count === 1 ? word : `${word.replace(/y$/, "ie")}s`);
  const counted = marks
    .map((count, k) => count && `${count} ${plural(names[k], count)}`)
    .filter(Boolean)
    .reverse()
    .join(", ");
  const like = level && filled(phrases.like, { level });
  const values = { name, round: lost / Math.max(1, rounds), decision: away, like, marks: counted || phrases.unmarked };
  const margins =
    luck === null ? filled(phrases.margin, { margin }) : filled(phrases.luck, { margin, luck, rest: margin - luck });
  return [filled(phrases["gave away"], values), margins];
}
