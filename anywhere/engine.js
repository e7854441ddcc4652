// @ts-check
/**
 * The kernel of one game as WebAssembly: tables that need no server. For browsers, workers and Node.
 *
 * No rule is in here. The module's functions are Python's own (anywhere/entries.py), and `description` says where the
 * fields of their records lie (anywhere/descriptions.py). docs/anywhere.md shows how to use it.
 *
 * @typedef {{size: number, fields: Record<string, any[]>}} Layout the size of a record; of a field its type of numbers,
 *   where it begins, and its shape
 * @typedef {{text: string, record: Record<string, number | number[]>, observation: {size: number, slices: any[][]}}} Rules
 * @typedef {{script: number, numbers: number[]}} Script an agent
 * @typedef {{game: string, phases: string[], over: number, episodes: string[], mostKinds: number, luckTerms: string[],
 *   records: Record<string, Layout>, agents: Record<string, Script>, presets: {name: string, rules: Record<string, Rules>}[]
 * }} Description
 */

/** @type {Record<string, [number, string]>} */
const NUMBERS = {
  i1: [1, "Int8"], u1: [1, "Uint8"], i2: [2, "Int16"], i4: [4, "Int32"], f4: [4, "Float32"], f8: [8, "Float64"],
  i8: [8, "BigInt64"], u8: [8, "BigUint64"],
};
const REFUSED = 0, SCORED = 2; // what `apply` returns (cardtable/kernel/tables.py)
const PAGE = 65536;

export class Engine {
  /**
   * @param {BufferSource | WebAssembly.Module} code @param {Description} description
   * @returns {Promise<Engine>}
   */
  static async load(code, description) {
    const made = await WebAssembly.instantiate(/** @type {any} */ (code), {});
    return new Engine(/** @type {any} */ (made).instance ?? made, description);
  }

  /** @param {WebAssembly.Instance} instance @param {Description} description */
  constructor(instance, description) {
    this.description = description;
    /** @type {Record<string, any>} */
    this.functions = instance.exports;
    /** @type {WebAssembly.Memory} */
    this.memory = this.functions.memory;
    this.next = this.functions.__heap_base.value;
    /** @type {Table | null} the table that lies at `game` */
    this.current = null;
    /** @type {Map<string, number>} where the records of rules lie */
    this.written = new Map();
    const { game, player } = description.records;
    this.game = this.allocate(game.size);
    this.player = this.allocate(player.size);
    this.stages = this.allocate(4 * game.size);
    this.counts = this.allocate(8 * description.mostKinds);
    this.scratch = this.allocate(PAGE); // masks, observations, cards
  }

  /** Room that stays taken. @param {number} size @returns {number} its address */
  allocate(size) {
    const address = (this.next + 63) & -64;
    this.next = address + size;
    const missing = this.next - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  /** The memory as numbers. @param {string} type @param {number} address @param {number} count */
  numbers(type, address, count) {
    const kind = /** @type {any} */ (globalThis)[`${NUMBERS[type][1]}Array`];
    return new kind(this.memory.buffer, address, count);
  }

  /** A field of a record. @param {string} record @param {number} address @param {string} name */
  read(record, address, name) {
    const [type, offset, ...shape] = this.description.records[record].fields[name];
    const count = shape.reduce((product, length) => product * length, 1);
    const [size, kind] = NUMBERS[type];
    const view = new DataView(this.memory.buffer, address + offset, count * size);
    const values = Array.from({ length: count }, (_, k) => /** @type {any} */ (view)[`get${kind}`](k * size, true));
    const plain = type === "i8" ? values.map(Number) : values;
    return shape.length ? plain : plain[0];
  }

  /** Write a field; a list that is too short is followed by zeros.
   * @param {string} record @param {number} address @param {string} name @param {any} value */
  write(record, address, name, value) {
    const [type, offset, ...shape] = this.description.records[record].fields[name];
    const count = shape.reduce((product, length) => product * length, 1);
    const [size, kind] = NUMBERS[type];
    const view = new DataView(this.memory.buffer, address + offset, count * size);
    const convert = size === 8 && kind !== "Float64" ? BigInt : Number;
    const values = shape.length ? value.flat() : [value];
    for (let k = 0; k < count; k++) /** @type {any} */ (view)[`set${kind}`](k * size, convert(values[k] ?? 0), true);
  }

  /** The address of the record of rules. @param {Rules} rules */
  rules(rules) {
    const key = JSON.stringify(rules.record);
    const known = this.written.get(key);
    if (known !== undefined) return known;
    const address = this.allocate(this.description.records.rules.size);
    for (const [name, value] of Object.entries(rules.record)) this.write("rules", address, name, value);
    this.written.set(key, address);
    return address;
  }

  /** The rules of a preset. @param {string} preset @param {number} players @returns {Rules} */
  preset(preset, players) {
    const found = this.description.presets.find(each => each.name === preset)?.rules[players];
    if (!found) throw new Error(`no rules ${preset} for ${players} players`);
    return found;
  }

  /**
   * A new game, the same as Python's `Game(rules, seed, deal, episode)`.
   * @param {Rules} rules @param {{seed?: bigint | number, deal?: bigint | number, episode?: string}} options
   */
  newGame(rules, { seed = 0, deal = 0, episode = "game" } = {}) {
    const table = new Table(this, rules, new Uint8Array(this.description.records.game.size));
    table.enter();
    const kind = this.description.episodes.indexOf(episode);
    this.functions.new_game(this.game, table.address, BigInt(seed), BigInt(deal), kind);
    return table;
  }
}

/** One table. It keeps its own state, so there may be any number of them. */
export class Table {
  /** @param {Engine} engine @param {Rules} rules @param {Uint8Array} state a record of a game, which is copied */
  constructor(engine, rules, state) {
    this.engine = engine;
    this.rules = rules;
    this.address = engine.rules(rules);
    this.kept = state.slice();
    this.players = Number(rules.record.players);
    this.actions = Number(rules.record.actions);
  }

