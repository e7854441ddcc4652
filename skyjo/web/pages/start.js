/** The first page: an opponent, today's deal, a friend or a game to watch, each one press away; and the last tables. */

import { byId, cardPicture, make, sentence, setText } from "./dom.js";
import { signed } from "./numbers.js";
import { answered, toTable } from "./server.js";
import { keep, kept, ownName } from "./storage.js";
import { showShelf } from "./table_list.js";

/**
 * @typedef {{name: string, words: string}} Named
 * @typedef {{name: string, level: string, agent: string, words: string, card: {text: string, band: string}, rating: number|null, playable: boolean}} Rival
 * @typedef {object} Start
 * @property {string} game @property {string} title @property {Named[]} agents @property {string[]} opponents
 * @property {Rival[]} rivals @property {boolean} served can others come to tables? @property {boolean} local from this computer only
 * @property {(Named & {rules: string})[]} presets @property {[number, number]} players
 * @property {import("./rules_form.js").Rule[]} rules
 * @property {import("./table_list.js").Listed[]} tables
 * @typedef {{margin: number, luck: number}} Figures
 */

const SHOWN = 4; // tables
const CUSTOM = "#custom";
const ALONE = "Nobody else can come to a table here, since this site has no server. “skyjo web”, on your own computer, opens tables for friends.";

/** @type {Start} */
let start;

/** @param {unknown} error */
const complain = (error) => setText(byId("error"), sentence(/** @type {Error} */ (error).message));

/** Ask for a table and go there. @param {string} path @param {object} body */
export async function goTo(path, body) {
  const { id } = await answered(path, body);
  location.assign(toTable(id));
}

/** @param {string[]} seats @param {string[]} names @param {string} episode */
const play = (seats, names, episode) => goTo("/api/tables", { seats, names, episode }).catch(complain);

/** The length that is chosen for the next game. */
const length = () => String(/** @type {any} */ (document.querySelector("#length :checked")).value);

/** An opponent, as a button that deals. @param {Rival} rival */
function rivalButton({ name, level, agent, words, card, rating, playable }) {
  const about = make("small", {}, `agent ${agent.split(":")[0]}${rating === null ? ", not rated" : `, rating ${rating}`}`);
  const who = make("span", { class: "who" }, make("strong", {}, name), make("span", { class: "level" }, level));
  const button = make("button", { type: "button", class: "rival", "data-level": level }, cardPicture({ ...card, pips: 0 }), who, make("span", { class: "words" }, words), about, make("span", { class: "go" }, playable ? "Play" : start.served ? "Not installed" : "Needs a server"));
  button.disabled = !playable;
  button.querySelector(".card").setAttribute("aria-hidden", "true");
  button.querySelector(".go").setAttribute("aria-hidden", "true");
  button.addEventListener("click", () => {
    keep(`rival.${start.game}`, name);
    void play(["you", agent], [ownName(), name], length());
  });
  return make("li", {}, button);
}

function showRivals() {
  byId("rivals").replaceChildren(...start.rivals.map(rivalButton));
  const last = kept(`rival.${start.game}`, "");
  const chosen = start.rivals.findIndex(({ name, playable }) => playable && name === last);
  byId("rivals").children[Math.max(0, chosen)].firstElementChild.dataset.suggested = "";
}

/** Remember the length from one visit to the next. */
function rememberLength() {
  for (const input of byId("length").querySelectorAll("input")) {
    input.checked = input.value === kept("length", "round");
    input.addEventListener("change", () => keep("length", length()));
  }
}

function offerInvitation() {
  if (!start.served) setText(byId("invite-words"), ALONE);
  for (const part of byId("invite").querySelectorAll("label, input, button")) part.hidden = !start.served;
  if (start.local) byId("invite-words").append(" It works on this computer only; started with ", make("code", {}, "--host"), ", the site lets in others.");
  byId("name").value = ownName();
  const keepName = () => byId("name").validity.valid && keep("name", byId("name").value.trim());
  byId("name").addEventListener("change", keepName);
  byId("invite").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    keepName();
    void play(["you", "open"], [ownName()], length());
  });
}

function offerWatching() {
  const [second, first] = start.rivals.filter(({ playable }) => playable).slice(-2);
  setText(byId("watch-words"), `${first.name} against ${second.name}, at a pace that you set.`);
  byId("look-on-strong").addEventListener("click", () => play([first.agent, second.agent], [first.name, second.name], length()));
}

/** @param {number} points */
const ahead = (points) => (Math.abs(points) < 0.05 ? "level" : `${signed(Math.abs(points), 1).slice(1)} points ${points > 0 ? "ahead" : "behind"}`);

/** How today's deal went. @param {Figures & {rival: Figures|null}} result @param {string} name of the rival */
function showResult({ margin, luck, rival }, name) {
  const own = margin - luck;
  const other = rival && rival.margin - rival.luck;
  const compared = other === null ? "" : `; ${name}, in your seat, was ${ahead(other)}`;
  setText(byId("daily-words"), `Without luck you were ${ahead(own)}${compared}. New cards come at midnight, UTC.`);
  const figures = [["Points", margin], ["Luck", luck], ["Without luck", own], ...(other === null ? [] : [[name, other]])];
  byId("daily-figures").replaceChildren(...figures.map(([what, points]) => make("div", {}, make("dt", {}, String(what)), make("dd", {}, signed(Number(points), 1)))));
  byId("daily-figures").hidden = false;
}

async function showDaily() {
  const { table, over, result, rival } = await answered("/api/daily");
  if (over && result) showResult(result, rival);
  else if (over) setText(byId("daily-words"), "Your round does not count: you gave up or took back a move, or the round was stopped. New cards come at midnight, UTC.");
  if (table) setText(byId("daily"), over ? "Look at it again" : "Continue today’s deal");
  else setText(byId("daily-words"), `One round against ${rival} with the same cards for everybody. See what you make of them, luck aside.`);
}

/** The form behind "Custom table", loaded when it is wanted. */
async function showCustom() {
  const { createCustomForm } = await import("./custom.js");
  createCustomForm(start, goTo);
}

function offerCustom() {
  const box = byId("custom");
  const opened = () => box.open && showCustom().catch(complain);
  box.addEventListener("toggle", opened, { once: true });
  if (box.open) void opened();
  const jump = () => {
    if (location.hash !== CUSTOM) return;
    box.open = true;
    box.scrollIntoView();
  };
  addEventListener("hashchange", jump);
  jump();
}

async function begin() {
  rememberLength();
  byId("daily").addEventListener("click", () => goTo("/api/daily", { name: ownName() }).catch(complain));
  start = await answered("/api/start");
  document.title = `${start.title}: play now`;
  showRivals();
  offerInvitation();
  offerWatching();
  offerCustom();
  byId("running").hidden = start.tables.length === 0;
  showShelf(byId("tables"), byId("more"), start.tables, SHOWN, "tables");
  await showDaily();
}

begin().catch(complain);
