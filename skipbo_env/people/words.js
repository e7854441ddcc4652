/** Skip-Bo's table for JSON, and decisions in words: what documents.py and terminal.py say of it. */

import { filled } from "../../worker/played_game.js";

/** A card as it is written. */
const mark = ({ constants: { WILD, UNSEEN } }, card) => (card === WILD ? "w" : card === UNSEEN ? "?" : card);

const marks = (data, cards) => cards.map(card => mark(data, card));

const placeOf = name => Number(name.split(" ").at(-1));

/** What a seat sees; unless it is the viewer's own, without its hand, nor its piles if others do not see them.
 * @param {boolean} isOwn */
export function viewDocument(data, { record: { players, visible } }, view, isOwn) {
  const { NONE, RANKS, VIEW_TABLE } = data.constants, tops = marks(data, view.stock_tops), piles = pilesOf(data, view);
  const bySeat = field => field.map((_, seat) => field[(seat - view.seat + players) % players]);
  if (!isOwn && visible !== VIEW_TABLE) [tops[0], piles[0]] = ["?", piles[0].map(pile => pile.map(() => "?"))];
  const ranks = bits => [...Array(RANKS).keys()].filter(rank => (bits >> rank) & 1).map(rank => rank + 1);
  return {
    ...{ building: view.building, building_wilds: view.building_wilds.map(ranks), draw_pile: view.draw_pile_size, turn: view.turns + 1 },
    ...{ stock_sizes: bySeat(view.stock_sizes), hand_sizes: bySeat(view.hand_sizes), discards: bySeat(piles) },
    stock_tops: bySeat(tops.map((top, place) => (view.stock_sizes[place] ? top : null))),
    hand: isOwn ? marks(data, view.hand.filter(card => card !== NONE)) : null,
    completed: view.completed[0] < 0 ? null : view.completed.reduce((sum, count) => sum + count, 0),
  };
}

/** The discard piles by place clockwise, as far as they are seen. */
function pilesOf(data, { discards, discard_sizes: sizes, discard_tops: tops }) {
  let end = 0;
  return sizes.map((own, place) => own.map((size, pile) => {
    const cards = discards.slice(end, (end += size));
    return marks(data, size > 0 ? [...cards.slice(0, -1), tops[place][pile]] : cards);
  }));
}

/** All hands. */
export function openDocument(data, table) {
  const hands = table.field("hands"), { HAND } = data.constants;
  return { hands: table.field("hand_size").slice(0, table.players).map((size, seat) => marks(data, hands.slice(seat * HAND, seat * HAND + size))) };
}

/** The end of a round; one that was stopped has no scores. */
export function endDocument({ data: { constants: { ENDINGS } }, scored }) {
  const ending = ENDINGS[scored.field("ending")], left = { stock_left: scored.field("stock_left").slice(0, scored.players) };
  if (ending === null || ending === "stopped") return { ...left, ending: "stopped", winner: null, scores: null };
  const scores = scored.roundScores, most = Math.max(...scores);
  return { ...left, ending, winner: most > 0 ? scores.indexOf(most) : null, scores };
}

/** What a decision did, up to where the next turn begins. */
export function describe(step) {
  const { data, rules: { record: { stock } }, name, before, acted } = step, { phrases, constants: { RANKS } } = data;
  const [word, first] = name.split(" "), place = placeOf(name), { seat } = before, isPlay = word in phrases;
  const stockTop = table => mark(data, table.field("stocks")[seat * stock + table.field("stock_left")[seat] - 1]);
  const card = word === "stock" ? stockTop(before) : word === "pile" ? pileTop(step, Number(first)) : first, rank = before.field("heights")[place] + 1;
  const happened = [
    ["TurnPassed", word === "pass" && {}],
    ["CardDiscarded", word === "discard" && { card, pile: place }],
    ["CardPlayed", isPlay && { card, place, source: filled(phrases[word], { pile: first }), rank: card === "w" ? filled(phrases.rank, { rank }) : "" }],
    ["StockCardTurnedUp", word === "stock" && acted.field("stock_left")[seat] > 0 && { card: stockTop(acted) }],
    ["PileCompleted", isPlay && rank === RANKS && { place }],
    ...drawing(step, word),
  ];
  return happened.filter(([, values]) => values).map(([event, values]) => filled(phrases[event], values)).join(", ");
}

/** The top card of a discard pile of the seat that decides. @param {number} pile */
function pileTop({ data, before }, pile) {
  const { PLACES } = data.constants, { seat } = before, sizes = before.field("sizes").slice(seat * PLACES, seat * PLACES + pile + 1);
  return mark(data, before.field("piles")[sizes.reduce((end, size) => end + size, before.field("starts")[seat]) - 1]);
}

/** The cards that the seat has drawn, and the draw pile made anew in between; what the next seat draws is not told. */
function drawing({ data: { constants: { RECYCLE_ON_COMPLETION } }, rules: { record: { recycle } }, before, acted }, word) {
  const { seat } = acted, isSame = seat === before.seat, held = before.field("hand_size")[seat] - (isSame && ["hand", "discard"].includes(word) ? 1 : 0);
  const drawn = Math.max(0, acted.field("hand_size")[seat] - held), isRecycled = acted.field("recycles") !== before.field("recycles");
  const isOfDiscards = word === "pass" && acted.field("laid") < before.field("laid"), isAtOnce = recycle === RECYCLE_ON_COMPLETION || isOfDiscards;
  const first = isRecycled ? (isAtOnce ? 0 : before.field("draw_left")) : drawn;
  return [
    ["CardsDrawn", isSame && first > 0 && { count: first }],
    ["PileRecycled", isRecycled && (isSame || isOfDiscards) && { size: acted.field("draw_left") + drawn - first }],
    ["CardsDrawn", isSame && drawn > first && { count: drawn - first }],
  ];
}

/** The cards of a stock pile, on average. */
export const cardsLeft = ({ stock_sizes: sizes }) => sizes.reduce((all, count) => all + count, 0) / sizes.length;

/** What a seat gains by a decision, from what it sees. */
export function reason({ data: { phrases, constants: { WILD, REFILL_AT_ONCE } }, rules: { record: { refill } }, view, name }) {
  const [word, first] = name.split(" "), place = placeOf(name), [top] = view.stock_tops, left = view.stock_sizes[0] - 1;
  if (word === "stock") return filled(phrases[left === 0 ? "last stock card" : "stock cards left"], { left });
  if (word === "pass") return "";
  const above = view.discard_tops[0][place];
  if (word === "discard") return above === Number(first) + 1 && above < WILD ? filled(phrases.follows, { card: above }) : "";
  if (view.building[place] + 2 === top && top < WILD) return filled(phrases["fits next"], { card: top });
  return word === "hand" && view.hand_sizes[0] === 1 && refill === REFILL_AT_ONCE ? phrases.empties : "";
}
