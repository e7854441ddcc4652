/** Pages at a table of this browser: what they ask is done, and agents decide at a pace. */

import { Refusal } from "./played_game.js";
import { FASTEST } from "./tables.js";

const SECOND = 1000,
  AGAIN = 5000; // milliseconds, the second until what could not be loaded is asked for again
const PACING = ["pace", "pause", "resume", "step"],
  CHANGES = ["undo", "uncover", "concede"];
const ASKS = [...PACING, ...CHANGES, "hint", "inspect", "substitute", "again", "rematch", "view", "lend"];

export class LiveTable {
  /** @param {import("./tables.js").WebTable} table @param {import("./local_server.js").LocalServer} server */
  constructor(table, server) {
    this.table = table;
    this.server = server;
    /** @type {Set<number>} */
    this.sockets = new Set();
    /** @type {any} */
    this.timer = null;
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

  /** @param {any} message */
  sendAll(message) {
    for (const socket of this.sockets) this.server.send({ socket, message });
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

  /** Do what a page asks, or refuse it in one line. @param {any} message @param {number} socket */
  async hear(message, socket) {
    try {
      await this.carryOut(message, answer => this.server.send({ socket, message: answer }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.server.send({ socket, message: { kind: "refused", seq: this.table.seq, words: error.message } });
    }
  }

  /** @param {any} asked @param {(answer: any) => void} send to the page that asks */
  async carryOut(asked, send) {
    const { seq, action, ask, after = null, agent, pace } = asked ?? {};
    const { table, server } = this,
      isPacing = PACING.includes(ask);
    if (!Number.isInteger(seq) || (ask === undefined ? !Number.isInteger(action) : !ASKS.includes(ask))) {
      throw new Refusal(`a message has "seq", and "action" or "ask": one of ${ASKS.join(", ")}`);
    }
    if (ask === "substitute") throw new Refusal("the player to move has not left");
    if (ask === "view") return send(table.view(true));
    if (!isPacing && seq !== table.seq) {
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
    if (isPacing) table.setPace(ask, pace);
    else if (ask === "lend") await table.lend(agent);
    else if (ask) table[ask]();
    else table.act(action);
    if (this.table !== table || this.sockets.size === 0) return; // another page has changed or deleted it meanwhile
    await server.keep(table);
    this.update();
  }

  /** One decision of an agent, forgotten if the table has changed meanwhile. */
  async decide() {
    const { table, server } = this,
      { agent, seq } = table,
      lines = table.kept.lines.length;
    try {
      const action = await table.played.choice(agent);
      const isSame =
        this.table === table && table.seq === seq && table.agent === agent && table.kept.lines.length === lines;
      if (!isSame || this.sockets.size === 0) return;
      table.pacing.isStepping = false;
      table.write({ action });
      await server.keep(table);
      this.update();
    } catch (error) {
      this.sendAll({
        kind: "refused",
        seq,
        words: error instanceof Refusal ? error.message : "the agent cannot decide",
      });
      const goesOn = error instanceof Refusal && this.table === table && this.sockets.size > 0;
      if (goesOn) this.timer = setTimeout(() => this.decide(), AGAIN);
    }
  }
}
