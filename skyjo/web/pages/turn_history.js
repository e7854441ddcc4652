/** What a table alone has beside its cards: the story, the scores, and the marks of what others have done. */

import { byId, children, make, setText } from "./dom.js";
import { isHere, seatName, subject } from "./view.js";
import { withMinus } from "./words.js";

/** A text that may be broken after signs, as those of agents have no spaces. @param {string} text */
const breakable = text => text.split(/(?<=[:,=(])/).flatMap(part => [part, make("wbr")]);

/** What the table of scores shows. */
let scored = "";

/** What others have decided since somebody here did, in this round. @param {View} view @param {Told[]} heard */
export function recent(view, heard) {
  const last = heard.findLastIndex(({ seat }) => view.seat !== null && isHere(view.seats[seat]));
  const since = view.seat === null ? heard.slice(-2 * view.seats.length) : heard.slice(last + 1);
  return since.filter(({ seq }) => seq >= view.began);
}

/**
 * The last turns in words; the very last also where it is read aloud.
 * @param {View} view @param {(words: string) => string} plain makes the game's words fit the picture
 */
export function showStory(view, plain) {
  /** @type {{seat: number, words: string[], open: boolean}[]} */
  const turns = [];
  for (const one of view.told) {
    const last = turns.at(-1);
    if (last?.open && last.seat === one.seat) {
      last.words.push(plain(one.words));
      last.open = !one.turn_over;
    } else turns.push({ seat: one.seat, words: [plain(one.words)], open: !one.turn_over });
  }
  const lines = turns.map(({ seat, words }) => `${subject(view, seat)} ${words.filter(Boolean).join(", ")}.`);
  setText(byId("told"), lines.at(-1) ?? "");
  const shown = lines.reverse();
  if (shown.length > 1 && byId("story").firstElementChild?.textContent === shown[1]) byId("story").prepend(make("li")); // the others stay as they are
  children(byId("story"), shown.length, () => make("li")).forEach((line, index) => setText(line, shown[index]));
}

/** @param {View} view */
export function showScores(view) {
  const told = JSON.stringify([view.seats, view.rounds]);
  if (told === scored) return;
  scored = told;
  const names = view.seats.map((_, seat) => make("th", { scope: "col" }, ...breakable(seatName(view, seat))));
  const row = (title, scores) =>
    make("tr", make("th", { scope: "row" }, title), ...scores.map(score => make("td", withMinus(score))));
  const head = make("thead", make("tr", make("th", { scope: "col" }, "Round"), ...names));
  const body = make("tbody", ...view.rounds.map((scores, index) => row(String(index + 1), scores)));
  const foot = make(
    "tfoot",
    row(
      "Total",
      view.seats.map(seat => seat.total),
    ),
  );
  byId("scores").replaceChildren(head, body, foot);
}
