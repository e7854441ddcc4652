/** Skip-Bo's cards: building piles in the middle; stock, hand and discard piles of every seat. */

import { Board } from "../board.js";
import * as dom from "../dom.js";
import { BACK, cardButton, make, pileOf, setAttribute, setText, showCard, showFace, showMoved } from "../dom.js";
import { isMine, seatName, subject, withNames } from "../view.js";

/**
 * @typedef {number|"w"|"?"|null} Card wild, not seen, or none
 * @typedef {{key: string, from: string, card: Card}} Source where a card comes from: its place, and how names of actions begin
 */

const PLACES = [0, 1, 2, 3];
const LAST_RANK = 12;
const [PLAY_HAND, PLAY_DISCARD, DISCARD, PASS] = [4, 56, 72, 124]; // the first action of each kind
const BELOW_SHOWN = 4;

export const TITLE = "Skip-Bo";
export const KEYS = [
  ["T", "your stock card"],
  ["Z X C V B", "pick up a card from your hand"],
  ["A S D F", "your discard piles"],
  ["Q W E R", "building piles: put the card there"],
  ["P", "pass"],
];

/** @param {Card} card */
function faceOf(card) {
  if (card === null) return null;
  if (card === "?") return BACK;
  if (card === "w") return { text: "★", band: "wild", pips: 0 };
  const third = Math.floor((card - 1) / 4);
  return { text: String(card), band: ["deep", "green", "orange"][third], pips: third + 1 };
}

/** @param {Card} card */
const described = card => (card === null ? "empty" : ({ w: "wild", "?": "hidden" }[card] ?? card));

/** @param {string} kind @param {string} label @param {...Node} nodes */
const group = (kind, label, ...nodes) => make(kind, { role: "group", "aria-label": label }, ...nodes);

/** `held` is the source of the card that is picked up. */
class SkipBoBoard extends Board {
  aheadOf = "the others after a few turns. Hidden cards are guessed: small differences are chance";
  faceOf = faceOf;
  drawCard = dom.cardPicture(BACK);
  building = PLACES.map(place => cardButton(`building-${place}`, () => this.pressBuilding(place)));

  constructor(middle, bar, table) {
    super(middle, bar, table);
    const row = group("div.row", "Building piles", ...this.building.map(pileOf));
    this.middle.append(pileOf(this.drawCard), row);
    dom.walkWithArrows(row, PLACES.length);
  }

  /** The own cards in hand, wild ones last. */
  get ownHand() {
    const rank = card => (card === "w" ? Infinity : card);
    return [...(this.view.table.hand ?? [])].sort((one, other) => (one === other ? 0 : rank(one) - rank(other)));
  }

  get stockSource() {
    return { key: "stock", from: "stock", card: this.view.table.stock_tops[this.own] };
  }

  /** @param {number} pile */
  pileSource(pile) {
    return { key: `pile-${pile}`, from: `pile ${pile}`, card: this.view.table.discards[this.own][pile].at(-1) ?? null };
  }

  /** @param {number} index */
  handSource(index) {
    const card = this.ownHand[index];
    return { key: `hand-${index}`, from: `hand ${card}`, card };
  }

  /** Building piles where a card fits. @param {Source} source */
  fits(source) {
    return PLACES.filter(place => this.legal.has(`${source.from} to ${place}`));
  }

  /** The name of an action that discards a card. @param {Source} source @param {number} pile */
  laying(source, pile) {
    return source?.key.startsWith("hand") ? `discard ${source.card} on ${pile}` : "";
  }

  /** The names of all that can be done with a card. @param {Source} source */
  usesOf(source) {
    const names = PLACES.flatMap(place => [`${source.from} to ${place}`, this.laying(source, place)]);
    return names.filter(name => this.legal.has(name));
  }

  /** Pick a card up; pressed again, it goes to the one place where it fits, or is let go. @param {Source} source */
  pressSource(source) {
    if (!isMine(this.view)) return this.table.refuse();
    if (this.held?.key !== source.key) {
      const why = source.card === null ? undefined : `The ${described(source.card)} does not fit anywhere now.`;
      return this.usesOf(source).length > 0 ? this.hold(source) : this.table.refuse(why);
    }
    const fits = this.fits(source);
    const ranks = new Set(fits.map(place => this.view.table.building[place]));
    return ranks.size === 1 ? this.act(`${source.from} to ${fits[0]}`) : this.letGo();
  }

  /** @param {number} place */
  pressBuilding(place) {
    const why = this.held ? `The ${described(this.held.card)} does not fit there.` : "Pick up a card first.";
    this.act(`${this.held?.from} to ${place}`, isMine(this.view) ? why : undefined);
  }

