/** A game as tables need it: its kernel, what Python has written down of it (building/table_data.py), and its words. */

import { Table } from "../engine/engine.js";
import { filled } from "./phrases.js";
import { Refusal } from "./played_game.js";
import { sum } from "./results.js";

const SERVED = "without a server"; // what cannot play so
const NAMED = 0.4, // shares of a lead that the reason named must account for, and all reasons together
  IN_ALL = 0.3,
  UNSAID = -1; // the way of a reason that no words fit

/** The same for all texts of the same rules. @param {string} text @param {number} players */
const keyOf = (text, players) => [players, ...wordsOf(text).sort()].join(" ");

const wordsOf = text => text.split(/\s+/).filter(word => word && !word.startsWith("players="));

/** What was read of a game; refused if there is none. @template T @param {T | null} found @returns {T} */
export function ofGame(found) {
  if (found === null) throw new Refusal("there is no such game", 404);
  return found;
}

/**
 * What was begun for a key, or is begun now; again if that failed.
 * @template T @param {Map<string, Promise<T>>} known @param {string} key @param {() => Promise<T>} begin
 */
export function once(known, key, begin) {
  const begun = known.get(key) ?? begin();
  known.set(key, begun);
  begun.catch(() => known.delete(key));
  return begun;
}

/** @param {string} text in base64 */
const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

export class Kind {
  /**
   * @param {string} game @param {(name: string) => Promise<any>} read a file of the game's, null if there is none
   * @param {Engine} Engine @param {import("./remote.js").Remote} remote
   */
  static async load(game, read, Engine, remote) {
    const data = ofGame(await read("table.json")),
      documents = import(`../pages/boards/${game}_documents.js`);
    const [code, ...more] = await Promise.all([read("module.wasm"), read("module.json"), documents, remote.served]);
    return new Kind(await Engine.load(code, more[0]), data, more[1], read, remote, more[2]);
  }

  /**
   * @param {import("../engine/engine.js").Engine} engine @param {any} data @param {any} documents the game's module
   * @param {(name: string) => Promise<any>} read @param {import("./remote.js").Remote} remote
   * @param {any} served
   */
  constructor(engine, data, documents, read, remote, served) {
    this.engine = engine;
    this.data = data;
    this.documents = documents;
    this.read = read;
    this.remote = remote;
    this.isServed = served.rooms ?? false;
    /** Those that decide on the server. @type {string[]} */
    this.distant = (served.agents?.[data.game] ?? []).filter(text => !Object.hasOwn(engine.description.agents, text));
    /** @type {Map<string, Promise<void>>} by network */
    this.networks = new Map();
    /** @type {Map<string, Promise<string | null>>} networks of agents of the server, by their text and rules */
    this.policies = new Map();
    /** @type {Map<string, Rules>} rules that the server has worked out, by text and number of players */
    this.learned = new Map();
  }

  /**
   * Rules by their text, which the server works out if a page cannot, such as those of another board.
   * @param {string} text @param {number} players @returns {Promise<Rules>}
   */
  async learn(text, players) {
    try {
      return this.rules(text, players);
    } catch (refusal) {
      if (!this.isServed) throw refusal;
      const rules = await this.remote.ask(`/api/rules/${this.data.game}`, { rules: text, players });
      for (const known of [text, rules.text]) this.learned.set(keyOf(known, players), rules);
      return rules;
    }
  }

  /**
   * Rules by their text that are known here: those of a preset, or with changes of rules that stand alone.
   * @param {string} text @param {number} players @returns {Rules}
   */
  rules(text, players) {
    const { fields, players: range } = this.data,
      [least, most] = range,
      words = wordsOf(text),
      key = keyOf(text, players);
    if (!(players >= least && players <= most))
      throw new Refusal(`this game needs ${least} to ${most} seats, not ${players}`);
    const known = this.engine.description.presets.map(preset => preset.rules[players]).filter(Boolean);
    const exact = this.learned.get(key) ?? known.find(rules => keyOf(rules.text, players) === key);
    if (exact) return exact;
    const areWritten = words.every(word => word.split("=").length === 2);
    if (!areWritten) throw new Refusal("rules are written name=value, with spaces between them");
    const asked = Object.fromEntries(words.map(word => word.split("=")));
    if (Object.keys(asked).length < words.length) throw new Refusal("a rule is given twice");
    const others = of => wordsOf(of).filter(word => !Object.hasOwn(fields, word.split("=")[0]));
    const base = known.find(rules => others(rules.text).sort().join(" ") === others(text).sort().join(" "));
    if (base) return this.changed(base, asked);
    throw new Refusal(`${others(text).join(" ").slice(0, 40)} cannot be chosen at a table without a server`);
  }

