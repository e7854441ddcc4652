/** A game as tables need it: its kernel, what Python has written down of it (anywhere/table_data.py), and its words. */

import { Table } from "../engine.js";
import { Refusal } from "./played_game.js";

/** @typedef {import("../engine.js").Rules & {base?: string}} Rules */

const WORDS = {
  skyjo: () => import("./skyjo_words.js"),
  skipbo: () => import("./skipbo_words.js"),
  skyjo_action: () => import("./skyjo_action_words.js"),
};

const SERVED = "without a server"; // what cannot play so

const wordsOf = text => text.split(/\s+/).filter(word => word && !word.startsWith("players="));

export class Kind {
  /** @param {string} game @param {(name: string) => Promise<any>} read a file of the game's @param {typeof import("../engine.js").Engine} Engine */
  static async load(game, read, Engine) {
    if (!Object.hasOwn(WORDS, game)) throw new Refusal("there is no such game", 404);
    const [description, code, data, words] = await Promise.all([read("module.json"), read("module.wasm"), read("table.json"), WORDS[game]()]);
    return new Kind(await Engine.load(code, description), data, words, read);
  }

  constructor(engine, data, words, read) {
    Object.assign(this, { engine, data, words, read });
    /** @type {Map<string, Promise<void>>} by network */
    this.networks = new Map();
  }

  /** Rules by their text: those of a preset, or the official ones with changes. @param {string} text @param {number} players @returns {Rules} */
  rules(text, players) {
    const { presets } = this.engine.description, words = wordsOf(text), [least, most] = this.data.players;
    if (!(players >= least && players <= most)) throw new Refusal(`this game needs ${least} to ${most} seats, not ${players}`);
    const isSame = rules => rules && wordsOf(rules.text).sort().join(" ") === [...words].sort().join(" ");
    return presets.map(preset => preset.rules[players]).find(isSame) ?? this.changed(presets[0].rules[players], words);
  }

  /** Rules with some changes, each of which stands alone. @param {Rules} rules @param {string[]} words such as target_score=50 */
  changed(rules, words) {
    const changes = Object.fromEntries(words.map(word => word.split("="))), { fields } = this.data, changed = { ...rules, base: rules.text, record: { ...rules.record } };
    const odd = Object.keys(changes).find(name => !Object.hasOwn(fields, name));
    if (odd !== undefined) throw new Refusal(`${odd.slice(0, 40)} cannot be changed at a table without a server`);
    for (const name of Object.keys(fields).filter(each => each in changes && changes[each] !== fields[each].usual)) {
      const { range, choices, keepsPolicy } = fields[name], value = choices ? choices.indexOf(changes[name]) : Number(changes[name]);
      if (choices ? value < 0 : !(/^\d+$/.test(changes[name]) && value >= range[0] && value <= range[1])) throw new Refusal(`${name} is ${choices?.join(" or ") ?? `from ${range.join(" to ")}`}`);
      changed.record[name] = value;
      changed.text = `${changed.text} ${name}=${choices ? changes[name] : value}`.trim();
      if (!keepsPolicy) changed.policy = null;
    }
    return changed;
  }

  /** @param {Rules} rules @returns {string[]} by action */
  actionNames(rules) {
    return this.data.actions[rules.base ?? rules.text];
  }

  /** Which agents cannot play by these rules, and why. @param {Rules} rules */
  unable(rules) {
    const { agents } = this.engine.description, learned = Object.keys(agents).filter(name => agents[name].calls.startsWith("choose_by") && !rules.policy);
    const named = (names, why) => Object.fromEntries(names.map(name => [name, why])), absent = this.data.agents.filter(name => !(name in agents));
    return { ...named(learned, "by these rules"), ...this.data.unable[rules.base ?? rules.text], ...named(absent, SERVED) };
  }

  /** The table before the first decision of a record. @param {Rules} rules @param {any} record */
  dealt(rules, { seed, deal = 0, episode }) {
    const keys = { seed: BigInt(seed), deal: BigInt(deal) };
    if (!this.engine.description.episodes.includes(episode) || Object.values(keys).some(key => key !== BigInt.asUintN(64, key))) throw new Refusal("there is no such deal");
    return this.engine.newGame(rules, { ...keys, episode });
  }

  /** The table of a record of the kernel's. @param {Rules} rules @param {string} state in base64 */
  standing(rules, state) {
    return new Table(this.engine, rules, Uint8Array.from(atob(state), letter => letter.charCodeAt(0)));
  }

  /** Refuse an agent that cannot sit down. @param {string} text @param {Rules} rules */
  check(text, rules) {
    const why = Object.hasOwn(this.engine.description.agents, text) ? this.unable(rules)[text] : this.data.agents.includes(text) ? SERVED : "here";
    if (why) throw new Refusal(`agent ${String(text).slice(0, 40)} cannot play ${why}`);
  }

  /** The first of the advisers that knows the rules. @param {Rules} rules */
  adviser(rules) {
    return this.data.advisers.find(name => name in this.engine.description.agents && !(name in this.unable(rules)));
  }

  /** Fetch the networks that an agent needs, once. @param {string} agent @param {Rules} rules */
  async ready(agent, { policy }) {
    const { agents, networks } = this.engine.description;
    const names = agents[agent].calls.startsWith("choose_by") ? [policy, `${policy}_judge`] : [];
    await Promise.all(names.filter(name => name in networks).map(name => {
      const fetched = this.networks.get(name) ?? this.read(`${this.data.game}_${name}.weights`).then(weights => this.engine.addNetwork(name, weights));
      fetched.catch(() => this.networks.delete(name));
      this.networks.set(name, fetched);
      return fetched;
    })).catch(() => { throw new Refusal(`the network of ${agent} cannot be loaded now`); });
  }
}
