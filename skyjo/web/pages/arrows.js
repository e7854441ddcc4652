/** Arrows on the board: where a card comes from and where it goes, instead of columns and rows in words. */

import { byId, draw } from "./dom.js";

const HEAD = 11; // pixels
const SHORT = 0.3; // of a card, that an arrow ends before its middle

/** @param {number} seat @param {string} key @returns {Element|null} */
const ofSeat = (seat, key) => document.querySelector(`.seat[data-seat="${seat}"] [data-key="${key}"]`);

/** @param {string} key @returns {Element|null} */
const inMiddle = key => byId("middle").querySelector(`[data-key="${key}"]`);

/** The card in hand, which lies beside the question; none while no card is in hand. */
const held = () =>
  [...document.querySelectorAll("#ask > .pile .card")].find(card => card.checkVisibility({ visibilityProperty: true }))
  ?? null;

/** A card that comes into the hand: an arrow if one lies there, or else the card is ringed. @param {Element|null} card @returns {(Element|null)[][]} */
const intoHand = card => (held() ? [[card, held()]] : [[null, card]]);

/** A card in the hand of a seat, or where its hand lies. @param {number} seat @param {string} card */
function handCard(seat, card) {
  const cards = [...document.querySelectorAll(`.seat[data-seat="${seat}"] .hand .card`)];
  return (
    cards.find(one => one.querySelector(".number")?.textContent === (card === "w" ? "★" : card)) ?? cards[0] ?? null
  );
}

/** From where to where an action moves a card, by its name; the same words mean the same in all games. @type {[RegExp, (seat: number, found: string[], phase: string) => (Element|null)[][]][]} */
const PATHS = [
  [/^draw$/, () => intoHand(inMiddle("draw"))],
  [/^take$/, () => intoHand(inMiddle("discard"))],
  [/^discard$/, () => [[held(), inMiddle("discard")]]],
  [/^place (\d+)$/, (seat, [cell]) => [[held(), ofSeat(seat, `cell-${cell}`)]]],
  [
    /^flip (\d+)$/,
    (seat, [cell], phase) => [
      [null, ofSeat(seat, `cell-${cell}`)],
      ...(phase === "drawn" ? [[held(), inMiddle("discard")]] : []),
    ],
  ],
  [/^stock to (\d)$/, (seat, [place]) => [[ofSeat(seat, "stock"), inMiddle(`building-${place}`)]]],
  [/^hand (\w+) to (\d)$/, (seat, [card, place]) => [[handCard(seat, card), inMiddle(`building-${place}`)]]],
  [/^pile (\d) to (\d)$/, (seat, [pile, place]) => [[ofSeat(seat, `pile-${pile}`), inMiddle(`building-${place}`)]]],
  [/^discard (\w+) on (\d)$/, (seat, [card, pile]) => [[handCard(seat, card), ofSeat(seat, `pile-${pile}`)]]],
];

/** What an action does, as pairs of cards; without a first one it is done to the second alone. @param {Pointed} pointed @param {string} phase */
function pathsOf({ name, seat }, phase) {
  for (const [words, path] of PATHS) {
    const [whole, ...found] = words.exec(name) ?? [];
    if (whole !== undefined) return path(seat, found, phase).filter(([, to]) => to);
  }
  return [];
}

/** @type {() => void} draws the last arrows again, where the cards are now */
let again = () => {};
/** @type {ResizeObserver|undefined} */
let watching;

/**
 * Point at actions on the felt.
 * @param {Pointed[]} pointed the most important last @param {string} phase
 */
export function showArrows(pointed, phase) {
  again = () => drawArrows(pointed, phase);
  again();
  if (watching) return;
  watching = new ResizeObserver(() => again());
  watching.observe(byId("arrows"));
}

/** @param {Pointed[]} pointed @param {string} phase */
function drawArrows(pointed, phase) {
  const svg = byId("arrows");
  const frame = svg.getBoundingClientRect();
  const boxOf = card => {
    const { left, top, width, height } = card.getBoundingClientRect();
    return { x: left - frame.left + width / 2, y: top - frame.top + height / 2, width, height };
  };
  svg.replaceChildren(
    ...pointed.flatMap(one =>
      pathsOf(one, phase).flatMap(([from, to]) =>
        from ? arrow(boxOf(from), boxOf(to), one.kind) : [ring(boxOf(to), one.kind)],
      ),
    ),
  );
}

/** @param {{x: number, y: number, width: number, height: number}} box @param {string} kind */
function ring({ x, y, width, height }, kind) {
  const away = kind === "played" ? 1 : 4;
  const size = {
    x: x - width / 2 - away,
    y: y - height / 2 - away,
    width: width + 2 * away,
    height: height + 2 * away,
    rx: 8,
  };
  return draw("g", { class: `point ${kind}` }, draw("rect", { class: "under", ...size }), draw("rect", size));
}

/** @param {{x: number, y: number, width: number}} from @param {{x: number, y: number, width: number}} to @param {string} kind */
function arrow(from, to, kind) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const side = kind === "played" ? 5 : -5; // so that two arrows from one card do not cover each other
  const start = [from.x + ux * from.width * SHORT - uy * side, from.y + uy * from.width * SHORT + ux * side];
  const end = [to.x - ux * to.width * SHORT - uy * side, to.y - uy * to.width * SHORT + ux * side];
  const neck = [end[0] - ux * HEAD, end[1] - uy * HEAD];
  const point = (/** @type {any} */ [x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const line = `M${point(start)}L${point(neck)}`;
  const tip = `M${point(end)}L${point([neck[0] - uy * HEAD * 0.75, neck[1] + ux * HEAD * 0.75])}L${point([neck[0] + uy * HEAD * 0.75, neck[1] - ux * HEAD * 0.75])}z`;
  return [
    draw(
      "g",
      { class: `point ${kind}` },
      draw("path", { class: "under", d: `${line}${tip}` }),
      draw("path", { class: "shaft", d: line }),
      draw("path", { class: "tip", d: tip }),
    ),
  ];
}