  /**
   * Rules with some changes, each of which stands alone.
   * @param {Rules} rules @param {Record<string, string>} asked values by name
   */
  changed(rules, asked) {
    const official = this.engine.description.presets[0].rules[Number(rules.record.players)].record,
      { fields, ruleNames } = this.data;
    const given = Object.fromEntries(rules.text.split(" ").map(word => word.split("="))),
      record = { ...rules.record };
    let { policy } = rules;
    for (const [name, { usual, range, choices, keepsPolicy }] of Object.entries(fields)) {
      const word = name in asked ? String(asked[name]) : usual,
        number = choices ? choices.indexOf(word) : Number(word);
      const value = name in asked ? number : official[name];
      const isOne = choices ? value >= 0 : /^\d+$/.test(word) && value >= range[0] && value <= range[1];
      if (name in asked && !isOne) {
        throw new Refusal(`${name} is ${choices?.join(" or ") ?? `from ${range.join(" to ")}`}`);
      }
      given[name] = value === official[name] ? undefined : choices ? word : String(value);
      if (record[name] !== value && !keepsPolicy) policy = null;
      record[name] = value;
    }
    const text = ruleNames
      .filter(name => given[name] !== undefined)
      .map(name => `${name}=${given[name]}`)
      .join(" ");
    return { ...rules, base: rules.text, record, policy, text };
  }

  /** @param {Rules} rules @returns {string[]} by action */
  actionNames(rules) {
    return rules.actions;
  }

  /**
   * Why an action is better than another by so many points; empty if no reason accounts for enough. As
   * skyjo/table/phrases.py.
   * @param {Rules} rules @param {ArrayLike<number>} observation @param {number} better @param {number} other
   * @param {number} lead
   */
  reason(rules, observation, better, other, lead) {
    const parts = this.parts(rules, observation, better, other),
      [first] = parts.filter(({ words }) => words !== null);
    const areEnough = sum(parts.map(({ gain }) => gain)) >= IN_ALL * lead;
    return areEnough && first?.gain >= NAMED * lead ? (first.words ?? "") : "";
  }

  /**
   * The parts of what makes an action better than another, in points and in words if there are any, most first.
   * @param {Rules} rules @param {ArrayLike<number>} observation @param {number} better @param {number} other
   * @returns {{gain: number, words: string | null}[]}
   */
  parts(rules, observation, better, other) {
    const { reasons, names } = this.data.phrases,
      templates = Object.values(reasons);
    if (!templates.length) return [];
    const found = this.engine.reasons(rules, observation, better, other, templates.length),
      said = (part, kind) => (part.way === UNSAID ? null : filled(templates[kind], part, names));
    const parts = found.map((part, kind) => ({ gain: part.gain, words: said(part, kind) }));
    return parts.sort((one, two) => two.gain - one.gain);
  }

  /** Which agents cannot play by these rules, and why. @param {Rules} rules */
  unable(rules) {
    const { agents } = this.engine.description,
      named = (names, why) => Object.fromEntries(names.map(name => [name, why]));
    const learned = Object.keys(agents).filter(name => agents[name].calls.startsWith("choose_by") && !rules.policy);
    const absent = this.data.agents.filter(name => !(name in agents) && !this.isDistant(name));
    return {
      ...named(learned, "by these rules"),
      ...this.data.unable[rules.base ?? rules.text],
      ...named(absent, SERVED),
    };
  }

  /**
   * The table before the first decision of a record, which may begin at a position.
   * @param {any} record @param {number} players
   */
  begun({ rules, seed, deal = 0, episode, position }, players) {
    if (position) return this.standing(position.rules, position.state);
    const keys = { seed: BigInt(seed), deal: BigInt(deal) },
      areKeys = Object.values(keys).every(key => key === BigInt.asUintN(64, key));
    if (!areKeys || !this.engine.description.episodes.includes(episode)) throw new Refusal("there is no such deal");
    return this.engine.newGame(this.rules(rules, players), { ...keys, episode });
  }