  /** @param {number} seat @param {number} pile */
  pressPile(seat, pile) {
    const laying = this.laying(this.held, pile);
    if (seat !== this.own) this.table.refuse();
    else if (this.legal.has(laying)) this.act(laying);
    else this.pressSource(this.pileSource(pile));
  }

  build(body, seat) {
    const pressStock = () => (seat === this.own ? this.pressSource(this.stockSource) : this.table.refuse());
    const stock = cardButton("stock", pressStock);
    const piles = PLACES.map(pile => cardButton(`pile-${pile}`, () => this.pressPile(seat, pile)));
    const hand = group("div.row.hand", "Hand");
    const row = group("div.row", "Discard piles", ...piles.map(pileOf));
    body.replaceChildren(make("div.row.ownrow", pileOf(stock), row), hand);
    return { stock, piles, hand, settle: dom.walkWithArrows(body, 1 + PLACES.length) };
  }

  /** How a card stands that can be picked up. @param {Source} source */
  standOf(source) {
    const hint = this.held ? {} : this.hintAt(...this.usesOf(source));
    return { legal: this.fits(source).length > 0, ...hint, chosen: this.held?.key === source.key };
  }

  showStock(seat, top, left, stand = {}) {
    const { stock } = this.seats[seat];
    showCard(stock, { face: faceOf(top), label: `stock, ${described(top)} on top, ${left} cards`, ...stand });
    setText(stock.nextElementSibling, seat === this.own ? `${left} left` : String(left));
  }

  showSeat(seat) {
    const { stock, piles, settle } = this.seats[seat];
    const { stock_tops: tops, stock_sizes: sizes } = this.view.table;
    this.showStock(seat, tops[seat], sizes[seat], seat === this.own ? this.standOf(this.stockSource) : {});
    piles.forEach((card, pile) => this.showPile(card, seat, pile));
    for (const card of [stock, ...piles]) showMoved(card, null);
    this.showHand(seat);
    settle();
  }

  showPile(card, seat, pile) {
    const isOwn = seat === this.own;
    const cards = this.view.table.discards[seat][pile];
    const [top, below] = [cards.at(-1) ?? null, cards.slice(0, -1)];
    const more = below.length > 0 ? ` on top of ${below.map(described).join(", ")}` : "";
    const laying = this.laying(this.held, pile);
    const target = isOwn && this.legal.has(laying);
    const stand = isOwn ? this.standOf(this.pileSource(pile)) : {};
    const label = `discard pile ${pile + 1}, ${described(top)}${more}`;
    showCard(card, {
      face: faceOf(top),
      label,
      ...stand,
      ...(target && { ...this.hintAt(laying), legal: true, target }),
    });
    const last = below.slice(-BELOW_SHOWN).map(one => (one === "w" ? "★" : one));
    setText(card.nextElementSibling, isOwn ? last.join(" ") : below.length > 0 ? `+${below.length}` : "");
  }

  showHand(seat) {
    const row = this.seats[seat].hand;
    const { hand, hand_sizes: sizes, open } = this.view.table;
    const isOpen = seat === this.own && hand !== null;
    const cards = isOpen ? this.ownHand : (open?.hands[seat] ?? Array(sizes[seat]).fill("?"));
    if (row.dataset.open !== String(isOpen)) row.replaceChildren();
    row.dataset.open = String(isOpen);
    const words = open ? `Hand: ${cards.map(described).join(", ")}` : `${cards.length} cards in hand`;
    setAttribute(row, "aria-label", isOpen ? "Your hand" : words);
    const build = index =>
      isOpen ? cardButton(`hand-${index}`, () => this.pressSource(this.handSource(index))) : dom.cardPicture(BACK);
    dom.children(row, cards.length, build).forEach((node, index) => {
      if (!isOpen) return showFace(node, faceOf(cards[index]));
      const source = this.handSource(index);
      const stand = { ...this.standOf(source), legal: this.usesOf(source).length > 0 };
      showCard(node, { face: faceOf(source.card), label: `hand, ${described(source.card)}`, ...stand });
    });
  }

