/** One table: who sits there, what has been decided, and who is shown what; as skyjo/web/tables.py. */

import { PlayedGame, Refusal } from "./played_game.js";
import { result, titles, VERSION, view, YOU } from "./views.js";

/**
 * How a table began and what has happened since, as it is kept; `start` is the record that it continues.
 * @typedef {{number: string, game: string, rules: string, seed: string, episode: string, seats: string[], names: string[],
 *   practice: boolean, daily: string, start: any, lines: any[], when: string, listed?: any}} Kept
 */

export const FASTEST = 20; // decisions of agents a second
const SLOWEST = 0.1, USUAL = 2, TAKE = "take";

export class WebTable {
  /** @param {import("./kinds.js").Kind} kind @param {Kept} kept */
  constructor(kind, kept) {
    this.kind = kind;
    this.kept = kept;
    this.people = kept.seats.map(text => text === YOU);
    this.seats = [...this.people.keys()].filter(seat => this.people[seat]);
    this.played = new PlayedGame(kind, kind.dealt(kind.rules(kept.rules, kept.seats.length), kept.start ?? kept));
    for (const action of kept.start?.actions ?? []) this.played.apply(action);
    this.practice = kept.practice;
    /** @type {number | null} the seat that gave up */
    this.conceded = null;
    /** @type {number | null} the seat whose private cards are shown */
    this.uncovered = null;
    this.pacing = { pace: USUAL, isPaused: false, isStepping: false };
    for (const line of kept.lines) this.carryOut(line);
  }

  get seq() { return this.played.decisions.length; }
  get decider() { return this.played.table.isOver || this.conceded !== null ? null : this.played.table.seat; }
  get isMine() { return this.decider !== null && this.people[this.decider]; }
  get agent() { return this.decider === null || this.isMine ? null : this.kept.seats[this.decider]; }
  get isWatched() { return this.seats.length === 0; }
  get mayPace() { return this.people.includes(false); }
  get goesOn() { return this.pacing.isStepping || !this.pacing.isPaused; }
  get names() { return titles(this.kept.seats, this.kept.names); }

  /** The seat that is played here now: the one that decides, else the next one to decide. */
  get seat() {
    const { seat, players } = this.played.table, away = own => (own - seat + players) % players;
    return this.isWatched ? null : this.seats.reduce((one, other) => (away(other) < away(one) ? other : one));
  }

  get isCovered() {
    return this.kind.data.hasPrivateHands && this.seats.length > 1 && this.decider !== null && this.uncovered !== this.seat;
  }

  /** What this browser is shown. @param {boolean} isHere is a page of it at the table? */
  view(isHere) {
    const { played, people, seat, isCovered, conceded, practice, pacing: { pace, isPaused } } = this, { round } = played;
    return view(played, this.seq, {
      ...{ names: this.names, people, seat, isCovered, conceded, practice, decides: this.isMine },
      here: people.map(isPerson => isPerson && isHere),
      watch: this.isWatched ? { pace, paused: isPaused, yours: true } : null,
      pace: this.mayPace ? pace : null,
      began: played.decisions.filter(decision => decision.round < round).length,
    });
  }

  /** A line of the list of tables. */
  get document() {
    const { played, names, conceded, kept: { number, when, daily } } = this, { round, table } = played, isOver = this.decider === null;
    const words = `${names.join(", ")}; ${isOver ? result(played, table, names, conceded) : `round ${round}`}`;
    const scores = (isOver || round > 1) && conceded === null ? table.totals : null;
    return { id: number, words, names, when, scores, round, over: isOver, yours: this.isMine, daily };
  }

  /** The game so far. */
  get record() {
    const { kind: { data: { game } }, kept: { rules, seed, episode, start }, played } = this;
    return { ...(start ?? { [`${game}_record`]: VERSION, rules, seed, deal: 0, episode }), actions: played.actions, totals: played.table.totals };
  }

  /** Carry out a line, and note it. @param {any} line */
  write(line) {
    this.carryOut(line);
    this.kept.lines.push(line);
  }

  /** @param {any} line */
  carryOut(line) {
    if ("undo" in line || "lent" in line) this.practice = true;
    if ("undo" in line) this.played.goBack(line.undo);
    else if ("action" in line || "lent" in line) this.played.apply(line.action ?? line.lent);
    else if ("pace" in line) this.pacing = { pace: line.pace, isPaused: line.paused, isStepping: false };
    else Object.assign(this, line); // conceded, again, next
    if (this.uncovered !== this.seat) this.uncovered = null;
  }

  /** @param {string} what */
  checkAlone(what) {
    if (this.isWatched) throw new Refusal(`${what} only if all other seats are agents`);
  }

  checkTurn() {
    if (!this.isMine) throw new Refusal("it is not your turn");
    if (this.isCovered) throw new Refusal('press "Show my cards" first');
  }

  /** @param {number} action */
  act(action) {
    this.checkTurn();
    this.write({ action });
  }

  undo() {
    this.checkAlone("undo works");
    if (this.decider === null) throw new Refusal("the game is over: the same cards can be played again");
    if (!this.played.decisions.some(({ seat }) => this.people[seat])) throw new Refusal("you have not decided anything yet");
    this.write({ undo: this.seats });
  }

  concede() {
    this.checkAlone("you can give up");
    if (this.decider === null) throw new Refusal("the game is over");
    this.write({ conceded: this.seat });
  }

  uncover() {
    if (!this.isCovered) throw new Refusal("no cards are covered");
    this.uncovered = this.seat;
  }

  /** Let an agent act once in a person's place. @param {string} agent */
  async lend(agent) {
    this.checkTurn();
    this.kind.check(agent, this.played.rules);
    this.write({ lent: await this.sameTurn(this.played.choice(agent)) });
  }

  /** What was asked of an agent, unless the table has changed until it answered. @param {Promise<any>} asked */
  async sameTurn(asked) {
    const { table } = this.played, answer = await asked;
    if (this.played.table !== table) throw new Refusal("the table has moved on");
    this.checkTurn();
    return answer;
  }

  /** Set the agents' pace. @param {string} ask @param {number} pace */
  setPace(ask, pace = this.pacing.pace) {
    if (!this.mayPace) throw new Refusal("only the person who opened this table can set its pace, and only if agents play there");
    if (ask !== "pace" && !this.isWatched) throw new Refusal("only a table where agents play alone can be paused or stepped");
    if (!Number.isFinite(pace) || pace < SLOWEST || pace > FASTEST) throw new Refusal(`"pace" must be a number from ${SLOWEST} to ${FASTEST}: decisions a second`);
    this.write({ pace, paused: ask === "pace" ? this.pacing.isPaused : ask !== "resume" });
    this.pacing.isStepping = ask === "step";
  }

  /** What an adviser would do now, or after taking the discard. @param {number | null} after */
  async hint(after) {
    this.checkTurn();
    if (this.kept.daily && !this.practice) throw new Refusal("there are no hints at today's deal, so that its results can be compared");
    if (after !== null && this.played.legal()[after] !== TAKE) throw new Refusal("only taking the discard can be followed by a second hint");
    return { kind: "hint", seq: this.seq, after, ...(await this.sameTurn(this.played.advice(this.kind.adviser(this.played.rules), after))) };
  }
}
