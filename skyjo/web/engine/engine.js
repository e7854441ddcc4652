// @ts-check
/**
 * The kernel of one game as WebAssembly: tables that need no server. For pages, workers and Node (README.md).
 *
 * No rule is in here. The module's functions are Python's own (entries.py, and people/browser.py of each game), and
 * `description` says where the fields of their records lie (descriptions.py).
 *
 * @typedef {{size: number, fields: Record<string, any[]>}} Layout a record's size; of a field the type of its numbers,
 *   where it begins, and its shape
 * @typedef {{text: string, policy: string | null, record: Record<string, number | number[]>,
 *   observation: {size: number, slices: any[][]}}} Rules as text; the network that plays by them; the fields of their
 *   record; and what stands where in an observation: name, first number, and shape
 * @typedef {{weights: bigint, layout: number[][]}} Network
 * @typedef {{
 *   game: string, title: string, phases: string[], over: number, episodes: string[], mostPointsWin: boolean,
 *   mostKinds: number, luckTerms: string[], logSize: number, events: [string, ...any[][]][],
 *   records: Record<string, Layout>,
 *   agents: Record<string, {calls: string, effort?: number[]}>,
 *   networks: Record<string, {size: number, kinds: number, layout: number[][]}>,
 *   presets: {name: string, rules: Record<string, Rules>}[],
 * }} Description
 */

/** @type {Record<string, [number, string]>} */
const NUMBERS = {
  i1: [1, "Int8"],
  u1: [1, "Uint8"],
  i2: [2, "Int16"],
  i4: [4, "Int32"],
  f4: [4, "Float32"],
  f8: [8, "Float64"],
  i8: [8, "BigInt64"],
  u8: [8, "BigUint64"],
};
const REFUSED = 0,
  SCORED = 2; // what `apply` returns (cardtable/table/kernel/tables.py)
const PAGE = 65536,
  ROOM = 8192;

export class Engine {
  /** @param {ArrayBuffer | Uint8Array<ArrayBuffer>} code @param {Description} description @returns {Promise<Engine>} */
  static async load(code, description) {
    const env = { exp: Math.exp, pow: Math.pow };
    return new Engine((await WebAssembly.instantiate(code, { env })).instance, description);
  }

  /** @param {WebAssembly.Instance} instance @param {Description} description */
  constructor(instance, description) {
    this.description = description;
    /** @type {Record<string, any>} */
    this.functions = instance.exports;
    /** @type {WebAssembly.Memory} */
    this.memory = this.functions.memory;
    this.next = this.functions.__heap_base.value;
    /** @type {Table | null} whose record lies at `game` */
    this.current = null;
    /** @type {Map<string, number>} where rules lie */
    this.known = new Map();
    /** @type {Record<string, Network>} */
    this.networks = {};
    const { game, player, scratch } = description.records;
    this.game = this.allocate(game.size);
    this.copy = this.allocate(game.size);
    this.player = this.allocate(player.size);
    this.scratch = this.allocate(scratch.size);
    this.view = this.allocate(ROOM);
    this.mask = this.allocate(ROOM);
    this.output = this.allocate(ROOM);
    this.log = this.allocate(8 * description.logSize);
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
    return new /** @type {any} */ (globalThis)[`${NUMBERS[type][1]}Array`](this.memory.buffer, address, count);
  }

  /** @param {Uint8Array} bytes @param {number} address */
  put(bytes, address) {
    this.numbers("u1", address, bytes.length).set(bytes);
  }

  /** Where the numbers of a field lie. @param {string} record @param {number} address @param {string} name */
  field(record, address, name) {
    const [type, offset, ...shape] = this.description.records[record].fields[name];
    const count = shape.reduce((product, length) => product * length, 1),
      [size, kind] = NUMBERS[type];
    return { view: new DataView(this.memory.buffer, address + offset, count * size), count, size, kind, shape };
  }

  /** A field's value: a number, or a list. @param {string} record @param {number} address @param {string} name */
  read(record, address, name) {
    const { view, count, size, kind, shape } = this.field(record, address, name),
      get = `get${kind}`;
    const values = Array.from({ length: count }, (_, k) => Number(/** @type {any} */ (view)[get](k * size, true)));
    return shape.length ? values : values[0];
  }