  /** Lie where the module works, for what follows. */
  enter() {
    const { engine } = this;
    if (engine.current === this) return engine.functions;
    if (engine.current) engine.current.kept = engine.current.state;
    engine.current = this;
    new Uint8Array(engine.memory.buffer).set(this.kept, engine.game);
    return engine.functions;
  }

  /** The record of the game, hidden cards included. */
  get state() {
    const { engine } = this;
    if (engine.current !== this) return this.kept.slice();
    return new Uint8Array(engine.memory.buffer).slice(engine.game, engine.game + this.kept.length);
  }

  copy() {
    return new Table(this.engine, this.rules, this.state);
  }

  /** A field of the game's record. @param {string} name @returns {any} */
  field(name) {
    this.enter();
    return this.engine.read("game", this.engine.game, name);
  }

  get seat() { return this.field("seat"); }
  get phase() { return this.engine.description.phases[this.field("phase")]; }
  get isOver() { return this.field("phase") >= this.engine.description.over; }
  get isTruncated() { return this.field("phase") > this.engine.description.over; }
  get totals() { return this.field("totals").slice(0, this.players); }
  get roundScores() { return this.field("round_scores").slice(0, this.players); }

  /** The seats that share the win; none before the end. @returns {number[]} */
  get winners() {
    const { has_won } = this.enter();
    return [...Array(this.players).keys()].filter(seat => has_won(this.engine.game, this.address, seat));
  }

  /** Carry out a decision; was a round scored? An illegal one is an error, and changes nothing. @param {number} action */
  apply(action) {
    const result = this.enter().apply(this.engine.game, this.address, action);
    if (result === REFUSED) throw new Error(`action ${action} of seat ${this.seat} is illegal in phase ${this.phase}`);
    return result === SCORED;
  }

  /** 1 for every action that is legal now, 0 for the others. @returns {Int8Array} */
  mask() {
    const { engine } = this;
    this.enter().write_mask(engine.game, this.address, engine.scratch);
    return engine.numbers("i1", engine.scratch, this.actions).slice();
  }

  /** @returns {number[]} */
  legalActions() {
    const mask = this.mask();
    return [...mask.keys()].filter(action => mask[action]);
  }

  /** What a seat sees. @param {number} seat @returns {Int16Array} */
  observation(seat = this.seat) {
    const { engine } = this, { size } = this.rules.observation;
    this.enter().write_view(engine.game, this.address, seat, engine.scratch, size);
    return engine.numbers("i2", engine.scratch, size).slice();
  }

  /**
   * A legal decision that reveals these cards, carried out on copies: how many cards it reveals (-1: one of these cannot
   * come), how often each card could have come after these, and the table before it, after it, after a round that it
   * ends is scored, and after it goes on.
   * @param {number} action @param {...number} cards
   */
  stages(action, ...cards) {
    const { engine } = this, state = this.state, size = state.length, { mostKinds } = engine.description;
    for (let k = 0; k < 4; k++) new Uint8Array(engine.memory.buffer).set(state, engine.stages + k * size);
    engine.numbers("i8", engine.scratch, cards.length).set(cards.map(BigInt));
    engine.numbers("i8", engine.counts, mostKinds).fill(0n);
    const given = [engine.scratch, cards.length, engine.counts];
    const revealed = this.enter().stage(engine.stages, this.address, action, ...given);
    const counts = Array.from(engine.numbers("i8", engine.counts, mostKinds), Number);
    const tables = [0, 1, 2, 3].map(k => engine.numbers("u1", engine.stages + k * size, size).slice());
    return { revealed, counts, tables };
  }

  /** What an agent does: one of `description.agents`, or "random". @param {string} agent @param {bigint} chance */
  choose(agent, chance = 0n) {
    const { engine } = this, { functions, player } = engine, { size } = this.rules.observation;
    const script = agent === "random" && !(agent in engine.description.agents) ? null : engine.description.agents[agent];
    if (script === undefined) throw new Error(`no agent is called ${agent}`);
    engine.numbers("u1", player, engine.description.records.player.size).fill(0);
    for (const [name, value] of Object.entries({ chance, ...script })) engine.write("player", player, name, value);
    this.enter().write_view(engine.game, this.address, this.seat, engine.scratch, size);
    if (script) return functions.choose(engine.scratch, size, this.address, player);
    const mask = engine.scratch + 2 * size, legal = functions.write_mask(engine.game, this.address, mask);
    return functions.choose_any(engine.scratch, size, mask, legal, this.address, player);
  }
}
