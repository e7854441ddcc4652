/** A game that is over, decision by decision, as a seat saw it. What judges it is loaded when it is asked for. */

import { byId, make, setAttribute, setText } from "./dom.js";
import { explain, listen } from "./keys.js";
import { createMoves } from "./moves_list.js";
import { answered, offerText, ownNumber } from "./server.js";
import { createTimeline } from "./timeline.js";
import { seatTitle, sentence } from "./words.js";
import * as shown from "./view.js";

/**
 * @typedef {{seat: number, act: ((action: number, then?: string) => void)|null, question: string}} Puzzle a decision to make on the board; without `act` it has been made
 */

const SPEEDS = [0.5, 1, 2, 4, 8]; // decisions a second
const USUAL = 2;
const SETTLED = 300; // milliseconds until the address follows
const MOVER = "mover"; // the choice of the seat to move
const KEYS = [
  ["← →", "one move back, forward"],
  ["↑ ↓", "previous, next round"],
  ["P", "play or pause"],
  ["Home End", "first, last move"],
  ["O", "show all cards"],
  ["?", "show this list"],
];

const id = ownNumber();
const api = `/api/games/${encodeURIComponent(id)}`;

/** @type {Game} */
let game;
let board;
let timeline;
/** @type {any} the list of moves */
let moves;
/** @type {any} what judges decisions, once it is loaded */
let analysis;
/** @type {Puzzle|null} */
let puzzle = null;
/** How many decisions have been made where the page stands. */
let at = 0;
/** @type {View|null} what is drawn */
let view = null;
let fetching = ""; // from where the last view comes
/** @type {View|null} the view whose end stands in its panel */
let ended = null;
/** Where the end of a round was put away; -1 once the page stands elsewhere. */
let closedAt = -1;
let addressTimer;

/** The seat from which one looks at a decision. @param {number} number */
function looking(number) {
  if (puzzle) return puzzle.seat;
  const chosen = byId("seat").value;
  return chosen === MOVER ? (game.decisions[Math.min(number, game.decisions.length - 1)]?.seat ?? 0) : Number(chosen);
}

/** Stand where this many decisions have been made. @param {number} number @param {boolean} [isPlaying] */
function go(number, isPlaying = false) {
  if (puzzle) return;
  if (!isPlaying) timeline.pause();
  else if (view?.seq !== at) return; // wait for what is on the way
  stand(Math.max(0, Math.min(number, game.decisions.length)));
}

/** @param {number} number */
function stand(number) {
  shown.say("");
  if (number !== at) closedAt = -1;
  at = number;
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, "", `#${at + 1}`), SETTLED); // browsers refuse to do it too often
  show();
}

/** Show where the page stands, as soon as its view is there. */
async function show() {
  timeline.show(at, placeInWords());
  const open = Number(byId("open").checked && !puzzle);
  const path = `${api}/views?first=${at}&count=1&seat=${looking(at)}&open=${open}`;
  if (path !== fetching) {
    fetching = path;
    const found = await answered(path).catch(error => refuse(error.message));
    if (path !== fetching) return;
    if (!found) return void (fetching = "");
    [view] = found.views;
  }
  redraw();
}

function placeInWords() {
  const count = game.decisions.length;
  return at === count ? `The end, after ${count} moves` : `Move ${at + 1} of ${count}`;
}

/** Draw the last view again, as boards ask for. */
function redraw() {
  if (view?.seq !== at) return; // it is on the way
  const isAsked = Boolean(puzzle?.act);
  const drawn = isAsked ? view : { ...view, actions: [], names: {} };
  byId("felt").dataset.seq = String(view.seq);
  setAttribute(byId("ask"), "data-mine", isAsked ? "" : null);
  board.update(drawn, shown.seatPlaces(drawn), new Set());
  setText(
    byId("question"),
    isAsked ? `${puzzle?.question} ${board.question()}` : view.over ? shown.outcomeWords(view) : "",
  );
  setText(byId("told"), toldLast(view));
  void showEnd(view);
  moves.stand(at);
  analysis?.show(at, view);
}

/** The last turn in words. @param {View} view */
function toldLast({ told }) {
  const last = told.at(-1);
  if (!last) return "";
  const isEarlier = ({ seat, turn_over: isOver }, index) => index < told.length - 1 && (isOver || seat !== last.seat);
  const turn = told.slice(told.findLastIndex(isEarlier) + 1).map(({ words }) => board.plain(words));
  return sentence(`${game.names[last.seat]} ${turn.filter(Boolean).join(", ")}`);
}

/** How the last decision ended a round. @param {View} view */
async function showEnd(view) {
  byId("ending").hidden = !view.end || puzzle !== null || closedAt === view.seq;
  const round = shown.roundWords(view, !byId("ending").hidden);
  setText(byId("round"), round);
  if (byId("ending").hidden || view === ended) return;
  ended = view;
  const { words, pictures } = await board.ending(view.end);
  if (view !== ended) return;
  const click = () => {
    closedAt = view.seq;
    void showEnd(view);
  };
  const title = view.over ? shown.outcomeWords(view) : `${round} is over`;
  const close = make("button", { click }, "Close");
  byId("ending").replaceChildren(make("h2", title), make("p", words), make("div.pictures", ...pictures), close);
}