  /**
   * Write a field; a list that is too short is followed by zeros.
   * @param {string} record @param {number} address @param {string} name @param {any} value
   */
  write(record, address, name, value) {
    const { view, count, size, kind } = this.field(record, address, name);
    const convert = kind.startsWith("Big") ? BigInt : Number,
      values = [value].flat(3);
    for (let k = 0; k < count; k++) /** @type {any} */ (view)[`set${kind}`](k * size, convert(values[k] ?? 0), true);
  }

  /** Where the record of rules lies. @param {Rules} rules */
  rules(rules) {
    const key = JSON.stringify(rules.record);
    if (!this.known.has(key)) {
      const address = this.allocate(this.description.records.rules.size);
      for (const [name, value] of Object.entries(rules.record)) this.write("rules", address, name, value);
      this.known.set(key, address);
    }
    return /** @type {number} */ (this.known.get(key));
  }

  /** The rules of a preset. @param {string} name @param {number} players @returns {Rules} */
  preset(name, players) {
    const rules = this.description.presets.find(preset => preset.name === name)?.rules[players];
    if (!rules) throw new Error(`there are no rules ${name} for ${players} players`);
    return rules;
  }

  /**
   * Take the weights of a network of `description.networks`: that of a policy, or with `_value` after its name the one
   * by which `lookahead` values tables.
   * @param {string} name @param {ArrayBuffer | Uint8Array} weights what is in its file
   */
  addNetwork(name, weights) {
    const { size, kinds, layout } = this.description.networks[name],
      address = this.allocate(size);
    this.put(new Uint8Array(weights), address);
    this.networks[name] = { weights: BigInt(address), layout };
    this.writePlayer(this.networks[name]);
    this.functions.prepare_columns(this.player, kinds);
  }

  /** Write the record of a player; whatever is not given is zero. @param {Record<string, any>} fields */
  writePlayer(fields) {
    const { size, fields: known } = this.description.records.player;
    this.numbers("u1", this.player, size).fill(0);
    for (const name in fields) if (name in known) this.write("player", this.player, name, fields[name]);
  }

  /**
   * The events in the log of the last decision: their kind as `event`, and their fields. Those that continue the one
   * before are one with it; as cardtable/table/game/events.py.
   * @returns {Record<string, any>[]}
   */
  events() {
    const [end] = this.numbers("i8", this.log, 1),
      told = [];
    const [, ...numbers] = Array.from(this.numbers("i8", this.log, Number(end)), Number);
    const read = (depth, words, isOptional) => {
      const number = numbers.shift();
      if (depth) return Array.from({ length: number }, () => read(depth - 1, words, isOptional));
      return isOptional && number < 0 ? null : words ? words[number] : number;
    };
    while (numbers.length) {
      const [event, ...fields] = this.description.events[numbers.shift()],
        last = told.at(-1);
      const values = Object.fromEntries(fields.map(([name, ...how]) => [name, read(...how)]));
      const lists = fields.filter(([, depth]) => depth).map(([name]) => name);
      const isSame = fields.every(([name, depth]) => depth || last?.[name] === values[name]);
      const isMore = last?.event === event && lists.length > 0 && isSame;
      if (isMore) for (const name of lists) last[name].push(...values[name]);
      else told.push({ event, ...values });
    }
    return told;
  }

  /**
   * Why an action is better than another, from what its seat sees: so many kinds of reasons, each with its size.
   * @param {Rules} rules @param {ArrayLike<number>} observation @param {number} better @param {number} other
   * @param {number} kinds @returns {Record<string, number>[]}
   */
  reasons(rules, observation, better, other, kinds) {
    const { size, fields } = this.description.records.reason,
      { view, output } = this;
    this.numbers("u1", output, kinds * size).fill(0);
    this.numbers("i2", view, observation.length).set(observation);
    this.functions.explain(view, observation.length, this.rules(rules), better, other, output, kinds);
    const read = row => Object.keys(fields).map(name => [name, this.read("reason", output + row * size, name)]);
    return Array.from({ length: kinds }, (_, row) => Object.fromEntries(read(row)));
  }

