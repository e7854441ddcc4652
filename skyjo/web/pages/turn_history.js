/** What a table alone has beside its cards: the story, the scores, and the marks of what others have done. */

import { byId, children, make, setAttribute, setText } from "./dom.js";
import { isHere, seatName, subject } from "./view.js";
import { shortWords, withMinus } from "./words.js";

const CARD = /(?<=\b(?:took|placed|discarded|flipped|turned up|played|for|hidden|as) )(−?\d+|★)/; // in words of a turn

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
 * The last turns with small cards, whose places are highlighted where one points; the very last also in words, to be read aloud.
 * @param {View} view @param {any} board
 */
export function showStory(view, board) {
  /** @type {Told[][]} */
  const turns = [];
  for (const one of view.told) {
    const last = turns.at(-1)?.at(-1);
    if (last && !last.turn_over && last.seat === one.seat) turns.at(-1)?.push(one);
    else turns.push([one]);
  }
  const lines = turns.map(told => lineOf(view, told, board)).reverse();
  setText(byId("told"), lines[0] ?? "");
  const story = byId("story");
  if (lines.length > 1 && story.firstElementChild?.dataset.line === lines[1]) story.prepend(make("li")); // the others stay as they are
  const items = children(story, lines.length, () => make("li"));
  items.forEach((item, index) => {
    if (item.dataset.line === lines[index]) return;
    const told = turns[turns.length - 1 - index];
    const place = value =>
      told.flatMap(one => board.placesOf(one)).forEach(at => setAttribute(at, "data-pointed", value));
    item.dataset.line = lines[index];
    item.replaceChildren(...withCards(shortWords(lines[index]), board.faceOf));
    item.tabIndex = 0;
    item.onmouseenter = item.onfocus = () => place("");
    item.onmouseleave = item.onblur = () => place(null);
  });
}

/** A turn in words. @param {View} view @param {Told[]} told @param {any} board */
function lineOf(view, told, board) {
  const words = told.map(one => board.plain(one.words)).filter(Boolean);
  return `${subject(view, told[0].seat)} ${words.join(", ")}.`;
}

/** Words with small cards in place of numbers. @param {string} words @param {(card: any) => Face|null} faceOf */
function withCards(words, faceOf) {
  return words.split(CARD).map((part, index) => {
    if (index % 2 === 0) return part;
    const face = faceOf(part === "★" ? "*" : Number(part.replace("−", "-")));
    return make("b.mini", { "data-band": face?.band }, part);
  });
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
