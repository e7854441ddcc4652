/** How the seats of a judged game played, in words. */

import { filled } from "./phrases.js";
import { sum } from "./results.js";

/**
 * The worst decisions by number, sentences by seat, and how many decisions a check would try out.
 * @param {PlayedGame} played @param {Judged[]} judged @param {string[]} names
 */
export function conduct({ kind: { data } }, judged, names) {
  const costs = new Map(judged.filter(({ mark }) => mark).map(one => [one.number + 1, one.cost()]));
  return {
    worst: [...costs.keys()].sort((one, other) => costs.get(other) - costs.get(one)),
    lines: names.map((name, seat) => linesOf(data.judging, judged, name, seat)),
    doubtful: judged.filter(one => one.isDoubtful).length,
  };
}

/** How a seat played, in two sentences. @param {any} judging @param {Judged[]} judged @param {string} name @param {number} seat */
function linesOf({ phrases, names, levels, measuresLuck }, judged, name, seat) {
  const own = judged.filter(each => each.seat === seat),
    scored = judged.filter(({ margins }) => margins),
    lost = sum(own.map(each => each.lost));
  const decision = lost / Math.max(1, own.filter(({ isForced }) => !isForced).length),
    distance = ([, other]) => Math.abs(other - decision);
  const [level] = levels.reduce((one, other) => (distance(other) < distance(one) ? other : one), ["", Infinity]);
  const counts = names.map(mark => own.filter(one => one.mark === mark).length),
    marks = names.map((mark, k) => counts[k] && filled(phrases[mark], { count: counts[k] }));
  const margin = sum(scored.map(({ margins }) => margins[seat])),
    luck = measuresLuck ? sum(judged.map(one => one.luck[seat])) : 0;
  const values = {
    ...{ name, round: lost / Math.max(1, scored.length), decision, level },
    ...{ marks: marks.filter(Boolean).reverse().join(", ") || phrases.unmarked },
    ...{ margin, has_luck: measuresLuck, luck, rest: margin - luck },
  };
  return ["gave away", "margin"].map(phrase => filled(phrases[phrase], values));
}