  /** Let an agent be the player; returns the function that it calls.
   * @param {string} agent @param {Rules} rules @param {bigint} chance */
  seat(agent, { policy }, chance = 0n) {
    const { agents } = this.description,
      known = agents[agent];
    if (!known) throw new Error(`no agent is called ${agent}; there are ${Object.keys(agents).join(", ")}`);
    let network = {};
    if (known.calls.startsWith("choose_by")) {
      const own = this.networks[policy ?? ""],
        judge = this.networks[`${policy}_value`] ?? own;
      if (!own) throw new Error(policy ? `the network ${policy} has not been added` : "no policy plays by these rules");
      network = { ...(agent === "lookahead" ? judge : own), chooser: own.weights };
    }
    this.writePlayer({ ...known, ...network, chance });
    return known.calls;
  }

  /**
   * A new game, the same as Python's `Game(rules, seed, deal, episode)`.
   * @param {Rules} rules @param {{seed?: bigint | number, deal?: bigint | number, episode?: string}} options
   */
  newGame(rules, { seed = 0, deal = 0, episode = "game" } = {}) {
    const table = new Table(this, rules, new Uint8Array(this.description.records.game.size));
    const code = this.description.episodes.indexOf(episode);
    table.enter().new_game(this.game, table.address, BigInt(seed), BigInt(deal), code);
    return table;
  }
}

/** One table. It keeps its own state, so there may be any number of them. */
export class Table {
  /** @param {Engine} engine @param {Rules} rules @param {Uint8Array} state the record of a game, which is copied */
  constructor(engine, rules, state) {
    this.engine = engine;
    this.rules = rules;
    this.address = engine.rules(rules);
    /** @type {Uint8Array} */
    this.kept = state.slice();
    this.players = Number(rules.record.players);
    this.actions = Number(rules.record.actions);
  }

  /** Lie where the module's functions work, for what follows; returns these. */
  enter() {
    const { engine } = this;
    if (engine.current !== this) {
      if (engine.current) engine.current.kept = engine.current.state;
      engine.current = this;
      engine.put(this.kept, engine.game);
    }
    return engine.functions;
  }

  /** The record of the game, hidden cards included. @returns {Uint8Array} */
  get state() {
    const { engine, kept } = this;
    return engine.current === this ? engine.numbers("u1", engine.game, kept.length).slice() : kept.slice();
  }

  copy() {
    return new Table(this.engine, this.rules, this.state);
  }

  /** A field of the record of the game. @param {string} name @returns {any} */
  field(name) {
    this.enter();
    return this.engine.read("game", this.engine.game, name);
  }

  get seat() {
    return this.field("seat");
  }
  get phase() {
    return this.engine.description.phases[this.field("phase")];
  }
  get isOver() {
    return this.field("phase") >= this.engine.description.over;
  }
  get isTruncated() {
    return this.field("phase") > this.engine.description.over;
  }
  get totals() {
    return this.field("totals").slice(0, this.players);
  }
  get roundScores() {
    return this.field("round_scores").slice(0, this.players);
  }

  /** The seats that share the win; none before the end. @returns {number[]} */
  get winners() {
    const { has_won } = this.enter();
    return [...Array(this.players).keys()].filter(seat => has_won(this.engine.game, this.address, seat));
  }

  /** Carry out a decision; was a round scored? An illegal one is an error, no change. @param {number} action */
  apply(action) {
    const done = this.enter().apply(this.engine.game, this.address, action);
    if (done === REFUSED) throw new Error(`action ${action} of seat ${this.seat} is illegal in phase ${this.phase}`);
    return done === SCORED;
  }

  /** 1 for every action that is legal now, 0 for the others. @returns {Int8Array} */
  mask() {
    const { engine } = this;
    this.enter().write_mask(engine.game, this.address, engine.mask);
    return engine.numbers("i1", engine.mask, this.actions).slice();
  }

  /** @returns {number[]} */
  legalActions() {
    const mask = this.mask();
    return [...mask.keys()].filter(action => mask[action]);
  }

  /** What a seat sees. @param {number} seat @returns {Int16Array} */
  observation(seat = this.seat) {
    const { engine } = this,
      { size } = this.rules.observation;
    this.enter().write_observation(engine.game, this.address, seat, engine.view, size);
    return engine.numbers("i2", engine.view, size).slice();
  }

