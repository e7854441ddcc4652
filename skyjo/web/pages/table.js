/** A table: draws what comes over the socket, and sends what is pressed. */

import { byId, setAttribute, setText } from "./dom.js";
import { explain, listen } from "./keys.js";
import { speak } from "./people.js";
import { answered, offerText, ownNumber, toGame, toTable } from "./server.js";
import { connect } from "./socket.js";
import { isOn, keep, ownName, wantedPace } from "./storage.js";
import { recent, showScores, showStory } from "./turn_history.js";
import * as shown from "./view.js";

const { isMine, say } = shown;
const PRACTICE =
  "Practice: this game does not count, as you took a move back, let the computer move, or knew the cards.";
const ASSISTED = "You used a hint: this game does not count.";
const LOOK_SECONDS = 5; // at the end of a round of agents alone
const COMMON_KEYS = [
  ["← ↑ ↓ →", "move between cards"],
  ["Enter", "press the focused card or button"],
  ["Esc", "cancel"],
  ["H", "hint"],
  ["U", "undo, not with other people"],
  ["1 … 8", "go to a player’s cards"],
  ["?", "show this list"],
];

const id = ownNumber();
const api = `/api/tables/${encodeURIComponent(id)}`;

/** @type {View|undefined} */
let view;
let board;
/** @type {any} the controls of a table of agents alone */
let watch;
let inspector;
/** @type {Promise<any>|undefined} */
let inspecting;
/** @type {Promise<void>|undefined} */
let inviting;
/** @type {any} holds decisions back until a second tap */
let secondTap;
/** @type {Promise<void>|undefined} */
let loading;
/** The decision that was sent and not yet answered. */
let sent = -1;
/** Has this page said how quick agents should be? */
let isPaced = false;
/** @type {{seq: number, name: string}|null} what goes out once the decision before it has been carried out */
let next = null;
/** @type {Map<number|null, any>} what an adviser says, by what is begun on the board */
const advice = new Map();
/** @type {any} how hints are shown, once one was asked for */
let hints;
/** @type {Told[]} decisions that this page has heard of, as far as the server has not taken them back */
let heard = [];
/** @type {View|null} the view with the end of a round, while that is on the felt */
let ended = null;
/** @type {any[]} */
let places = [];

const line = connect(
  `${api}/socket`,
  hear,
  words => {
    setText(byId("connection"), words);
    sent = -1;
  },
  words => {
    setText(byId("gone").querySelector("h2"), words);
    document.body.toggleAttribute("data-gone", true);
  },
);

/** @param {any} message */
function hear(message) {
  if (message.kind === "view") showView(message);
  else if (message.kind === "hint") showHint(message);
  else if (message.kind === "inspected") inspector.show(message);
  else if (message.kind === "moved") location.assign(toTable(message.id));
  else if (message.kind === "refused") refuse(message.words);
}

/** @param {View} now */
function showView(now) {
  const before = view;
  const isNew = before?.seq !== now.seq;
  view = now;
  sent = -1;
  if (isNew) {
    say("");
    forgetHint();
    secondTap?.forget();
  }
  if (!board) {
    loading ??= loadBoard(now);
    return;
  }
  heard = [...heard.filter(({ seq }) => seq < (now.told[0]?.seq ?? 0)), ...now.told];
  const isBack = before !== undefined && now.seq < before.seq;
  if (now.over ? !before?.over : now.end && isNew && !isBack && !ended) end(now, before);
  else if (ended && isBack) goOn();
  else if (!ended) draw();
  byId("felt").dataset.seq = String(now.seq);
  if (isNew && before) notice(now, before);
  setPace(now);
  if (!ended) sendNext(now);
}

/** Fetch the drawing of a game, and draw the view that has come meanwhile. @param {View} first */
async function loadBoard({ game, watch: isWatched }) {
  const watching = isWatched && (await import("./watch.js"));
  watch = watching?.createWatch(ask);
  const [drawing] = await Promise.all([import(`./boards/${game}.js`), loadSecondTap()]);
  setText(byId("title"), drawing.TITLE);
  setText(byId("heading"), `${drawing.TITLE} table`);
  document.body.dataset.game = game;
  offerText(byId("record"), `${api}/record`, `${game}-${id}.txt`);
  board = new drawing.Board(byId("middle"), byId("choices"), { act, refuse, redraw });
  explain([...(watching ?? drawing).KEYS, ...COMMON_KEYS]);
  const first = view;
  view = undefined; // so that its end is shown too
  if (first) showView(first);
  if (document.activeElement === document.body) byId("own").focus({ preventScroll: true });
}

