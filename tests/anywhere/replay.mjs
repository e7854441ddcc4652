// Plays written games in WebAssembly, one a line, and prints a digest of all that it saw of each: see test_lockstep.py.
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { Engine } from "../../skyjo/web/engine/engine.js";

const [folder, game, file] = process.argv.slice(2);
const description = JSON.parse(readFileSync(`${folder}/${game}.json`, "utf8"));
const engine = await Engine.load(readFileSync(`${folder}/${game}.wasm`), description);
for (const name in description.networks) engine.addNetwork(name, readFileSync(`${folder}/${game}_${name}.weights`));

const NAMES = ["state", "mask", "view", "outcomes", "events", "luck", "choices", "action_values"];

/** What is compared, part by part. @param {any} written */
function play({ rules, seed, deal, episode, steps }) {
  const parts = Object.fromEntries(NAMES.map(name => [name, createHash("sha1")]));
  const table = engine.newGame(rules, { seed: BigInt(seed), deal: BigInt(deal), episode });
  const note = (/** @type {number} */ seat) => {
    parts.state.update(table.state);
    parts.mask.update(table.mask());
    parts.view.update(table.observation());
    parts.view.update(table.observation(seat));
  };
  for (const { action, seat, cards, agent } of steps) {
    note(seat);
    if (cards) {
      const { revealed, counts, events, after } = table.play(action, ...cards);
      parts.outcomes.update([revealed, ...counts].join(" "));
      parts.outcomes.update(after.state);
      parts.events.update(JSON.stringify(events.map(each => Object.values(each))));
      parts.luck.update(new Float64Array(table.luck(action).flat()));
    }
    if (agent) parts.choices.update(`${table.choose(agent)} `);
    for (const worth of valued(table, agent, action)) parts.action_values.update(worth);
    table.apply(action);
  }
  note(0);
  const digests = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.digest("hex")]));
  return { ...digests, scores: [...table.totals, ...table.roundScores, ...table.winners].join(" ") };
}

/** What an agent that values actions takes them to be worth. @param {any} table @param {string} agent @param {number} action */
function valued(table, agent, action) {
  if (agent === "lookahead") return [...table.worths(), table.worth()];
  if (agent !== "rollout") return [];
  const [guesses, turns] = description.agents.rollout.effort,
    effort = [guesses, turns, 1];
  const compared = table.compare(table.legalActions()[0], action, { first: 7, more: 9, turns, key: 5n });
  return [...table.worths({ agent, effort }), new Float64Array(compared)];
}

const lines = createInterface({ input: createReadStream(file) });
for await (const line of lines) console.log(JSON.stringify(play(JSON.parse(line))));
