/** Five steps that teach a game: at each, somebody decides at a live table, and an agent answers. */

import { byId, make } from "./dom.js";
import { answered } from "./server.js";
import { keep, kept } from "./storage.js";

const STEP = 700; // milliseconds between decisions that are shown
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {number} time */
const wait = time => new Promise(done => setTimeout(done, still.matches ? 0 : time));

/** @param {any} page */
export function createPart(page) {
  const { lessons, title, game, puzzles } = page.game;
  const name = `lessons-${game}`;
  const panel = byId("steps-sheet");
  /** Lessons that have been done in this browser. @type {() => number[]} */
  const done = () => [kept(name, [])].flat();
  let number = Math.max(
    0,
    lessons.findIndex((_, index) => !done().includes(index)),
  );
  /** @type {number[]} what has been decided in this lesson */
  let actions = [];
  let isReached = false;
  /** @type {Promise<void>} what is on its way; presses wait for it */
  let busy = Promise.resolve();
  let isShown = false;
  let begun = 0; // how many lessons have been begun

  /** Begin a lesson, or show it again. @param {number} which @param {number[]} [decided] */
  async function begin(which, decided = []) {
    if (decided.length === 0) isReached = false;
    number = which;
    begun += 1;
    page.clear();
    await send(decided);
    describe();
  }

  /** Send what has been decided, and show what came of it. @param {number[]} decided */
  async function send(decided) {
    const mine = begun;
    const { views, state } = await answered(`/api/learn/lessons/${number}`, { actions: decided });
    if (mine !== begun) return;
    actions = state.wrong ? [] : decided;
    if (state.wrong) {
      page.clear();
      page.refuse("That’s not it. The cards are dealt again");
    }
    for (const [index, view] of views.entries()) {
      if (index > 0) await wait(STEP);
      if (mine !== begun) return;
      page.show(index === views.length - 1 ? view : { ...view, actions: [], names: {} });
    }
    if (isReached || !state.reached) return;
    isReached = true;
    keep(name, [...new Set([...done(), number])]);
    describe();
  }

  /** Say what the lesson is about, what to do, or what was seen. */
  function describe() {
    const { title: about, words, clause, task, done: seen } = lessons[number];
    const told = isReached ? make("p.done-words", { role: "status" }, `Well done. ${seen}`) : make("p.task", task);
    const again = make("button", { click: () => begin(number) }, "Start again");
    const tools = make("div.tools", ...(isReached ? following() : []), again);
    const rule = make("p.note", "More in the rules, clause ", make("a", { href: `#rules-${clause}` }, clause), ".");
    const heading = make("h2", { tabindex: "-1" }, `${number + 1}. ${about}`);
    panel.replaceChildren(dots(), heading, make("p", words), told, tools, rule);
    if (isReached) tools.firstElementChild.focus();
  }

  /** What follows once a lesson is learned. */
  function following() {
    if (number < lessons.length - 1) return [make("button.main", { click: () => begin(number + 1) }, "Next step")];
    const play = make("a.button.main", { href: byId("title").getAttribute("href") }, "Play a game");
    return [play, puzzles.count > 0 && make("a.button", { href: "#puzzles" }, "Puzzles")];
  }

  /** The lessons, and which are done. */
  function dots() {
    const all = lessons.map(({ title: about }, index) => {
      const isDone = done().includes(index);
      const label = `Step ${index + 1}: ${about}${isDone ? ", done" : ""}`;
      const state = { class: isDone ? "done" : "", "aria-current": index === number && "step" };
      return make("button", { ...state, "aria-label": label, click: () => begin(index) }, String(index + 1));
    });
    return make("div.dots", { role: "group", "aria-label": `Steps of ${title}` }, ...all);
  }

  /** @param {number} action @param {string} [then] */
  async function decide(action, then) {
    await send([...actions, action]);
    const following = then === undefined ? undefined : page.act(then);
    if (following !== undefined) await send([...actions, following]);
  }

  return {
    /** @param {string} what the number of a step */
    async open(what) {
      const asked = Number(what) - 1;
      if (what && lessons[asked]) await begin(asked);
      else await begin(number, isShown ? actions : []);
      isShown = true;
    },

    /** @param {number} action @param {string} [then] what follows */
    act(action, then) {
      busy = busy.then(() => decide(action, then)).catch(error => page.refuse(error.message));
    },

    task: () => (isReached ? "" : lessons[number].task),

    /** @param {string} code */
    key(code) {
      const next = { Backspace: number, KeyN: (number + 1) % lessons.length }[code];
      if (next !== undefined) void begin(next);
      return next !== undefined;
    },
  };
}
