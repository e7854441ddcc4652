/** What a decision of Skyjo Action did, read from the table before and after it; as skyjo_action_env/events.py. */

import { filled } from "../../worker/played_game.js";

const DRAWN = [0, 1, 2]; // the cards of a three

export class Decision {
  /** @param {any} step @param {(card: number) => any} mark a card as it is written */
  constructor({ data, rules, name, before, acted, scored }, mark) {
    const { constants, phrases } = data, [word, which, , place] = name.split(" "), { seat, phase, players } = before;
    Object.assign(this, { ...constants, phrases, mark, rules: rules.record, before, acted, scored, word, which, seat, phase, players });
    this.hand = before.field("hand");
    /** Where the named cell lies among those of all layouts. */
    this.at = Number(which) + this.CELLS * (place ? (seat + Number(place)) % players : seat);
    /** What lies in the layouts before lines are cleared, and where it is hidden. */
    this.lying = before.field("cards");
    this.hidden = before.field("shown").map(card => card === this.HIDDEN);
    /** By seat, the defences that were lost other than by what this action names. */
    this.defence = this.KINDS.indexOf("defence");
    this.defences = Array.from({ length: players }, (_, other) => -this.gained(other)[this.defence]);
  }

  /** All of it in order, as phrases and what fills them; what the end of the round reveals is not part of it. */
  *events() {
    const { acted, scored } = this, isEnd = acted.field("phase") === this.ENDS;
    if (this.phase === "turn" && this.differs("reshuffles")) yield ["PileReshuffled"];
    yield* this[`${this.word}Action`]?.() ?? [];
    yield* this.attack();
    const isRevealed = this.hidden.some(Boolean);
    if (isRevealed && this.differs("is_reveal")) return;
    yield* this.cleared(this.lying, acted);
    yield* this.openPlaces();
    if (isRevealed && isEnd && !acted.field("is_reveal")) return;
    if (this.begins("ender")) yield ["RoundEnded", { seat: acted.field("ender") }];
    if (this.begins("mover")) yield ["TurnsBegan", { seat: acted.field("mover") }];
    if (isEnd) yield* this.cleared(acted.field("cards"), scored);
  }

  differs(field) {
    return this.before.field(field) !== this.acted.field(field);
  }

  begins(field) {
    return this.before.field(field) === this.NOBODY && this.differs(field);
  }

  /** How many action cards a seat has gained, by kind. @param {number} seat */
  gained(seat) {
    const [had, has] = [this.before, this.acted].map(table => table.field("held").slice(seat * this.KINDS.length));
    return this.KINDS.map((_, kind) => has[kind] - had[kind]);
  }

  placed(at) {
    return { seat: Math.floor(at / this.CELLS), cell: at % this.CELLS };
  }

  *drawAction() {
    yield ["CardsDrawn"];
  }

  *takeAction() {
    yield ["DiscardTaken", { card: this.mark(this.acted.field("hand")[0]) }];
  }

  *placeAction() {
    const { at, hand, phase, phrases } = this, isOfThree = phase === "three place", k = isOfThree ? this.before.field("picked") : 0;
    const card = phase === "taken" ? phrases["taken card"] : this.mark(hand[k]), old = this.mark(this.lying[at]);
    yield ["CardPlaced", { ...this.placed(at), card, replaced: this.hidden[at] ? filled(phrases["hidden card"], { card: old }) : old }];
    [this.lying[at], this.hidden[at]] = [hand[k], false];
    if (isOfThree && this.rules.three_order === this.TOP_AS_DRAWN) yield* this.laidOff(DRAWN.filter(other => other !== k));
  }

  *flipAction() {
    if (this.phase === "drawn") yield* this.laidOff([0]);
    yield ["CardTurnedUp", { ...this.placed(this.at), card: this.mark(this.lying[this.at]) }];
    this.hidden[this.at] = false;
  }

  *cardAction() {
    const top = Number(this.which);
    if (this.phase === "three top") yield* this.laidOff([...DRAWN.filter(k => k !== top), top]);
  }

  *noneAction() {
    if (this.rules.three_order === this.TOP_AS_DRAWN) yield* this.laidOff(DRAWN);
  }

  /** Drawn cards go on the discard pile. @param {number[]} order */
  laidOff(order) {
    return order.filter(k => this.hand[k] !== this.EMPTY).map(k => ["CardDiscarded", { card: this.mark(this.hand[k]) }]);
  }

  *openAction() {
    const kind = this.gained(this.seat).indexOf(1);
    yield ["ActionTaken", { kind: this.KINDS[kind], why: this.phase === "claim" ? this.phrases["for star"] : "" }];
    if (kind === this.defence) this.defences[this.seat]++;
  }

  *pileAction() {
    if (this.before.field("action_pile_left") === 0) yield ["ActionsReshuffled"];
    yield* this.openAction();
  }

