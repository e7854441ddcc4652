/** What the decisions of a game were worth: fetched from the worker, shown beside the board and along the timeline. */

import { showArrows } from "./arrows.js";
import { byId, make, setAttribute, setText, style } from "./dom.js";
import { createMarginGraph, MARKS } from "./margin_graph.js";
import { SEAT_COLOURS } from "./moves_list.js";
import { dial } from "./server.js";
import { createSheets } from "./tabs.js";
import { counted, sentence, shortWords, signed, withMinus } from "./words.js";
import { foldedChoices, worthTable } from "./worths.js";

const SAME = 0.005; // points: what looks the same in two digits
const CLOSE = 0.25; // points between the best two choices
const MIN_CHANCE = 0.005; // of winning, that is worth saying
const SOON = 2000; // milliseconds of work, before which no time is told
const SLOWER =
  "The luck shown under “Your games” may differ by a few tenths of a point: in the final lap this analysis looks further ahead. Both figures average 0, however you play.";

await style("analysis.css");

/** A sign for a mark, such as ?? @param {string} mark */
const signOf = mark => make("span", { class: `sign ${mark}`, "aria-hidden": "true" }, MARKS[mark]?.sign);

/** A share of winning in words. @param {number} chance */
const percent = chance => `${(100 * chance).toFixed(Math.abs(chance) < 0.1 ? 1 : 0)} %`;

/** How long work will still take that began at a time. @param {number} begun @param {number} done @param {number} of */
function timeLeft(begun, done, of) {
  const gone = performance.now() - begun;
  if (gone < SOON || done === 0 || done === of) return "";
  const seconds = ((gone / done) * (of - done)) / 1000;
  const minutes = Math.round(seconds / 60);
  return `, about ${minutes > 0 ? counted(minutes, "minute") : `${Math.ceil(seconds / 5) * 5} seconds`} left`;
}

/**
 * The analysis of a game.
 * @param {Game} game @param {any} page what it may do to the page @param {boolean} wantsQuiz ask for one's own worst decisions as soon as they are known
 */
