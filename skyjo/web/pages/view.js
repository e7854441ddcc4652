/** Everything around the cards that a table and a replay share: seats, names, the end. Drawn from the last view alone. */

import { byId, children, make, setAttribute, setText } from "./dom.js";
import { portrait, showPortrait } from "./people.js";
import { sentence, withMinus } from "./words.js";

const ALERT = 8000; // milliseconds

/** @type {Place[]} */
const places = [];
let alertTimer;

/** Say something where the question stands, for a while or until something else is said. @param {string} words */
export function say(words) {
  clearTimeout(alertTimer);
  setText(byId("alert"), sentence(words));
  setAttribute(byId("ask"), "data-said", words ? "" : null);
  if (words) alertTimer = setTimeout(() => say(""), ALERT);
}

/** The seat that sits below. @param {View} view */
export const ownSeat = view => view.seat ?? 0;

/** A seat that waits for somebody with the link; -1 if there is none. @param {View} view */
export const freeSeat = view => view.seats.findIndex(seat => seat.person && seat.name.startsWith("open seat"));

/** Is it the decision of somebody who is not at the table, and has no agent that plays on? @param {View} view */
export const isMissing = ({ seats, decider, substituted }) =>
  decider !== null && seats[decider].person && !seats[decider].here && !substituted?.includes(decider);

/** Has somebody here decided anything, as far back as the story goes? @param {View} view */
export const hasDecided = view =>
  (view.told[0]?.seq ?? 0) > 0 || view.told.some(({ seat }) => isHere(view.seats[seat]));

/** @param {View} view */
export const isMine = view => view.actions.length > 0;

/** The last decision, if the view before it stood one decision earlier in the same round. @param {View} before @param {View} view */
export function newest(before, view) {
  const last = view.told.at(-1);
  const isNews = last && before.round === view.round && view.seq === before.seq + 1;
  return isNews ? last : undefined;
}

/** Places of all seats, the own one below and the others clockwise. @param {View} view @returns {Place[]} */
export function seatPlaces(view) {
  const count = view.seats.length;
  while (places.length < count) places.push(newPlace(places.length));
  const own = ownSeat(view);
  const focus = document.activeElement?.getAttribute("data-key");
  if (places[own].section.parentNode !== byId("own") || byId("others").childElementCount !== count - 1) {
    byId("own").replaceChildren(places[own].section);
    byId("others").replaceChildren(...view.seats.slice(1).map((_, step) => places[(own + 1 + step) % count].section));
    if (focus) places[own].section.querySelector(`[data-key="${focus}"]`)?.focus();
  }
  view.seats.forEach((seat, number) => showSeat(places[number], seat, number, view));
  setAttribute(byId("felt"), "data-others", String(count - 1));
  return places.slice(0, count); // puzzles have tables of different sizes
}

/** @param {number} number @returns {Place} */
function newPlace(number) {
  const title = make("h2.name", make("span"), make("span"));
  const [marks, total, sum] = ["marks", "total", "sum"].map(word => make("span", { class: word }));
  const [face, body] = [portrait(""), make("div.body")];
  const header = make("header", face, title, marks, total, sum);
  const section = make("section.seat", { "data-seat": String(number) }, header, body);
  return { section, face, title, marks, total, sum, body };
}

/** @param {Place} place @param {Seat} seat @param {number} number @param {View} view */
function showSeat(place, seat, number, view) {
  const decides = view.decider === number;
  const [, name, which] = /** @type {string[]} */ (/^(.+?)(?: \(seat (\d+)\))?$/.exec(seatName(view, number)));
  showPortrait(place.face, name);
  [name, which ?? ""].forEach((text, part) => setText(place.title.children[part], text)); // where space is short the name is cut, not its number
  const away = view.substituted?.includes(number)
    ? "computer plays"
    : seat.person && !seat.here
      ? freeSeat(view) === number
        ? "free"
        : "away"
      : "";
  const marks = [
    decides ? (isHere(seat) ? "your turn" : "to move") : "",
    view.over?.winners.includes(number) ? "winner" : "",
    away,
  ];
  const shown = marks.filter(Boolean);
  children(place.marks, shown.length, () => make("span")).forEach((mark, index) => setText(mark, shown[index]));
  setText(place.total, view.rounds.length > 0 ? `${withMinus(seat.total)} in total` : "");
  setAttribute(place.section, "data-turn", decides ? "" : null);
  setAttribute(place.section, "aria-label", seatName(view, number));
}

/** What a seat is called here. @param {View} view @param {number} number */
export function seatName(view, number) {
  const [name, ...others] = [view.seats[number], ...view.seats.filter((_, index) => index !== number)].map(
    seat => seat.name.split(":")[0],
  ); // an agent without its parameters
  const isShared = others.includes(name);
  return isShared ? `${name} (seat ${number + 1})` : name;
}

/** Words of a game, with its seats by their names. @param {View} view @param {string} words */
export const withNames = (view, words) => words.replace(/\bseat (\d)/g, (_, seat) => seatName(view, Number(seat)));

/** Does somebody at this browser sit there? The server calls those seats "you". @param {Seat} seat */
export const isHere = seat => seat.person && /^you( \(|$)/.test(seat.name);

/** Who does something, at the start of a sentence. @param {View} view @param {number} number */
export const subject = (view, number) => {
  const name = seatName(view, number);
  return name[0].toUpperCase() + name.slice(1);
};

/** Who wins, in words. @param {View} view @param {number[]} winners */
export function winnersWords(view, winners) {
  const names = winners.map(seat => seatName(view, seat));
  const isPlural = names.length > 1 || /^you( \(|$)/.test(names[0]);
  return `${new Intl.ListFormat("en-GB").format(names) || "nobody"} ${isPlural ? "win" : "wins"}`;
}

/** The scores that somebody has won with, the winner's first; nothing where points do not decide. @param {View} view @param {number[]} winners */
export function scoresWords({ over, episode, seats, end }, winners) {
  const scores = over && episode === "game" ? seats.map(({ total }) => total) : end?.points && end.scores;
  if (!scores || winners.length === 0) return "";
  const others = scores.filter((_, seat) => seat !== winners[0]);
  const sorted = others.sort((one, other) => Math.abs(one - scores[winners[0]]) - Math.abs(other - scores[winners[0]]));
  return withMinus(`${scores[winners[0]]} to ${sorted.join(", ")}`);
}

/** What is asked at the start of a round. @param {any[]} board the own cards @param {number} flips how many of them everybody turns up */
export function openingWords(board, flips) {
  const opened = board.filter(card => card !== "?").length;
  const left = flips - opened;
  const count = left === 1 && !opened ? "a" : (["", "one", "two"][left] ?? left);
  return `Flip ${count} ${opened ? "more " : ""}card${left === 1 ? "" : "s"}.`;
}

/**
 * Which round it is; while the result of one stands there, it is still that one.
 * @param {View} view @param {boolean} isResult
 */
export const roundWords = ({ episode, round, over }, isResult) =>
  episode === "game" ? `Round ${round - Number(isResult && !over)}` : "One round";

/** How the table ended: who wins, and with how many points. @param {View} view @returns {string[]} */
export function outcome(view) {
  const { words, winners } = view.over ?? { words: "", winners: [] };
  if (winners.length === 0 || !words.startsWith("over")) return [sentence(words)];
  const won = sentence(winnersWords(view, winners)).slice(0, -1);
  return [view.episode === "game" ? `${won} the game` : won, scoresWords(view, winners)].filter(Boolean);
}

/** That in a line. @param {View} view */
export const outcomeWords = view => outcome(view).join(", ");
