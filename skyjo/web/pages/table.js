/** A table: draws what comes over the socket, and sends what is pressed. */

import { answered, byId, sentence, setAttribute, setText } from "./nodes.js";
import { connect } from "./socket.js";
import { explain, isOn, listen } from "./keys.js";
import { ownName } from "./storage.js";
import * as shown from "./view.js";

/** @typedef {import("./view.js").View} View */

/**
 * What a board can do to the table.
 * @typedef {object} Table
 * @property {(action: number, then?: string) => void} act send a decision, and perhaps another one after it
 * @property {(words?: string) => void} refuse say why a press does nothing
 * @property {() => void} redraw draw the last view again
 */

const ALERT_SECONDS = 5;
const COMMON_KEYS = [
  ["← ↑ ↓ →", "move between cards"],
  ["Enter", "press the focused card or button"],
  ["Esc", "cancel what you began"],
  ["H", "hint"],
  ["U", "undo, against agents only"],
  ["1 … 8", "go to a seat's cards"],
  ["?", "this list"],
];

const id = location.pathname.split("/").filter(Boolean).pop() ?? "";
const api = `/api/tables/${encodeURIComponent(id)}`;

/** @type {View|undefined} */
let view;
/** @type {any} */
let board;
/** @type {any} the controls of a table of agents alone */
let watch;
/** @type {any} */
let inspector;
/** @type {Promise<any>|undefined} */
let inspecting;
/** @type {any} holds decisions back until a second tap */
let secondTap;
/** @type {Promise<void>|undefined} */
let loading;
/** @type {number} the decision that was sent and not yet answered */
let sent = -1;
/** @type {{seq: number, name: string}|null} what goes out once the decision before it has been carried out */
let next = null;
/** @type {Set<number>} */
let best = new Set();
/** @type {any} */
let alertTimer;

const line = connect(`${api}/socket`, hear, (words) => {
  setText(byId("connection"), words);
  sent = -1;
});

/** @param {any} message */
function hear(message) {
  if (message.kind === "view") showView(message);
  else if (message.kind === "hint") showHint(message);
  else if (message.kind === "inspected") inspector.show(message);
  else if (message.kind === "moved") location.assign(`/t/${encodeURIComponent(message.id)}`);
  else if (message.kind === "refused") refuse(message.words);
}

/** @param {View} now */
function showView(now) {
  const isNew = view?.seq !== now.seq;
  const isTakenBack = view !== undefined && now.seq < view.seq;
  view = now;
  sent = -1;
  if (isNew) {
    forgetHint();
    secondTap?.forget();
  }
  if (!board) {
    loading ??= loadBoard(now);
    return;
  }
  draw();
  if (isTakenBack) byId("ending").hidden = true;
  else if (isNew && now.end) showEnding(now);
  goOn(now);
}

/** Fetch the drawing of a game, and draw the view that has come meanwhile. @param {View} first */
async function loadBoard({ game, watch: isWatched }) {
  const watching = isWatched && (await import("./watch.js"));
  watch = watching?.createWatch(ask);
  const drawing = await import(`./boards/${game}.js`);
  setText(byId("title"), drawing.TITLE);
  setText(byId("heading"), `${drawing.TITLE} table`);
  document.body.dataset.game = game;
  byId("record").setAttribute("download", `${game}-${id}.txt`);
  board = drawing.createBoard(byId("middle"), byId("choices"), { act, refuse, redraw: draw });
  explain([...(watching ?? drawing).KEYS, ...COMMON_KEYS], loadSecondTap);
  const first = view;
  view = undefined; // so that its end is shown too
  if (first) showView(first);
}

/** Draw the last view again. */
function draw() {
  if (!view) return;
  byId("felt").dataset.seq = String(view.seq);
  board.update(view, shown.seatPlaces(view), best);
  showTools(view);
  showQuestion(view, board.question());
  shown.showStory(view, board.plain);
  shown.showScores(view);
  if (!byId("invitation").hidden && !byId("link").value) void fetchLink();
  watch?.update(view);
  inspector?.update(view);
}

/** What to do, in words. @param {View} view @param {string} own what the board asks */
function showQuestion(view, own) {
  const asked = view.covered ? `Pass the screen to seat ${shown.ownSeat(view) + 1}.` : shown.isMine(view) ? own : "";
  const waits = view.over ? shown.outcome(view) : view.decider === null ? "" : `Waiting for ${shown.seatName(view, view.decider)}.`;
  setText(byId("question"), asked || (byId("sit").hidden ? waits : `Seat ${shown.freeSeat(view) + 1} is free.`));
  byId("uncover").hidden = !view.covered;
  setAttribute(byId("ask"), "data-mine", shown.isMine(view) ? "" : null);
  const why = view.over ? `The ${view.episode} is over.` : shown.isMine(view) ? "Not possible now." : `It is not your turn. ${waits}`;
  setText(byId("why"), why);
  const turn = view.over ? "Over" : shown.isMine(view) ? "Your turn" : "";
  document.title = [turn, byId("title").textContent].filter(Boolean).join(" – ");
}

