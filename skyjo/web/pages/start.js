/** The first page: who sits where, which rules, and the tables that are running. */

import { answered, byId, cardPicture, make, sentence, setText } from "./nodes.js";

/**
 * @typedef {{name: string, words: string}} Named
 * @typedef {object} Start
 * @property {string} game @property {string} title @property {Named[]} agents @property {string[]} opponents
 * @property {(Named & {rules: string})[]} presets @property {[number, number]} players
 * @property {import("./rules_form.js").Rule[]} rules
 * @property {{id: string, words: string, over: boolean}[]} tables
 */

const PEOPLE = [
  { name: "you", words: "A person at this screen." },
  { name: "open", words: "Someone who opens the table's link in another browser." },
];
const PEOPLE_TITLES = { you: "Me, or someone here", open: "Someone with the link" };
const FAN = [["1", "deep"], ["3", "sky"], ["5", "green"], ["8", "yellow"], ["12", "orange"]];

/** @type {Start} */
let start;
/** @type {{read: () => void}|undefined} */
let rulesForm;

/** A seat that can be chosen. @param {string} chosen */
function seatChoice(chosen) {
  const option = (/** @type {string} */ name, /** @type {string} */ title) => make("option", name === chosen ? { value: name, selected: "" } : { value: name }, title);
  const people = make("optgroup", { label: "People" }, ...PEOPLE.map(({ name }) => option(name, PEOPLE_TITLES[/** @type {"you"} */ (name)])));
  const agents = make("optgroup", { label: "Agents" }, ...start.agents.map(({ name }) => option(name, name)));
  const select = make("select", {}, people, agents);
  const words = make("p", { class: "note" });
  const remove = make("button", { type: "button", class: "quiet remove" }, "×");
  const item = make("li", {}, make("span", { class: "seat-number", "aria-hidden": "true" }), select, remove, words);
  select.addEventListener("change", () => explainSeat(select, words));
  remove.addEventListener("click", () => {
    item.remove();
    numberSeats();
    byId("add").focus();
  });
  explainSeat(select, words);
  return item;
}

/** @param {HTMLSelectElement} select @param {Element} words */
function explainSeat(select, words) {
  setText(words, [...PEOPLE, ...start.agents].find(({ name }) => name === select.value)?.words ?? "");
}

/** Number the seats, and see to it that there are neither too few nor too many. */
function numberSeats() {
  const [fewest, most] = start.players;
  const items = [...byId("seats").children];
  items.forEach((item, index) => {
    setText(item.querySelector(".seat-number"), String(index + 1));
    const note = item.querySelector(".note");
    note.id = `seat-words-${index + 1}`;
    item.querySelector("select").setAttribute("aria-label", `Seat ${index + 1}`);
    item.querySelector("select").setAttribute("aria-describedby", note.id);
    item.querySelector(".remove").setAttribute("aria-label", `Remove seat ${index + 1}`);
    item.querySelector(".remove").hidden = items.length <= fewest;
  });
  byId("add").hidden = items.length >= most;
}

function addSeat() {
  byId("seats").append(seatChoice(start.opponents[0] ?? "you"));
  numberSeats();
}

function showPreset() {
  const preset = start.presets[byId("preset").selectedIndex];
  setText(byId("preset-words"), preset?.words ?? "");
  byId("rules").value = preset?.rules ?? "";
  rulesForm?.read();
}

/** The fields of all rules, once they are unfolded. */
async function showRules() {
  const { createRulesForm } = await import("./rules_form.js");
  rulesForm ??= createRulesForm(byId("rules-form"), start.rules, byId("rules"));
}

/** The seats as they were chosen. @returns {string[]} */
const chosen = () => [...document.querySelectorAll("#seats select")].map((select) => /** @type {HTMLSelectElement} */ (select).value);

/** The same, with agents in place of people. */
const agentsOnly = () => chosen().map((name) => (name in PEOPLE_TITLES ? start.opponents[0] : name));

/** @param {string[]} seats */
async function deal(seats) {
  setText(byId("error"), "");
  const episode = new FormData(byId("form")).get("episode");
  try {
    const { id } = await answered("/api/tables", { seats, rules: byId("rules").value.trim(), episode });
    location.assign(`/t/${encodeURIComponent(id)}`);
  } catch (error) {
    complain(error);
  }
}

/** @param {unknown} error */
const complain = (error) => setText(byId("error"), sentence(/** @type {Error} */ (error).message));

function showTables() {
  const items = start.tables.map(({ id, words, over }) => make("li", {}, make("a", { href: `/t/${encodeURIComponent(id)}` }, words || id), make("span", { class: "note" }, over ? "over" : "running")));
  byId("tables").replaceChildren(...items);
  byId("running").hidden = items.length === 0;
}

async function begin() {
  start = await answered("/api/start");
  document.title = `${start.title}: new table`;
  setText(byId("title"), start.title);
  byId("fan").replaceChildren(...FAN.map(([text, band]) => cardPicture({ text, band, pips: 0 })));
  byId("seats").replaceChildren(...["you", ...start.opponents].map(seatChoice));
  byId("preset").replaceChildren(...start.presets.map(({ name }) => make("option", {}, name)));
  byId("preset").addEventListener("change", showPreset);
  byId("all-rules").addEventListener("toggle", () => showRules().catch(complain));
  if (byId("all-rules").open) showRules().catch(complain); // before the page was ready
  byId("add").addEventListener("click", addSeat);
  byId("form").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void deal(chosen());
  });
  byId("look-on").addEventListener("click", () => deal(agentsOnly()));
  numberSeats();
  showPreset();
  showTables();
}

begin().catch(complain);
