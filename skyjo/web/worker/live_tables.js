/** Tables that pages are at: what pages ask is done, and at a table of this browser agents decide at a pace. */

import { Refusal } from "./played_game.js";
import { FASTEST } from "./tables.js";

const SECOND = 1000,
  AGAIN = 5000; // milliseconds, the second until what could not be loaded is asked for again
const PACING = ["pace", "pause", "resume", "step"];

/** A table with the pages that are at it. Subclasses say how it is shown, and what is done there. */
export class VisitedTable {
  /** @param {LocalServer} server */
  constructor(server) {
    this.server = server;
    /** @type {Set<number>} */
    this.sockets = new Set();
  }

  /** @param {number} socket */
  enter(socket) {
    this.sockets.add(socket);
    this.update();
  }

  /** @param {number} socket */
  leave(socket) {
    this.sockets.delete(socket);
    this.update();
  }

  /** Show how the table stands to all pages that are at it. */
  update() {}

  /** How many decisions there were. */
  get seq() {
    return 0;
  }

  /** Do what a page asks. @param {any} asked @param {(answer: any) => void} send to that page */
  async carryOut(asked, send) {
    send(asked);
  }

  sendAll(message) {
    for (const socket of this.sockets) this.server.send({ socket, message });
  }

  /** Do what a page asks, or refuse it in one line. @param {any} asked @param {number} socket */
  async hear(asked, socket) {
    const send = message => this.server.send({ socket, message });
    try {
      await this.carryOut(asked, send);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      send({ kind: "refused", seq: this.seq, words: error.message });
    }
  }
}

/** A table of this browser. */
export class LiveTable extends VisitedTable {
  /** @param {WebTable} table @param {LocalServer} server */
  constructor(table, server) {
    super(server);
    this.table = table;
    /** @type {any} */
    this.timer = null;
    /** Until the table is kept as far as it is shown; what changes it next waits for that. */
    this.kept = Promise.resolve();
  }

  get seq() {
    return this.table.seq;
  }

  /** Show how the table stands, and let agents decide until it is a person's turn, or nobody looks. */
  update() {
    const { table, sockets } = this,
      { pace, isStepping } = table.pacing;
    this.sendAll(table.view(true));
    clearTimeout(this.timer);
    const isAtOnce = isStepping || (pace === FASTEST && !table.isWatched);
    if (sockets.size > 0 && table.agent !== null && table.goesOn) {
      this.timer = setTimeout(() => this.decide(), isAtOnce ? 0 : SECOND / pace);
    }
  }

  /** @param {any} asked @param {(answer: any) => void} send */
  async carryOut({ seq, action, ask, after = null, agent, pace }, send) {
    await this.kept;
    const { table, server } = this;
    if (!PACING.includes(ask) && seq !== table.seq) {
      send({ kind: "refused", seq: table.seq, words: "the table has moved on; here is how it stands now" });
      return send(table.view(true));
    }
    if (ask === "inspect") return send(await table.inspected());
    if (ask === "again" || ask === "rematch") {
      return this.sendAll({ kind: "moved", id: await server.follow(table, ask === "rematch") });
    }
    if (ask === "hint") {
      send(await table.hint(after));
      return server.keep(table);
    }
    if (PACING.includes(ask)) table.setPace(ask, pace);
    else if (ask === "lend") await table.lend(agent);
    else if (ask)
      table[ask](); // undo, uncover, concede
    else table.act(action);
    if (this.table !== table || this.sockets.size === 0) return; // another page has changed or deleted it meanwhile
    return this.change();
  }

  /** Show the table as it is now, and keep it; pages do not wait for the second. */
  change() {
    this.update();
    this.kept = this.server.keep(this.table);
    return this.kept;
  }

  /** One decision of an agent, forgotten if the table has changed meanwhile. */
  async decide() {
    await this.kept;
    const { table } = this,
      { agent, seq } = table,
      lines = table.kept.lines.length;
    try {
      const action = await table.played.choice(agent);
      const isSame = this.table === table && table.agent === agent && table.kept.lines.length === lines;
      if (!isSame || this.sockets.size === 0) return;
      table.pacing.isStepping = false;
      table.write({ action });
      await this.change();
    } catch (error) {
      const isRefused = error instanceof Refusal;
      this.sendAll({
        kind: "refused",
        seq,
        words: isRefused ? error.message : "your opponent cannot move; reload the page to try again",
      });
      const goesOn = isRefused && this.table === table && this.sockets.size > 0;
      if (goesOn) this.timer = setTimeout(() => this.decide(), AGAIN);
    }
  }
}
