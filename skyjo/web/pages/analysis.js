/** What the decisions of a game were worth: fetched from the server, shown beside the board and along the timeline. */

import { createMarginGraph, MARKS } from "./margin_graph.js";
import { byId, make, sentence, setAttribute, setText } from "./nodes.js";
import { counted, signed } from "./numbers.js";
import { GONE } from "./socket.js";

/**
 * A decision with its judgement, as the server sends it.
 * @typedef {object} Move
 * @property {number} move from 1 @property {number} seat @property {number} action
 * @property {Choice[]} choices best first @property {boolean} forced @property {number} lost @property {string} mark
 * @property {{lost: number, error: number, guesses: number}|null} check
 * @property {number[]|null} luck @property {number[]} expected @property {number[]} chosen @property {number[]|null} margins
 * @typedef {{action: number, name: string, worth: number}} Choice
 * @typedef {import("./timeline.js").Game} Game
 */

const CLOSE = 0.25; // points between the best two choices
const FEW = 6; // choices that are shown at first

/** A sign for a mark, such as ?? @param {string} mark */
const signOf = (mark) => make("span", { class: `sign ${mark}`, "aria-hidden": "true" }, MARKS[mark]?.sign ?? "");

/** Load the style of what is shown here. */
function loadStyle() {
  document.head.append(make("link", { rel: "stylesheet", href: "/pages/analysis.css" }));
}

/**
 * The analysis of a game.
 * @param {Game} game @param {any} page what it may do to the page
 */