  showMiddle() {
    const { building, building_wilds: wilds, draw_pile: left } = this.view.table;
    showFace(this.drawCard, left > 0 ? BACK : null);
    setText(this.drawCard.nextElementSibling, `Draw · ${left}`);
    this.building.forEach((card, place) => {
      const rank = building[place];
      const isWild = wilds[place].includes(rank);
      const face = isWild ? { ...faceOf("w"), text: String(rank), corner: "★" } : faceOf(rank || null);
      const top = isWild ? `wild as ${rank}` : rank || "empty";
      const following = `next ${(rank % LAST_RANK) + 1}`;
      const name = `${this.held?.from} to ${place}`;
      const target = this.legal.has(name);
      const label = `building pile ${place + 1}, ${top}, ${following}`;
      showCard(card, { face, label, legal: target, ...this.hintAt(name), target });
      showMoved(card, null);
      setText(card.nextElementSibling, following);
    });
  }

  answers() {
    return [this.answer("pass", "Pass", { key: "P" }), this.cancel];
  }

  /** The cards between which an action moves one. @param {number} seat @param {number} action */
  path(seat, action) {
    const { stock, piles, hand } = this.seats[seat];
    const place = action % PLACES.length;
    if (action >= DISCARD) return [hand.firstElementChild ?? hand, piles[place]];
    if (action < PLAY_HAND) return [stock, this.building[place]];
    const from = piles[Math.floor((action - PLAY_DISCARD) / PLACES.length)]; // none if it comes from the hand
    return [from ?? hand.firstElementChild ?? hand, this.building[place]];
  }

  /** What a decision was about, to be pointed at. @param {Told} told */
  placesOf({ seat, action }) {
    return action === PASS ? [] : this.path(seat, action);
  }

  /** Where a card of another seat came from, if that is seen, and where it went. @param {Told} told */
  showRecent({ seat, action }) {
    if (action === PASS) return;
    const [from, to] = this.path(seat, action);
    if (from.dataset.key) showMoved(from, "");
    showMoved(to, "");
  }

  animate({ seat, action }) {
    const [from, to] = action === PASS ? [] : this.path(seat, action);
    if (from) dom.fly(from, to);
  }

  /** What a decision was to those who sit there. @param {Told} told */
  eventOf({ action }) {
    return action < PLAY_HAND ? "stock" : "";
  }

  /** What is asked. */
  question() {
    const { held, legal } = this;
    if (!held) return `Pick up a card to play, ${legal.has("pass") ? "or pass" : "or one from your hand to discard"}.`;
    const where = [
      this.fits(held).length > 0 && "a building pile",
      PLACES.some(pile => legal.has(this.laying(held, pile))) && "a discard pile, which ends your turn",
    ];
    return `The ${described(held.card)}: choose ${where.filter(Boolean).join(" or ")}.`;
  }

  key(code) {
    const { stock, piles, hand } = this.seats[this.own];
    const places = { QWER: this.building, ASDF: piles, ZXCVB: hand.children, T: [stock] };
    const letter = code.replace(/^Key/, "");
    const found = Object.keys(places).find(letters => letters.includes(letter));
    return found ? places[found][found.indexOf(letter)] : super.key(code);
  }

  /** Places and piles as people count them, from 1, and seats by their names. @param {string} text */
  plain(text) {
    const piles = { to: "to building pile", on: "on discard pile", pile: "pile" };
    const counted = text
      .replace(/^(stock|hand (\d+|w)|pile \d) to /, (_, from, card) => `play ${card ?? `from ${from}`} to `)
      .replace(/(^|, )(?=(\d+|w)( from (stock|pile \d))? to \d)/g, "$1played ")
      .replace(/\b(to|on|pile) ([0-3])\b/g, (_, word, number) => `${piles[word]} ${Number(number) + 1}`)
      .replace(/\bw\b/g, "wild");
    return withNames(this.view, counted);
  }

  /** How a round ended, of which the felt still shows the last decision. @param {any} end */
  ending({ winner, stock_left: left, scores }) {
    const { seats } = this.view;
    const each = numbers => seats.map((_, seat) => `${seatName(this.view, seat)} ${numbers[seat]}`).join(", ");
    const words = `Stock cards left: ${each(left)}.${scores ? ` Points: ${each(scores)}.` : ""}`;
    if (winner === null) {
      const decided = "No player could play on: the round has no winner.";
      return { decided, words: `No winner. ${words}`, pictures: [] };
    }
    this.showStock(winner, null, 0);
    const others = [...seats.keys()].filter(seat => seat !== winner).sort((one, other) => left[one] - left[other]);
    const next = `${seatName(this.view, others[0])} had ${left[others[0]]} left.`;
    const decided = `${subject(this.view, winner)} played the last stock card; ${next}`;
    return { decided, words: `Won by ${seatName(this.view, winner)}. ${words}`, pictures: [] };
  }
}

export { SkipBoBoard as Board };
