/** What the decisions of a game were worth: fetched from the server, shown beside the board and along the timeline. */

import { showArrows } from "./arrows.js";
import { createMarginGraph, MARKS } from "./margin_graph.js";
import { SEAT_COLOURS, shortWords } from "./moves_list.js";
import { byId, make, sentence, setAttribute, setText, style } from "./dom.js";
import { counted } from "./numbers.js";
import { dial } from "./server.js";
import { createSheets } from "./tabs.js";
import { remaining } from "./time_left.js";
import { foldedChoices, worthTable } from "./worths.js";

/**
 * A decision with its judgement, as the server sends it.
 * @typedef {object} Move
 * @property {number} move from 1 @property {number} seat @property {number} action
 * @property {Choice[]} choices best first @property {boolean} forced @property {number} lost @property {number} chance_lost
 * @property {number[]} chances everybody's, of winning the round @property {string} why @property {string} mark
 * @property {{lost: number, error: number, guesses: number}|null} check
 * @property {number[]|null} luck @property {number[]} expected @property {number[]} chosen @property {number[]|null} margins
 * @typedef {{action: number, name: string, worth: number, chance: number|null}} Choice
 * @typedef {import("./timeline.js").Game} Game
 */

const SAME = 0.005; // points: what looks the same in two digits
const CLOSE = 0.25; // points between the best two choices
const MIN_CHANCE = 0.005; // of winning, that is worth saying
const SLOWER =
  "In the final lap this analysis looks further ahead than the quick measure behind “Your games” on the ladder, so the two luck figures may differ by a few tenths of a point. Both average 0, however you play.";

await style("analysis.css");

/** A sign for a mark, such as ?? @param {string} mark */
const signOf = mark => make("span", { class: `sign ${mark}`, "aria-hidden": "true" }, MARKS[mark]?.sign ?? "");

/** A share of winning in words. @param {number} chance */
const percent = chance => `${(100 * chance).toFixed(Math.abs(chance) < 0.1 ? 1 : 0)} %`;

/**
 * The analysis of a game.
 * @param {Game} game @param {any} page what it may do to the page @param {boolean} wantsQuiz ask for one's own worst decisions as soon as they are known
 */
