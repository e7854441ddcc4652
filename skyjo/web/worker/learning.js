/** Lessons, played against an agent; and puzzles: decisions of which Python has found out what each choice is worth. */

import { PlayedGame, Refusal, seen } from "./played_game.js";
import { view, YOU } from "./views.js";

const OWN = 0;
const NAMES = [YOU, "your opponent"];

/** @type {Routes} */
export const LEARN_ROUTES = {
  "POST learn/lessons/*": ({ kind, number, body }) => lesson(kind, Number(number), body.actions),
  "GET learn/puzzles/*": async ({ kind, number }) => question(kind, await puzzle(kind, Number(number))),
  "POST learn/puzzles/*": async ({ kind, number }) => answer(kind, await puzzle(kind, Number(number))),
};

/** @param {number} number @returns {Promise<any>} */
async function puzzle(kind, number) {
  const puzzles = await kind.read("puzzles.json");
  if (!Object.hasOwn(puzzles, number)) throw new Refusal(`there are ${puzzles.length}, counted from 0`, 404);
  return puzzles[number];
}

/**
 * By which rules a puzzle is played, what its seat sees, and what its actions are called.
 * @param {Kind} kind @param {any} puzzle
 */
function shown(kind, { players, observation }) {
  const rules = kind.engine.preset(kind.engine.description.presets[0].name, players);
  return { rules, see: seen(rules, observation), names: kind.actionNames(rules) };
}

/** The legal actions. @param {any} puzzle */
const legalOf = ({ values }) => [...values.keys()].filter(action => values[action] !== null);

/** What is known before a puzzle is answered. @param {any} puzzle */
function question(kind, puzzle) {
  const { players, observation, theme, level } = puzzle;
  const { rules, see, names } = shown(kind, puzzle),
    { seat, phase = 0 } = see;
  const legal = Object.fromEntries(legalOf(puzzle).map(action => [action, names[action]]));
  const seats = Array.from({ length: players }, (_, other) => (other === seat ? YOU : `seat ${other + 1}`));
  const standing = {
    ...{ kind, rules, observation, legal, decider: seat, decisions: [], winners: [], isTruncated: false },
    ...{ round: 1, phase: kind.engine.description.phases[phase], episode: "round", totals: seats.map(() => 0) },
  };
  return { view: view(standing, { names: seats, seat }), question: { theme, level, players } };
}

/** What every choice is worth, best first, and why the best one is. @param {any} puzzle */
function answer(kind, puzzle) {
  const { values, error } = puzzle,
    { rules, names } = shown(kind, puzzle);
  const legal = legalOf(puzzle).sort((one, other) => values[other] - values[one]);
  const best = legal.filter(action => values[action] === values[legal[0]]).sort((one, other) => one - other);
  const choices = legal.map(action => ({ action, name: names[action], worth: values[action], chance: null }));
  const other = legal.find(action => values[action] < values[best[0]]),
    lead = values[best[0]] - values[other];
  const why = kind.reason(rules, puzzle.observation, best[0], other, lead);
  return { best, choices, standard_error: error, why };
}

/**
 * A lesson after what the learner has decided, or dealt again if that is not the way that it teaches.
 * @param {number} number @param {number[]} actions
 */
async function lesson(kind, number, actions) {
  const { state, rules, way, rival } = kind.data.lessons[number],
    played = new PlayedGame(kind, kind.standing(rules, state));
  const isOwn = () => !played.table.isOver && played.table.seat === OWN;
  const shown = () => view(played.standing(OWN), { names: NAMES, seat: OWN });
  let views = [shown()];
  const isWrong = (action, step) => step < way.length && !new RegExp(`^${way[step]}$`).test(played.names[action]);
  if (actions.some(isWrong)) return { views, state: { reached: false, wrong: true } };
  for (const action of actions) {
    if (!isOwn()) throw new Refusal("the lesson is over; start it again");
    played.apply(action);
    views = [shown()];
    for (; !played.table.isOver && !isOwn(); views.push(shown())) played.apply(await played.choice(rival));
  }
  return { views, state: { reached: actions.length >= way.length, wrong: false } };
}