  *passAction() {
    yield [this.phase === "claim" ? "ClaimRefused" : "TurnPassed"];
  }

  *playAction() {
    const { before, which, KINDS } = this, top = before.field("action_piles")[before.field("action_discard_size") - 1];
    if (this.phase !== "replay") this.lose();
    yield ["ActionPlayed", { kind: which }];
    if (which === "replay" && this.rules.replay === this.REPLAY_TOP) yield ["ActionPlayed", { kind: KINDS[top] }];
    if (this.acted.phase === "three") yield ["three drawn"];
  }

  *discardAction() {
    const { which, KINDS, phase } = this, seat = this.lose();
    if (phase !== "remove") return yield ["ActionDiscarded", { kind: which }];
    const received = this.gained(seat).findIndex((count, kind) => count + Number(KINDS[kind] === which) > 0);
    yield ["ActionRemoved", { seat, kind: which, received: KINDS[received] ?? this.phrases.nothing }];
    if (received === this.defence) this.defences[seat]++;
  }

  /** The named action card is no longer held by the seat that is returned. */
  lose() {
    const seat = this.phase === "turn" ? this.seat : this.before.field("attacked");
    if (this.which === "defence") this.defences[seat]--;
    return seat;
  }

  *cellAction() {
    const { phase, before, acted, at } = this;
    if (phase === "remove") yield* this.removal(acted.field("piles").at(-1 - acted.field("pile_left"))); // drawn last
    const isCarriedOut = phase === "exchange with" && acted.phase !== "defence" && !this.defences.some(Boolean);
    if (phase === "swap with" || isCarriedOut) yield this.moved(before.field("chosen"), at);
  }

  /** A card was removed, and this one takes its place. @param {number} card */
  *removal(card) {
    const { at } = this, removed = this.hidden[at] ? this.phrases["removed hidden"] : this.mark(this.lying[at]);
    if (this.before.field("pile_left") === 0) yield ["PileReshuffled"];
    yield ["CardRemoved", { ...this.placed(at), removed, card: this.mark(card) }];
    [this.lying[at], this.hidden[at]] = [card, false];
  }

  /** Two cards have changed places as they lay. @param {number} one @param {number} other */
  moved(one, other) {
    const { seat: other_seat, cell: other_cell } = this.placed(other), first = this.placed(one);
    for (const each of [this.lying, this.hidden]) [each[one], each[other]] = [each[other], each[one]];
    return [first.seat === other_seat ? "swapped" : "CardsMoved", { ...first, other_seat, other_cell }];
  }

  *lineAction() {
    const { seat: owner } = this.placed(this.at), { cells } = this.LINES[this.which];
    yield ["CardsLookedAt", { owner, cells: cells.filter(cell => this.hidden[owner * this.CELLS + cell]).join(", ") }];
  }

  *keepAction() {
    yield ["LineKept", { line: this.LINES[this.before.field("line")].name }];
  }

  /** Defences were used up, or an attack was allowed; an exchange that nobody stops is carried out. */
  *attack() {
    const { before, acted, players, KINDS } = this, isOver = acted.phase !== "defence";
    for (let place = 1; place < players; place++) {
      const seat = (before.field("mover") + place) % players;
      if (this.defences[seat] > 0) yield ["AttackStopped", { seat }];
    }
    if (this.phase !== "defence" || this.defences[this.seat] > 0) return;
    yield ["AttackAllowed"];
    if (KINDS[before.field("played")] === "exchange" && isOver) yield this.moved(before.field("chosen"), before.field("chosen_with"));
  }

  /** Lines are gone. @param {number[]} lying what lay in the layouts before @param {import("../engine.js").Table} table after */
  *cleared(lying, table) {
    const cards = table.field("cards"), gone = [...cards.keys()].filter(at => lying[at] !== this.EMPTY && cards[at] === this.EMPTY);
    for (let seat = 0; seat < this.players; seat++) {
      const cells = gone.map(at => this.placed(at)).filter(each => each.seat === seat).map(({ cell }) => cell);
      if (cells.length > 0) yield ["LinesCleared", { seat, cells: cells.join(", ") }];
    }
  }

  /** Open places were filled. */
  *openPlaces() {
    const { before, acted, NO_KIND, KINDS } = this, open = before.field("open_actions"), now = acted.field("open_actions");
    if (this.word === "open") open[Number(this.which)] = NO_KIND;
    const filledNow = [...open.keys()].filter(place => open[place] === NO_KIND && now[place] !== NO_KIND);
    for (const [count, place] of filledNow.entries()) {
      if (count === before.field("action_pile_left")) yield ["ActionsReshuffled"];
      yield ["ActionTurnedUp", { kind: KINDS[now[place]] }];
    }
  }
}
