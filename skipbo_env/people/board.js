/** Skip-Bo's cards: building piles in the middle; stock, hand and discard piles of every seat. */

import {
  BACK,
  barButton,
  cardButton,
  cardPicture,
  children,
  fly,
  hintsAt,
  make,
  pileOf,
  setAttribute,
  setText,
  showCard,
  showFace,
  showMoved,
  walkWithArrows,
} from "../dom.js";
import { isMine, newest, ownSeat, seatName, subject } from "../view.js";

/**
 * @typedef {import("../view.js").View} View
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
  ["Z X C V B", "your hand: pick a card up"],
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

/** A wild card that stands for a rank. @param {number} rank */
const wildAs = rank => ({ ...faceOf("w"), text: String(rank), corner: "★" });

/** @param {string} word @param {string} label @param {...Node} nodes */
const group = (word, label, ...nodes) => make("div", { class: word, role: "group", "aria-label": label }, ...nodes);

/**
 * The cards of a table.
 * @param {HTMLElement} middle where the building piles lie @param {HTMLElement} bar where buttons stand
 * @param {import("../table.js").Table} table
 */
export function createBoard(middle, bar, table) {
  /** @type {View} */
  let view;
  /** @type {Source|null} the card that is picked up here */
  let held = null;
  /** @type {Map<string, number>} legal actions by name */
  let legal = new Map();
  /** @type {any[]} by seat: the nodes of its cards */
  const seats = [];

  const drawCard = cardPicture(BACK);
  const drawPile = pileOf(drawCard);
  const building = PLACES.map(place => cardButton(`building-${place}`, () => pressBuilding(place)));
  const row = group("row", "Building piles", ...building.map(card => pileOf(card)));
  middle.append(drawPile, row);
  walkWithArrows(row, PLACES.length);
  const showPass = barButton(bar, "P", () => act("pass"));
  const showLetGo = barButton(bar, "Esc", letGo);

  const act = (name, why) => (legal.has(name) ? table.act(legal.get(name)) : table.refuse(why));
  const own = () => ownSeat(view);
  const ownHand = () =>
    [...(view.table.hand ?? [])].sort((one, other) => (one === "w" ? 99 : one) - (other === "w" ? 99 : other));
  const stockSource = () => ({ key: "stock", from: "stock", card: view.table.stock_tops[own()] });
  const pileSource = pile => ({
    key: `pile-${pile}`,
    from: `pile ${pile}`,
    card: view.table.discards[own()][pile].at(-1) ?? null,
  });
  const handSource = index => ({ key: `hand-${index}`, from: `hand ${ownHand()[index]}`, card: ownHand()[index] });
  const builds = source => PLACES.filter(place => legal.has(`${source.from} to ${place}`));
  const canLay = (source, pile) => source?.key.startsWith("hand") && legal.has(`discard ${source.card} on ${pile}`);
  const isUsable = source => builds(source).length > 0 || PLACES.some(pile => canLay(source, pile));

  function letGo() {
    if (held) pickUp(null);
  }

  function pickUp(source) {
    held = source;
    table.redraw();
  }

  /** Pick a card up; pressed again, it goes to the one place where it fits, or is let go. @param {Source} source */
  function pressSource(source) {
    if (!isMine(view)) return table.refuse();
    if (held?.key !== source.key)
      return isUsable(source)
        ? pickUp(source)
        : table.refuse(source.card === null ? undefined : `The ${described(source.card)} does not fit anywhere now.`);
    const fits = builds(source);
    const ranks = new Set(fits.map(place => view.table.building[place]));
    return ranks.size === 1 ? act(`${source.from} to ${fits[0]}`) : letGo();
  }

  function pressBuilding(place) {
    const why = held ? `The ${described(held.card)} does not fit there.` : "Pick up a card first.";
    act(`${held?.from} to ${place}`, isMine(view) ? why : undefined);
  }

  function pressPile(seat, pile) {
    if (seat !== own()) table.refuse();
    else if (canLay(held, pile)) act(`discard ${held?.card} on ${pile}`);
    else pressSource(pileSource(pile));
  }

  function buildSeat(body, seat) {
    const stock = cardButton("stock", () => (seat === own() ? pressSource(stockSource()) : table.refuse()));
    const piles = PLACES.map(pile => cardButton(`pile-${pile}`, () => pressPile(seat, pile)));
    const hand = group("row hand", "Hand");
    body.replaceChildren(
      make(
        "div",
        { class: "row ownrow" },
        pileOf(stock),
        group("row", "Discard piles", ...piles.map(card => pileOf(card))),
      ),
      hand,
    );
    seats[seat] = { stock, piles, hand, settle: walkWithArrows(body, 1 + PLACES.length) };
  }

  /** The choices with a card that is not picked up, or none while another one is. @param {Source} source */
  const choicesOf = source =>
    held
      ? []
      : [...legal]
          .filter(
            ([name]) =>
              name.startsWith(`${source.from} to `)
              || (source.key.startsWith("hand") && name.startsWith(`discard ${source.card} on `)),
          )
          .map(([, action]) => action);

  function showStock(seat, top, left, stand = {}) {
    const { stock } = seats[seat];
    showCard(stock, { face: faceOf(top), label: `stock, ${described(top)} on top, ${left} cards`, ...stand });
    setText(stock.nextElementSibling, seat === own() ? `${left} left` : String(left));
  }

  function showSeat(seat, at) {
    const { stock, piles, hand, settle } = seats[seat];
    const isOwn = seat === own();
    const stands = source => ({
      legal: isOwn && builds(source).length > 0,
      ...(isOwn ? at(...choicesOf(source)) : {}),
      chosen: isOwn && held?.key === source.key,
    });
    showStock(seat, view.table.stock_tops[seat], view.table.stock_sizes[seat], stands(stockSource()));
    piles.forEach((card, pile) => {
      const cards = view.table.discards[seat][pile];
      const below = cards.slice(0, -1);
      const label = `discard pile ${pile + 1}, ${described(cards.at(-1) ?? null)}${below.length > 0 ? ` on top of ${below.map(described).join(", ")}` : ""}`;
      const target = isOwn && Boolean(canLay(held, pile));
      const stand = stands(pileSource(pile));
      const laid = target ? at(legal.get(`discard ${held?.card} on ${pile}`)) : {};
      showCard(card, {
        face: faceOf(cards.at(-1) ?? null),
        label,
        ...stand,
        ...laid,
        legal: stand.legal || target,
        target,
      });
      const last = below
        .slice(-BELOW_SHOWN)
        .map(one => (one === "w" ? "★" : one))
        .join(" ");
      setText(card.nextElementSibling, isOwn ? last : last && `+${below.length}`);
    });
    [stock, ...piles].forEach(card => showMoved(card, null));
    showHand(hand, seat, isOwn, at);
    settle();
  }

  function showHand(row, seat, isOwn, at) {
    const size = isOwn && view.table.hand ? ownHand().length : view.table.hand_sizes[seat];
    const isOpen = isOwn && view.table.hand !== null;
    const under = isOpen ? undefined : view.table.open?.hands[seat];
    if (row.dataset.open !== String(isOpen)) row.replaceChildren();
    row.dataset.open = String(isOpen);
    setAttribute(row, "aria-label", isOpen ? "Your hand" : `${size} cards in hand`);
    const nodes = children(row, size, index =>
      isOpen ? cardButton(`hand-${index}`, () => pressSource(handSource(index))) : cardPicture(BACK),
    );
    if (under) setAttribute(row, "aria-label", `Hand: ${under.map(described).join(", ")}`);
    if (!isOpen) return nodes.forEach((node, index) => showFace(node, under ? faceOf(under[index]) : BACK));
    nodes.forEach((node, index) => {
      const source = handSource(index);
      showCard(node, {
        face: faceOf(source.card),
        label: `hand, ${described(source.card)}`,
        legal: isUsable(source),
        ...at(...choicesOf(source)),
        chosen: held?.key === source.key,
      });
    });
  }

  function showMiddle(at, best) {
    showFace(drawCard, view.table.draw_pile > 0 ? BACK : null);
    setText(drawPile.lastElementChild, `Draw · ${view.table.draw_pile}`);
    building.forEach((card, place) => {
      const rank = view.table.building[place];
      const target = held !== null && legal.has(`${held.from} to ${place}`);
      const isWild = view.table.building_wilds[place].includes(rank);
      const top = isWild ? `wild as ${rank}` : rank || "empty";
      const following = `next ${(rank % LAST_RANK) + 1}`;
      const hints = target
        ? at(legal.get(`${held?.from} to ${place}`))
        : at(...[...best].filter(action => action < DISCARD && action % PLACES.length === place));
      const label = `building pile ${place + 1}, ${top}, ${following}`;
      showCard(card, { face: isWild ? wildAs(rank) : faceOf(rank || null), label, legal: target, ...hints, target });
      showMoved(card, null);
      setText(card.nextElementSibling, following);
    });
    showPass(legal.has("pass") && "Pass", at(legal.get("pass")));
    showLetGo(held && "Cancel");
  }

  /** Where cards of others came from and went since somebody here decided. @param {any[]} recent */
  function showRecent(recent) {
    for (const { seat, action } of recent) {
      if (action === PASS) continue;
      const { stock, piles } = seats[seat];
      if (action < PLAY_HAND) showMoved(stock, "");
      if (action >= PLAY_DISCARD && action < DISCARD)
        showMoved(piles[Math.floor((action - PLAY_DISCARD) / PLACES.length)], "");
      showMoved((action < DISCARD ? building : piles)[action % PLACES.length], "");
    }
  }

  /** Show what the last decision did. @param {View} before */
  function animate(before) {
    const last = newest(before, view);
    if (!last || last.action === PASS) return;
    const { stock, piles, hand } = seats[last.seat];
    const isFromPile = last.action >= PLAY_DISCARD && last.action < DISCARD;
    const from =
      last.action < PLAY_HAND
        ? stock
        : isFromPile
          ? piles[Math.floor((last.action - PLAY_DISCARD) / PLACES.length)]
          : (hand.firstElementChild ?? hand);
    fly(from, (last.action < DISCARD ? building : piles)[last.action % PLACES.length]);
  }

  return {
    letGo,
    aheadOf: "the others after a few turns. Cards are guessed, so small differences are chance",

    /** What is begun here has no number of its own. */
    begun: () => null,

    /**
     * Draw a view.
     * @param {View} now @param {any[]} places @param {Set<number>} best the hint's first choice
     * @param {Map<number, number>} [behind] by choice, how far it is behind that one
     * @param {any[]} [recent] what others have decided since somebody here did
     */
    update(now, places, best, behind, recent = []) {
      const at = hintsAt(best, behind);
      const before = view;
      if (before?.seq !== now.seq) held = null;
      view = now;
      legal = new Map(Object.entries(now.names).map(([action, name]) => [name, Number(action)]));
      places.forEach(({ body }, seat) => {
        if (!seats[seat]) buildSeat(body, seat);
        showSeat(seat, at);
      });
      showMiddle(at, behind ? new Set() : best);
      showRecent(recent);
      if (before) animate(before);
    },

    /** What is asked. */
    question() {
      if (!held)
        return legal.has("pass")
          ? "Pick up a card to play, or pass."
          : "Pick up a card to play, or one from your hand to discard.";
      const where = [
        builds(held).length > 0 && "a building pile",
        PLACES.some(pile => canLay(held, pile)) && "a discard pile, which ends your turn",
      ];
      return `The ${described(held.card)}: choose ${where.filter(Boolean).join(" or ")}.`;
    },

    /** What a key presses, if anything. @param {string} code */
    key(code) {
      const { stock, piles, hand } = seats[own()];
      const places = { QWER: building, ASDF: piles, ZXCVB: [...hand.children], T: [stock], P: [bar.firstElementChild] };
      const found = Object.entries(places).find(([letters]) => code && letters.includes(code.replace(/^Key/, "")));
      return found?.[1][found[0].indexOf(code.slice(-1))];
    },

    /** A legal action by its name. @param {string} name */
    actionNamed: name => legal.get(name),

    /** Places and piles as people count them, from 1. @param {string} text */
    plain: text =>
      text
        .replace(/^(stock|hand (\d+|w)|pile \d) to /, (_, from, card) => `play ${card ?? `from ${from}`} to `)
        .replace(/(^|, )(?=(\d+|w)( from (stock|pile \d))? to \d)/g, "$1played ")
        .replace(
          /\b(to|on|pile) ([0-3])\b/g,
          (_, word, number) =>
            `${{ to: "to building pile", on: "on discard pile", pile: "pile" }[word]} ${Number(number) + 1}`,
        )
        .replace(/\bw\b/g, "wild"),

    faceOf,

    /** How a round ended, of which the felt still shows the last decision. @param {any} end */
    ending({ winner, stock_left: left, scores }) {
      if (winner !== null) showStock(winner, null, 0);
      const each = numbers => view.seats.map((_, seat) => `${seatName(view, seat)} ${numbers[seat]}`).join(", ");
      const most = view.seats
        .map((_, seat) => seat)
        .filter(seat => seat !== winner)
        .sort((one, other) => left[one] - left[other])[0];
      const [won, decided] =
        winner === null
          ? ["Nobody won it.", "Nobody could play on, so nobody has won the round."]
          : [
              `Won by ${seatName(view, winner)}.`,
              `${subject(view, winner)} played the last stock card; ${seatName(view, most)} had ${left[most]} left.`,
            ];
      return {
        decided,
        words: `${won} Stock cards left: ${each(left)}.${scores ? ` Points: ${each(scores)}.` : ""}`,
        pictures: [],
      };
    },
  };
}
