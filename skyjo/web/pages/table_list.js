/** A list of tables or games with names, dates and scores, from which each can be deleted. */

import { make } from "./dom.js";
import { answered, toGame, toTable } from "./server.js";
import { sentence, withMinus } from "./words.js";

/** A day, or the time if it is today. @param {string} when */
function moment(when) {
  const date = new Date(when);
  if (date.toDateString() === new Date().toDateString())
    return `today, ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

/** The day of a deal. @param {string} day */
const dealDay = day => new Date(day).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Who plays. @param {Listed} listed */
function title({ names, words }) {
  const called = names.map(name => (/^open seat/.test(name) ? "a free seat" : name));
  const last = called.pop();
  return last === undefined ? words : sentence(called.length ? `${called.join(", ")} and ${last}` : last).slice(0, -1);
}

/** How it stands. @param {Listed} listed */
function state({ over, yours, round, words, names, when, daily }) {
  const game = names.length > 0 && words; // one that was opened
  const result = words
    .split("; ")
    .at(-1)
    ?.replace(/^over, /, "");
  const stands = over ? result : over === false ? `round ${round}${yours ? ", your turn" : ""}` : game;
  return [daily && `deal of ${dealDay(daily)}`, stands, moment(when)].filter(Boolean).join(" · ");
}

/**
 * A line that leads to a table or game, or does something else when it is pressed.
 * @param {Listed} listed @param {string} kind @param {(item: Element) => void} gone @param {(listed: Listed) => void} [press]
 */
function lineOf(listed, kind, gone, press) {
  const { id, scores } = listed;
  const words = make("span", make("strong", title(listed)), make("span.note", state(listed)));
  const label = scores && { "aria-label": `Scores ${scores.join(", ")}` };
  const score = make("span.score", label, scores ? withMinus(scores.join(" : ")) : "");
  const link = make("a", { href: (kind === "tables" ? toTable : toGame)(id) }, words, score);
  if (press) link.addEventListener("click", event => (event.preventDefault(), press(listed)));
  const remove = {
    "aria-label": `Delete: ${title(listed)}`,
    title: "Delete",
    click: () => ask(listed, kind, () => gone(item)),
  };
  const item = make("li", link, make("button.quiet", remove, "×"));
  return item;
}

/** Ask before something is deleted for good. @param {Listed} listed @param {string} kind @param {() => void} gone */
async function ask(listed, kind, gone) {
  const { openDialog } = await import("./dialogs.js");
  const words = `${listed.over === false ? "The game is not over. " : ""}This cannot be undone.`;
  const remove = () => answered(`/api/${kind}/${encodeURIComponent(listed.id)}`, undefined, "DELETE").then(gone);
  const buttons = [make("button.main", { click: remove }, "Delete"), make("button", "Keep")];
  await openDialog(`Delete “${title(listed)}”?`, [make("p", words)], ...buttons);
}

/**
 * Show a list, of which some lines are shown only on request.
 * @param {Element} list @param {HTMLElement|null} more @param {Listed[]} all @param {number} shown @param {"tables"|"games"} kind
 * @param {(listed: Listed) => void} [press] what a line does, instead of leading there
 */
export function showShelf(list, more, all, shown, kind, press) {
  const gone = item => {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    /** @type {HTMLElement|null} */ (
      next?.querySelector("a") ?? document.querySelector("main button, main a")
    )?.focus();
    if (!list.children.length) /** @type {HTMLElement} */ (list.closest("section")).hidden = true;
  };
  const lines = some => some.map(listed => lineOf(listed, kind, gone, press));
  list.replaceChildren(...lines(all.slice(0, shown)));
  if (!more) return;
  more.hidden = all.length <= shown;
  more.onclick = () => {
    list.append(...lines(all.slice(shown)));
    more.hidden = true;
    list.children[shown].querySelector("a")?.focus();
  };
}
