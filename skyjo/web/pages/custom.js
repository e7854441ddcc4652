/** The form behind "Custom table": who sits where, which rules, how long. It remembers what was chosen. */

import { byId, complain, make, setText } from "./dom.js";
import { createRulesForm } from "./rules_form.js";
import { answered, goTo } from "./server.js";
import { isOn, keep, kept, ownName } from "./storage.js";
import { sentence } from "./words.js";

const FRIEND = "A friend who opens the link in another browser.";
const PEOPLE = [
  { name: "you", title: "Me, or someone here", words: "A person at this screen." },
  { name: "open", title: "A friend, with the link", words: FRIEND },
];

/** @type {Start} */
let start;
/** @type {(() => void)|undefined} */
let readRules;
/** @type {Record<string, string>} why agents cannot play at this table */
let unable = {};
let lastAsked = ""; // the question about it

const failed = error => complain(error, "form-error");

/** @param {string} agent its text; the reason goes by the name in it */
const reason = agent => unable[agent.split(":")[0]];

/** All that can sit down, in groups. */
function choices() {
  const rivals = start.rivals.map(({ name, level, agent, words }) => ({
    ...{ name: agent, title: `${name}, ${level}`, words: `${words}.` },
  }));
  const agents = start.agents
    .filter(({ name }) => !rivals.some(rival => rival.name === name))
    .map(({ name, words }) => ({ name, title: name, words: sentence(words) }));
  const people = PEOPLE.filter(({ name }) => name === "you" || start.served);
  return { People: people, Opponents: rivals, "Other programs": agents };
}

/** A seat that can be chosen. @param {string} chosen */
function seatChoice(chosen) {
  const option = ({ name, title }) => make("option", { value: name, "data-title": title }, title);
  const groups = Object.entries(choices()).map(([label, ones]) => make("optgroup", { label }, ...ones.map(option)));
  const select = make("select", { change: explainSeats }, ...groups);
  select.value = chosen;
  if (select.selectedIndex < 0) select.value = start.rivals[0].agent;
  const remove = make("button.quiet.remove", { click: leave }, "×");
  const item = make("li", make("span.seat-number", { "aria-hidden": "true" }), select, remove, make("p.note"));

  function leave() {
    item.remove();
    numberSeats();
    byId("add").focus();
  }
  return item;
}

/** Say what each seat is, disable agents that cannot play here, and say why. */
function explainSeats() {
  const all = Object.values(choices()).flat();
  for (const item of byId("seats").children) {
    const select = item.querySelector("select");
    for (const option of select.options) {
      option.disabled = reason(option.value) !== undefined;
      setText(option, option.disabled ? `${option.dataset.title} (not ${reason(option.value)})` : option.dataset.title);
    }
    const why = reason(select.value);
    const words = all.find(({ name }) => name === select.value)?.words ?? "";
    setText(item.querySelector(".note"), why ? `Cannot play ${why}. Choose another opponent.` : words);
    item.toggleAttribute("data-unable", why !== undefined);
  }
}

/** Number the seats, and see to it that there are neither too few nor too many. */
function numberSeats() {
  const [fewest, most] = start.players;
  const items = [...byId("seats").children];
  items.forEach((item, index) => {
    const [number, select, remove, note] = item.children;
    setText(number, String(index + 1));
    note.id = `seat-words-${index + 1}`;
    select.setAttribute("aria-label", `Seat ${index + 1}`);
    select.setAttribute("aria-describedby", note.id);
    remove.setAttribute("aria-label", `Remove seat ${index + 1}`);
    remove.hidden = items.length <= fewest;
  });
  byId("add").hidden = items.length >= most;
  explainSeats();
  void askWhoCanPlay();
}

/** Ask which agents cannot play at this table. */
async function askWhoCanPlay() {
  const asked = `/api/unable?players=${chosen().length}&rules=${encodeURIComponent(byId("rules").value.trim())}`;
  lastAsked = asked;
  const found = await answered(asked).catch(error => ({ error })); // there may be no such rules
  if (asked !== lastAsked) return; // an answer that comes late
  if (found.error) failed(found.error);
  else setText(byId("form-error"), "");
  unable = found.unable ?? unable;
  explainSeats();
}

function showPreset() {
  const preset = start.presets[byId("preset").selectedIndex];
  setText(byId("preset-words"), preset?.words ?? "");
  byId("rules").value = preset?.rules ?? "";
  readRules?.();
  void askWhoCanPlay();
}

/** The seats as they were chosen. @returns {string[]} */
const chosen = () => [...byId("seats").querySelectorAll("select")].map(({ value }) => value);

/** Who takes a new seat: the rival after that in the last seat, among those who can play here. */
function nextRival() {
  const able = start.rivals.map(({ agent }) => agent).filter(agent => !reason(agent));
  return able[(able.indexOf(chosen().at(-1) ?? "") + 1) % able.length];
}

/** The same, with agents in place of people. */
const agentsOnly = () => chosen().map(name => (PEOPLE.some(one => one.name === name) ? start.opponents[0] : name));

/** What somebody in a seat is called; nothing where that is usual. @param {string} seat */
const calledIn = seat => (seat === "you" ? ownName() : (start.rivals.find(({ agent }) => agent === seat)?.name ?? ""));

/** Remember what is chosen, and open the table. @param {string[]} seats */
function deal(seats) {
  const { episode, preset } = byId("form").elements;
  const [length, rules] = [episode.value, byId("rules").value.trim()];
  keep(`table.${start.game}`, { seats: chosen(), episode: length, preset: preset.value, rules });
  return goTo("/api/tables", { seats, names: seats.map(calledIn), rules, episode: length }).catch(failed);
}

/** Fill in what was chosen last. */
function recall() {
  const first = { seats: ["you", start.rivals[0].agent], episode: "game", preset: "", rules: "" };
  const last = kept(`table.${start.game}`, first);
  byId("seats").replaceChildren(...last.seats.slice(0, start.players[1]).map(seatChoice));
  byId("form").elements.episode.value = last.episode;
  if (start.presets.some(({ name }) => name === last.preset)) byId("preset").value = last.preset;
  showPreset();
  byId("rules").value = last.rules;
  numberSeats();
}

/** Build the form, once. @param {Start} offered */
export function createCustomForm(offered) {
  start = offered;
  const presets = start.presets.map(({ name }) => make("option", { value: name }, sentence(name).slice(0, -1)));
  byId("preset").replaceChildren(...presets);
  byId("preset").addEventListener("change", showPreset);
  recall();
  readRules = createRulesForm(byId("rules-form"), start.rules, byId("rules"));
  for (const name of ["rules", "rules-form"]) byId(name).addEventListener("change", askWhoCanPlay);
  byId("add").addEventListener("click", () => {
    byId("seats").append(seatChoice(nextRival()));
    numberSeats();
  });
  byId("form").addEventListener("submit", event => {
    event.preventDefault();
    void deal(chosen());
  });
  byId("look-on").addEventListener("click", () => deal(agentsOnly()));
  byId("rules-as-text").hidden = !isOn("developer");
  byId("form").hidden = false;
}