export function createAnalysis(game, page, wantsQuiz) {
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
  /** @type {any} how long the work will take */
  let timing = null;
  const [work, decision] = [make("div"), make("div", { class: "decision" })];
  byId("analysis").replaceChildren(byId("analysis-title"), work, decision);
  const [marked, told] = ["mistakes", "summary"].map(name =>
    make("section", { id: `${name}-sheet`, role: "tabpanel", hidden: "" }),
  );
  const [quizButton, checkButton] = ["Try", "Check the doubtful decisions"].map(words =>
    make("button", { type: "button", class: "extra", hidden: "" }, words),
  );
  quizButton.classList.add("main");
  quizButton.addEventListener("click", () => startQuiz(asked()));
  checkButton.addEventListener("click", check);
  /** @type {any} the tab of the mistakes */
  let markedTab = null;
  const line = dial(
    `${page.api}/analysis`,
    () => ask("analyse"),
    hear,
    (reason, isFinal) => (isFinal ? showPause(reason) : showLost()),
  );

  const showLost = () => showPause("The connection is lost.", "Reload the page", () => location.reload());

  /** @param {"analyse"|"check"} what */
  function ask(what) {
    if (!line.send({ ask: what })) return showLost();
    timing = remaining();
    showProgress(what === "check", 0, 0);
  }

  /** @param {any} message */
  function hear(message) {
    const again = () => (summary ? check() : ask("analyse"));
    if (message.kind === "judged") addMoves(message.moves, message);
    else if (message.kind === "checked") addMoves([message.move], message);
    else if (message.kind === "ready") conclude(message);
    else if (message.kind === "stopped") showPause("Stopped. The results so far are kept.", "Continue", again);
    else if (message.kind === "refused") showPause(message.words, "Try again", again);
  }

  function check() {
    ask("check");
  }

  /** @param {Move[]} added @param {{kind: string, done: number, of: number}} progress */
  function addMoves(added, { kind, done, of }) {
    for (const move of added) moves.set(move.move - 1, move);
    showProgress(kind === "checked", done, of);
    if (summary) showSummary(summary); // a check may have changed a mark
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
    }
    work.replaceChildren();
    if (summary) showSummary(summary);
    setWorking(false);
    if (wantsQuiz && summary) startAsked();
    else page.redraw();
  }

  /** The quiz that the address asks for: the own marked decisions. */
  function startAsked() {
    wantsQuiz = false;
    if (asked().length > 0) return startQuiz(asked());
    work.replaceChildren(
      make(
        "p",
        { class: "verdict", role: "status" },
        `No decision of ${whose()} is marked: there is nothing to try again.`,
      ),
    );
    showParts();
    return page.pose(page.standing(), null);
  }

  /** @param {boolean} isCheck @param {number} done @param {number} of */
  function showProgress(isCheck, done, of) {
    setWorking(true);
    if (!work.querySelector("progress")) {
      const stop = make("button", { type: "button" }, "Stop");
      stop.addEventListener("click", () => line.send({ ask: "stop" }));
      work.replaceChildren(
        make(
          "div",
          { class: "progress" },
          make("label", { for: "progress" }),
          make("progress", { id: "progress" }),
          stop,
        ),
      );
    }
    const bar = work.querySelector("progress");
    const left = `${timing?.(done, of) ?? ""}${wantsQuiz ? ". Then you can try your mistakes again" : ""}`;
    const begun = isCheck ? "Checking the doubtful decisions …" : `Judging${left || " …"}`;
    const judged = `${done} of ${of} ${isCheck ? "doubtful decisions checked" : "decisions judged"}${left}`;
    setText(work.querySelector("label"), of ? judged : begun);
    if (of) [bar.max, bar.value] = [of, done];
  }

  /** Say why it has stopped, and offer what can be done about it. @param {string} words @param {string} [title] @param {() => void} [act] */
  function showPause(words, title, act) {
    if (wantsQuiz) page.pose(page.standing(), null);
    wantsQuiz = false;
    setWorking(false);
    work.replaceChildren(make("p", { class: "note", role: "status" }, sentence(words)));
    if (!act) return;
    const again = make("button", { type: "button" }, title);
    again.addEventListener("click", act);
    work.append(make("div", {}, again));
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
    return new Set(here.length > 0 ? here : game.names.map((_, seat) => seat));
  };

  /** Whose marked decisions are asked for again. */
  const whose = () => (own().size === game.names.length ? "the players" : "yours");

  /** The marked decisions to be made again, the most costly first. @returns {Move[]} */
  const asked = () =>
    (summary?.worst ?? [])
      .map(number => /** @type {Move} */ (moves.get(number - 1)))
      .filter(({ mark, seat }) => mark && own().has(seat));

  /** @param {{players: any[], worst: number[], lines: string[][], doubtful: number}} ready */
  function showSummary({ worst, lines }) {
    if (!markedTab) addSheets();
    const list = worst.map(number => /** @type {Move} */ (moves.get(number - 1))).filter(({ mark }) => mark);
    setText(markedTab, list.length > 0 ? counted(list.length, "mistake") : "No mistakes");
    const said = list.length > 0 ? [] : [make("p", { class: "note" }, "No decision cost enough to be marked.")];
    marked.replaceChildren(
      ...said,
      make("ol", { class: "marked", id: "marked" }, ...list.map(move => make("li", {}, markedButton(move)))),
    );
    const conducts = lines.map(([gave, margin], seat) => conduct(seat, gave, margin));
    const numbers = make("details", {}, make("summary", {}, "The graph in numbers"));
    numbers.addEventListener(
      "toggle",
      () => numbers.open && numbers.replaceChildren(numbers.firstElementChild, graph.numbers()),
    );
    const checked = isChecked
      ? [
          make(
            "p",
            { class: "note", role: "status" },
            "The doubtful decisions have been checked by playing out rounds.",
          ),
        ]
      : [];
    const luck = [...moves.values()].some(move => move.luck) ? [make("p", { class: "note" }, SLOWER)] : [];
    told.replaceChildren(make("div", { class: "conducts" }, ...conducts, ...checked, checkButton, ...luck, numbers));
    const count = asked().length;
    setText(
      quizButton,
      count > 1 ? `Retry ${whose() === "yours" ? "your" : "the"} ${count} mistakes` : "Retry the mistake",
    );
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
    const title = make("h3", { class: "who" }, game.names[seat]);
    title.style.setProperty("--seat", SEAT_COLOURS[seat]);
    const part = gave.startsWith(game.names[seat]) ? gave.slice(game.names[seat].length).trim() : gave;
    return make("div", {}, title, make("p", {}, sentence(part)), make("p", {}, sentence(margin.replaceAll("-", "−"))));
  }

  /** What a marked decision cost. @param {Move} move */
  function costOf({ lost, chance_lost: chance }) {
    return make(
      "span",
      { class: "lost" },
      `−${lost.toFixed(1)}`,
      make("small", {}, chance >= MIN_CHANCE ? `−${percent(chance)}` : ""),
    );
  }

  /** @param {Move} move */
  function markedButton(move) {
    const { seat, words } = game.decisions[move.move - 1];
    const head = make("b", {}, `${game.names[seat]} ${shortWords(page.plain(words))}`);
    const said = make(
      "span",
      {},
      head,
      make("span", { class: "unseen" }, `, decision ${move.move}, ${move.mark}`),
      make("span", { class: "why" }, reasonOf(move)),
    );
    const button = make(
      "button",
      { type: "button", "data-move": String(move.move) },
      signOf(move.mark),
      said,
      costOf(move),
    );
    button.addEventListener("click", () => page.go(move.move - 1));
    return button;
  }

  /** Why the best choice was better, in a sentence. @param {Move} move */
  function reasonOf({ choices, why }) {
    return `Better: ${actionWords(choices, page.plain)}${why ? `. ${sentence(page.plain(why))}` : "."}`;
  }

  /** @param {Move[]} again */
  async function startQuiz(again) {
    const { createQuiz } = await import("./quiz.js");
    if (isQuiz || again.length === 0) return; // pressed twice
    isQuiz = true;
    showParts();
    showArrows([], "");
    const point = (/** @type {Move} */ { seat, choices }, /** @type {Choice} */ mine) =>
      showArrows(
        [
          { name: mine.name, seat, kind: "played" },
          { name: choices[0].name, seat, kind: "best" },
        ],
        choices.some(({ name }) => name.startsWith("place")) ? "drawn" : "",
      );
    createQuiz(game, again, { ...page, reason: reasonOf, point }, () => {
      isQuiz = false;
      showParts();
      page.refresh();
    });
  }

  /** What is to be said of a decision. @param {Move} move @returns {(Node|string)[]} */
  function verdict(move) {
    const { forced, mark, lost, chance_lost: chance, check: tried, choices, action } = move;
    if (forced)
      return [choices.length === 1 ? "Forced: there was only one choice." : "All choices were worth the same."];
    const error = tried ? ` ± ${(2 * tried.error).toFixed(2)}, checked with ${tried.guesses} rounds` : "";
    if (tried && tried.lost < -2 * tried.error)
      return [`Better than the choice that looked best, by ${(-tried.lost).toFixed(2)} points${error}.`];
    const winning = chance >= MIN_CHANCE ? `, and ${percent(chance)} in chances of winning the round` : "";
    if (mark)
      return [
        signOf(mark),
        make("b", {}, ` ${mark[0].toUpperCase()}${mark.slice(1)}`),
        `: gave away ${lost.toFixed(2)} points${error}${winning}. ${reasonOf(move)}`,
      ];
    if (tried && lost < 2 * tried.error) return [`Too close to tell: ${lost.toFixed(2)} points${error}.`];
    if (action === choices[0].action || lost < SAME) return ["The best choice."];
    if (choices[0].worth - choices[1].worth < CLOSE && lost < CLOSE)
      return ["Close: the best choices are worth about the same."];
    return [`Good: gave away ${lost.toFixed(2)} points${error}.`];
  }

  /** How likely it is that a seat wins the round. @param {number[]} chances @param {number} seat */
  function chanceBar(chances, seat) {
    const isWide = chances[seat] > 0.35; // else the words stand beside the share
    const words = `${game.names[seat]} ${percent(chances[seat])}`;
    const share = make("span", { class: "own" }, isWide ? words : "");
    share.style.width = `${Math.max(100 * chances[seat], 3)}%`;
    const rest = make("span", { class: "rest" }, isWide ? "" : words);
    if (chances.length === 2)
      rest.append(make("span", { class: "other" }, percent(1 - Math.round(100 * chances[seat]) / 100)));
    return make(
      "div",
      {
        class: "chances",
        role: "img",
        "aria-label": `Chance of winning the round: ${game.names[seat]}, ${percent(chances[seat])}`,
      },
      share,
      rest,
    );
  }

  /** Show the judgement of the decision that comes next. @param {number} at @param {any} view */
  function show(at, view) {
    if (isQuiz) return;
    graph?.stand(at, page.looking());
    for (const button of byId("marked")?.querySelectorAll("button") ?? [])
      setAttribute(button, "aria-current", Number(button.dataset.move) === at + 1 ? "true" : null);
    const move = moves.get(at);
    const choices = position?.choices ?? move?.choices;
    const point = (/** @type {any[]} */ more) => showArrows([...more], view.phase);
    if (!choices) {
      point([]);
      return decision.replaceChildren(
        ...(graph && at < game.decisions.length ? [make("p", { class: "note" }, "Not judged yet.")] : []),
      );
    }
    const seat = position?.seat ?? move?.seat ?? 0;
    const usual = move?.forced
      ? [{ name: named(choices, move.action), seat, kind: "played" }]
      : pointed(choices, move, seat);
    point(usual);
    const options = { isAll: shownAll, played: move?.action, check: move?.check, plain: page.plain, least: CLOSE };
    const preview = (/** @type {Choice[]|null} */ tried) =>
      point(tried ? tried.map(({ name }) => ({ name, seat, kind: "tried" })) : usual);
    const table =
      choices.length > 1 && !move?.forced ? worthTable(choices, options, preview, () => showMore(view)) : [];
    if (!move) return decision.replaceChildren(...table);
    const title = make("h3", {}, `${at + 1}. ${game.names[seat]} ${shortWords(page.plain(game.decisions[at].words))}`);
    return decision.replaceChildren(
      chanceBar(move.chances, page.looking()),
      title,
      make("p", { class: "verdict" }, ...verdict(move)),
      ...table,
    );
  }

  /** @param {any} view */
  function showMore(view) {
    shownAll = true;
    show(page.standing(), view);
  }

  return { show };
}

/** The best choice in words, without its place, which an arrow shows. @param {Choice[]} choices @param {(words: string) => string} plain */
function actionWords(choices, plain) {
  const isDrawn = choices.some(({ name }) => name.startsWith("place"));
  const flip = isDrawn ? "discard it and turn a card up" : "turn another card up";
  return choices[0].name.startsWith("flip") ? flip : shortWords(plain(choices[0].name));
}

/** The name of an action among choices. @param {Choice[]} choices @param {number} action */
const named = (choices, action) => choices.find(choice => choice.action === action)?.name ?? "";

/** What arrows show: what was played, then what was best, of equal choices all. @param {Choice[]} choices @param {Move|undefined} move @param {number} seat */
function pointed(choices, move, seat) {
  const [best] = foldedChoices(choices);
  const made = choices.find(({ action }) => action === move?.action);
  if (made && best.worth - made.worth < SAME) return [{ name: made.name, seat, kind: "best" }];
  const played = made ? [{ name: made.name, seat, kind: "played" }] : [];
  return [...played, { name: best.choices[0].name, seat, kind: "best" }];
}
