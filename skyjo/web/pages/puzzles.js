/** Puzzles: real decisions whose best answer is beyond doubt, by theme, with a streak that the browser keeps. */

import { showArrows } from "./arrows.js";
import { byId, make, style } from "./dom.js";
import { answered } from "./server.js";
import { keep, kept } from "./storage.js";
import { sentence } from "./words.js";
import { worthTable } from "./worths.js";

const AMONG = 8; // of the easiest unsolved puzzles, one is chosen at random
const NEW = { streak: 0, best: 0, solved: [] }; // what a browser keeps

await style("analysis.css");

/** @param {any} page */
export function createPart(page) {
  const { puzzles, game } = page.game;
  const name = `puzzles-${game}`;
  const panel = byId("puzzles-sheet");
  let theme = "";
  let number = -1;
  let view = null; // of the puzzle
  let question = null; // what is known before it is answered
  let isAnswered = false;
  let posed = 0; // how many puzzles have been asked for

  const record = () => ({ ...NEW, ...kept(name, NEW) });
  const failed = error => page.refuse(error.message);

  /** @param {boolean} isRight */
  function count(isRight) {
    const { streak, best, solved } = record();
    const now = isRight ? streak + 1 : 0;
    const all = isRight ? [...new Set([...solved, number])] : solved;
    keep(name, { streak: now, best: Math.max(best, now), solved: all });
  }

  /** A puzzle of the theme that is not solved yet, if there is one. */
  function another() {
    const { solved } = record();
    const themes = puzzles.themes.filter(one => !theme || one.name === theme);
    const all = themes.flatMap(one => one.puzzles).filter(one => one !== number);
    const open = all.filter(one => !solved.includes(one));
    const from = (open.length > 0 ? open : all).sort((one, other) => one - other).slice(0, AMONG);
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
    describe([make("p.task", "What would you play?")], []);
  }

  /** A button that shows a puzzle. @param {string} words @param {() => number} which */
  const leading = (words, which, kind = "") =>
    make("button", { class: kind, click: () => pose(which()).catch(failed) }, words);

  /** @param {Node[]} told @param {any[]} tools */
  function describe(told, tools) {
    const { level, players } = question;
    const title = puzzles.themes.find(one => one.name === question.theme)?.title;
    const about = `Puzzle ${number + 1} of ${puzzles.count}, ${level}, ${players} players, one round`;
    const skip = !isAnswered && leading("Another puzzle", another);
    const heading = make("h2", { tabindex: "-1" }, title);
    panel.replaceChildren(
      streak(),
      themes(),
      heading,
      make("p.level", about),
      ...told,
      make("div.tools", ...tools, skip),
    );
  }

  function streak() {
    const { streak: now, best, solved } = record();
    const numbers = { "in a row": now, "longest streak": best, [`solved of ${puzzles.count}`]: solved.length };
    const parts = Object.entries(numbers).map(([words, count]) =>
      make("div", make("b", String(count)), make("span", words)),
    );
    return make("div.streak", { role: "group", "aria-label": "Your puzzles in this browser" }, ...parts);
  }

  function themes() {
    const option = (value, words) => make("option", { value }, words);
    const named = puzzles.themes.map(one => option(one.name, `${one.title} (${one.puzzles.length})`));
    const select = make("select#theme", { change }, option("", `All themes (${puzzles.count})`), ...named);
    select.value = theme;

    function change() {
      theme = select.value;
      pose(another()).then(() => panel.querySelector("h2").focus(), failed); // so that keys press cards
    }
    return make("label.themes", make("span.field", "Theme"), select);
  }

  /** @param {number} action @param {string} [then] what would have followed */
  async function answer(action, then) {
    const mine = posed;
    isAnswered = true; // by one press
    const { best, choices, standard_error: error, why } = await answered(`/api/learn/puzzles/${number}`, { action });
    if (mine !== posed) return; // for another puzzle
    const isRight = best.includes(action);
    count(isRight);
    page.clear();
    page.show({ ...view, actions: [], names: {} }, "");
    const seat = view.decider;
    const [first] = choices;
    const second = choices.find(({ worth }) => worth < first.worth) ?? first;
    const made = choices.find(one => one.action === action);
    const usual = [
      !isRight && { name: made.name, kind: "played" },
      { name: (isRight ? made : first).name, kind: "best" },
    ];
    const point = tried => {
      const pointed = tried ? tried.map(one => ({ name: one.name, kind: "tried" })) : usual.filter(Boolean);
      showArrows(
        pointed.map(one => ({ ...one, seat })),
        view.phase,
      );
    };
    point(null);
    const lead = `${(first.worth - second.worth).toFixed(1)} ± ${(2 * error).toFixed(1)}`;
    const lost = `Not the best: it gives away ${(first.worth - made.worth).toFixed(1)} points.`;
    const reason = `The best choice is ${lead} points better than the next choice.${why ? ` ${sentence(page.plain(why))}` : ""}`;
    const kind = isRight ? "done-words" : "wrong-words";
    const words = make(
      `p.${kind}`,
      { role: "status" },
      isRight ? "Right." : lost,
      make("span.verdict-text", ` ${reason}`),
    );
    const only = then ? [make("p.note", "Only taking the card counts here, not where you put it.")] : [];
    const table = worthTable(choices, { isAll: true, played: action, check: null, plain: page.plain }, point, () => {});
    const next = leading("Next puzzle", another, "main");
    describe([words, ...only, ...table], [next, leading("Try it again", () => number)]);
    next.focus();
  }

  return {
    /** @param {string} what the number of a puzzle */
    async open(what) {
      const asked = Number(what) - 1;
      if (what && asked === number && view)
        return page.show(isAnswered ? { ...view, actions: [], names: {} } : view, "");
      return pose(what && asked >= 0 && asked < puzzles.count ? asked : number >= 0 ? number : another());
    },

    /** @param {number} action @param {string} [then] */
    act(action, then) {
      if (!isAnswered) void answer(action, then).catch(failed);
    },

    /** @param {string} code */
    key(code) {
      if (code === "KeyN") pose(another()).catch(failed);
      return code === "KeyN";
    },
  };
}
