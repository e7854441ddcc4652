/** A page that has a game judged, and doubtful decisions checked: a piece at a time, so that it can be stopped. */

import { conduct } from "./conduct.js";
import { canBeJudged, Judged, Weighed } from "./judging.js";
import { Refusal } from "./played_game.js";
import { namesOf } from "./games.js";
import { found } from "./records.js";

const PIECE = 100; // milliseconds

export class AnalysisSocket {
  /** @param {LocalServer} server @param {string} number @param {(message: any) => void} send */
  static async open(server, number, send) {
    const { played, kept } = await found(server, number);
    return new AnalysisSocket(played, namesOf(kept), send);
  }

  /** @param {PlayedGame} played @param {string[]} names @param {(message: any) => void} send */
  constructor(played, names, send) {
    this.played = played;
    this.names = names;
    this.send = send;
    this.isBusy = false;
    this.isStopped = false;
    this.judged = played.judged;
    this.end = 0; // of the piece at hand
  }

  /** @param {any} message */
  async hear(message) {
    const { ask } = Object(message);
    if (ask === "stop") return this.isBusy ? this.leave() : this.send({ kind: "stopped" });
    try {
      if (this.isBusy) throw new Refusal("this game is already being analysed; stop that first");
      if (!canBeJudged(this.played)) throw new Refusal("games by these rules cannot be analysed");
      await this.work(ask);
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      this.send({ kind: "refused", words: error instanceof Refusal ? error.message : "the game cannot be analysed" });
    }
  }

  leave() {
    this.isStopped = true;
  }

  /** @param {"analyse" | "check"} ask */
  async work(ask) {
    const { kind, rules, decisions } = this.played;
    [this.isBusy, this.isStopped] = [true, false];
    try {
      await kind.ready(kind.data.judging.agent, rules);
      if (decisions.length === 0) return this.send({ kind: "ready", ...this.position() });
      const isDone = ask === "check" ? await this.check() : await this.analyse();
      this.send(isDone ? { kind: "ready", ...conduct(this.played, this.judged, this.names) } : { kind: "stopped" });
    } finally {
      this.isBusy = false;
    }
  }

  /** What the choices are worth at a position from which nobody has played. */
  position() {
    const { played } = this;
    if (played.table.isOver) throw new Refusal("the game is over: there is no move to analyse");
    const { seat, choices } = new Weighed(played, 0, 0n);
    return { seat, choices };
  }

  /** Hear what pages ask, if it is time; does it go on? */
  async goesOn() {
    if (Date.now() >= this.end) {
      await new Promise(next => setTimeout(next));
      this.end = Date.now() + PIECE;
    }
    return !this.isStopped;
  }

  /** Judge all decisions; false if it was stopped. What is known already is sent at once. */
  async analyse() {
    const { played, judged, send } = this,
      of = played.decisions.length,
      { checks } = played.kind.data.judging;
    const goesOn = () => this.goesOn();
    for (let done = 0, end = 0; done < of;) {
      if (judged.length < of) {
        const number = judged.length,
          one = new Judged(played, number);
        if (checks && one.isDoubtful && !(await one.tryOut(goesOn))) return false;
        if (judged.length === number) judged.push(one); // another page may have had it judged meanwhile
      }
      if (Date.now() >= end || judged.length === of) {
        send({ kind: "judged", done: judged.length, of, moves: judged.slice(done).map(({ document }) => document) });
        [done, end] = [judged.length, Date.now() + PIECE];
      }
      if (!(await goesOn())) return false;
    }
    return true;
  }

  /** Check the doubtful decisions, the worst first; false if it was stopped. */
  async check() {
    const { judged, send } = this;
    const doubtful = judged.filter(one => one.isDoubtful).sort((one, other) => other.seems - one.seems);
    for (const [k, one] of doubtful.entries()) {
      if (!(await one.tryOut(() => this.goesOn()))) return false;
      send({ kind: "checked", done: k + 1, of: doubtful.length, move: one.document });
    }
    return true;
  }
}