  /**
   * A legal decision that reveals these cards, on a copy of the table: the number of cards it reveals (-1 if one of
   * these cannot come), how often each could have come next, where the kernel counts that, its events, and the table
   * after it.
   * @param {number} action @param {...number} cards
   */
  play(action, ...cards) {
    const { engine, rules, state } = this;
    engine.put(state, engine.copy);
    const given = engine.output,
      counts = given + 8 * cards.length;
    engine.numbers("i8", given, cards.length).set(cards.map(BigInt));
    const counted = engine.numbers("i8", counts, engine.description.mostKinds).fill(0n);
    const revealed = this.enter().reveal(engine.copy, this.address, action, given, cards.length, counts, engine.log);
    const after = new Table(engine, rules, engine.numbers("u1", engine.copy, state.length));
    return { revealed, counts: Array.from(counted, Number), events: engine.events(), after };
  }

  /** The luck of a legal decision: `description.luckTerms` by seat. @param {number} action @returns {number[][]} */
  luck(action) {
    const { engine } = this,
      terms = engine.description.luckTerms.length;
    engine.put(this.state, engine.copy);
    const seats = engine.description.records.game.fields.totals[2];
    const noted = engine.numbers("f8", engine.output, seats * terms).fill(0),
      { size } = this.rules.observation;
    this.observation(); // leaves it at `view`
    const seen = [engine.view, size, engine.scratch, engine.output];
    this.enter().note_luck(engine.game, engine.copy, this.address, action, ...seen);
    return Array.from({ length: this.players }, (_, seat) => [...noted.slice(seat * terms, (seat + 1) * terms)]);
  }

  /** A function about what the seat to move sees, for an agent. @param {string} calls @param {...any} more */
  ask(calls, ...more) {
    const { engine } = this,
      seen = [engine.view, this.rules.observation.size];
    return this.enter()[calls](engine.game, this.address, engine.player, ...seen, ...more);
  }

  /**
   * What an agent of `description.agents` does. `policy` and `lookahead` need the networks of the rules.
   * @param {string} agent @param {bigint} chance where its generator begins; 0 for what follows from what it sees
   * @returns {number}
   */
  choose(agent, chance = 0n) {
    const { effort = [] } = this.engine.description.agents[agent] ?? {};
    // WebAssembly drops what a function does not take
    return this.ask(this.engine.seat(agent, this.rules, chance), this.engine.mask, ...effort);
  }

  /**
   * The value of every action to every seat, in points, as `lookahead` or `rollout` judge them; NaN for those that are
   * illegal or not tried. The effort of `lookahead` is the number of actions it tries, those that the policy rates
   * highest, 0 for all. That of `rollout` is guesses and turns, and whether actions with the same effect are all
   * listed (1) or only the first of them (0).
   * @param {{agent?: string, effort?: number[], key?: bigint}} options @returns {Float64Array[]} by action
   */
  worths({ agent = "lookahead", effort = [0], key = 0n } = {}) {
    const { engine, players, actions } = this;
    engine.seat(agent, this.rules);
    this.ask("weigh_actions", ...effort, key, engine.output);
    const all = engine.numbers("f8", engine.output, actions * players).slice();
    return Array.from({ length: actions }, (_, action) => all.subarray(action * players, (action + 1) * players));
  }

  /**
   * How many points of the margin another action brings the seat to move more than an action, summed over guesses at
   * what is hidden, and the squares of that, as the base of `rollout` or the policy plays on.
   * @param {number} action @param {number} other
   * @param {{first: number, more: number, turns: number, key: bigint}} guesses their numbers, and for how long
   */
  compare(action, other, { first, more, turns, key }) {
    const { engine } = this,
      others = this.players - 1;
    engine.seat("rollout" in engine.description.agents ? "rollout" : "policy", this.rules);
    this.ask("compare_actions", action, other, first, more, turns, key, engine.output);
    const [gained, squares] = engine.numbers("f8", engine.output, 2);
    return [gained / others, squares / others ** 2];
  }

  /** What the table is worth to every seat, in points, for `lookahead`. @param {bigint} key @returns {Float64Array} */
  worth(key = 0n) {
    this.engine.seat("lookahead", this.rules);
    this.ask("weigh_table", key, this.engine.output);
    return this.engine.numbers("f8", this.engine.output, this.players).slice();
  }
}
