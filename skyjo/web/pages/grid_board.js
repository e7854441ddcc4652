/** The cards of games with a grid of hidden and open cards for every seat, a draw pile, a discard pile and a hand. */

import { Board } from "./board.js";
import { setAttribute, setText, showCard, showMoved } from "./dom.js";
import { isMine, seatName, subject, withNames } from "./view.js";
import { cardWords, cellWords, signed, withMinus } from "./words.js";
import * as dom from "./dom.js";

/** @typedef {number|"*"|"?"|"."} Mark a card, a star, hidden, or none */

const CELL_KEYS = [..."QWERASFGZCVB"]; // by row; D draws and X discards
/** What keys do at every such board. */
export const KEYS = [
  ["Q W E R", "first row of your cards"],
  ["A S F G", "second row"],
  ["Z C V B", "third row"],
  ["D", "draw a card"],
  ["T", "take the discard, then choose its place"],
  ["X", "discard the drawn card"],
];
const KEY_COLUMNS = 4;
export const [DRAW, TAKE, FIRST_PLACE] = [0, 1, 2]; // action numbers, the same under all rules

/** @param {Mark|null} card */
export function faceOf(card) {
  if (card === null || card === ".") return null;
  if (card === "*") return { text: "★", band: "wild", pips: 0 };
  return card === "?" ? dom.BACK : dom.numberFace(card);
}

/** Cells that leave, by line: whole columns, and what is left is a row. @param {number[]} cells @param {number} rows */
export function linesOf(cells, rows) {
  const columns = Object.values(Object.groupBy(cells, cell => Math.floor(cell / rows)));
  const whole = columns.filter(column => column.length === rows);
  const rest = columns.filter(column => column.length < rows).flat();
  return rest.length > 0 ? [...whole, rest] : whole;
}

/** `held.what` is "take" or "discard" if that is begun here, or what a game adds. */
export class GridBoard extends Board {
  aheadOf = "the others’ average at the end of the round";
  faceOf = faceOf;
  cardWorth = 0; // points of an action card that is left
  hasStars = false;
  /** Decisions that have cleared a line. @type {Set<number>} */
  clearing = new Set();

  constructor(middle, bar, table) {
    super(middle, bar, table);
    this.draw = dom.cardButton("draw", () => this.act("draw"));
    this.discard = dom.cardButton("discard", () => this.pressDiscard());
    this.lap = dom.make("p.lap");
    this.middle.append(...[this.draw, this.discard].map(dom.pileOf));
    this.bar.parentElement?.prepend(this.lap);
  }

  /** The card in hand, or from where one comes. @returns {any} */
  get inHand() {
    return this.draw;
  }

  get isTaking() {
    return this.held?.what === "take";
  }

  get canTurnUp() {
    return this.view.phase === "drawn" && this.starting("flip").length > 0;
  }

  get canDiscard() {
    return this.legal.has("discard") || this.canTurnUp;
  }

  begun() {
    return this.isTaking ? TAKE : null;
  }

  /** A legal action, or one that will be legal after what is begun. @param {string} [name] */
  actionNamed(name) {
    const cell = this.isTaking && /^place (\d+)$/.exec(name)?.[1];
    return cell ? FIRST_PLACE + Number(cell) : super.actionNamed(name);
  }

  pressDiscard() {
    const { legal } = this;
    if (legal.has("discard")) this.act("discard");
    else if (this.held) this.letGo();
    else if (legal.has("take") || this.canTurnUp) this.hold({ what: legal.has("take") ? "take" : "discard" });
    else this.table.refuse();
  }

  /** What a press on a cell can do, by name. @param {number} seat @param {number} cell @returns {string[]} */
  namesAt(seat, cell) {
    if (seat !== this.own) return [];
    return this.held ? [`flip ${cell}`] : [`place ${cell}`, `flip ${cell}`];
  }

  /** What a press on a cell does: an action, or a take and then a place. @param {number} seat @param {number} cell @returns {any} */
  meant(seat, cell) {
    if (!isMine(this.view)) return null;
    const then = `place ${cell}`;
    if (this.isTaking && seat === this.own)
      return this.view.table.boards[seat][cell] === "." ? null : { action: TAKE, then, names: [then] };
    const name = this.namesAt(seat, cell).find(one => this.legal.has(one));
    return name === undefined ? null : { action: this.legal.get(name), names: [name] };
  }

