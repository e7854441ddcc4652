/** What every decision of a game gave away, and how lucky its cards were; as cardtable/arena/exam/analysis.py and skyjo/analysis. */

import { filled, rounded, seen } from "./played_game.js";
import { ahead, sum } from "./results.js";

/** @typedef {import("./played_game.js").PlayedGame} PlayedGame */
/** @typedef {{lost: number, error: number, guesses: number}} Check */
/**
 * @typedef {object} Judged @property {number} seat @property {number} lost @property {string} mark @property {boolean} forced
 * @property {number} cost @property {number[] | null} luck @property {number[] | null} margins @property {any} document
 */

const PIECE = 100; // milliseconds
const EQUAL = 1e-6, DIGITS = 3;
const point = value => rounded(value, DIGITS), points = values => Array.from(values, point);

/** Can somebody judge a game by these rules? @param {PlayedGame} played */
export const canBeJudged = ({ kind, rules }) => kind.data.judging !== null && !(kind.data.judging.agent in kind.unable(rules));

/**
 * Judge a game for a page, a piece at a time, until that is done or `isStopped`.
 * @param {PlayedGame & {judged?: Judged[]}} played @param {string[]} names
 * @param {(message: any) => void} send @param {() => boolean} isStopped
 */
export async function analyse(played, names, send, isStopped) {
  await played.kind.ready(played.kind.data.judging.agent, played.rules);
  const judged = (played.judged ??= []), of = played.decisions.length;
  let done = 0, end = Date.now() + PIECE;

  /** Send what is judged and hear what pages ask, if it is time; goes on unless it is stopped. */
  async function pause() {
    const isFirst = done === 0 && judged.length > 0; // which is shown at once
    if (Date.now() < end && !isFirst) return !isStopped();
    if (judged.length > done) send({ kind: "judged", done: judged.length, of, moves: judged.slice(done).map(({ document }) => document) });
    done = judged.length;
    await new Promise(next => setTimeout(next));
    end = Date.now() + PIECE;
    return !isStopped();
  }

  while (judged.length < of) {
    const number = judged.length, one = await judge(played, number, pause);
    if (!one) return send({ kind: "stopped" });
    if (judged.length === number) judged.push(one); // another page may have had it judged meanwhile
    if (!(await pause())) return send({ kind: "stopped" });
  }
  end = 0;
  await pause();
  send({ kind: "ready", ...conduct(played, judged, names) });
}

/** Every seat's chance of winning after one has given points away. @param {ArrayLike<number>} margins @param {number} spread */
function chances(margins, spread, seat = 0, lost = 0) {
  const left = Array.from(margins, (margin, other) => (other === seat ? margin - lost : margin + lost / (margins.length - 1)));
  const weights = left.map(margin => Math.exp(((margin - Math.max(...left)) * (left.length - 1)) / (left.length * spread)));
  return weights.map(weight => weight / sum(weights));
}

/**
 * Judge a decision; null if that was stopped.
 * @param {PlayedGame} played @param {number} number from 0 @param {() => Promise<boolean>} goesOn @returns {Promise<Judged | null>}
 */
async function judge({ kind, rules, names, tables, decisions }, number, goesOn) {
  const { data: { judging }, words } = kind, { seat, action } = decisions[number];
  const table = tables[number], view = seen(rules, table.observation()), key = BigInt(number + 1);
  const worths = table.worths({ agent: judging.agent, effort: judging.effort, key });
  const own = worths.map(by => by[seat]), legal = own.flatMap((worth, each) => (Number.isNaN(worth) ? [] : [each]));
  const best = legal.reduce((one, other) => (own[other] > own[one] ? other : one));
  const width = judging.spread.last + judging.spread.more * Math.sqrt(words.cardsLeft(view));
  const chanceAfter = points => chances(worths[best], width, seat, points)[seat];
  const costOf = points => Math.max(points / judging.marks.inaccuracy, (chanceAfter(0) - chanceAfter(points)) / judging.marks.chance);
  const difference = own[best] - own[action], seems = difference >= EQUAL ? difference : 0;
  const least = seems ? seems / costOf(seems) : judging.marks.inaccuracy, sure = least / 3, isDoubtful = judging.checks && seems >= least / 2;
  const check = isDoubtful ? await checked(table, [best, action], { key, least, sure }, judging, goesOn) : null;
  if (isDoubtful && !check) return null;
  const lost = check ? Math.max(check.lost, 0) : seems, cost = costOf(lost), isSure = !check || check.error <= sure;
  const mark = (isSure && judging.names.findLast(name => cost * judging.marks.inaccuracy >= judging.marks[name])) || "";
  const forced = own[best] - Math.min(...legal.map(each => own[each])) < EQUAL;
  const { margins, luck } = outcome({ kind, tables, decisions }, number, worths[action], key);
  const choices = legal.map(each => ({ action: each, name: names[each], worth: own[each], chance: chanceAfter(own[best] - own[each]) }));
  const document = {
    ...{ move: number + 1, seat, action, forced, mark, lost: point(lost), chance_lost: point(chanceAfter(0) - chanceAfter(lost)) },
    why: mark ? compared({ kind, rules, names, view }, best, action) : "",
    check: check && { ...check, lost: point(check.lost), error: point(check.error) },
    choices: choices.sort((one, other) => other.worth - one.worth).map(one => ({ ...one, worth: point(one.worth), chance: point(one.chance) })),
    ...{ chances: points(chances(worths[best], width)), expected: points(worths[best]), chosen: points(worths[action]) },
    ...{ luck: luck && points(luck), margins: margins && points(margins) },
  };
  return { seat, lost, mark, forced, cost, luck, margins, document };
}

