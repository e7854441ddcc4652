/** What a decision gave away, and how lucky its cards were; as cardtable/arena/exam/analysis.py. */

import { filled } from "./phrases.js";
import { lossOf, rounded, seen } from "./played_game.js";
import { ahead, sum } from "./results.js";

const EQUAL = 1e-6,
  DIGITS = 3,
  WHOLE_ROUND = 2 ** 30; // turns
const PORTION = 50; // guesses between two looks at what pages ask

/** A number of points or a share, as pages are sent it. @param {number} value */
export const point = value => rounded(value, DIGITS);

const points = values => values && Array.from(values, point);

/** Can somebody judge a game by these rules? @param {Pick<PlayedGame, "kind" | "rules">} played */
export function canBeJudged({ kind, rules }) {
  const { judging } = kind.data;
  return judging !== null && !(judging.agent in kind.unable(rules));
}

/** Every seat's chance of winning after one has given points away. @param {ArrayLike<number>} margins */
function chances(margins, spread, seat, lost) {
  const share = lost / (margins.length - 1);
  const left = Array.from(margins, (margin, other) => (other === seat ? margin - lost : margin + share));
  const factor = (left.length - 1) / (left.length * spread),
    weights = left.map(margin => Math.exp((margin - Math.max(...left)) * factor));
  return weights.map(weight => weight / sum(weights));
}

/** What the choices of the seat to move are worth. */
export class Weighed {
  /** @param {PlayedGame} played @param {number} number of the decision, from 0 @param {bigint} key of the guesses */
  constructor({ kind, rules, names, tables }, number, key) {
    const { judging } = kind.data,
      { spread, agent, effort } = judging,
      table = tables[number];
    this.kind = kind;
    this.rules = rules;
    this.judging = judging;
    this.names = names;
    this.table = table;
    this.key = key;
    this.seat = table.seat;
    this.observation = table.observation();
    /** @type {Float64Array[]} by action and seat */
    this.worths = table.worths({ agent, effort, key });
    this.own = this.worths.map(by => by[this.seat]);
    this.legal = [...this.own.keys()].filter(action => !Number.isNaN(this.own[action]));
    this.best = this.legal.reduce((one, other) => (this.own[other] > this.own[one] ? other : one));
    const left = seen(rules, this.observation)[spread.left];
    this.spread = spread.last + spread.more * Math.sqrt(sum(left) / left.length);
  }

  /** Every seat's chance of winning after the best choice, or after so many points less. @param {number} [lost] */
  chances(lost = 0) {
    return chances(this.worths[this.best], this.spread, this.seat, lost);
  }

  /** What a page is shown of them, best first. */
  get choices() {
    const { own, names, best, seat } = this,
      behind = action => own[best] - own[action];
    const sorted = [...this.legal].sort((one, other) => own[other] - own[one]);
    const chance = action => point(this.chances(behind(action))[seat]);
    return sorted.map(action => ({ action, name: names[action], worth: point(own[action]), chance: chance(action) }));
  }
}

/** A decision that has been made. */
export class Judged extends Weighed {
  /** @param {PlayedGame} played @param {number} number from 0 */
  constructor(played, number) {
    super(played, number, BigInt(number + 1));
    this.number = number;
    this.action = played.decisions[number].action;
    /** @type {{lost: number, error: number, guesses: number} | null} */
    this.check = null;
    const difference = this.own[this.best] - this.own[this.action];
    this.seems = difference >= EQUAL ? difference : 0; // points given away, as the judge sees it
    this.isForced = this.own[this.best] - Math.min(...this.legal.map(each => this.own[each])) < EQUAL;
    const [margins, luck] = this.outcome(played);
    this.margins = margins;
    this.luck = luck;
  }

