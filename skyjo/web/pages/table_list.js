/** A list of tables or games with names, dates and scores, from which each can be deleted. */

import { make, sentence, setText } from "./dom.js";
import { answered, toGame, toTable } from "./server.js";

/**
 * @typedef {object} Listed
 * @property {string} id @property {string} words @property {string[]} names @property {string} when
 * @property {number[]|null} [scores] @property {number} [round] @property {boolean} [over] @property {boolean} [yours] @property {string} [daily]
 */

const TODAY = { hour: "2-digit", minute: "2-digit" };
const DAY = { day: "numeric", month: "short" };
const EARLIER = { ...DAY, year: "numeric" };

/** A day, or the time if it is today. @param {string} when */
function moment(when) {
  const date = new Date(when);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? `today, ${date.toLocaleTimeString("en-GB", /** @type {any} */ (TODAY))}`
    : date.toLocaleDateString("en-GB", /** @type {any} */ (EARLIER));
}

/** Who plays. @param {Listed} listed */
function title({ names, words }) {
  const called = names.map(name => (/^open seat/.test(name) ? "a free seat" : name));
  const last = called.pop();
  return last === undefined ? words : sentence(called.length ? `${called.join(", ")} and ${last}` : last).slice(0, -1);
}

/** How it stands. @param {Listed} listed */
function state({ over, yours, round, words, names, when, daily }) {
  const last = words.split("; ").at(-1) ?? "";
  const stands =
    over === undefined
      ? names.length
        ? words
        : ""
      : over
        ? last.replace(/^over, /, "")
        : `round ${round}${yours ? ", your turn" : ""}`;
  return [
    daily && `deal of ${new Date(daily).toLocaleDateString("en-GB", /** @type {any} */ ({ ...DAY, timeZone: "UTC" }))}`,
    stands,
    moment(when),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * A line that leads to a table or game, or does something else when it is pressed.
 * @param {Listed} listed @param {string} kind @param {(item: Element) => void} gone @param {(listed: Listed) => void} [press]
 */
function lineOf(listed, kind, gone, press) {
  const words = make("span", {}, make("strong", {}, title(listed)), make("span", { class: "note" }, state(listed)));
  const score = make("span", { class: "score" }, listed.scores ? listed.scores.join(" : ").replaceAll("-", "−") : "");
  if (listed.scores) score.setAttribute("aria-label", `Scores ${listed.scores.join(", ")}`);
  const link = make("a", { href: (kind === "tables" ? toTable : toGame)(listed.id) }, words, score);
  if (press) link.addEventListener("click", (/** @type {Event} */ event) => (event.preventDefault(), press(listed)));
  const remove = make(
    "button",
    { type: "button", class: "quiet", "aria-label": `Delete: ${title(listed)}`, title: "Delete" },
    "×",
  );
  const item = make("li", {}, link, remove);
  remove.addEventListener("click", () => ask(item, listed, kind, gone));
  return item;
}

/** Ask before something is deleted for good. @param {Element} item @param {Listed} listed @param {string} kind @param {(item: Element) => void} gone */
async function ask(item, listed, kind, gone) {
  const { openDialog } = await import("./dialog.js");
  const [yes, no] = ["Delete", "Keep"].map(word => make("button", { type: "button" }, word));
  yes.classList.add("main");
  const what = listed.over === false ? "The game is not over. This cannot be undone." : "This cannot be undone.";
  const said = make("p", { role: "status" }, what);
  yes.addEventListener("click", async () => {
    try {
      await answered(`/api/${kind}/${encodeURIComponent(listed.id)}`, undefined, "DELETE");
      gone(item);
    } catch (error) {
      setText(said, sentence(/** @type {Error} */ (error).message));
    }
  });
  await openDialog(`Delete “${title(listed)}”?`, [said, make("div", { class: "tools" }, yes, no)], [yes, no]);
}

/**
 * Show a list, of which some lines are shown only on request.
 * @param {Element} list @param {HTMLElement|null} more @param {Listed[]} all @param {number} shown @param {"tables"|"games"} kind
 * @param {(listed: Listed) => void} [press] what a line does, instead of leading there
 */
export function showShelf(list, more, all, shown, kind, press) {
  const gone = (/** @type {Element} */ item) => {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    /** @type {HTMLElement|null} */ (
      next?.querySelector("a") ?? document.querySelector("main button, main a")
    )?.focus();
    if (!list.children.length) /** @type {HTMLElement} */ (list.closest("section")).hidden = true;
  };
  const lines = (/** @type {Listed[]} */ some) => some.map(listed => lineOf(listed, kind, gone, press));
  list.replaceChildren(...lines(all.slice(0, shown)));
  if (!more) return;
  more.hidden = all.length <= shown;
  more.onclick = () => {
    list.append(...lines(all.slice(shown)));
    more.hidden = true;
    list.children[shown].querySelector("a")?.focus();
  };
}
