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
  let number = firstOpen();
  /** @type {number[]} what has been decided in this lesson */
  let actions = [];
  let isReached = false;
  /** @type {Promise<void>} what is on its way; presses wait for it */
  let busy = Promise.resolve();
  let isShown = false;
  let begun = 0; // how many lessons have been begun

  /** Lessons that have been done in this browser. @returns {number[]} */
  function done() {
    const found = kept(name, []);
    return Array.isArray(found) ? found : [];
  }

  function firstOpen() {
    const found = lessons.findIndex((/** @type {any} */ _, /** @type {number} */ index) => !done().includes(index));
    return found < 0 ? 0 : found;
  }

  /** Begin a lesson. @param {number} which */
  async function begin(which) {
    [number, actions, isReached] = [which, [], false];
    begun += 1;
    page.clear();
    await send([]);
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
      page.refuse("That is not it: the cards are dealt again");
    }
    for (const [index, view] of views.entries()) {
      if (index > 0) await wait(STEP);
      if (mine !== begun) return;
      const isLast = index === views.length - 1;
      page.show(isLast ? view : { ...view, actions: [], names: {} });
    }
    note(state.reached);
  }

  /** @param {boolean} isDone */
  function note(isDone) {
    if (isReached || !isDone) return;
    isReached = true;
    keep(name, [...new Set([...done(), number])]);
    describe();
  }

  /** Say what the lesson is about, or what was seen. */
  function describe() {
    const { title: about, words, clause } = lessons[number];
    const heading = make("h2", { tabindex: "-1" }, `${number + 1}. ${about}`);
    const more = make("a", { href: `#rules-${clause}` }, clause);
    const rule = make("p", { class: "note" }, "More in the rules, clause ", more, ".");
    const again = button("Start again", "", () => begin(number));
    const tools = make("div", { class: "tools" }, ...(isReached ? following() : []), again);
    panel.replaceChildren(dots(), heading, make("p", {}, words), told(), tools, rule);
    if (isReached) tools.firstElementChild.focus();
  }

  /** What to do, or what was seen. */
  function told() {
    const { task, done: seen } = lessons[number];
    if (!isReached) return make("p", { class: "task" }, task);
    return make("p", { class: "done-words", role: "status" }, `Well done. ${seen}`);
  }

  /** What follows once a lesson is learned. */
  function following() {
    if (number < lessons.length - 1) return [button("Next step", "main", () => begin(number + 1))];
    const play = link("Play a game", byId("title").getAttribute("href"), "button main");
    return puzzles.count > 0 ? [play, link("Puzzles", "#puzzles", "button")] : [play];
  }

  /** The lessons, and which are done. */
  function dots() {
    const been = done();
    const all = lessons.map((/** @type {any} */ { title: about }, /** @type {number} */ index) => {
      const one = button(String(index + 1), been.includes(index) ? "done" : "", () => begin(index));
      one.setAttribute("aria-label", `Step ${index + 1}: ${about}${been.includes(index) ? ", done" : ""}`);
      if (index === number) one.setAttribute("aria-current", "step");
      return one;
    });
    return make("div", { class: "dots", role: "group", "aria-label": `Steps of ${title}` }, ...all);
  }

  return {
    /** @param {string} what the number of a step */
    async open(what) {
      const asked = Number(what) - 1;
      if (what && lessons[asked]) await begin(asked);
      else if (!isShown) await begin(number);
      else await resume();
      isShown = true;
    },

    /** @param {number} action @param {string} [then] what follows */
    act(action, then) {
      busy = busy.then(() => decide(action, then)).catch((/** @type {Error} */ error) => page.refuse(error.message));
    },

    task: () => (isReached ? "" : lessons[number].task),

    /** @param {string} code */
    key(code) {
      if (code === "Backspace") void begin(number);
      else if (code === "KeyN") void begin((number + 1) % lessons.length);
      else return false;
      return true;
    },
  };

  /** @param {number} action @param {string} [then] */
  async function decide(action, then) {
    await send([...actions, action]);
    const following = then === undefined ? undefined : page.act(then);
    if (following !== undefined) await send([...actions, following]);
  }

  /** Show the lesson again after another part. */
  async function resume() {
    page.clear();
    await send(actions);
    describe();
  }
}

/** @param {string} words @param {string} kind @param {() => void} press */
function button(words, kind, press) {
  const node = make("button", { type: "button", class: kind }, words);
  node.addEventListener("click", press);
  return node;
}

/** @param {string} words @param {string} address @param {string} kind */
const link = (words, address, kind) => make("a", { href: address, class: kind }, words);