/**
 * What the other of two actions gave away, in rounds that are played on until that is known; null if it was stopped.
 * @param {any} table @param {number[]} pair @returns {Promise<Check | null>}
 */
async function checked(table, [best, action], { key, least, sure }, { effort: [, turns], guesses, mostGuesses }, goesOn) {
  let check = { lost: 0, error: Infinity, guesses: 0 }, sums = [0, 0];
  while (check.error > sure && check.guesses < mostGuesses && check.lost + 2 * check.error >= least) {
    if (!(await goesOn())) return null;
    const found = table.compare(best, action, { first: check.guesses, more: guesses, turns, key }), tried = check.guesses + guesses;
    sums = sums.map((sum, k) => sum + found[k]);
    const [gained, squares] = sums.map(sum => sum / tried);
    check = { lost: -gained, error: Math.sqrt(Math.max(0, squares - gained ** 2) / (tried - 1)), guesses: tried };
  }
  return check;
}

/** What the game can say of the best choice, and of the one that was made. @param {any} played @param {number} best @param {number} action */
function compared({ kind: { data, words }, rules, names, view }, best, action) {
  const [better, made] = [best, action].map(each => words.reason({ data, rules, view, name: names[each] }));
  return better && made && !better.includes(made) ? filled(data.judging.phrases.compared, { better, made }) : better || made;
}

/** The margins of a round that a decision ended, and the points of the margin that its cards brought every seat. */
function outcome({ kind: { data: { judging }, engine: { description } }, tables, decisions }, number, worths, key) {
  const { action, end } = decisions[number], [table, after] = tables.slice(number, number + 2);
  const margins = end?.scores ? ahead(after.roundScores).map(margin => (description.mostPointsWin ? margin : -margin)) : null;
  if (!judging.measuresLuck) return { margins, luck: null };
  const isSameRound = !after.isOver && after.field("round_number") === table.field("round_number");
  const came = margins ?? (isSameRound && table.play(action).revealed > 0 ? after.worth(key) : worths);
  return { margins, luck: Array.from(came, (worth, seat) => worth - worths[seat]) };
}

/** How all seats played. @param {PlayedGame} played @param {Judged[]} judged @param {string[]} names */
function conduct({ kind: { data: { judging } } }, judged, names) {
  const marked = judged.filter(({ mark }) => mark).sort((one, other) => other.cost - one.cost), scored = judged.filter(({ margins }) => margins);
  const conducts = names.map((_, seat) => {
    const own = judged.filter(each => each.seat === seat), unforced = own.filter(({ forced }) => !forced).length;
    const lost = sum(own.map(each => each.lost));
    const marks = judging.names.map(name => own.filter(({ mark }) => mark === name).length), away = lost / Math.max(1, unforced);
    const [level] = judging.levels.reduce((one, other) => (Math.abs(other[1] - away) < Math.abs(one[1] - away) ? other : one), ["", Infinity]);
    const margin = sum(scored.map(({ margins }) => margins[seat])), luck = judging.measuresLuck ? sum(judged.map(one => one.luck[seat])) : null;
    return { decisions: own.length, unforced, lost, away, level, marks, rounds: scored.length, margin, luck };
  });
  return {
    players: conducts.map(({ away, lost, margin, luck, marks: [inaccuracies, mistakes, blunders], ...more }) => ({
      ...{ ...more, inaccuracies, mistakes, blunders, lost: point(lost), lost_a_decision: point(away), margin: point(margin) },
      luck: luck === null ? null : point(luck),
    })),
    worst: marked.map(({ document }) => document.move),
    lines: conducts.map((one, seat) => linesOf(judging, names[seat], one)),
    doubtful: 0, // a judge that can check here has done so
  };
}

/** How a seat played, in two sentences. */
function linesOf({ phrases, names }, name, { lost, rounds, away, level, marks, margin, luck }) {
  const plural = (word, count) => (count === 1 ? word : `${word.replace(/y$/, "ie")}s`);
  const counted = marks.map((count, k) => count && `${count} ${plural(names[k], count)}`).filter(Boolean).reverse().join(", ");
  const like = level && filled(phrases.like, { level });
  const values = { name, round: lost / Math.max(1, rounds), decision: away, like, marks: counted || phrases.unmarked };
  const margins = luck === null ? filled(phrases.margin, { margin }) : filled(phrases.luck, { margin, luck, rest: margin - luck });
  return [filled(phrases["gave away"], values), margins];
}
