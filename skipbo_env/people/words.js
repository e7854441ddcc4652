/** Skip-Bo's table for JSON, and decisions in words: what documents.py and terminal.py say of it. */

import { endOf, filled, told } from "../../worker/played_game.js";

/** A card as it is written. */
const mark = ({ constants: { WILD, UNSEEN } }, card) => (card === WILD ? "w" : card === UNSEEN ? "?" : card);

const marks = (data, cards) => cards.map(card => mark(data, card));

const placeOf = name => Number(name.split(" ").at(-1));

/** What a seat sees; unless it is the viewer's own, without its hand, nor its piles if others do not see them.
 * @param {boolean} isOwn */
export function viewDocument(data, { record: { players, visible } }, view, isOwn) {
  const { NONE, RANKS, VIEW_TABLE } = data.constants,
    tops = marks(data, view.stock_tops),
    piles = pilesOf(data, view);
  const bySeat = field => field.map((_, seat) => field[(seat - view.seat + players) % players]);
  if (!isOwn && visible !== VIEW_TABLE) [tops[0], piles[0]] = ["?", piles[0].map(pile => pile.map(() => "?"))];
  const ranks = bits => [...Array(RANKS).keys()].filter(rank => (bits >> rank) & 1).map(rank => rank + 1);
  return {
    ...{
      building: view.building,
      building_wilds: view.building_wilds.map(ranks),
      draw_pile: view.draw_pile_size,
      turn: view.turns + 1,
    },
    ...{ stock_sizes: bySeat(view.stock_sizes), hand_sizes: bySeat(view.hand_sizes), discards: bySeat(piles) },
    stock_tops: bySeat(tops.map((top, place) => (view.stock_sizes[place] ? top : null))),
    hand: isOwn
      ? marks(
          data,
          view.hand.filter(card => card !== NONE),
        )
      : null,
    completed: view.completed[0] < 0 ? null : view.completed.reduce((sum, count) => sum + count, 0),
  };
}

/** The discard piles by place clockwise, as far as they are seen. */
function pilesOf(data, { discards, discard_sizes: sizes, discard_tops: tops }) {
  let end = 0;
  return sizes.map((own, place) =>
    own.map((size, pile) => {
      const cards = discards.slice(end, (end += size));
      return marks(data, size > 0 ? [...cards.slice(0, -1), tops[place][pile]] : cards);
    }),
  );
}

/** All hands. */
export function openDocument(data, table) {
  const hands = table.field("hands"),
    { HAND } = data.constants;
  return {
    hands: table
      .field("hand_size")
      .slice(0, table.players)
      .map((size, seat) => marks(data, hands.slice(seat * HAND, seat * HAND + size))),
  };
}

/** The end of a round; one that was stopped has no scores. */
export function endDocument({ events }) {
  const { stock_left, ending = "stopped", winner = null, scores = null } = endOf(events);
  return { stock_left, ending, winner, scores };
}

/** What a decision did, up to where the next turn begins. */
export function describe({ data, events }) {
  const {
    phrases,
    constants: { WILD },
  } = data;
  return told(data, events, ["TurnBegan"], each => {
    const { event, card, cards, source, pile, rank } = each,
      values = { ...each, card: mark(data, card) };
    if (event === "CardsDrawn") return [event, { count: cards.length }];
    if (event !== "CardPlayed") return [event, values];
    return [
      event,
      {
        ...values,
        source: filled(phrases[source], { pile }),
        rank: card === WILD ? filled(phrases.rank, { rank }) : "",
      },
    ];
  });
}

/** The cards of a stock pile, on average. */
export const cardsLeft = ({ stock_sizes: sizes }) => sizes.reduce((all, count) => all + count, 0) / sizes.length;

/** What a seat gains by a decision, from what it sees. */
export function reason({
  data: {
    phrases,
    constants: { WILD, REFILL_AT_ONCE },
  },
  rules: {
    record: { refill },
  },
  view,
  name,
}) {
  const [word, first] = name.split(" "),
    place = placeOf(name),
    [top] = view.stock_tops,
    left = view.stock_sizes[0] - 1;
  if (word === "stock") return filled(phrases[left === 0 ? "last stock card" : "stock cards left"], { left });
  if (word === "pass") return "";
  const above = view.discard_tops[0][place];
  if (word === "discard")
    return above === Number(first) + 1 && above < WILD ? filled(phrases.follows, { card: above }) : "";
  if (view.building[place] + 2 === top && top < WILD) return filled(phrases["fits next"], { card: top });
  return word === "hand" && view.hand_sizes[0] === 1 && refill === REFILL_AT_ONCE ? phrases.empties : "";
}