  pressCell(seat, cell) {
    const what = this.meant(seat, cell);
    const isTurn = ["draw", "take"].some(name => this.legal.has(name));
    if (what?.begins) this.hold(what.begins);
    else if (what) this.table.act(what.action, what.then);
    else this.table.refuse(isTurn ? "Draw a card or take the discard first." : undefined);
  }

  build(body, seat) {
    const { rows, columns } = this.size;
    for (const [name, count] of Object.entries({ rows, columns }))
      dom.byId("felt").style.setProperty(`--${name}`, count); // cards are as large as that allows
    const cells = Array.from({ length: rows * columns }, (_, cell) =>
      dom.cardButton(`cell-${cell}`, () => this.pressCell(seat, cell)),
    );
    const grid = dom.gridOf(cells, rows);
    body.replaceChildren(grid);
    return { cells, grid };
  }

  /** How many rows and columns a seat has. */
  get size() {
    return this.view.table;
  }

  /** Where a cell lies. @param {number} cell */
  place(cell) {
    const { rows } = this.size;
    return `column ${Math.floor(cell / rows) + 1}, row ${(cell % rows) + 1}`;
  }

  showSeat(seat, { sum }) {
    const { cells, grid } = this.seats[seat];
    setAttribute(grid, "aria-label", seat === this.own ? "Your cards" : `Cards of ${seatName(this.view, seat)}`);
    cells.forEach((card, cell) => this.showCell(card, seat, cell));
    dom.showSum(sum, this.view.table.boards[seat]);
  }

  /** @param {HTMLButtonElement} card @param {number} seat @param {number} cell @param {Mark} [known] hidden, but known to whoever looks @param {string} [more] words */
  showCell(card, seat, cell, known, more = "") {
    const mark = this.view.table.boards[seat][cell];
    const under = mark === "?" ? this.view.table.open?.boards[seat][cell] : undefined;
    const shown = mark === "?" ? (under ?? known ?? mark) : mark;
    const underneath = shown === mark ? "" : `, ${cardWords(shown)} underneath`;
    const what = this.meant(seat, cell);
    showCard(card, {
      face: faceOf(shown),
      label: `${this.place(cell)}, ${cellWords(mark)}${underneath}${more}`,
      legal: what !== null,
      ...this.hintAt(...(what?.names ?? [])),
    });
    showMoved(card, null);
    if (mark !== ".") card.querySelector(".gain")?.remove(); // of the round before
    setAttribute(card, "data-under", under === undefined ? null : "");
  }

  showMiddle() {
    const { discard: top, draw_pile: left, ender, turns_left: turnsLeft, extra_turns: extra = 0 } = this.view.table;
    const { draw, discard, legal, held, isTaking } = this;
    const hint = name => (held ? {} : this.hintAt(name));
    const face = left > 0 ? dom.BACK : null;
    showCard(draw, { face, label: `draw pile, ${left} cards`, legal: legal.has("draw"), ...hint("draw") });
    showCard(discard, {
      face: faceOf(top),
      label: top === null ? "discard pile, empty" : `discard pile, ${cardWords(top)} on top`,
      legal: legal.has("take") || this.canDiscard,
      ...hint("take"),
      chosen: isTaking || held?.what === "discard",
    });
    for (const pile of [draw, discard]) setAttribute(pile, "data-moved", null);
    setAttribute(discard, "data-taken", isTaking ? "" : null);
    setText(draw.nextElementSibling, `Draw · ${left}`);
    setText(discard.nextElementSibling, isTaking ? "Taking it\u00a0…" : "Discard");
    const lap = [
      extra > 0 && `Extra turns that follow: ${extra}.`,
      ender !== null && `${subject(this.view, ender)} ended the round.`,
      turnsLeft > 0 && `Turns left: ${turnsLeft}.`,
    ];
    setText(this.lap, lap.filter(Boolean).join(" "));
  }

  /** The buttons of the piles, and what answers a card that was drawn. */
  answers() {
    const { legal, canTurnUp } = this;
    const pressDiscard = { press: () => this.pressDiscard(), hint: undefined };
    if (this.held) return [this.cancel];
    return [
      this.answer("draw", "Draw a card", { key: "D", isTwin: true, hint: undefined }),
      this.answer("take", `Take the ${cardWords(this.view.table.discard)}`, {
        key: "T",
        isTwin: true,
        ...pressDiscard,
      }),
      this.canDiscard && {
        ...{ words: canTurnUp ? "Discard it, flip a card" : "Discard it", key: "X", ...pressDiscard },
        hint: this.hintAt(...this.starting("flip"), ...(legal.has("discard") ? ["discard"] : [])),
      },
    ];
  }