/** What an action does, as the picture shows it. @param {string} words */
const plain = words => board.plain(words);

/** Draw the last view again. */
function draw() {
  if (!view) return;
  const [begun, focused] = [board.begun(), byId("ask").querySelector(":focus")];
  const marks = advice.has(begun) ? hints.marksOf(advice.get(begun)) : { best: new Set(), behind: new Map() };
  places = shown.seatPlaces(view);
  const since = recent(view, heard);
  board.update(view, places, marks.best, marks.behind, since);
  const events = since.map((told, index) => board.eventOf(told, index === 0));
  const last = events.findLastIndex(Boolean);
  speak(byId("says"), view, since[last]?.seat ?? -1, events[last]);
  showTools(view);
  showQuestion(view, board.question());
  showStory(view, board);
  showScores(view);
  if (!byId("invitation").hidden)
    inviting ??= import("./dialogs.js").then(({ showInvitation }) => showInvitation(api)).catch(() => {});
  watch?.update(view);
  inspector?.update(view);
  if (focused && !focused.checkVisibility())
    byId("own").querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
}

/** Draw again after something was begun or let go of, with the hint that was asked for; the end of a round stays as it is. */
function redraw() {
  if (ended) return;
  say("");
  draw();
  const begun = board.begun();
  if (advice.size > 0 && begun !== null && !advice.has(begun)) ask("hint", { after: begun });
  else if (advice.has(begun)) hints.showAdvice(advice.get(begun), board);
}

/**
 * The end of a round stays on the felt until somebody here goes on; what happens meanwhile is drawn then.
 * @param {View} now @param {View} [before]
 */
async function end(now, before) {
  ended = now;
  if (!before) draw();
  places = shown.seatPlaces(now);
  watch?.update(now);
  showTools(now);
  showScores(now);
  showStory(now, board);
  setAttribute(byId("felt"), "data-ended", "");
  sound("end");
  if (now.seat !== null && now.end) keep(`finished.${now.game}`, true);
  const { showEnding } = await import("./ending.js");
  byId("next").hidden = now.over !== null;
  for (const name of ["rematch", "review", "again"]) byId(name).hidden = now.over === null || now.seat === null;
  if (!now.judged) byId("review").hidden = true;
  if (now.room) byId("again").hidden = true;
  await showEnding(now, before, board, places, () => ended === now);
  if (ended !== now) return;
  showQuestion(now, "");
  if (byId("felt").contains(document.activeElement)) byId(now.over ? "rematch" : "next").focus({ preventScroll: true });
  if (now.over && now.daily) await (await import("./daily_result.js")).showDaily(now.daily);
  if (now.over && now.seat !== null)
    (await import("./review.js")).offerReview(byId("review"), id, now.seats.map(shown.isHere), refuse);
  if (now.over && isAlone(now))
    (await import("./people.js")).offerNext(byId("another"), now, id, refuse).catch(() => {});
  if (now.watch && !now.over) setTimeout(() => ended === now && goOn(), LOOK_SECONDS * 1000);
}

/** Go on after the end of a round; what was begun during it is let go of. */
function goOn() {
  ended = null;
  byId("felt").removeAttribute("data-ended");
  byId("ending").hidden = true;
  letGo();
  if (view) sendNext(view);
}

/** What somebody who looks elsewhere should notice. @param {View} now @param {View} before */
function notice(now, before) {
  if (!ended) sound(isMine(now) && !isMine(before) ? "turn" : "card");
}

/** @param {string} name */
async function sound(name) {
  if (isOn("sound")) (await import("./sound.js")).play(name);
}

