/** A table of the server, to which other browsers come. Pages are shown the same views as of one of this browser. */

import { VisitedTable } from "./live_tables.js";
import { decided, Refusal } from "./played_game.js";
import { COVERED } from "./tables.js";
import { inspected, view } from "./views.js";

const AFAR = ["substitute", "rematch"]; // what the server is asked for
const LOST = "connection lost";

/** Is this the number of a room? @param {string} number */
export const isRoom = number => number.startsWith("room-");

export class Room extends VisitedTable {
  /** Go there. @param {string} number @param {LocalServer} server */
  constructor(number, server) {
    super(server);
    this.number = number;
    /** @type {any} what the server said last; nothing at first */
    this.told = null;
    /** @type {Kind | undefined} and the rules, once that is known */
    this.kind = undefined;
    /** @type {Rules | undefined} */
    this.rules = undefined;
    /** @type {Decision[]} */
    this.decisions = [];
    /** @type {number | null} the own seat whose private cards are shown */
    this.uncovered = null;
    let heard = Promise.resolve(); // one message after the other
    const hear = message => {
      heard = heard.then(() => this.take(message)).catch(error => this.fail(error));
    };
    const lost = (reason, isFinal) => this.lose(reason, isFinal);
    this.line = server.remote.dial(`/api/rooms/${number}/socket`, hear, lost);
  }

  get seq() {
    return this.decisions.length;
  }

  update() {
    if (this.sockets.size === 0) this.line.close();
    else if (this.told) this.sendAll(this.view);
  }

  /** @param {any} message of the server */
  async take(message) {
    if (message.kind !== "room") return this.sendAll(message);
    this.kind ??= await this.server.kind(message.game);
    this.rules ??= await this.kind.learn(message.rules, message.names.length);
    const told = message.decisions.map(one => decided(this.kind, one));
    this.decisions.splice(message.first, Infinity, ...told);
    this.told = message;
    if (this.uncovered !== message.seat) this.uncovered = null;
    this.sendAll(this.view);
  }

  /** @param {Error} error */
  fail(error) {
    if (!(error instanceof Refusal)) console.error(error);
    this.line.close();
    this.lose(error instanceof Refusal ? error.message : "this page cannot show the table", true);
  }

  /**
   * The connection is gone; pages come back by themselves, unless that is no use.
   * @param {string} reason @param {boolean} isFinal
   */
  lose(reason, isFinal) {
    for (const socket of this.sockets) this.server.hangUp(socket, reason || (this.told ? LOST : ""), isFinal);
    this.server.live.delete(this.number);
  }

  get isCovered() {
    const { own, seat, decider } = this.told;
    return this.kind.data.hasPrivateHands && own.length > 1 && decider !== null && this.uncovered !== seat;
  }

  /** @returns {Standing} */
  get standing() {
    const { kind, rules, decisions } = this,
      { winners, truncated, legal, ...more } = this.told,
      names = kind.actionNames(rules);
    const named = Object.fromEntries(legal.map(action => [action, names[action]]));
    return { ...more, kind, rules, decisions, winners: winners ?? [], isTruncated: truncated, legal: named };
  }

  get view() {
    const { names, people, here, seat, substituted } = this.told;
    const more = substituted.length ? { substituted } : {};
    return view(this.standing, { names, people, here, seat, ...more, isCovered: this.isCovered, room: true });
  }

  /** @param {any} asked @param {(answer: any) => void} send */
  async carryOut({ seq, action, ask }, send) {
    if (!this.told) throw new Refusal(LOST);
    const { seat } = this.told;
    if (ask === "uncover") {
      this.uncovered = seat;
      return this.sendAll(this.view);
    }
    if (this.isCovered && (ask === "inspect" || ask === undefined)) throw new Refusal(COVERED);
    if (ask === "inspect") return send(await inspected(this.standing, seat));
    if (ask !== undefined && !AFAR.includes(ask)) throw new Refusal("you can’t do that at a table with other people");
    this.line.send({ seq, action, ask });
  }
}