  /** What a decision was about, to be pointed at. @param {Told} told @returns {Element[]} */
  placesOf({ seat, action }) {
    const { cells } = this.seats[seat];
    if (action < FIRST_PLACE) return [action === DRAW ? this.draw : this.discard];
    return action < FIRST_PLACE + 2 * cells.length ? [cells[(action - FIRST_PLACE) % cells.length]] : [];
  }

  /** Where a card of another seat came from, or where it went and what lay there. @param {Told} told */
  showRecent({ seat, action, words }) {
    const { cells } = this.seats[seat];
    const [, ghost] = / for (?:a hidden )?(-?\d+|\*)/.exec(words) ?? [];
    if (action < FIRST_PLACE) {
      setAttribute(this.draw, "data-moved", action === DRAW ? "" : null);
      setAttribute(this.discard, "data-moved", action === TAKE ? "" : null);
    } else if (action < FIRST_PLACE + 2 * cells.length)
      showMoved(cells[(action - FIRST_PLACE) % cells.length], ghost ? withMinus(ghost).replace("*", "★") : "");
  }

  /** Show what a decision did. @param {Told} last @param {View} before */
  animate({ seq, seat, action }, before) {
    const { draw, discard, inHand } = this;
    const { cells } = this.seats[seat];
    const card = cells[(action - FIRST_PLACE) % cells.length];
    before.table.boards.forEach((board, who) => {
      const gone = board.flatMap((mark, at) => (mark !== "." && this.view.table.boards[who][at] === "." ? [at] : []));
      const isOpened = at => who === seat && cells[at] === card;
      const marks = board.map((mark, at) => (isOpened(at) ? "?" : mark));
      for (const line of linesOf(gone, this.size.rows)) this.clear(who, line, marks);
      if (gone.length > 0 && who === seat) this.clearing.add(seq);
    });
    if (action < FIRST_PLACE) return dom.fly(action === DRAW ? draw : discard, inHand);
    if (action < FIRST_PLACE + cells.length) {
      dom.fly(inHand, card);
      return dom.fly(card, discard);
    }
    if (before.phase === "drawn") dom.fly(inHand, discard);
    if (action < FIRST_PLACE + 2 * cells.length) dom.turn(card);
  }

  /** What a decision was to those who sit there. @param {Told} told @param {boolean} isNext was it the first after that of somebody here? */
  eventOf({ seq, action }, isNext) {
    return this.clearing.has(seq) ? "clear" : isNext && action === TAKE ? "take" : "";
  }

  /** A line leaves; what it was worth is said where that is certain. @param {number} seat @param {number[]} cells @param {Mark[]} marks of its seat, hidden ones among them */
  clear(seat, cells, marks) {
    const open = new Set(cells.map(cell => marks[cell]).filter(mark => mark !== "?"));
    const mark = open.size === 1 && !this.hasStars ? [...open][0] : "?";
    const words = Number.isFinite(mark) ? signed(-Number(mark) * cells.length, 0) : "";
    const faces = cells.map(cell => faceOf(marks[cell] === "?" ? mark : marks[cell]));
    dom.gather(
      cells.map(cell => this.seats[seat].cells[cell]),
      faces,
      words,
    );
  }

  key(code) {
    const spot = CELL_KEYS.indexOf(code.slice(3));
    const [column, row] = [spot % KEY_COLUMNS, Math.floor(spot / KEY_COLUMNS)];
    const { rows, columns } = this.size;
    if (spot >= 0) return column < columns && row < rows ? this.seats[this.own].cells[column * rows + row] : null;
    return { KeyD: this.draw, KeyT: this.discard, KeyX: this.discard }[code];
  }

  /** Cells as people count them, by column and row, and seats by their names. @param {string} text */
  plain(text) {
    const verbs = {
      place: "place it in ",
      flip: this.view.phase === "drawn" ? "discard it and flip " : "flip ",
      "on cell": "in ",
      cell: "",
    };
    const named = (_, word, cell) => verbs[word] + this.place(Number(cell));
    return withMinus(withNames(this.view, text).replace(/\b(place|flip|on cell|cell) (\d+)/g, named));
  }

  /** How a round ended. @param {any} end @param {number[]} [hidden] by seat, the points that lay hidden until the end */
  async ending(end, hidden = this.view.seats.map(() => 0)) {
    const { pointsEnding } = await import("./round_points.js");
    return pointsEnding(this.view, end, this.size.rows, faceOf, hidden, this.cardWorth);
  }
}
