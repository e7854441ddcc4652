/** What every decision of a game gave away, and how lucky its cards were; as cardtable/analysis.py and skyjo/analysis. */

import { filled, rounded, seen } from "./played_game.js";
import { ahead, sum } from "./results.js";

/** @typedef {import("./played_game.js").PlayedGame} PlayedGame */
/** @typedef {{move: number, seat: number, lost: number, mark: string, forced: boolean, cost: number, luck: number[], margins: number[] | null, document: any}} Judged */

const JUDGE = "look", PIECE = 100; // milliseconds
const EQUAL = 1e-6, DIGITS = 3;
const point = value => rounded(value, DIGITS), points = values => Array.from(values, point);

/** Can somebody judge a game by these rules? @param {PlayedGame} played */
export const canBeJudged = ({ kind, rules }) => JUDGE in kind.engine.description.agents && !(JUDGE in kind.unable(rules));

/** Judge a game for a page, a piece at a time, until that is done or `isStopped`. @param {PlayedGame & {judged?: Judged[]}} played @param {string[]} names @param {(message: any) => void} send @param {() => boolean} isStopped */
export async function analyse(played, names, send, isStopped) {
  await played.kind.ready(JUDGE, played.rules);
  const judged = (played.judged ??= []), of = played.decisions.length;
  for (let done = 0; done < of; ) {
    for (const end = Date.now() + PIECE; judged.length < of && Date.now() < end; ) judged.push(judge(played, judged.length));
    send({ kind: "judged", done: judged.length, of, moves: judged.slice(done).map(({ document }) => document) });
    done = judged.length;
    await new Promise(next => setTimeout(next)); // to hear what pages ask
    if (isStopped()) return send({ kind: "stopped" });
  }
  send({ kind: "ready", ...conduct(played, judged, names) });
}

/** Every seat's chance of winning after one has given points away. @param {ArrayLike<number>} margins @param {number} spread */
function chances(margins, spread, seat = 0, lost = 0) {
  const left = Array.from(margins, (margin, other) => (other === seat ? margin - lost : margin + lost / (margins.length - 1)));
  const weights = left.map(margin => Math.exp(((margin - Math.max(...left)) * (left.length - 1)) / (left.length * spread)));
  return weights.map(weight => weight / sum(weights));
}

/** Judge a decision. @param {PlayedGame} played @param {number} number from 0 @returns {Judged} */
function judge({ kind, rules, names, tables, decisions }, number) {
  const { data: { judging: { marks, spread, names: markNames, phrases } }, words } = kind, { seat, action, end } = decisions[number];
  const table = tables[number], key = BigInt(number + 1), worths = table.worths({ key }), view = seen(rules, table.observation());
  const own = worths.map(by => by[seat]), legal = own.flatMap((worth, each) => (Number.isNaN(worth) ? [] : [each]));
  const best = legal.reduce((one, other) => (own[other] > own[one] ? other : one)), width = spread.last + spread.more * Math.sqrt(words.cardsLeft(view));
  const chanceAfter = lost => chances(worths[best], width, seat, lost)[seat], difference = own[best] - own[action], lost = difference >= EQUAL ? difference : 0;
  const chanceLost = chanceAfter(0) - chanceAfter(lost), cost = Math.max(lost / marks.inaccuracy, chanceLost / marks.chance);
  const mark = markNames.findLast(name => cost * marks.inaccuracy >= marks[name]) ?? "", forced = own[best] - Math.min(...legal.map(each => own[each])) < EQUAL;
  const margins = end?.scores ? ahead(tables[number + 1].roundScores).map(margin => -margin) : null, luck = luckOf(table, tables[number + 1], action, key, worths[action], margins);
  const [better, made] = [best, action].map(each => words.reason({ data: kind.data, rules, view, name: names[each] }));
  const why = better && made && !better.includes(made) ? filled(phrases.compared, { better, made }) : better || made;
  const choices = legal.map(each => ({ action: each, name: names[each], worth: own[each], chance: chanceAfter(own[best] - own[each]) })).sort((one, other) => other.worth - one.worth);
  const document = {
    ...{ move: number + 1, seat, action, forced, mark, why: mark ? why : "", check: null, lost: point(lost), chance_lost: point(chanceLost) },
    choices: choices.map(choice => ({ ...choice, worth: point(choice.worth), chance: point(choice.chance) })),
    ...{ chances: points(chances(worths[best], width)), expected: points(worths[best]), chosen: points(worths[action]) },
    ...{ luck: points(luck), margins: margins && points(margins) },
  };
  return { move: number + 1, seat, lost, mark, forced, cost, luck, margins, document };
}

/** The points of the margin that the cards of a decision brought every seat. */
function luckOf(table, after, action, key, worths, margins) {
  const brings = table.play(action).revealed > 0 && !after.isOver && after.field("round_number") === table.field("round_number");
  const came = margins ?? (brings ? after.worth(key) : worths);
  return Array.from(came, (worth, seat) => worth - worths[seat]);
}

/** How all seats played. @param {PlayedGame} played @param {Judged[]} judged @param {string[]} names */
function conduct({ kind: { data: { judging } } }, judged, names) {
  const marked = judged.filter(({ mark }) => mark).sort((one, other) => other.cost - one.cost), scored = judged.filter(({ margins }) => margins);
  const conducts = names.map((_, seat) => {
    const own = judged.filter(each => each.seat === seat), unforced = own.filter(({ forced }) => !forced).length, lost = sum(own.map(each => each.lost));
    const marks = judging.names.map(name => own.filter(({ mark }) => mark === name).length), away = lost / Math.max(1, unforced);
    const [level] = judging.levels.reduce((one, other) => (Math.abs(other[1] - away) < Math.abs(one[1] - away) ? other : one));
    return { decisions: own.length, unforced, lost, away, level, marks, rounds: scored.length, margin: sum(scored.map(({ margins }) => margins[seat])), luck: sum(judged.map(({ luck }) => luck[seat])) };
  });
  return {
    players: conducts.map(({ away, lost, margin, luck, marks: [inaccuracies, mistakes, blunders], ...more }) => ({
      ...{ ...more, inaccuracies, mistakes, blunders, lost: point(lost), lost_a_decision: point(away), margin: point(margin), luck: point(luck) },
    })),
    worst: marked.map(({ move }) => move),
    lines: conducts.map((one, seat) => linesOf(judging, names[seat], one)),
    doubtful: 0, // nobody can check them here
  };
}

/** How a seat played, in two sentences. */
function linesOf({ phrases, names }, name, { lost, rounds, away, level, marks, margin, luck }) {
  const counted = marks.map((count, k) => count && `${count} ${count === 1 ? names[k] : `${names[k].replace(/y$/, "ie")}s`}`).filter(Boolean).reverse().join(", ");
  const values = { name, round: lost / Math.max(1, rounds), decision: away, like: filled(phrases.like, { level }), marks: counted || phrases.unmarked };
  return [filled(phrases["gave away"], values), filled(phrases.luck, { margin, luck, rest: margin - luck })];
}
