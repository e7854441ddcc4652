/** A table of the server, to which other browsers come. Pages are shown the same views as of one of this browser. */

import { decided, Refusal } from "./played_game.js";
import { COVERED } from "./tables.js";
import { inspected, view } from "./views.js";

const AFAR = ["substitute", "rematch"]; // what the server is asked for
const LOST = "the connection is lost";

/** Is this the number of a room? @param {string} number */
export const isRoom = number => number.startsWith("room-");

export class Room {
  /** Go there. @param {string} number @param {import("./local_server.js").LocalServer} server */
  constructor(number, server) {
    this.number = number;
    this.server = server;
    /** @type {Set<number>} */
    this.sockets = new Set();
    /** @type {any} what the server said last; nothing at first */
    this.told = null;
    /** @type {import("./kinds.js").Kind | undefined} and the rules, once that is known */
    this.kind = undefined;
    /** @type {import("./kinds.js").Rules | undefined} */
    this.rules = undefined;
    /** @type {import("./played_game.js").Decision[]} */
    this.decisions = [];
    /** @type {number | null} the own seat whose private cards are shown */
    this.uncovered = null;
    let heard = Promise.resolve(); // one message after the other
    const hear = message => {
      heard = heard.then(() => this.take(message)).catch(error => this.fail(error));
    };
    this.line = server.remote.dial(`/api/rooms/${number}/socket`, hear, (reason, isFinal) =>
      this.lose(reason, isFinal),
    );
  }

  /** @param {number} socket */
  enter(socket) {
    this.sockets.add(socket);
    if (this.told) this.server.send({ socket, message: this.view });
  }

  /** @param {number} socket */
  leave(socket) {
    this.sockets.delete(socket);
    if (this.sockets.size === 0) this.line.close();
  }

  /** @param {any} message */
  sendAll(message) {
    for (const socket of this.sockets) this.server.send({ socket, message });
  }

  /** @param {any} message of the server */
  async take(message) {
    if (message.kind !== "room") return this.sendAll(message);
    this.kind ??= await this.server.kind(message.game);
    this.rules ??= await this.kind.learn(message.rules, message.names.length);
    const told = message.decisions.map((/** @type {any} */ { events, ...decision }, /** @type {number} */ k) =>
      decided(this.kind, events, { number: message.first + k + 1, ...decision }),
    );
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

  /** @returns {import("./views.js").Standing} */
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

  /** Do what a page asks, or refuse it in one line. @param {any} asked @param {number} socket */
  async hear(asked, socket) {
    try {
      await this.carryOut(Object(asked), message => this.server.send({ socket, message }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.server.send({ socket, message: { kind: "refused", seq: this.decisions.length, words: error.message } });
    }
  }

  /** @param {any} asked @param {(answer: any) => void} send to the page that asks */
  async carryOut({ seq, action, ask }, send) {
    if (!this.told) throw new Refusal(LOST);
    const { seat } = this.told;
    if (ask === "view") return send(this.view);
    if (ask === "uncover" ? !this.isCovered : this.isCovered && (ask === "inspect" || ask === undefined)) {
      throw new Refusal(ask === "uncover" ? "no cards are covered" : COVERED);
    }
    if (ask === "inspect") return send(await inspected(this.standing, seat));
    if (ask === "uncover") {
      this.uncovered = seat;
      return this.sendAll(this.view);
    }
    if (ask !== undefined && !AFAR.includes(ask)) throw new Refusal("that is not possible at a table with others");
    this.line.send({ seq, action, ask });
  }
}