export function createAnalysis(game, page, wantsQuiz) {
  /** @type {Map<number, Move>} by number of decisions before */
  const moves = new Map();
  /** @type {{worst: number[], lines: string[][], doubtful: number}|null} */
  let summary = null;
  /** @type {{choices: Choice[], seat: number}|null} what the choices of a position are worth */
  let position = null;
  let [isQuiz, isWorking, isChecked, shownAll] = [false, false, false, false];
  let begun = 0; // when the work that goes on began
  let graph; // once there is something to draw
  let markedTab;
  const [work, decision] = [make("div"), make("div.decision")];
  byId("analysis").replaceChildren(byId("analysis-title"), work, decision);
  const [marked, told] = ["mistakes", "summary"].map(name =>
    make(`section#${name}-sheet`, { role: "tabpanel", hidden: "" }),
  );
  const quizButton = make("button.extra.main", { hidden: "", click: () => startQuiz(asked()) }, "Try");
  const checkButton = make("button.extra", { hidden: "", click: () => ask("check") }, "Analyse deeper");
  const line = dial(
    `${page.api}/analysis`,
    () => ask("analyse"),
    hear,
    (reason, isFinal) => (isFinal ? showPause(reason) : showLost()),
  );

  const showLost = () => showPause("Connection lost.", "Reload the page", () => location.reload());

  /** @param {"analyse"|"check"} what */
  function ask(what) {
    if (!line.send({ ask: what })) return showLost();
    begun = performance.now();
    showProgress(what === "check", 0, 0);
  }

  /** @param {any} message */
  function hear(message) {
    const again = () => ask(summary ? "check" : "analyse");
    if (message.kind === "judged") addMoves(message.moves, message);
    else if (message.kind === "checked") addMoves([message.move], message);
    else if (message.kind === "ready") conclude(message);
    else if (message.kind === "stopped") showPause("Stopped. The results so far are kept.", "Continue", again);
    else if (message.kind === "refused") showPause(message.words, "Try again", again);
  }

  /** @param {Move[]} added @param {{kind: string, done: number, of: number}} progress */
  function addMoves(added, { kind, done, of }) {
    for (const move of added) moves.set(move.move - 1, move);
    showProgress(kind === "checked", done, of);
    if (summary) showSummary(); // a check may have changed a mark
    graph ??= createMarginGraph(
      game,
      added.some(({ luck }) => luck),
    );
    graph.update([...moves.values()], page.looking());
    page.mark(added, MARKS);
    page.redraw();
  }

  /** @param {any} ready */
  function conclude(ready) {
    if (ready.choices) position = ready;
    else {
      isChecked = summary !== null;
      summary = ready;
      showSummary();
    }
    work.replaceChildren();
    setWorking(false);
    if (wantsQuiz && summary) startAsked();
    else page.redraw();
  }

  /** The quiz that the address asks for: the own marked decisions. */
  function startAsked() {
    wantsQuiz = false;
    if (asked().length > 0) return startQuiz(asked());
    const words = "No mistakes found: there is nothing to retry.";
    work.replaceChildren(make("p.verdict", { role: "status" }, words));
    showParts();
    return page.pose(page.standing(), null);
  }

  /** @param {boolean} isCheck @param {number} done @param {number} of */
  function showProgress(isCheck, done, of) {
    setWorking(true);
    if (!work.querySelector("progress")) {
      const stop = make("button", { click: () => line.send({ ask: "stop" }) }, "Stop");
      work.replaceChildren(make("div.progress", make("label", { for: "progress" }), make("progress#progress"), stop));
    }
    const bar = work.querySelector("progress");
    const left = `${timeLeft(begun, done, of)}${wantsQuiz ? ". Then you can try your mistakes again" : ""}`;
    const first = `Analysing${isCheck ? " deeper …" : left || " …"}`;
    const judged = `${done} of ${of} ${isCheck ? "unclear moves" : "moves"} analysed${left}`;
    setText(work.querySelector("label"), of ? judged : first);
    if (of) [bar.max, bar.value] = [of, done];
  }

  /** Say why it has stopped, and offer what can be done about it. @param {string} words @param {string} [title] @param {() => void} [click] */
  function showPause(words, title, click) {
    if (wantsQuiz) page.pose(page.standing(), null);
    wantsQuiz = false;
    setWorking(false);
    const again = click ? [make("div", make("button", { click }, title))] : [];
    work.replaceChildren(make("p.note", { role: "status" }, sentence(words)), ...again);
  }

  /** @param {boolean} now */
  function setWorking(now) {
    isWorking = now;
    showParts();
  }

  function showParts() {
    work.hidden = isQuiz;
    decision.hidden = isQuiz || wantsQuiz;
    quizButton.hidden = isQuiz || isWorking || asked().length === 0;
    checkButton.hidden = isQuiz || isWorking || !summary || summary.doubtful === 0 || isChecked;
  }

  /** Seats at this browser; all of them if nobody here played. */
  const own = () => {
    const here = game.seats.flatMap((who, seat) => (who === "you" ? [seat] : []));
    return new Set(here.length > 0 ? here : game.names.keys());
  };

  /** Whose marked decisions are asked for again. */
  const whose = () => (own().size === game.names.length ? "the players" : "yours");

  /** The marked decisions, the most costly first. */
  const mistakes = () => (summary?.worst ?? []).map(number => moves.get(number - 1)).filter(({ mark }) => mark);

  /** Those to be made again. */
  const asked = () => mistakes().filter(({ seat }) => own().has(seat));

  function showSummary() {
    if (!markedTab) addSheets();
    const list = mistakes();
    setText(markedTab, list.length > 0 ? counted(list.length, "mistake") : "No mistakes");
    const none = list.length === 0 ? [make("p.note", "No move cost enough to be marked.")] : [];
    marked.replaceChildren(...none, make("ol.marked#marked", ...list.map(move => make("li", markedButton(move)))));
    const conducts = summary.lines.map(([gave, margin], seat) => conduct(seat, gave, margin));
    const unfold = () => numbers.open && numbers.replaceChildren(numbers.firstElementChild, graph.numbers());
    const numbers = make("details", { toggle: unfold }, make("summary", "The graph in numbers"));
    const checked = "The unclear moves were played out many times to measure their value.";
    const parts = [
      isChecked && make("p.note", { role: "status" }, checked),
      checkButton,
      [...moves.values()].some(({ luck }) => luck) && make("p.note", SLOWER),
      numbers,
    ];
    told.replaceChildren(make("div.conducts", ...conducts, ...parts));
    const count = asked().length;
    const several = `Retry ${whose() === "yours" ? "your" : "the"} ${count} mistakes`;
    setText(quizButton, count > 1 ? several : "Retry the mistake");
  }

  function addSheets() {
    byId("moves-sheet").after(marked, told);
    byId("tools").prepend(quizButton);
    const sheets = createSheets();
    sheets.add("moves", "Moves", byId("moves-sheet"));
    markedTab = sheets.add("mistakes", "Mistakes", marked);
    sheets.add("summary", "Summary", told);
  }

  /** How a seat played. @param {number} seat @param {string} gave @param {string} margin */
  function conduct(seat, gave, margin) {
    const name = game.names[seat];
    const title = make("h3.who", name);
    title.style.setProperty("--seat", SEAT_COLOURS[seat]);
    const part = gave.startsWith(name) ? gave.slice(name.length) : gave;
    return make("div", title, make("p", sentence(part)), make("p", sentence(withMinus(margin))));
  }

  /** @param {Move} move */
  function markedButton(move) {
    const { seat, words } = game.decisions[move.move - 1];
    const said = make(
      "span",
      make("b", `${game.names[seat]} ${shortWords(page.plain(words))}`),
      make("span.unseen", `, move ${move.move}, ${move.mark}`),
      make("span.why", reasonOf(move)),
    );
    const chance = move.chance_lost >= MIN_CHANCE ? `−${percent(move.chance_lost)}` : "";
    const lost = make("span.lost", `−${move.lost.toFixed(1)}`, make("small", chance));
    const leads = { "data-move": String(move.move), click: () => page.go(move.move - 1) };
    return make("button", leads, signOf(move.mark), said, lost);
  }

  /** Why the best choice was better, in a sentence. @param {Move} move */
  function reasonOf({ choices, why }) {
    return `Better: ${actionWords(choices, page.plain)}${why ? `. ${sentence(page.plain(why))}` : "."}`;
  }

  /** What speaks for the best choice, in points, to be opened. @param {Move} move */
  function numbersOf({ parts }) {
    const line = ({ points, words }) => make("li", `${signed(points, 1)} ${page.plain(words)}`);
    return parts.length ? [make("details.note", make("summary", "In points"), make("ul", ...parts.map(line)))] : [];
  }

  /** @param {Move[]} again */
  async function startQuiz(again) {
    const { createQuiz } = await import("./quiz.js");
    if (isQuiz || again.length === 0) return; // pressed twice
    isQuiz = true;
    showParts();
    showArrows([], "");
    createQuiz(game, again, { ...page, reason: reasonOf }, () => {
      isQuiz = false;
      showParts();
      page.refresh();
    });
  }

  /** What is to be said of a decision. @param {Move} move @returns {(Node|string)[]} */
  function verdict(move) {
    const { forced, mark, lost, chance_lost: chance, check: tried, choices, action } = move;
    const [best, second] = choices;
    if (forced) return [second ? "All moves were worth the same." : "Only one move was possible."];
    const error = tried ? ` ± ${(2 * tried.error).toFixed(2)}, measured over ${tried.guesses} rounds` : "";
    if (tried && tried.lost < -2 * tried.error)
      return [`Better than the choice that looked best, by ${(-tried.lost).toFixed(2)} points${error}.`];
    const gave = `gave away ${lost.toFixed(2)} points${error}`;
    if (mark) {
      const winning = chance >= MIN_CHANCE ? `, and ${percent(chance)} in chances of winning the round` : "";
      const title = make("b", ` ${mark[0].toUpperCase()}${mark.slice(1)}`);
      return [signOf(mark), title, `: ${gave}${winning}. ${reasonOf(move)}`];
    }
    if (tried && lost < 2 * tried.error) return [`Too close to tell: ${lost.toFixed(2)} points${error}.`];
    if (action === best.action || lost < SAME) return ["The best choice."];
    if (best.worth - second.worth < CLOSE && lost < CLOSE) return ["Close: the best choices are worth about the same."];
    return [`Good: ${gave}.`];
  }

  /** How likely it is that a seat wins the round. @param {number[]} chances @param {number} seat */
  function chanceBar(chances, seat) {
    const isWide = chances[seat] > 0.35; // else the words stand beside the share
    const words = `${game.names[seat]} ${percent(chances[seat])}`;
    const other = chances.length === 2 && percent(1 - Math.round(100 * chances[seat]) / 100);
    const share = make("span.own", isWide && words);
    share.style.width = `${Math.max(100 * chances[seat], 3)}%`;
    const rest = make("span.rest", !isWide && words, other && make("span.other", other));
    return make("div.chances", { role: "img", "aria-label": `Chance of winning the round: ${words}` }, share, rest);
  }

  /** Show the judgement of the decision that comes next. @param {number} at @param {any} view */
  function show(at, view) {
    if (isQuiz) return;
    graph?.stand(at, page.looking());
    for (const button of byId("marked")?.querySelectorAll("button") ?? [])
      setAttribute(button, "aria-current", Number(button.dataset.move) === at + 1 ? "true" : null);
    const move = moves.get(at);
    const { choices, seat } = position ?? move ?? {};
    if (!choices) {
      showArrows([], view.phase);
      return decision.replaceChildren(graph && at < game.decisions.length ? make("p.note", "Not judged yet.") : "");
    }
    const usual = pointed(choices, move, seat);
    const preview = (/** @type {Choice[]|null} */ tried) =>
      showArrows(tried ? tried.map(({ name }) => ({ name, seat, kind: "tried" })) : usual, view.phase);
    preview(null);
    const options = { isAll: shownAll, played: move?.action, check: move?.check, plain: page.plain, least: CLOSE };
    const showAll = () => {
      shownAll = true;
      show(page.standing(), view);
    };
    const table = choices.length > 1 && !move?.forced ? worthTable(choices, options, preview, showAll) : [];
    if (!move) return decision.replaceChildren(...table);
    const title = `${at + 1}. ${game.names[seat]} ${shortWords(page.plain(game.decisions[at].words))}`;
    const said = make("p.verdict", ...verdict(move));
    const heading = [chanceBar(move.chances, page.looking()), make("h3", title)];
    decision.replaceChildren(...heading, said, ...numbersOf(move), ...table);
  }

  return { show };
}

/** The best choice in words, without its place, which an arrow shows. @param {Choice[]} choices @param {(words: string) => string} plain */
function actionWords(choices, plain) {
  const isDrawn = choices.some(({ name }) => name.startsWith("place"));
  const flip = isDrawn ? "discard it and flip a card" : "flip another card";
  return choices[0].name.startsWith("flip") ? flip : shortWords(plain(choices[0].name));
}

/**
 * What arrows show: what was played, then what was best, of equal choices all.
 * @param {Choice[]} choices @param {Move|undefined} move @param {number} seat @returns {Pointed[]}
 */
function pointed(choices, move, seat) {
  const [best] = foldedChoices(choices);
  const made = choices.find(({ action }) => action === move?.action);
  if (move?.forced) return [{ name: made?.name ?? "", seat, kind: "played" }];
  if (made && best.worth - made.worth < SAME) return [{ name: made.name, seat, kind: "best" }];
  const played = made ? [{ name: made.name, seat, kind: "played" }] : [];
  return [...played, { name: best.choices[0].name, seat, kind: "best" }];
}
