/** Skyjo Action's cards: layouts, two kinds of piles, open action cards, action cards beside each layout, and cards in hand. */

import * as dom from "../dom.js";
import { cardButton, children, make, setAttribute, showCard } from "../dom.js";
import { faceOf, GridBoard, KEYS as GRID_KEYS } from "../grid_board.js";
import { isMine, seatName } from "../view.js";
import { cardWords } from "../words.js";
import { answersOf, lineName, questionOf } from "./skyjo_action_asking.js";
import { dress, explained, isNew, wide } from "./skyjo_action_kinds.js";

const OPEN_KEYS = ["KeyJ", "KeyK", "KeyL", "Semicolon"];
const [ROWS, COLUMNS, HAND] = [3, 4, 3];
const FIRST_OPEN = 26; // action number

export const TITLE = "Skyjo Action";
export const KEYS = [...GRID_KEYS, ["J K L ;", "take an open action card"], ["P", "take from the action pile"]];

const actionFace = kind => (kind === null ? null : { text: kind, band: "action", pips: 0 });

/** `held.what` can be "kind", an own action card, or "cell", in lines that can be looked at. */
class ActionBoard extends GridBoard {
  hasStars = true;
  cardWorth = 10; // docs/rules/skyjo_action.md, 9.5
  hand = make("div.hand.line", { role: "group", "aria-label": "Cards in hand" });
  open = [0, 1, 2, 3].map(at => wide(cardButton(`open-${at}`, () => this.take(`open ${at}`, this.open[at]))));
  actionPile = wide(cardButton("pile", () => this.take("pile", this.actionPile)));
  actionDiscard = wide(dom.cardPicture(null));

  constructor(middle, bar, table) {
    super(middle, bar, table);
    const cards = [this.actionPile, ...this.open, this.actionDiscard];
    const actions = make("div.line.actions", { role: "group", "aria-label": "Action cards" }, ...cards);
    this.middle.after(actions);
    this.lap.before(this.hand);
    dom.walkWithArrows(actions, 1 + this.open.length);
  }

  get size() {
    return { rows: ROWS, columns: COLUMNS };
  }

  get inHand() {
    return this.hand.lastElementChild ?? super.inHand;
  }

  /** How many seats further than whoever looks. @param {number} seat */
  stepsTo(seat) {
    const { length } = this.view.seats;
    return (seat - this.own + length) % length;
  }

  /** Lines through a hidden card that can be looked at, by name. @param {number} seat @param {number} cell */
  linesOf(seat, cell) {
    const names = [Math.floor(cell / ROWS), COLUMNS + (cell % ROWS)].map(
      line => `line ${line} of ${this.stepsTo(seat)}`,
    );
    return this.view.table.boards[seat][cell] === "?" ? names.filter(name => this.legal.has(name)) : [];
  }

  namesAt(seat, cell) {
    return [...super.namesAt(seat, cell), `cell ${this.view.phase === "steal" ? 0 : cell} of ${this.stepsTo(seat)}`];
  }

  meant(seat, cell) {
    const names = isMine(this.view) ? this.linesOf(seat, cell) : [];
    return names.length > 0 ? { begins: { what: "cell", seat, cell }, names } : super.meant(seat, cell);
  }

  build(body, seat) {
    const beside = make("div.held.line", { role: "group" });
    const built = super.build(body, seat);
    body.append(beside);
    return { ...built, beside };
  }

  showSeat(seat, place) {
    super.showSeat(seat, place);
    this.showHeld(seat);
  }

  showCell(card, seat, cell) {
    const { known: all, open, chosen } = this.view.table;
    const [known, ...knowers] = all[seat][cell] ?? [];
    const names = new Intl.ListFormat("en-GB").format(knowers.map(who => seatName(this.view, who)));
    super.showCell(card, seat, cell, known, names && `, known to ${names}`);
    const isHeld = this.held?.seat === seat && this.held.cell === cell;
    for (const mark of ["data-chosen", "data-target"])
      setAttribute(card, mark, isHeld || chosen?.join() === [seat, cell].join() ? "" : null);
    const words = known === "?" ? "seen" : knowers.length > 1 ? "you too" : "only you";
    setAttribute(card, "data-known", knowers.length === 0 || open ? null : words);
  }

  /** Take an action card, on a touch screen only once it has been explained. @param {string} name @param {any} card */
  take(name, card) {
    if (isNew(card) || !this.legal.has(name)) this.table.refuse(explained(card, this.legal.has(name)));
    else this.act(name);
  }

  /** What an action card beside a layout can do: own ones are played or discarded, those of others stolen or removed. */
  uses(seat, kind) {
    const whose = this.view.phase === "turn" ? this.own : this.view.table.attacked;
    return seat === whose ? [`play ${kind}`, `discard ${kind}`].filter(name => this.legal.has(name)) : [];
  }

