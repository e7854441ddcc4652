/** The form behind "Custom table": who sits where, which rules, how long. It remembers what was chosen. */

import { byId, make, sentence, setText } from "./dom.js";
import { answered } from "./server.js";
import { keep, kept, ownName } from "./storage.js";

/**
 * @typedef {import("./start.js").Start} Start
 * @typedef {{seats: string[], episode: string, preset: string, rules: string}} Chosen
 */

const PEOPLE = [
  { name: "you", title: "Me, or someone here", words: "A person at this screen." },
  {
    name: "open",
    title: "A friend, with the link",
    words: "Whoever opens the table’s link in another browser and sits down.",
  },
];
const WAIT = 250; // milliseconds after a rule was changed

/** @type {Start} */
let start;
/** @type {{read: () => void}|undefined} */
let rulesForm;
/** @type {Record<string, string>} why agents cannot play at this table */
let unable = {};
/** The question about it that was asked last. */
let lastAsked = "";
/** @type {any} */
let timer;

/** @param {string} agent its text; the reason goes by the name in it */
const reason = agent => unable[agent.split(":")[0]];

/** All that can sit down, in groups. */
function choices() {
  const rivals = start.rivals.map(({ name, level, agent, words }) => ({
    name: agent,
    title: `${name}, ${level}`,
    words: `${words}.`,
  }));
  const known = new Set(rivals.map(({ name }) => name));
  const agents = start.agents
    .filter(({ name }) => !known.has(name))
    .map(({ name, words }) => ({ name, title: name, words: sentence(words) }));
  return {
    People: PEOPLE.filter(({ name }) => name === "you" || start.served),
    Opponents: rivals,
    "Other agents": agents,
  };
}

/** A seat that can be chosen. @param {string} chosen */
function seatChoice(chosen) {
  const groups = Object.entries(choices()).map(([label, ones]) =>
    make(
      "optgroup",
      { label },
      ...ones.map(({ name, title }) => make("option", { value: name, "data-title": title }, title)),
    ),
  );
  const select = make("select", {}, ...groups);
  select.value = chosen;
  if (select.selectedIndex < 0) select.value = start.rivals[0].agent;
  const remove = make("button", { type: "button", class: "quiet remove" }, "×");
  const item = make(
    "li",
    {},
    make("span", { class: "seat-number", "aria-hidden": "true" }),
    select,
    remove,
    make("p", { class: "note" }),
  );
  select.addEventListener("change", explainSeats);
  remove.addEventListener("click", () => {
    item.remove();
    numberSeats();
    byId("add").focus();
  });
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
    setText(
      item.querySelector(".note"),
      why ? `Cannot play ${why}: choose somebody else.` : (all.find(({ name }) => name === select.value)?.words ?? ""),
    );
    item.toggleAttribute("data-unable", why !== undefined);
  }
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
  explainSeats();
  void askWhoCanPlay();
}

/** Ask the server which agents cannot play at this table. */
async function askWhoCanPlay() {
  const asked = `/api/unable?players=${byId("seats").children.length}&rules=${encodeURIComponent(byId("rules").value.trim())}`;
  lastAsked = asked;
  const found = await answered(asked).catch(error => ({ error })); // there may be no such rules
  if (asked !== lastAsked) return; // an answer that comes late
  if (found.error) complain(found.error);
  else setText(byId("form-error"), "");
  unable = found.unable ?? unable;
  explainSeats();
}

function rulesChanged() {
  clearTimeout(timer);
  timer = setTimeout(askWhoCanPlay, WAIT);
}

function showPreset() {
  const preset = start.presets[byId("preset").selectedIndex];
  setText(byId("preset-words"), preset?.words ?? "");
  byId("rules").value = preset?.rules ?? "";
  rulesForm?.read();
  rulesChanged();
}

/** The fields of all rules, once they are unfolded. */
async function showRules() {
  const { createRulesForm } = await import("./rules_form.js");
  rulesForm ??= createRulesForm(byId("rules-form"), start.rules, byId("rules"));
}

/** The seats as they were chosen. @returns {string[]} */
const chosen = () =>
  [...document.querySelectorAll("#seats select")].map(select => /** @type {HTMLSelectElement} */ (select).value);

/** Who takes a new seat: the rival after that in the last seat, among those who can play here. */
function nextRival() {
  const able = start.rivals.map(({ agent }) => agent).filter(agent => !reason(agent));
  return able[(able.indexOf(chosen().at(-1) ?? "") + 1) % able.length];
}

/** The same, with agents in place of people. */
const agentsOnly = () => chosen().map(name => (PEOPLE.some(one => one.name === name) ? start.opponents[0] : name));

/** What somebody in a seat is called; nothing where the server knows. @param {string} seat */
const calledIn = seat => (seat === "you" ? ownName() : (start.rivals.find(({ agent }) => agent === seat)?.name ?? ""));

const episode = () => String(new FormData(byId("form")).get("episode"));

/** @param {unknown} error */
const complain = error => setText(byId("form-error"), sentence(/** @type {Error} */ (error).message));

function remember() {
  const chosenNow = {
    seats: chosen(),
    episode: episode(),
    preset: byId("preset").value,
    rules: byId("rules").value.trim(),
  };
  keep(`table.${start.game}`, chosenNow);
}

/** Fill in what was chosen last. */
function recall() {
  /** @type {Chosen} */
  const last = kept(`table.${start.game}`, {
    seats: ["you", start.rivals[0].agent],
    episode: "game",
    preset: "",
    rules: "",
  });
  byId("seats").replaceChildren(...last.seats.slice(0, start.players[1]).map(seatChoice));
  byId("form").elements.episode.value = last.episode;
  if (start.presets.some(({ name }) => name === last.preset)) byId("preset").value = last.preset;
  showPreset();
  byId("rules").value = last.rules;
  numberSeats();
}

/** Build the form, once. @param {Start} offered @param {(path: string, body: object) => Promise<void>} goTo asks for a table */
export function createCustomForm(offered, goTo) {
  start = offered;
  const deal = (/** @type {string[]} */ seats) => {
    remember();
    return goTo("/api/tables", {
      seats,
      names: seats.map(calledIn),
      rules: byId("rules").value.trim(),
      episode: episode(),
    }).catch(complain);
  };
  byId("preset").replaceChildren(
    ...start.presets.map(({ name }) => make("option", { value: name }, sentence(name).slice(0, -1))),
  );
  byId("preset").addEventListener("change", showPreset);
  byId("rules").addEventListener("input", rulesChanged);
  byId("rules-form").addEventListener("input", rulesChanged);
  byId("all-rules").addEventListener("toggle", () => showRules().catch(complain));
  if (byId("all-rules").open) showRules().catch(complain); // before the page was ready
  byId("add").addEventListener("click", () => {
    byId("seats").append(seatChoice(nextRival()));
    numberSeats();
  });
  byId("form").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void deal(chosen());
  });
  byId("look-on").addEventListener("click", () => deal(agentsOnly()));
  recall();
}