/** Buttons and links that there are at some times only. @param {View} view */
function showTools(view) {
  const isOver = view.over !== null;
  const alone = view.seat !== null && view.seats.every((seat) => shown.isHere(seat) || !seat.person);
  const awaited = view.seats.some((seat) => seat.person && !seat.here);
  setAttribute(byId("hint"), "aria-disabled", shown.isMine(view) ? null : "true");
  byId("hint").hidden = isOver || view.seat === null;
  byId("undo").hidden = byId("concede").hidden = !alone || isOver;
  setAttribute(byId("undo"), "aria-disabled", shown.hasDecided(view) ? null : "true");
  byId("sit").hidden = view.seat !== null || shown.freeSeat(view) < 0 || isOver;
  byId("again").hidden = !isOver || view.seat === null;
  for (const name of ["look-back", "new", "record"]) byId(name).hidden = !isOver;
  byId("practice").hidden = !view.practice;
  byId("invitation").hidden = !awaited || isOver || view.seat === null;
  setText(byId("round"), view.episode === "game" ? `Round ${view.round}` : "One round");
}

/**
 * Send a decision; `then` names another that follows once this one has been carried out.
 * @param {number} action @param {string} [then]
 */
function act(action, then) {
  if (!view || sent === view.seq) return;
  if (secondTap?.holdsBack([view.names[action], then].filter(Boolean).map(board.plain).join(", and "))) return;
  if (!line.send({ seq: view.seq, action })) return refuse("No connection: nothing was sent.");
  sent = view.seq;
  next = then ? { seq: view.seq + 1, name: then } : null;
  byId("ending").hidden = true;
}

/** The second of two decisions, if it is still possible. @param {View} now */
function goOn(now) {
  const wanted = next?.seq === now.seq ? next.name : null;
  next = null;
  const action = wanted === null ? undefined : board.actionNamed(wanted);
  if (action !== undefined) act(action);
}

/** @param {string} what @param {object} [more] */
function ask(what, more) {
  if (view && !line.send({ seq: view.seq, ask: what, ...more })) refuse("No connection: nothing was sent.");
}

/** @param {{seq: number, choices: {action: number, words: string, worth: number|null, reason: string}[]}} hint */
async function showHint(hint) {
  const { showAdvice } = await import("./hint.js");
  if (!view || hint.seq !== view.seq) return;
  best = new Set(hint.choices.slice(0, 1).map((choice) => choice.action));
  showAdvice(hint.choices, board);
  draw();
}

function forgetHint() {
  best = new Set();
  byId("advice").hidden = true;
}

/** @param {View} now */
function showEnding(now) {
  const { words, pictures } = board.ending(now.end);
  shown.showEnding(now, words, pictures, () => {
    byId("ending").hidden = true;
    byId("felt").scrollIntoView({ block: "nearest" });
  });
  byId("ending").scrollIntoView({ block: "nearest" });
}

/** Say why nothing was done. @param {string} [words] */
function refuse(words = view && shown.isMine(view) ? "That is not possible now." : "It is not your turn.") {
  sent = -1;
  next = null;
  if (best.size === 0) forgetHint();
  byId("alert").textContent = sentence(words);
  clearTimeout(alertTimer);
  alertTimer = setTimeout(() => (byId("alert").textContent = ""), ALERT_SECONDS * 1000);
}

/** The address for inviting somebody. */
async function fetchLink() {
  byId("link").value ||= location.href;
  const answer = await fetch(`${api}/link`);
  if (!answer.ok) return;
  const { link, local } = await answer.json();
  byId("link").value = link;
  if (local) setText(document.querySelector('label[for="link"]'), "This link works on this computer only. To add a player, open it in another browser:");
}

async function loadSecondTap() {
  if (isOn("tap-twice")) secondTap ??= (await import("./second_tap.js")).createSecondTap(draw);
}

async function sitDown() {
  await answered(`${api}/join`, { name: ownName() }).catch((error) => refuse(error.message)); // the view of the seat comes over the socket
}

/** Open the game that is over, to look back at it. */
async function lookBack() {
  const game = await answered("/api/games", { table: id }).catch((error) => refuse(error.message));
  if (game) location.assign(`/g/${encodeURIComponent(game.id)}`);
}

function letGo() {
  secondTap?.forget();
  board?.letGo();
  if (board) draw();
  byId("ending").hidden = true;
}

/** @param {string} code @returns {boolean} */
function pressKey(code) {
  if (!view || !board) return false;
  const digit = /^Digit([1-8])$/.exec(code);
  const seat = digit && document.querySelector(`[data-seat="${Number(digit[1]) - 1}"] [tabindex="0"]`);
  const button = code === "KeyH" ? byId("hint") : code === "KeyU" ? byId("undo") : (watch?.key(code) ?? board.key(code));
  if (seat) /** @type {HTMLElement} */ (seat).focus();
  else if (button && !button.hidden) button.click();
  return Boolean(seat ?? button);
}

byId("hint").addEventListener("click", async () => {
  if (!view?.actions.length) return refuse();
  const { showThinking } = await import("./hint.js");
  showThinking();
  ask("hint");
});
for (const what of ["undo", "again", "uncover"]) byId(what).addEventListener("click", () => ask(what));
byId("sit").addEventListener("click", sitDown);
byId("concede").addEventListener("click", async () => {
  const { confirmConcede } = await import("./concede.js");
  confirmConcede(view?.episode ?? "", () => {
    letGo();
    forgetHint();
    ask("concede");
  });
});
byId("inspector").addEventListener("toggle", async () => {
  inspecting ??= import("./inspector.js").then((module) => module.createInspector(byId("inspector"), ask, refuse));
  inspector = await inspecting;
  if (view) inspector.update(view);
});
byId("look-back").addEventListener("click", lookBack);
byId("record").setAttribute("href", `${api}/record`);
byId("copy").addEventListener("click", async () => {
  byId("link").select();
  await navigator.clipboard?.writeText(byId("link").value).catch(() => undefined);
  setText(byId("copy"), "Copied");
});
loadSecondTap();
listen(pressKey, letGo);
