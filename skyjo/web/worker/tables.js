/** One table of this browser: who sits there, what has been decided, and who is shown what. */

import { PlayedGame, Refusal } from "./played_game.js";
import { inspected, result, titles, VERSION, view, YOU } from "./views.js";

export const FASTEST = 20; // decisions of agents a second
export const COVERED = 'press "Show my cards" first';
const USUAL = 2,
  TAKE = "take";

export class WebTable {
  /** @param {Kind} kind @param {Kept} kept */
  constructor(kind, kept) {
    this.kind = kind;
    this.kept = kept;
    this.people = kept.seats.map(text => text === YOU);
    this.seats = [...this.people.keys()].filter(seat => this.people[seat]);
    this.played = new PlayedGame(kind, kind.begun(kept.start ?? kept, kept.seats.length));
    for (const action of kept.start?.actions ?? []) this.played.apply(action);
    this.practice = kept.practice;
    this.assisted = false; // by a hint, which is no practice, but not one's own play either
    /** @type {number | null} the seat that gave up */
    this.conceded = null;
    /** @type {number | null} the seat whose private cards are shown */
    this.uncovered = null;
    this.pacing = { pace: USUAL, isPaused: false, isStepping: false };
    for (const line of kept.lines) this.carryOut(line);
  }

  get seq() {
    return this.played.decisions.length;
  }
  get decider() {
    return this.played.table.isOver || this.conceded !== null ? null : this.played.table.seat;
  }
  get isMine() {
    return this.decider !== null && this.people[this.decider];
  }
  get agent() {
    return this.decider === null || this.isMine ? null : this.kept.seats[this.decider];
  }
  get isWatched() {
    return this.seats.length === 0;
  }
  get goesOn() {
    return this.pacing.isStepping || !this.pacing.isPaused;
  }
  get names() {
    return titles(this.kept.seats, this.kept.names);
  }

  /** The seat that is played here now: the one that decides, else the next one to decide. */
  get seat() {
    const { seat, players } = this.played.table,
      away = own => (own - seat + players) % players;
    return this.isWatched ? null : this.seats.reduce((one, other) => (away(other) < away(one) ? other : one));
  }

  get isCovered() {
    const isShared = this.kind.data.hasPrivateHands && this.seats.length > 1;
    return isShared && this.decider !== null && this.uncovered !== this.seat;
  }

  /** What this browser is shown. @param {boolean} isHere is a page of it at the table? */
  view(isHere) {
    const { names, people, seat, isCovered, conceded, practice, assisted, pacing } = this;
    return view(this.played.standing(seat), {
      ...{ names, people, seat, isCovered, conceded, practice, assisted },
      here: people.map(isPerson => isPerson && isHere),
      watch: this.isWatched ? { pace: pacing.pace, paused: pacing.isPaused, yours: true } : null,
      pace: people.includes(false) ? pacing.pace : null,
      daily: this.kept.daily,
    });
  }

  /** A line of the list of tables. */
  get document() {
    const { names, conceded, kept } = this,
      over = this.decider === null;
    const standing = this.played.standing(),
      { round, totals } = standing;
    const words = `${names.join(", ")}; ${over ? result(standing, names, conceded) : `round ${round}`}`;
    const scores = (over || round > 1) && conceded === null ? totals : null;
    const { number: id, when, daily } = kept;
    return { id, words, names, when, scores, round, over, yours: this.isMine, daily };
  }

  /** The game so far. */
  get record() {
    const { played } = this,
      { rules, seed, episode, start, game } = this.kept;
    const begun = start ?? { [`${game}_record`]: VERSION, rules, seed, deal: 0, episode };
    return { ...begun, actions: played.actions, totals: played.table.totals };
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
    else Object.assign(this, line); // conceded, assisted, again, next
    if (this.uncovered !== this.seat) this.uncovered = null;
  }

  checkTurn() {
    if (!this.isMine) throw new Refusal("it is not your turn");
    if (this.isCovered) throw new Refusal(COVERED);
  }

  /** @param {number} action */
  act(action) {
    this.checkTurn();
    this.write({ action });
  }

  undo() {
    if (this.decider === null) throw new Refusal("the game is over; you can play the same cards again");
    const hasDecided = this.played.decisions.some(({ seat }) => this.people[seat]);
    if (!hasDecided) throw new Refusal("you have not made a move yet");
    this.write({ undo: this.seats });
  }

  concede() {
    if (this.decider === null) throw new Refusal("the game is over");
    this.write({ conceded: this.seat });
  }

  uncover() {
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
    const { table } = this.played,
      answer = await asked;
    if (this.played.table !== table) throw new Refusal("the table has moved on");
    this.checkTurn();
    return answer;
  }

  /** Set the agents' pace. @param {string} ask @param {number} pace */
  setPace(ask, pace = this.pacing.pace) {
    this.write({ pace, paused: ask === "pace" ? this.pacing.isPaused : ask !== "resume" });
    this.pacing.isStepping = ask === "step";
  }

  /** What an adviser would do now, or after taking the discard. @param {number | null} after */
  async hint(after) {
    this.checkTurn();
    if (this.kept.daily && !this.practice) {
      throw new Refusal("today’s deal has no hints: every player meets it without help");
    }
    const isTaking = after === null || this.played.legal()[after] === TAKE;
    if (!isTaking) throw new Refusal("only taking the discard can be followed by a second hint");
    const advice = this.played.advice(this.kind.adviser(this.played.rules), after);
    const hint = { kind: "hint", seq: this.seq, after, ...(await this.sameTurn(advice)) };
    if (!this.assisted) this.write({ assisted: true });
    return hint;
  }

  /** What an agent would be given here. */
  inspected() {
    if (this.isCovered) throw new Refusal(COVERED);
    return inspected(this.played.standing(this.seat), this.seat);
  }
}
