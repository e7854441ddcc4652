/** A game with all that has been decided, in words as everybody saw it, and the table after every decision. */

import { described, endOf } from "./phrases.js";

const MAX_LETTERS = 400,
  WORSE = 0.5; // points behind the best choice of the one that a reason compares it with

/** Something that is refused, in one line. */
export class Refusal extends Error {
  /** @param {string} words @param {number} [status] */
  constructor(words, status = 400) {
    super(words.slice(0, MAX_LETTERS));
    this.status = status;
  }
}

/** A number as Python rounds it. @param {number} value @param {number} digits */
export const rounded = (value, digits) => Number(value.toFixed(digits));

/**
 * By how much a choice is worse than another, and the standard error of that, from what it gained on guesses.
 * @param {number[]} sums the sums of the gains and of their squares @param {number} guesses
 */
export function lossOf(sums, guesses) {
  const [gained, squares] = sums.map(sum => sum / guesses);
  return { lost: -gained, error: Math.sqrt(Math.max(0, squares - gained ** 2) / (guesses - 1)), guesses };
}

/**
 * What an observation shows, by name: numbers, and lists of them.
 * @param {Rules} rules @param {ArrayLike<number>} observation @returns {any}
 */
export function seen(rules, observation) {
  const shaped = (start, /** @type {number[]} */ [length, ...inner]) => {
    const step = inner.reduce((one, other) => one * other, 1);
    return length === undefined
      ? observation[start]
      : Array.from({ length }, (_, k) => shaped(start + k * step, inner));
  };
  return Object.fromEntries(rules.observation.slices.map(([name, start, ...shape]) => [name, shaped(start, shape)]));
}

/** A decision in words, from its events. @param {Kind} kind @param {any} made @returns {Decision} */
export const decided = ({ data: { phrases } }, { events, ...decision }) => ({
  ...decision,
  words: described(phrases, events),
  end: endOf(phrases, events),
});

export class PlayedGame {
  /** @param {Kind} kind @param {Table} table before the first decision */
  constructor(kind, table) {
    this.kind = kind;
    this.rules = table.rules;
    this.names = kind.actionNames(table.rules);
    /** The table now, and before every decision. */
    this.tables = [table];
    /** @type {Decision[]} */
    this.decisions = [];
    /** @type {Judged[]} the first of them, as far as somebody had them judged */
    this.judged = [];
  }

  get table() {
    return /** @type {Table} */ (this.tables.at(-1));
  }
  get actions() {
    return this.decisions.map(({ action }) => action);
  }
  get round() {
    return this.table.field("round_number");
  }

  /** The names of what is legal, by action. */
  legal(table = this.table) {
    return Object.fromEntries(table.legalActions().map(action => [action, this.names[action]]));
  }

  /** Carry out a decision. @param {number} action */
  apply(action) {
    const { table, round, kind } = this,
      { seat } = table;
    if (!Number.isInteger(action) || !table.mask()[action]) {
      throw new Refusal(`action ${String(action).slice(0, 40)} is not legal now`);
    }
    const { after, events } = table.play(action),
      begins = kind.data.firstPhases.includes(after.phase);
    this.tables.push(after);
    const isOver = after.isOver || begins || this.round !== round || after.seat !== seat;
    this.decisions.push(decided(kind, { events, round, seat, action, turn_over: isOver }));
  }

  /**
   * How the table stands now, or stood after some decisions, as a seat sees it.
   * @param {number | null} [seat] @param {number} [count] @returns {Standing}
   */
  standing(seat = null, count = this.decisions.length) {
    const { kind, rules } = this,
      table = this.tables[count],
      { phase, totals, winners, isTruncated } = table;
    return {
      ...{ kind, rules, phase, totals, winners, isTruncated, round: table.field("round_number") },
      episode: kind.engine.description.episodes[table.field("episode")],
      decider: table.isOver ? null : table.seat,
      decisions: this.decisions.slice(0, count),
      observation: table.observation(seat ?? 0),
      legal: this.legal(table),
    };
  }

  /** Go back to the last decision of any of these seats. @param {number[]} seats */
  goBack(seats) {
    this.decisions.length = Math.max(
      0,
      this.decisions.findLastIndex(({ seat }) => seats.includes(seat)),
    );
    this.tables.length = this.decisions.length + 1;
  }

  /** What an agent does now. @param {string} agent */
  async choice(agent) {
    return this.kind.choice(agent, this.table);
  }

  /**
   * The choices of an adviser for the seat to move, best first, or after an action; with worths if it knows them.
   * @param {string} agent @param {number | null} first
   */
  async advice(agent, first) {
    const table = this.table.copy(),
      { kind, names, rules } = this,
      { engine } = kind;
    if (first !== null) table.apply(first);
    await kind.ready(agent, rules);
    const best = table.choose(agent),
      { effort, calls } = engine.description.agents[agent];
    const worths = effort ? table.worths({ agent, effort }).map(by => by[table.seat]) : [];
    const isKnown = action => action in worths && !Number.isNaN(worths[action]);
    const others = [...worths.keys()].filter(action => action !== best && isKnown(action));
    const actions = [best, ...others.sort((one, other) => worths[other] - worths[one])];
    const choices = actions.map(action => ({
      action,
      words: names[action],
      worth: isKnown(action) ? rounded(worths[action], 2) : null,
    }));
    const other = others.find(action => worths[action] <= worths[best] - WORSE);
    if (!isKnown(best) || other === undefined) return { choices, reason: "" };
    const reason = kind.reason(rules, table.observation(), best, other, worths[best] - worths[other]);
    const [guesses, turns] = effort;
    const tried = calls === "search_action" && table.compare(best, other, { first: 0, more: guesses, turns, key: 1n });
    return { choices, reason, lead: tried && { ...lossOf(tried, guesses), than: names[other] } };
  }
}
