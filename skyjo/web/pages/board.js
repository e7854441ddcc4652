/** What the cards of all games have in common: the view that they show, what is begun on them, and buttons that answer. */

import { make, setAttribute } from "./dom.js";
import { newest, ownSeat } from "./view.js";
import { behindWords } from "./words.js";

/**
 * @typedef {{best: boolean, hint: string}} Hint what a hint says of a place
 * @typedef {{words: string, press: () => void, key?: string, hint?: Hint, isTwin?: boolean}} Answer a button; a twin does what a pile does
 */

/** The cards of a table. A game says how they are built and shown, what a key presses, and what is asked. */
export class Board {
  /** @type {View} */
  view;
  /** By seat, what its game has built for it. @type {any[]} */
  seats = [];
  /** What is begun here and not yet sent. @type {any} */
  held = null;
  /** Legal actions by name, such as "place 3". @type {Map<string, number>} */
  legal = new Map();
  /** The hint's first choice, and how far others are behind it. @type {Set<number>} */
  best = new Set();
  /** @type {Map<number, number>|undefined} */
  behind;

  /**
   * @param {any} middle where the piles lie @param {any} bar where buttons stand
   * @param {TablePage} table
   */
  constructor(middle, bar, table) {
    this.middle = middle;
    this.bar = bar;
    this.table = table;
  }

  get own() {
    return ownSeat(this.view);
  }

  /** Send a decision, or say why it is not possible. @param {string} name @param {string} [why] */
  act(name, why) {
    if (this.legal.has(name)) this.table.act(this.legal.get(name));
    else this.table.refuse(why);
  }

  /** Names of legal actions. @param {string} word they begin with */
  starting(word) {
    return [...this.legal.keys()].filter(name => name.startsWith(word));
  }

  /** A legal action. @param {string} name */
  actionNamed(name) {
    return this.legal.get(name);
  }

  /** Begin something, or end it. @param {any} held */
  hold(held) {
    this.held = held;
    this.table.redraw();
  }

  letGo() {
    if (this.held) this.hold(null);
  }

  /** What is begun here, as the action that it will be; null if nothing is, or if it has no number. */
  begun() {
    return null;
  }

  /**
   * Draw a view.
   * @param {View} now @param {any[]} places @param {Set<number>} best the hint's first choice
   * @param {Map<number, number>} [behind] by choice, how far it is behind that one
   * @param {Told[]} [recent] what others have decided since somebody here did
   */
  update(now, places, best, behind, recent = []) {
    const before = this.view;
    if (before?.seq !== now.seq) this.held = null;
    const game = /** @type {any} */ (this); // with what a game says of its cards
    [this.view, this.best, this.behind] = [now, best, behind];
    this.legal = new Map(Object.entries(now.names).map(([action, name]) => [name, Number(action)]));
    places.forEach((place, seat) => {
      this.seats[seat] ??= game.build(place.body, seat);
      game.showSeat(seat, place);
    });
    game.showMiddle();
    this.showAnswers(game.answers().filter(Boolean));
    recent.forEach(told => game.showRecent(told));
    const last = before && newest(before, now);
    if (last) game.animate(last, before);
  }

  /** What a hint says of a place where these actions are done. @param {...string} names @returns {Hint} */
  hintAt(...names) {
    const actions = names.map(name => this.actionNamed(name));
    const lost = Math.min(...actions.map(action => this.behind?.get(action) ?? Infinity));
    return { best: actions.some(action => this.best.has(action)), hint: lost === Infinity ? "" : behindWords(lost) };
  }

  /** A button that does a legal action; none if it is not legal. @param {string} name @param {string} words @param {Partial<Answer>} [more] */
  answer(name, words, more) {
    return this.legal.has(name) && { words, press: () => this.act(name), hint: this.hintAt(name), ...more };
  }

  /** The button that lets go of what is begun. @returns {Answer} */
  get cancel() {
    return this.held && { words: "Cancel", key: "Esc", press: () => this.letGo() };
  }

  /** Show buttons; those with the same words stay, so that the focus does. @param {Answer[]} answers */
  showAnswers(answers) {
    const said = answers.map(({ words }) => words).join("\n");
    if (this.bar.dataset.said !== said) this.bar.replaceChildren(...answers.map(answerButton));
    this.bar.dataset.said = said;
    answers.forEach(({ press, hint }, index) => {
      const button = this.bar.children[index];
      button.onclick = press;
      setAttribute(button, "data-best", hint?.best ? "" : null);
      setAttribute(button, "data-hint", hint?.best ? "best" : hint?.hint || null);
    });
  }

  /** The button that a key presses, if there is one. @param {string} code such as KeyP */
  key(code) {
    return [...this.bar.children].find(button => code === `Key${button.lastElementChild?.textContent}`);
  }
}

/** @param {Answer} answer */
const answerButton = ({ words, key, isTwin }) =>
  make("button", isTwin && { "data-twin": "" }, make("span", words), key && make("kbd", key));