/** A card is pressed. @param {number} action @param {string} [then] the decision that would follow */
function act(action, then) {
  if (puzzle?.act) puzzle.act(action, then);
  else refuse();
}

/** Say why nothing was done. @param {string} [words] */
function refuse(
  words = puzzle?.act ? "You can’t do that now." : "This game is over. Play on from here to try something else.",
) {
  shown.say(words);
}

/** Ask for a decision on the board, or stop asking. @param {number} number @param {Puzzle|null} asked */
function pose(number, asked) {
  timeline.pause();
  puzzle = asked;
  setQuiz(asked !== null);
  board.letGo();
  if (asked?.act) byId("felt").scrollIntoView({ block: "nearest" });
  stand(number);
}

/** In a quiz, also one that is being prepared, there is nothing else. @param {boolean} isOn */
function setQuiz(isOn) {
  document.body.toggleAttribute("data-quiz", isOn);
  byId("player").hidden = isOn || game.decisions.length === 0;
}

/** @param {string} code @returns {boolean} */
function pressKey(code) {
  if (puzzle) return puzzle.act !== null && pressBoard(code);
  const found = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    ArrowUp: () => timeline.round(-1),
    ArrowDown: () => timeline.round(1),
    KeyP: () => byId("play").click(),
    KeyO: () => byId("open").click(),
    Home: () => go(0),
    End: () => go(game.decisions.length),
  }[code];
  found?.();
  return found !== undefined;
}

/** @param {string} code */
function pressBoard(code) {
  const button = board.key(code);
  if (button && !button.hidden) button.click();
  return Boolean(button);
}

/** Arrows stay with the timeline when a card is clicked on that cannot be played. @param {Event} event */
function keepArrows(event) {
  if (puzzle) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (document.activeElement)?.blur();
}

/** Choose who looks, how fast, and with which cards. */
function offerLooks() {
  const isShared = name => !name || game.names.filter(other => other === name).length > 1;
  const named = game.names.map((name, seat) => {
    const words = `seen by ${isShared(name) ? seatTitle(name, seat) : name}`;
    return make("option", { value: String(seat) }, words);
  });
  byId("seat").replaceChildren(...named, make("option", { value: MOVER }, "seen by the player to move"));
  byId("seat").value = String(Math.max(0, game.seats.indexOf("you")));
  byId("speed").replaceChildren(...SPEEDS.map(speed => make("option", { value: String(speed) }, `${speed} / s`)));
  byId("speed").value = String(USUAL);
  for (const name of ["seat", "open"]) byId(name).addEventListener("change", show);
}

/** What the parts that are loaded later may do to this page. */
const page = {
  ...{ api, id, go, pose, refuse, redraw, refresh: show },
  standing: () => at,
  looking: () => looking(at),
  mark: (...marked) => moves.mark(...marked),
  plain: words => board.plain(words),
};

/** Load what judges, and let it begin. @param {boolean} [wantsQuiz] ask for one's own worst decisions as soon as they are known */
async function analyse(wantsQuiz = false) {
  const { createAnalysis } = await import("./analysis.js");
  analysis = createAnalysis(game, page, wantsQuiz);
  show();
}

/** Offer a new table that goes on from here. */
async function playOn() {
  timeline.pause();
  const { offerToPlayOn } = await import("./play_on.js");
  await offerToPlayOn(game, page).catch(error => refuse(error.message));
}

/** The decision that an address names, as how many were made before it. @param {string} address */
const addressed = address => (Math.trunc(Number(new URL(address).hash.slice(1))) || 1) - 1;

/** Does an address ask for the quiz? @param {string} address */
const asksForQuiz = address => new URL(address).hash === "#quiz";

async function begin() {
  game = await answered(api);
  setText(byId("title"), game.title);
  setText(byId("heading"), `${game.title}: replay${game.analysis ? " and analysis" : ""}`);
  document.title = `${game.title}: game`;
  document.body.dataset.game = game.game;
  offerText(byId("record"), `${api}/record`, `${game.game}-${id}.txt`);
  const drawing = await import(`./boards/${game.game}.js`);
  board = new drawing.Board(byId("middle"), byId("choices"), { act, refuse, redraw });
  offerLooks();
  timeline = createTimeline(game, go);
  moves = createMoves(game, page);
  explain(/** @type {[string, string][]} */ (KEYS));
  listen(pressKey, () => board.letGo(), { repeats: true });
  byId("analysis").hidden = !game.analysis;
  byId("unjudged").hidden = game.analysis;
  byId("analyse").addEventListener("click", () => analyse(), { once: true });
  byId("play-on").addEventListener("click", playOn);
  byId("share").addEventListener("click", () =>
    import("./dialogs.js").then(({ share }) => share(id)).catch(error => refuse(error.message)),
  );
  byId("felt").addEventListener("mousedown", keepArrows);
  window.addEventListener("hashchange", ({ newURL }) =>
    asksForQuiz(newURL) ? location.reload() : go(addressed(newURL)),
  );
  const wantsQuiz = game.analysis && asksForQuiz(location.href);
  go(addressed(location.href));
  setQuiz(wantsQuiz);
  document.querySelector("main").removeAttribute("inert");
  if (wantsQuiz || (game.analysis && game.decisions.length === 0)) void analyse(wantsQuiz);
}

begin().catch(error => setText(byId("connection"), sentence(error.message)));