  /**
   * The margins of a round that the decision ended, and the points of the margin that its cards brought every seat.
   * @param {PlayedGame} played @returns {(number[] | null)[]}
   */
  outcome({ tables, decisions }) {
    const { number, action, table, judging, kind } = this,
      { end } = decisions[number];
    const after = tables[number + 1],
      sign = kind.engine.description.mostPointsWin ? 1 : -1;
    const margins = end?.scores ? ahead(after.roundScores).map(margin => sign * margin) : null;
    if (!judging.measuresLuck) return [margins, null];
    const isSameRound = !after.isOver && after.field("round_number") === table.field("round_number");
    const hasCards = isSameRound && table.play(action).revealed > 0,
      worths = this.worths[action];
    const came = margins ?? (hasCards ? after.worth(this.key) : worths);
    return [margins, Array.from(came, (worth, seat) => worth - worths[seat])];
  }

  /** Points given away. */
  get lost() {
    return this.check ? Math.max(this.check.lost, 0) : this.seems;
  }

  /** The chance of winning the round that so many points less take away. @param {number} [lost] */
  chanceLost(lost = this.lost) {
    return this.chances()[this.seat] - this.chances(lost)[this.seat];
  }

  /** What was given away, 1 for the least that is an inaccuracy: in points or in chances, whichever is more. */
  cost(lost = this.lost) {
    return Math.max(lost / this.judging.marks.inaccuracy, this.chanceLost(lost) / this.judging.marks.chance);
  }

  /** Points that would be an inaccuracy here. */
  get least() {
    return this.seems ? this.seems / this.cost(this.seems) : this.judging.marks.inaccuracy;
  }

  /** Is a check precise enough for a mark? @param {{lost: number, error: number}} check */
  settles({ lost, error }) {
    return error <= Math.max(this.least / 3, lost / 5);
  }

  get isDoubtful() {
    const canCheck = "compare_actions" in this.kind.engine.functions;
    return canCheck && this.check === null && this.seems >= this.least / 2;
  }

  /** How bad it was; empty for a decision that was good, or that the check leaves uncertain. */
  get mark() {
    const { marks, names } = this.judging,
      isSure = !this.check || this.settles(this.check);
    return (isSure && names.findLast(name => this.cost() * marks.inaccuracy >= marks[name])) || "";
  }

  /**
   * Check it unless it is beyond doubt, in rounds that are played on until it is known; false if that was stopped.
   * @param {() => Promise<boolean>} goesOn
   */
  async tryOut(goesOn) {
    const { table, best, action, key, least } = this,
      { effort, guesses: more, mostGuesses } = this.judging;
    const [, turns = WHOLE_ROUND] = effort;
    let check = { lost: 0, error: Infinity, guesses: 0 },
      sums = [0, 0];
    do {
      const guesses = check.guesses + more;
      for (let first = check.guesses; first < guesses; first += PORTION) {
        if (!(await goesOn())) return false;
        const found = table.compare(best, action, { first, more: PORTION, turns, key });
        sums = sums.map((sum, k) => sum + found[k]);
      }
      check = lossOf(sums, guesses);
    } while (!this.settles(check) && check.guesses < mostGuesses && check.lost + 2 * check.error >= least);
    this.check = check;
    return true;
  }

  /** Why the best choice was better than the one that was made. */
  get why() {
    const { kind, rules, observation, best, action, lost, judging } = this;
    const close = lost < judging.marks.mistake,
      reason = kind.reason(rules, observation, best, action, lost);
    return reason || filled(judging.phrases.unexplained, { close });
  }

  /** What speaks for the best choice, in words, with its points. */
  get parts() {
    const { kind, rules, observation, best, action, judging } = this,
      parts = kind.parts(rules, observation, best, action);
    const told = parts.filter(({ gain, words }) => words && gain >= judging.marks.inaccuracy);
    return told.map(({ gain, words }) => ({ points: point(gain), words }));
  }

  /** What a page is shown of it. */
  get document() {
    const { number, seat, action, mark, lost, check, choices, best, worths, isForced: forced } = this;
    return {
      ...{ move: number + 1, seat, action, forced, mark, lost: point(lost), chance_lost: point(this.chanceLost()) },
      ...{ why: mark ? this.why : "", parts: mark ? this.parts : [], choices, chances: points(this.chances()) },
      check: check && { ...check, lost: point(check.lost), error: point(check.error) },
      ...{ expected: points(worths[best]), chosen: points(worths[action]) },
      ...{ luck: points(this.luck), margins: points(this.margins) },
    };
  }
}