/** Let agents be as quick as this browser wants them, where it may say so. @param {View} now */
function setPace(now) {
  if (now.pace === null || now.watch || isPaced) return;
  isPaced = true;
  const pace = wantedPace(now.seats.filter(({ person }) => !person).length);
  if (pace !== now.pace) ask("pace", { pace });
}

/** What to do, in words. @param {View} view @param {string} own what the board asks */
function showQuestion(view, own) {
  const asked = view.covered ? `Pass the device to seat ${shown.ownSeat(view) + 1}.` : isMine(view) ? own : "";
  const isMissing = shown.isMissing(view);
  const waits = view.over ? shown.outcomeWords(view) : view.decider === null ? "" : waitingWords(view, isMissing);
  setText(byId("question"), asked || (byId("sit").hidden ? waits : "Waiting for a player."));
  byId("uncover").hidden = !view.covered;
  byId("substitute").hidden = !isMissing || view.seat === null;
  setAttribute(byId("ask"), "data-mine", isMine(view) ? "" : null);
  const why = view.over
    ? `The ${view.episode} is over.`
    : ended
      ? "Press “Next round” first."
      : isMine(view)
        ? "You can’t do that now."
        : `It is not your turn. ${waits}`;
  setText(byId("why"), why);
  const isTurn = isMine(view) && !ended;
  document.title = [view.over ? "Over" : isTurn ? "Your turn" : "", byId("title").textContent]
    .filter(Boolean)
    .join(" – ");
  const icon = /** @type {Element} */ (document.querySelector('link[rel="icon"]'));
  setAttribute(icon, "href", String(icon.getAttribute("href")).replace(/icon\w*/, `icon${isTurn ? "_turn" : ""}`));
}

/** @param {View} view @param {boolean} isMissing */
function waitingWords(view, isMissing) {
  const seat = Number(view.decider);
  if (!isMissing) return `Waiting for ${shown.seatName(view, seat)}.`;
  const state = shown.freeSeat(view) === seat ? "Waiting for a player" : `${shown.subject(view, seat)} left`;
  return `${state}.${view.seat === null ? "" : " Wait, or let the computer take over."}`;
}

/** Do all people who play here sit at this browser, which keeps the table? @param {View} view */
const isAlone = view =>
  view.seat !== null && !view.room && view.seats.every(seat => shown.isHere(seat) || !seat.person);

/** Is it today's deal, at which everybody plays without help? @param {View} view */
const isDaily = ({ daily, practice }) => Boolean(daily) && !practice;

/** Buttons and links that there are at some times only. @param {View} view */
function showTools(view) {
  const isOver = view.over !== null;
  const alone = isAlone(view);
  setAttribute(byId("hint"), "aria-disabled", isMine(view) ? null : "true");
  for (const name of ["hint", "undo"]) byId(name).hidden = !alone || isOver || isDaily(view);
  byId("concede").hidden = view.seat === null || isOver;
  setText(byId("concede"), alone ? "Give up" : "Leave");
  setAttribute(byId("undo"), "aria-disabled", shown.hasDecided(view) ? null : "true");
  byId("sit").hidden = view.seat !== null || shown.freeSeat(view) < 0 || isOver;
  if (byId("own-name").hidden && !byId("sit").hidden) byId("own-name").value = ownName();
  byId("own-name").hidden = byId("sit").hidden;
  for (const name of ["look-back", "share", "record"]) byId(name).hidden = !isOver;
  byId("challenge").hidden = !isOver || !alone;
  byId("practice").hidden = !view.practice && !view.assisted;
  setText(byId("practice"), view.practice ? PRACTICE : ASSISTED);
  byId("invitation").hidden = shown.freeSeat(view) < 0 || isOver || view.seat === null;
  byId("inspector").hidden = !isOn("developer");
  setText(byId("round"), isDaily(view) ? "Today’s deal" : shown.roundWords(view, ended !== null));
}

/**
 * Send a decision; `then` names another that follows once this one has been carried out.
 * @param {number} action @param {string} [then]
 */
function act(action, then) {
  if (!view || ended || sent === view.seq) return;
  say("");
  if (secondTap?.holdsBack([view.names[action], then].filter(Boolean).map(plain).join(", and "))) return;
  if (!line.send({ seq: view.seq, action })) return refuse("No connection: your move was not sent.");
  sent = view.seq;
  next = then ? { seq: view.seq + 1, name: then } : null;
}

