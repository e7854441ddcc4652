/** Puzzles: real decisions whose best answer is beyond doubt, by theme, with a streak that the browser keeps. */

import { showArrows } from "./arrows.js";
import { byId, make, sentence, style } from "./dom.js";
import { answered } from "./server.js";
import { keep, kept } from "./storage.js";
import { worthTable } from "./worths.js";

const AMONG = 8; // of the easiest unsolved puzzles, one is chosen at random

await style("analysis.css");

/** @typedef {{streak: number, best: number, solved: number[]}} Record what a browser keeps */

/** @param {any} page */
export function createPart(page) {
  const { puzzles, game } = page.game;
  const name = `puzzles-${game}`;
  const panel = byId("puzzles-sheet");
  let theme = "";
  let number = -1;
  /** @type {any} the puzzle's view */
  let view = null;
  /** @type {any} what is known before it is answered */
  let question = null;
  let isAnswered = false;
  let posed = 0; // how many puzzles have been asked for

  /** @returns {Record} */
  function record() {
    const { streak, best, solved } = kept(name, /** @type {any} */ ({}));
    return { streak: Number(streak) || 0, best: Number(best) || 0, solved: Array.isArray(solved) ? solved : [] };
  }

  /** @param {boolean} isRight */
  function count(isRight) {
    const { streak, best, solved } = record();
    const now = isRight ? streak + 1 : 0;
    keep(name, {
      streak: now,
      best: Math.max(best, now),
      solved: isRight ? [...new Set([...solved, number])] : solved,
    });
  }

  /** The puzzles of the theme, or all, the easiest first. @returns {number[]} */
  const chosen = () =>
    puzzles.themes
      .filter((/** @type {any} */ one) => !theme || one.name === theme)
      .flatMap((/** @type {any} */ one) => one.puzzles)
      .sort((/** @type {number} */ one, /** @type {number} */ other) => one - other);

  /** A puzzle that is not solved yet, if there is one. */
  function another() {
    const { solved } = record();
    const all = chosen().filter(one => one !== number);
    const open = all.filter(one => !solved.includes(one));
    const from = (open.length > 0 ? open : all).slice(0, AMONG);
    return from[Math.floor(Math.random() * from.length)] ?? number;
  }

  /** Show a puzzle, unless another one has been asked for meanwhile. @param {number} which */
  async function pose(which) {
    const mine = ++posed;
    isAnswered = true; // nothing can be answered before it is here
    const found = await answered(`/api/learn/puzzles/${which}`);
    if (mine !== posed) return;
    [number, view, question, isAnswered] = [which, found.view, found.question, false];
    history.replaceState(null, "", `#puzzles-${number + 1}`);
    page.clear();
    page.show(view, "");
    describe([make("p", { class: "task" }, "What is best? Press the cards.")], []);
  }

  /** @param {Node[]} told @param {any[]} tools */
  function describe(told, tools) {
    const { level, players } = question;
    const title = puzzles.themes.find((/** @type {any} */ one) => one.name === question.theme)?.title;
    const heading = make("h2", { tabindex: "-1" }, title);
    const about = make(
      "p",
      { class: "level" },
      `Puzzle ${number + 1} of ${puzzles.count}, ${level}, ${players} players, in a single round`,
    );
    const skip = isAnswered ? [] : [button("Another one", "", () => void pose(another()).catch(failed))];
    panel.replaceChildren(
      streak(),
      themes(),
      heading,
      about,
      ...told,
      make("div", { class: "tools" }, ...tools, ...skip),
    );
  }

  function streak() {
    const { streak: now, best, solved } = record();
    const numbers = [
      [now, "in a row"],
      [best, "longest streak"],
      [solved.length, `solved of ${puzzles.count}`],
    ];
    return make(
      "div",
      { class: "streak", role: "group", "aria-label": "Your puzzles in this browser" },
      ...numbers.map(([count, words]) =>
        make("div", {}, make("b", {}, String(count)), make("span", {}, String(words))),
      ),
    );
  }

  function themes() {
    const all = make("option", { value: "" }, `All themes (${puzzles.count})`);
    const select = make(
      "select",
      { id: "theme" },
      all,
      ...puzzles.themes.map((/** @type {any} */ one) =>
        make("option", { value: one.name }, `${one.title} (${one.puzzles.length})`),
      ),
    );
    select.value = theme;
    select.addEventListener("change", () => {
      theme = select.value;
      void pose(another()).then(() => panel.querySelector("h2")?.focus(), failed); // so that keys press cards
    });
    return make("label", { class: "themes" }, make("span", { class: "field" }, "Theme"), select);
  }

  /** @param {number} action @param {string} [then] what would have followed */
  async function answer(action, then) {
    const { best, choices, standard_error: error, why } = await answered(`/api/learn/puzzles/${number}`, { action });
    const isRight = best.includes(action);
    isAnswered = true;
    count(isRight);
    page.clear();
    page.show({ ...view, actions: [], names: {} }, "");
    const seat = view.decider;
    const lead =
      choices[0].worth - (choices.find((/** @type {any} */ one) => one.worth < choices[0].worth)?.worth ?? 0);
    const mine = choices.find((/** @type {any} */ one) => one.action === action);
    const usual = [
      ...(isRight ? [] : [{ name: mine.name, seat, kind: "played" }]),
      { name: (isRight ? mine : choices[0]).name, seat, kind: "best" },
    ];
    const point = (/** @type {any[]|null} */ tried) =>
      showArrows(
        tried ? tried.map(one => ({ name: one.name, seat, kind: "tried" })) : /** @type {any} */ (usual),
        view.phase,
      );
    point(null);
    const reason = why ? ` ${sentence(page.plain(why))}` : "";
    const verdict = isRight
      ? "Right."
      : `Not the best: it gives away ${(choices[0].worth - mine.worth).toFixed(1)} points.`;
    const words = make(
      "p",
      { class: isRight ? "done-words" : "wrong-words", role: "status" },
      verdict,
      make(
        "span",
        { class: "verdict-text" },
        ` The best choice beats the next by ${lead.toFixed(1)} ± ${(2 * error).toFixed(1)} points, by rollouts.${reason}`,
      ),
    );
    const first = then ? [make("p", { class: "note" }, "Only your first action, taking the card, counts here.")] : [];
    const table = worthTable(choices, { isAll: true, played: action, check: null, plain: page.plain }, point, () => {});
    const next = button("Next puzzle", "main", () => void pose(another()).catch(failed));
    describe([words, ...first, ...table], [next, button("Try it again", "", () => void pose(number).catch(failed))]);
    next.focus();
  }

  const failed = (/** @type {Error} */ error) => page.refuse(error.message);

  return {
    /** @param {string} what the number of a puzzle */
    async open(what) {
      const asked = Number(what) - 1;
      if (what && asked === number)
        return view && page.show(isAnswered ? { ...view, actions: [], names: {} } : view, "");
      return pose(what && asked >= 0 && asked < puzzles.count ? asked : number >= 0 ? number : another());
    },

    /** @param {number} action @param {string} [then] */
    act(action, then) {
      if (!isAnswered) void answer(action, then).catch(failed);
    },

    /** @param {string} code */
    key(code) {
      if (code !== "KeyN") return false;
      void pose(another()).catch(failed);
      return true;
    },
  };
}

/** @param {string} words @param {string} kind @param {() => void} press */
function button(words, kind, press) {
  const node = make("button", { type: "button", class: kind }, words);
  node.addEventListener("click", press);
  return node;
}