export function createAnalysis(game, page) {
  loadStyle();
  /** @type {Map<number, Move>} by number of decisions before */
  const moves = new Map();
  /** @type {{players: any[], worst: number[], lines: string[][], doubtful: number}|null} */
  let summary = null;
  /** @type {{choices: Choice[], seat: number}|null} what the choices of a position are worth */
  let position = null;
  let isQuiz = false;
  let isWorking = false;
  /** @type {any} the graph, once there is something to draw */
  let graph = null;
  let isChecked = false;
  let shownAll = false;
  const [work, decision, seats, marked, tools] = Array.from({ length: 5 }, () => make("div"));
  byId("analysis").replaceChildren(make("h2", { id: "analysis-title" }, "Analysis"), work, decision, tools, marked, seats);
  const line = connect();

  function connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${page.api}/analysis`);
    socket.onopen = () => ask("analyse", "Analyse");
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = ({ code, reason }) => (code === GONE ? showPause(reason) : showLost());
    return socket;
  }

  const showLost = () => showPause("The connection is lost.", "Reload the page", () => location.reload());

  /** @param {string} what @param {string} title */
  function ask(what, title) {
    if (line.readyState !== WebSocket.OPEN) return showLost();
    line.send(JSON.stringify({ ask: what }));
    showProgress(title, 0, 0);
  }

  /** @param {any} message */
  function hear(message) {
    if (message.kind === "judged") addMoves(message.moves, message);
    else if (message.kind === "checked") addMoves([message.move], message);
    else if (message.kind === "ready") conclude(message);
    else if (message.kind === "stopped") showPause("Stopped. The results so far are kept.", "Continue", () => (summary ? check() : ask("analyse", "Analyse")));
    else if (message.kind === "refused") showPause(message.words, "Try again", () => (summary ? check() : ask("analyse", "Analyse")));
  }

  function check() {
    ask("check", "Check");
  }

  /** @param {Move[]} added @param {{kind: string, done: number, of: number}} progress */
  function addMoves(added, { kind, done, of }) {
    for (const move of added) moves.set(move.move - 1, move);
    showProgress(kind, done, of);
    if (summary) showSummary(summary); // a check may have changed a mark
    showMoves();
  }

  function showMoves() {
    graph ??= createMarginGraph(game, page, [...moves.values()].some(({ luck }) => luck));
    graph.update([...moves.values()], seen());
    page.redraw();
  }

  /** The seat whose margin is drawn. */
  const seen = () => Number(byId("seat").value) || 0;

  /** @param {any} ready */
  function conclude(ready) {
    if (ready.choices) position = ready;
    else {
      isChecked = summary !== null;
      summary = ready;
    }
    work.replaceChildren();
    if (summary) showSummary(summary);
    setWorking(false);
    page.redraw();
  }

  /** @param {string} title @param {number} done @param {number} of */
  function showProgress(title, done, of) {
    setWorking(true);
    const isNew = !work.querySelector("progress");
    if (isNew) {
      const stop = make("button", { type: "button" }, "Stop");
      stop.addEventListener("click", () => line.send(JSON.stringify({ ask: "stop" })));
      work.replaceChildren(make("div", { class: "progress" }, make("label", { for: "progress" }), make("progress", { id: "progress" }), stop));
    }
    const bar = work.querySelector("progress");
    const isCheck = title === "checked" || title === "Check";
    setText(work.querySelector("label"), of ? `${done} of ${of} ${isCheck ? "doubtful decisions checked" : "decisions judged"}` : isCheck ? "Checking the doubtful decisions …" : "Judging …");
    if (of) [bar.max, bar.value] = [of, done];
  }

  /** Say why it has stopped, and offer what can be done about it. @param {string} words @param {string} [title] @param {() => void} [act] */
  function showPause(words, title, act) {
    setWorking(false);
    work.replaceChildren(make("p", { class: "note", role: "status" }, sentence(words)));
    if (!title || !act) return;
    const button = make("button", { type: "button" }, title);
    button.addEventListener("click", act);
    work.append(button);
  }

  /** @param {boolean} now */
  function setWorking(now) {
    isWorking = now;
    showParts();
  }

  /** The quiz hides the analysis; what can be done next waits for what is being done. */
  function showParts() {
    for (const part of [work, decision, seats, marked]) part.hidden = isQuiz;
    tools.hidden = isQuiz || isWorking;
  }

  /** How seats played, and what can be done next. @param {{players: any[], worst: number[], lines: string[][], doubtful: number}} found */
  function showSummary({ worst, lines, doubtful }) {
    const told = lines.map((sentences) => make("div", {}, ...sentences.map((words) => make("p", {}, words.replace(/-(?=\d)/g, "−")))));
    seats.replaceChildren(make("div", { class: "conducts" }, make("h3", {}, "How each seat played"), ...told));
    const list = [...moves.values()].filter(({ mark }) => mark);
    const items = list.map((move) => make("li", {}, markedButton(move)));
    const title = list.length > 0 ? counted(list.length, "marked decision") : "No decision is marked";
    marked.replaceChildren(make("h3", {}, title), make("ol", { class: "marked", id: "marked" }, ...items));
    const tryWorst = make("button", { type: "button", class: "main" }, worst.length > 1 ? `Try the worst ${worst.length} yourself` : "Try the worst one yourself");
    tryWorst.addEventListener("click", () => startQuiz(worst));
    const checkAll = make("button", { type: "button" }, "Check the doubtful decisions");
    checkAll.addEventListener("click", check);
    tools.replaceChildren(make("div", { class: "tools" }, ...(worst.length > 0 ? [tryWorst] : []), ...(doubtful > 0 && !isChecked ? [checkAll] : [])));
    if (isChecked) tools.append(make("p", { class: "note", role: "status" }, "The doubtful decisions have been checked by playing out rounds."));
  }

  /** @param {Move} move */
  function markedButton({ move, mark, lost }) {
    const { seat, words } = game.decisions[move - 1];
    const said = `${move}. ${game.names[seat]} ${page.plain(words)}`;
    const button = make("button", { type: "button", "data-move": String(move) }, signOf(mark), make("span", {}, said, make("span", { class: "unseen" }, `, ${mark}`)), make("span", { class: "lost" }, `−${lost.toFixed(2)}`));
    button.addEventListener("click", () => {
      page.go(move - 1);
      byId("felt").scrollIntoView({ block: "nearest" });
    });
    return button;
  }

  /** @param {number[]} worst */
  async function startQuiz(worst) {
    const { createQuiz } = await import("./quiz.js");
    if (isQuiz) return; // pressed twice
    isQuiz = true;
    showParts();
    const asked = worst.map((number) => moves.get(number - 1));
    createQuiz(game, asked, page, () => {
      isQuiz = false;
      showParts();
      page.refresh();
    });
  }

  /** The table of choices. @param {Choice[]} choices @param {Move} [move] */
  function worthTable(choices, move) {
    const rows = choices.map((choice, index) => choiceRow(choice, index, choices[0].worth, move));
    const kept = rows.filter((row, index) => shownAll || index < FEW || row.classList.contains("played"));
    const head = make("tr", {}, ...["Choice", "Worth", "Behind"].map((words) => make("th", { scope: "col" }, words)));
    const caption = make("caption", {}, "Expected margin of the round after each choice, in points");
    const table = make("table", { class: "worths" }, caption, make("thead", {}, head), make("tbody", {}, ...kept));
    if (kept.length === rows.length) return [table];
    const more = make("button", { type: "button" }, `Show all ${rows.length} choices`);
    more.addEventListener("click", () => {
      shownAll = true;
      show(page.standing());
    });
    return [table, more];
  }

  /** @param {Choice} choice @param {number} index @param {number} best @param {Move} [move] */
  function choiceRow({ action, name, worth }, index, best, move) {
    const isPlayed = move?.action === action;
    const tags = [index === 0 && make("span", { class: "tag gold" }, "best"), isPlayed && make("span", { class: "tag" }, "played")];
    const check = isPlayed && index > 0 ? move?.check : null;
    const less = check ? `${signed(-check.lost)} ± ${check.error.toFixed(2)}` : worth === best ? "" : signed(worth - best);
    const cells = [make("td", {}, page.plain(name), ...tags.filter(Boolean)), make("td", {}, signed(worth)), make("td", {}, less)];
    return make("tr", { class: [index === 0 && "best", isPlayed && "played"].filter(Boolean).join(" ") }, ...cells);
  }

  /** What is to be said of a decision. @param {Move} move */
  function verdict({ forced, mark, lost, check, choices, action }) {
    if (forced) return choices.length === 1 ? "Forced: there was only one choice." : "All choices were worth the same.";
    const error = check ? ` ± ${check.error.toFixed(2)}, checked with ${check.guesses} rounds` : "";
    if (check && check.lost < -2 * check.error) return `Better than the choice that looked best, by ${(-check.lost).toFixed(2)} points${error}.`;
    if (mark) return `${mark[0].toUpperCase()}${mark.slice(1)}: gave away ${lost.toFixed(2)} points${error}.`;
    if (check && lost < 2 * check.error) return `Too close to tell: ${lost.toFixed(2)} points${error}.`;
    if (choices[0].worth - choices[1].worth < CLOSE) return `Close: ${lost < CLOSE ? "the best choices are" : "two choices are"} worth about the same.`;
    return action === choices[0].action ? "The best choice." : `Good: gave away ${lost.toFixed(2)} points${error}.`;
  }

  /** Show the judgement of the decision that comes next. @param {number} at */
  function show(at) {
    if (isQuiz) return;
    graph?.stand(at, seen());
    for (const button of byId("marked")?.querySelectorAll("button") ?? []) setAttribute(button, "aria-current", Number(button.dataset.move) === at + 1 ? "true" : null);
    const move = moves.get(at);
    if (position) return decision.replaceChildren(...worthTable(position.choices));
    if (!move) return decision.replaceChildren(...(graph && at < game.decisions.length ? [make("p", { class: "note" }, "Not judged yet.")] : []));
    const { words, seat } = game.decisions[at];
    const title = make("h3", {}, `Decision ${at + 1}: ${game.names[seat]} ${page.plain(words)}`);
    const said = make("p", { class: "verdict" }, ...(move.mark ? [signOf(move.mark), " "] : []), verdict(move));
    return decision.replaceChildren(title, said, ...(move.choices.length > 1 ? worthTable(move.choices, move) : []));
  }

  return {
    show,

    /** The best choice of a decision, as boards want it. @param {number} at */
    best(at) {
      const choices = position?.choices ?? (moves.get(at)?.forced ? [] : moves.get(at)?.choices);
      return new Set((choices ?? []).slice(0, 1).map(({ action }) => action));
    },
  };
}