  /** The table of a record of the kernel's. @param {Rules} rules @param {string} state in base64 */
  standing(rules, state) {
    return new Table(this.engine, rules, bytesOf(state));
  }

  /** Does an agent decide on the server? @param {string} text perhaps with parameters */
  isDistant(text) {
    const isHere = Object.hasOwn(this.engine.description.agents, text),
      [name] = text.split(":");
    return !isHere && (this.distant.includes(text) || (this.isServed && this.data.agents.includes(name)));
  }

  /** Refuse an agent that cannot sit down. @param {string} text @param {Rules} rules */
  check(text, rules) {
    const isKnown = Object.hasOwn(this.engine.description.agents, text) || this.isDistant(text);
    const why = isKnown ? this.unable(rules)[text] : this.data.agents.includes(text) ? SERVED : "here";
    if (why) throw new Refusal(`agent ${String(text).slice(0, 40)} cannot play ${why}`);
  }

  /** The first of the advisers that knows the rules. @param {Rules} rules */
  adviser(rules) {
    return this.data.advisers.find(name => name in this.engine.description.agents && !(name in this.unable(rules)));
  }

  /** See to it that an agent can play: fetch its networks, once. @param {string} agent @param {Rules} rules */
  async ready(agent, rules) {
    if (this.isDistant(agent)) {
      await this.askAgent(agent, rules, [], []);
      return void (await this.policyOf(agent, rules));
    }
    const { policy } = rules;
    const { agents, networks } = this.engine.description,
      file = name => `${this.data.game}_${name}.weights`;
    const names = agents[agent]?.calls.startsWith("choose_by") ? [policy, `${policy}_value`] : [];
    const fetched = name => this.read(file(name)).then(weights => this.engine.addNetwork(name, weights));
    const needed = names.filter(name => name in networks);
    await Promise.all(needed.map(name => once(this.networks, name, () => fetched(name)))).catch(() => {
      throw new Refusal(`the files of ${agent} cannot be loaded; is this browser online?`);
    });
  }

  /** What an agent does at a table as it is now, here or on the server. @param {string} agent @param {Table} table */
  async choice(agent, table) {
    if (!this.isDistant(agent)) {
      await this.ready(agent, table.rules);
      return table.choose(agent);
    }
    const policy = await this.policyOf(agent, table.rules);
    if (policy) return new Table(this.engine, { ...table.rules, policy }, table.state).choose("policy");
    const [action] = await this.askAgent(agent, table.rules, [[...table.observation()]], [[...table.mask()]]);
    return action;
  }

  /**
   * The network by which an agent of the server plays, fetched once, if the page can play by it; else null.
   * @param {string} agent @param {Rules} rules @returns {Promise<string | null>}
   */
  policyOf(agent, rules) {
    return once(this.policies, `${agent} ${rules.text}`, () => this.fetchPolicy(agent, rules));
  }

  /** @param {string} agent @param {Rules} rules */
  async fetchPolicy(agent, { text: rules }) {
    if (!agent.startsWith("policy:") || !this.distant.includes(agent)) return null;
    const { network } = await this.remote.ask(`/api/networks/${this.data.game}`, { rules, agent });
    if (!network) return null;
    const { name, weights, ...described } = network,
      { networks } = this.engine.description;
    if (!(name in networks)) {
      networks[name] = described;
      this.engine.addNetwork(name, bytesOf(weights));
    }
    return name;
  }

  /**
   * @param {string} agent @param {Rules} rules @param {number[][]} observations @param {number[][]} masks
   * @returns {Promise<number[]>}
   */
  async askAgent(agent, { text: rules }, observations, masks) {
    return (await this.remote.ask(`/api/agents/${this.data.game}`, { rules, agent, observations, masks })).actions;
  }

  /**
   * A position as text, as an observation shows it; null without a server.
   * @param {Rules} rules @param {string} episode @param {ArrayLike<number>} observation
   */
  async position(rules, episode, observation) {
    if (!this.isServed) return null;
    const seen = { rules: rules.text, episode, observation: Array.from(observation) };
    return (await this.remote.ask(`/api/seen/${this.data.game}`, seen)).position;
  }
}