/** The second of two decisions, if it is still possible. @param {View} now */
function sendNext(now) {
  const wanted = next?.seq === now.seq ? next.name : null;
  next = null;
  const action = wanted === null ? undefined : board.actionNamed(wanted);
  if (action !== undefined) act(action);
}

/** @param {string} what @param {object} [more] */
function ask(what, more) {
  if (view && !line.send({ seq: view.seq, ask: what, ...more })) refuse("No connection: your move was not sent.");
}

/** @param {any} hint */
async function showHint(hint) {
  hints = await import("./hint.js");
  if (!view || hint.seq !== view.seq) return;
  advice.set(hint.after, hint);
  if (board.begun() === hint.after) hints.showAdvice(hint, board);
  draw();
}

function forgetHint() {
  advice.clear();
  byId("advice").hidden = true;
}

/** Say why nothing was done. @param {string} [words] */
function refuse(words = view && isMine(view) ? "You can’t do that now." : "It is not your turn.") {
  sent = -1;
  next = null;
  if (advice.size === 0) forgetHint();
  say(words);
}

async function loadSecondTap() {
  if (isOn("tap-twice")) secondTap ??= (await import("./second_tap.js")).createSecondTap(draw);
}

async function sitDown() {
  const name = byId("own-name").value.trim();
  const joined = answered(`${api}/join`, { name }).then(() => name && keep("name", name));
  await joined.catch(error => refuse(error.message)); // the view of the seat comes over the socket
}

/** Do something with the game that is over. @param {(game: string) => unknown} use */
const useGame = use =>
  answered("/api/games", { table: id })
    .then(game => use(game.id))
    .catch(error => refuse(error.message));

function letGo() {
  secondTap?.forget();
  board?.letGo();
  say("");
  if (board && !ended) draw();
}

/** @param {string} code @returns {boolean} */
function pressKey(code) {
  if (!view || !board) return false;
  const digit = /^Digit([1-8])$/.exec(code);
  const seat = digit && document.querySelector(`[data-seat="${Number(digit[1]) - 1}"] [tabindex="0"]`);
  const button =
    code === "KeyH" ? byId("hint") : code === "KeyU" ? byId("undo") : (watch?.key(code) ?? board.key(code));
  if (code.startsWith("Arrow") && document.activeElement === byId("own"))
    byId("own").querySelector('[tabindex="0"]').focus();
  if (seat) /** @type {HTMLElement} */ (seat).focus();
  else if (button && !button.hidden) button.click();
  return Boolean(seat ?? button);
}

byId("hint").addEventListener("click", async () => {
  if (!view?.actions.length) return refuse();
  const { showThinking } = await import("./hint.js");
  showThinking();
  const begun = board.begun();
  ask("hint", begun === null ? {} : { after: begun });
});
byId("next").addEventListener("click", goOn);
addEventListener("settings", async () => {
  await loadSecondTap();
  isPaced = false;
  if (view) setPace(view);
  if (board && !ended) draw();
});
for (const what of ["undo", "again", "rematch", "uncover", "substitute"])
  byId(what).addEventListener("click", () => ask(what));
byId("sit").addEventListener("click", sitDown);
byId("concede").addEventListener("click", async () => {
  const { confirmConcede, confirmLeaving } = await import("./dialogs.js");
  if (!view) return;
  if (!isAlone(view)) return confirmLeaving();
  confirmConcede(view.episode, () => {
    letGo();
    forgetHint();
    ask("concede");
  });
});
byId("inspector").addEventListener("toggle", async () => {
  inspecting ??= import("./inspector.js").then(module => module.createInspector(byId("inspector"), ask, refuse));
  inspector = await inspecting;
  if (view) inspector.update(view);
});
byId("look-back").addEventListener("click", () => useGame(game => location.assign(toGame(game))));
byId("challenge").addEventListener("click", async () => (await import("./challenge.js")).passOn(api, refuse));
byId("share").addEventListener("click", () => useGame(async game => (await import("./dialogs.js")).share(game)));
listen(pressKey, letGo);
