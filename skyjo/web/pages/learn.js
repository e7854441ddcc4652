/**
 * Learn a game: lessons and puzzles at cards that one presses, and the rules clause by clause.
 * Each part is loaded when it is asked for.
 */

import { byId, setAttribute, setText } from "./dom.js";
import { explain, listen } from "./keys.js";
import { answered } from "./server.js";
import { createSheets } from "./tabs.js";
import { sentence } from "./words.js";
import * as shown from "./view.js";

/**
 * A part of the page that asks for decisions.
 * @typedef {object} Part
 * @property {(what?: string) => void|Promise<void>} open show it
 * @property {(action: number, then?: string) => void} [act] a card is pressed
 * @property {(code: string) => boolean} [key] a key is pressed that no card takes
 * @property {() => string} [task] what to press
 */

const PARTS = ["steps", "puzzles", "rules"];
const FILES = { steps: "./lessons.js", puzzles: "./puzzles.js", rules: "./rules.js" };
const KEYS = [
  ["Enter", "continue, once a step or puzzle is done"],
  ["N", "next step or puzzle"],
  ["Backspace", "start the step again"],
];

let board;
/** @type {any} what is shown on the felt */
let view = null;
/** @type {Record<string, Part>} parts that are loaded */
const parts = {};
/** @type {string} */
let open = "";

/** Say why nothing was done, and what to do. @param {string} [words] */
function refuse(words = "You can’t do that now.") {
  shown.say([sentence(words), parts[open]?.task?.()].filter(Boolean).join(" "));
}

/** @param {number} action @param {string} [then] */
function act(action, then) {
  shown.say("");
  parts[open]?.act?.(action, then);
}

function redraw() {
  if (view) show(view);
}

/**
 * Show the cards, and ask if something can be decided.
 * @param {any} now @param {string} [words] said instead of the last turn
 */
function show(now, words) {
  view = now;
  const isAsked = shown.isMine(now);
  byId("felt").dataset.seq = String(now.seq);
  setAttribute(byId("ask"), "data-mine", isAsked ? "" : null);
  board.update(now, shown.seatPlaces(now), new Set());
  setText(byId("question"), isAsked ? board.question() : now.over ? shown.outcomeWords(now) : "");
  setText(byId("told"), words ?? lastTurn(now));
}

/** @param {any} now */
function lastTurn({ told, seats }) {
  const last = told.at(-1);
  return last ? sentence(`${seats[last.seat].name} ${board.plain(last.words)}`) : "";
}

/** Forget what was shown, and let go of cards. */
function clear() {
  board.letGo();
  byId("arrows").replaceChildren();
}

/** Which part an address names, and what of it. @param {string} hash */
function named(hash) {
  const [part, what] = hash.replace(/^#/, "").split(/-(.*)/);
  return PARTS.includes(part) ? { part, what } : { part: "steps", what: "" };
}

/** Open a part. @param {string} part @param {string} [what] */
async function openPart(part, what = "") {
  open = part;
  document.body.dataset.part = part;
  const module = await import(FILES[part]);
  parts[part] ??= module.createPart(page);
  if (open === part) await parts[part].open(what);
}

/** @param {string} code */
function pressKey(code) {
  if (open !== "rules") {
    const button = board.key(code);
    if (button && !button.hidden && view && shown.isMine(view)) {
      button.click();
      return true;
    }
  }
  return parts[open]?.key?.(code) ?? false;
}

/** What parts may do to this page. @type {any} */
const page = {
  ...{ show, clear, refuse, redraw, game: null },
  act: name => board.actionNamed(name),
  plain: words => board.plain(words),
};

async function begin() {
  page.game = await answered("/api/learn");
  const { game, title, puzzles } = page.game;
  setText(byId("title"), title);
  setText(byId("heading"), `Learn ${title}`);
  document.title = `Learn ${title}`;
  document.body.dataset.game = game;
  const drawing = await import(`./boards/${game}.js`);
  board = new drawing.Board(byId("middle"), byId("choices"), { act, refuse, redraw });
  explain(/** @type {any} */ ([...drawing.KEYS, ...KEYS]));
  const sheets = createSheets(id => {
    if (named(location.hash).part !== id) history.replaceState(null, "", `#${id}`);
    void openPart(id, named(location.hash).what).catch(say);
  });
  const titles = { steps: "Five steps", puzzles: "Puzzles", rules: "Rules" };
  const taught = PARTS.filter(part => part !== "puzzles" || puzzles.count > 0);
  for (const part of taught) sheets.add(part, titles[part], byId(`${part}-sheet`));
  listen(pressKey, () => board.letGo());
  const follow = () => {
    const { part, what } = named(location.hash);
    if (part === open) void openPart(part, what).catch(say);
    else sheets.choose(part);
  };
  window.addEventListener("hashchange", follow);
  follow();
}

/** Say why something cannot be shown. @param {Error} error */
function say(error) {
  setText(byId("connection"), sentence(error.message));
  for (const words of document.querySelectorAll(".loading")) words.remove();
}

begin().catch(say);
