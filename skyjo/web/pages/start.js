/** The first page: an opponent, today's deal, a friend or a game to watch, each one press away; and the last tables. */

import { byId, complain, make, setText } from "./dom.js";
import { portrait, tableOf } from "./people.js";
import { answered, goTo, toTable } from "./server.js";
import { keep, kept, ownName } from "./storage.js";
import { showShelf } from "./table_list.js";

const SHOWN = 4; // tables
const isOwn = name => /^you( |$)/.test(name);
const [CUSTOM, CHALLENGE] = ["#custom", "#challenge"];
const NEW_CARDS = " A new deal comes at midnight UTC.";
const SAME_CARDS = "Send a link: your friend plays the same cards. Who scores better?";

/** @type {Start} */
let start;

/** @param {{seats: string[], names: string[], episode: string, rules?: string, seed?: string}} table */
const play = table => goTo("/api/tables", table).catch(complain);

/** What is chosen for the next game. @param {string} what length or players */
const chosen = what => byId(what).querySelector(":checked").value;

/** A table for whoever is here and an opponent; opponents who play about as well take its other seats. @param {Rival} rival */
const against = rival => tableOf(start.rivals, rival, Number(chosen("players")), chosen("length"));

/** An opponent, as a button that deals. @param {Rival} rival */
function rivalButton(rival) {
  const { name, level, words, playable } = rival;
  const deal = () => {
    keep(`rival.${start.game}`, name);
    void play(against(rival));
  };
  const button = make(
    "button.rival",
    { "data-level": level, disabled: !playable && "", click: deal },
    portrait(name),
    make("span.who", make("strong", name), make("span.level", level)),
    make("span.words", words),
    make("span.go", { "aria-hidden": "true" }, playable ? "Play" : "Not here"),
  );
  return make("li", button);
}

function showRivals() {
  byId("rivals").replaceChildren(...start.rivals.map(rivalButton));
  const last = kept(`rival.${start.game}`, "");
  const chosen = start.rivals.findIndex(({ name, playable }) => playable && name === last);
  byId("rivals").children[Math.max(0, chosen)].firstElementChild.dataset.suggested = "";
}

/** Remember a choice from one visit to the next. @param {string} what @param {string} usual */
function remember(what, usual) {
  for (const input of byId(what).querySelectorAll("input")) {
    input.checked = input.value === kept(what, usual);
    input.addEventListener("change", () => keep(what, chosen(what)));
  }
}

/** What somebody who comes back, or is here for the first time, wants first. */
function offerFirst() {
  const own = start.tables.find(({ over, daily, names }) => over === false && !daily && names.some(isOwn));
  byId("lesson").hidden = kept(`finished.${start.game}`, false);
  byId("continue").hidden = !own;
  if (!own) return;
  const others = new Intl.ListFormat("en-GB").format(own.names.filter(name => !isOwn(name)));
  byId("continue").href = toTable(own.id);
  setText(byId("continue"), `Continue against ${others || "each other"}`);
}

/** A table for a friend, or where nobody can come to a table a deal to be played by both. */
function offerInvitation() {
  for (const part of byId("invite").querySelectorAll("label, input")) part.hidden = !start.served;
  byId("name").value = ownName();
  const keepName = () => keep("name", byId("name").value.trim());
  byId("name").addEventListener("change", keepName);
  if (!start.served) {
    setText(byId("invite-title"), "Challenge a friend");
    setText(byId("invite-words"), SAME_CARDS);
    setText(byId("invite").querySelector("button"), "Create a challenge");
  } else if (start.local) {
    byId("invite-words").append(" The link only works on this computer.");
  }
  byId("invite").addEventListener("submit", event => {
    event.preventDefault();
    keepName();
    if (start.served) void play({ seats: ["you", "open"], names: [ownName()], episode: chosen("length") });
    else void challenge();
  });
}

/** Show the address of a deal against the opponent that is suggested, and offer to play it. */
async function challenge() {
  const rivals = start.rivals.filter(({ playable }) => playable);
  const last = rivals.find(({ name }) => name === kept(`rival.${start.game}`, "")) ?? rivals.at(-1);
  const { newDeal, showChallenge } = await import("./challenge.js");
  const deal = newDeal({ ...against(last), rules: "" });
  await showChallenge(deal, () => play(deal)).catch(complain);
}

function offerWatching() {
  const [second, first] = start.rivals.filter(({ playable }) => playable).slice(-2);
  setText(byId("watch-words"), `${first.name} against ${second.name}, at a speed you choose.`);
  const table = () => ({
    seats: [first.agent, second.agent],
    names: [first.name, second.name],
    episode: chosen("length"),
  });
  byId("look-on-strong").addEventListener("click", () => play(table()));
}

async function showDaily() {
  const daily = await answered("/api/daily");
  const { table, over, rival } = daily;
  if (over) {
    const { dailyFigures, dailyWords } = await import("./daily_result.js");
    setText(byId("daily-words"), dailyWords(daily) + NEW_CARDS);
    byId("daily-figures").replaceChildren(...dailyFigures(daily));
    byId("daily-figures").hidden = daily.result === null;
  }
  if (table) setText(byId("daily"), over ? "See it again" : "Continue today’s deal");
  else setText(byId("daily-words"), `One round against ${rival}. Every player gets the same cards today.`);
}

/** Show the form behind "Custom table" once it is wanted. */
function offerCustom() {
  const box = byId("custom");
  /** @type {Promise<void>|undefined} */
  let shown;
  const create = async () => (await import("./custom.js")).createCustomForm(start);
  const show = () => (shown ??= create().catch(complain));
  box.addEventListener("toggle", show);
  if (box.open) void show();
  const jump = async () => {
    if (location.hash !== CUSTOM) return;
    box.open = true;
    await show();
    box.scrollIntoView();
  };
  addEventListener("hashchange", jump);
  void jump();
}

/** If the address of the page is a challenge, go to its table. */
async function accept() {
  if (!location.hash.startsWith(CHALLENGE)) return;
  const { challenged } = await import("./challenge.js");
  const { id } = await answered("/api/tables", challenged());
  location.replace(toTable(id));
}

async function begin() {
  remember("length", "round");
  remember("players", "2");
  byId("daily").addEventListener("click", () => goTo("/api/daily", { name: ownName() }).catch(complain));
  addEventListener("hashchange", () => accept().catch(complain));
  await accept().catch(complain);
  start = await answered("/api/start");
  document.title = `${start.title}: play now`;
  offerFirst();
  showRivals();
  offerInvitation();
  offerWatching();
  offerCustom();
  document.querySelector(".tiles").removeAttribute("inert");
  byId("running").hidden = start.tables.length === 0;
  showShelf(byId("tables"), byId("more"), start.tables, SHOWN, "tables");
  await showDaily();
}

begin().catch(complain);
