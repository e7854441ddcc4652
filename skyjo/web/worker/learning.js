/** Lessons, played against an agent; puzzles and rules as Python wrote them down. As skyjo/web/learn_routes.py. */

import { PlayedGame, Refusal } from "./played_game.js";
import { view } from "./views.js";

const OWN = 0, MAX_ACTIONS = 60;
const NAMES = ["you", "your rival"];

/** @type {import("./local_server.js").Routes} */
export const LEARN_ROUTES = {
  "POST learn/lessons/*": ({ kind, number, body }) => lesson(kind, Number(number), body.actions),
  "GET learn/puzzles/*": async ({ kind, number }) => {
    const { view: shown, question } = await puzzle(kind, Number(number));
    return { view: shown, question };
  },
  "POST learn/puzzles/*": async ({ kind, number }) => (await puzzle(kind, Number(number))).answer,
};

/** @param {number} number */
async function puzzle(kind, number) {
  const puzzles = await kind.read("puzzles.json");
  if (!Object.hasOwn(puzzles, number)) throw new Refusal(`there are ${puzzles.length}, counted from 0`, 404);
  return puzzles[number];
}

/** A lesson after what the learner has decided. @param {number} number @param {number[]} actions */
async function lesson(kind, number, actions) {
  const { lessons } = kind.data;
  if (!Object.hasOwn(lessons, number)) throw new Refusal(`there are ${lessons.length}, counted from 0`, 404);
  if (!Array.isArray(actions)) throw new Refusal('a lesson has a list of "actions"');
  if (actions.length > MAX_ACTIONS) throw new Refusal(`a lesson has at most ${MAX_ACTIONS} decisions; start it again`);
  const { state, rules, goal, rival } = lessons[number], played = new PlayedGame(kind, kind.standing(rules, state));
  const isOwn = () => !played.table.isOver && played.table.seat === OWN, shown = () => view(played, played.decisions.length, { names: NAMES, seat: OWN, decides: isOwn() });
  let views = [shown()];
  for (const action of actions) {
    if (!isOwn()) throw new Refusal("the lesson is over; start it again");
    played.apply(action);
    for (views = [shown()]; !played.table.isOver && !isOwn(); views.push(shown())) played.apply(await played.choice(rival));
  }
  const isDone = played.decisions.some(({ seat, words }) => seat === OWN && new RegExp(goal).test(words));
  return { views, state: { reached: isDone && (played.table.phase !== "opening" || !isOwn()), over: played.table.isOver } };
}