  pressHeld(seat, kind, card) {
    const [name] = this.uses(seat, kind);
    if (name && this.view.phase !== "turn") return this.act(name);
    if (name) this.hold(this.held?.kind === kind ? null : { what: "kind", kind });
    if (!name || this.held) this.table.refuse(explained(card));
  }

  showHeld(seat) {
    const { beside } = this.seats[seat];
    const kinds = Object.entries(this.view.table.held[seat]);
    setAttribute(beside, "aria-label", `Action cards of ${seatName(this.view, seat)}`);
    const press = (place, card) => this.pressHeld(seat, Object.keys(this.view.table.held[seat])[place], card);
    const build = place => wide(cardButton(`held-${place}`, event => press(place, event.currentTarget)));
    children(beside, kinds.length, build).forEach((card, place) => {
      const [kind, count] = kinds[place];
      const names = this.uses(seat, kind);
      const text = count > 1 ? `${kind} ×${count}` : kind;
      const chosen = seat === this.own && this.held?.kind === kind;
      const hint = this.held ? {} : this.hintAt(...names);
      const label = `action card, ${text}`;
      showCard(card, { face: actionFace(text), label, legal: names.length > 0, ...hint, chosen });
      dress(card);
    });
  }

  showMiddle() {
    super.showMiddle();
    const { open_actions: kinds, action_pile: left, action_discard: last } = this.view.table;
    const show = (card, name, face, label) =>
      showCard(card, { face, label, legal: this.legal.has(name), ...(this.held ? {} : this.hintAt(name)) });
    this.open.forEach((card, at) =>
      show(card, `open ${at}`, actionFace(kinds[at]), `open action card, ${kinds[at] ?? "none"}`),
    );
    const face = left > 0 ? { ...dom.BACK, text: `pile · ${left}` } : null;
    show(this.actionPile, "pile", face, `action pile, ${left} cards`);
    dom.showFace(this.actionDiscard, actionFace(last));
    for (const card of [this.actionPile, ...this.open, this.actionDiscard]) dress(card);
    this.showHand();
  }

  showHand() {
    const { discard, hand, open, picked } = this.view.table;
    const cards = this.isTaking ? [discard] : hand.map((card, at) => (card === "?" ? (open?.hand[at] ?? card) : card));
    const build = at => cardButton(`hand-${at}`, () => this.act(`card ${at}`));
    children(this.hand, cards.length, build).forEach((card, at) => {
      const [name, face] = [`card ${at}`, faceOf(cards[at])];
      const stand = { legal: this.legal.has(name), ...this.hintAt(name), chosen: picked === at };
      showCard(card, { face, label: `in hand, ${cardWords(cards[at])}`, ...stand });
    });
    if (cards.length > 0 && !this.hand.querySelector('[tabindex="0"]')) dom.walkWithArrows(this.hand, HAND);
  }

  answers() {
    return answersOf(this, super.answers());
  }

  question() {
    return questionOf(this);
  }

  animate(last, before) {
    super.animate(last, before);
    const [open, taken] = [this.open[last.action - FIRST_OPEN], this.seats[last.seat].beside.lastElementChild];
    if (open && taken) dom.fly(open, taken);
  }

  key(code) {
    return this.open[OPEN_KEYS.indexOf(code)] ?? (code === "KeyP" ? this.actionPile : super.key(code));
  }

  /** Cells, lines and seats as people count and call them. @param {string} text */
  plain(text) {
    const { seats, table } = this.view;
    const called = away => seatName(this.view, (this.own + Number(away)) % seats.length);
    const some = cells => (cells.includes(",") ? `${cells.split(",").length} cards` : "a card");
    const words = text
      .replace(/\b(column|row) (\d)/g, (_, word, number) => `${word} ${Number(number) + 1}`)
      .replace(/\bline (\d) of (\d)/g, (_, line, away) => `${lineName(Number(line))} of ${called(away)}`)
      .replace(/\b(cell \d+ of) (\d)/g, (_, cell, away) => `${cell} ${called(away)}`)
      .replace(/\bcells ([\d, ]+) of/g, (_, cells) => `${some(cells)} of`)
      .replace(/\bcells (\d+) and (\d+)/g, (_, one, other) => `${this.place(one)} and ${this.place(other)}`);
    return super
      .plain(words)
      .replace(/^pile$/, "take from the action pile")
      .replace(/\bopen (\d)/g, (_, at) => `take ${table.open_actions[at]}`)
      .replace(/\bcard (\d)/g, (_, at) => `the ${cardWords(table.hand[at])}`)
      .replace(/\*/g, "★");
  }
}

export { ActionBoard as Board };
