// `node benchmarks/anywhere.mjs` (after `make wasm`): how fast the WebAssembly modules play, and how long agents think.
import { existsSync, readFileSync } from "node:fs";

import { Engine } from "../skyjo/web/engine/engine.js";

const FOLDER = new URL("../build/wasm/", import.meta.url),
  SECONDS = 2;

/** @param {string} game */
async function engineOf(game) {
  const description = JSON.parse(readFileSync(new URL(`${game}.json`, FOLDER), "utf8"));
  const engine = await Engine.load(readFileSync(new URL(`${game}.wasm`, FOLDER)), description);
  const weights = (/** @type {string} */ name) => readFileSync(new URL(`${game}_${name}.weights`, FOLDER));
  for (const name in description.networks) engine.addNetwork(name, weights(name));
  return engine;
}

/** Random decisions in a second, each with the mask and the observation after it. @param {Engine} engine */
function decisions(engine) {
  const { functions, game, view, mask } = engine,
    rules = engine.preset(engine.description.presets[0].name, 2);
  const table = engine.newGame(rules),
    size = rules.observation.size,
    begin = performance.now();
  const seat = engine.numbers("i8", game + engine.description.records.game.fields.seat[1], 1);
  const marks = engine.numbers("i1", mask, table.actions);
  let made = 0,
    deal = 0n,
    state = 1;
  while (performance.now() - begin < 1000 * SECONDS) {
    for (let k = 0; k < 1000; k++) {
      const legal = functions.write_mask(game, table.address, mask);
      functions.write_observation(game, table.address, Number(seat[0]), view, size);
      if (!legal) {
        functions.new_game(game, table.address, 1n, deal++, 1);
        continue;
      }
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      let nth = (state >> 8) % legal,
        action = -1;
      do if (marks[++action]) nth--;
      while (nth >= 0);
      functions.apply(game, table.address, action);
      made++;
    }
  }
  return made / SECONDS;
}

/** How long an agent thinks about a decision of its own games. @param {Engine} engine @param {string} agent */
function thinking(engine, agent) {
  /** @type {number[]} */
  const times = [];
  for (let deal = 0; times.length < 2000; deal++) {
    const table = engine.newGame(engine.preset(engine.description.presets[0].name, 2), { deal, episode: "round" });
    while (!table.isOver) {
      const begin = performance.now(),
        action = table.choose(agent);
      times.push(performance.now() - begin);
      table.apply(action);
    }
  }
  times.sort((a, b) => a - b);
  return `${agent} ${times[times.length >> 1].toFixed(3)} ms, at most ${times[times.length - 1].toFixed(1)} ms`;
}

for (const game of ["skyjo", "skipbo", "skyjo_action"].filter(name => existsSync(new URL(`${name}.wasm`, FOLDER)))) {
  const engine = await engineOf(game);
  console.log(`${game}: ${Math.round(decisions(engine)).toLocaleString("en")} random decisions a second`);
  for (const agent in engine.description.agents) console.log(`  ${thinking(engine, agent)}`);
}
