/** Skip-Bo's table as pages show it. */

import { marks } from "../../worker/phrases.js";

/** What a seat sees; unless it is the viewer's own, without its hand, nor its piles if others do not see them.
 * @param {any} data @param {any} rules @param {any} view @param {boolean} isOwn */
export function viewDocument({ constants, phrases }, { record: { players, visible } }, view, isOwn) {
  const { NONE, RANKS, VIEW_TABLE } = constants,
    tops = marks(phrases, view.stock_tops),
    piles = pilesOf(phrases, view);
  const bySeat = field => field.map((_, seat) => field[(seat - view.seat + players) % players]);
  if (!isOwn && visible !== VIEW_TABLE) [tops[0], piles[0]] = ["?", piles[0].map(pile => pile.map(() => "?"))];
  const held = view.hand.filter(card => card !== NONE);
  const ranks = bits => [...Array(RANKS).keys()].filter(rank => (bits >> rank) & 1).map(rank => rank + 1);
  return {
    ...{ building: view.building, building_wilds: view.building_wilds.map(ranks) },
    ...{ draw_pile: view.draw_pile_size, turn: view.turns + 1 },
    ...{ stock_sizes: bySeat(view.stock_sizes), hand_sizes: bySeat(view.hand_sizes), discards: bySeat(piles) },
    stock_tops: bySeat(tops.map((top, place) => (view.stock_sizes[place] ? top : null))),
    hand: isOwn ? marks(phrases, held) : null,
    completed: view.completed[0] < 0 ? null : view.completed.reduce((sum, count) => sum + count, 0),
  };
}

/** The discard piles by place clockwise, as far as they are seen. */
function pilesOf(phrases, { discards, discard_sizes: sizes, discard_tops: tops }) {
  let end = 0;
  return sizes.map((own, place) =>
    own.map((size, pile) => {
      const cards = discards.slice(end, (end += size));
      return marks(phrases, size > 0 ? [...cards.slice(0, -1), tops[place][pile]] : cards);
    }),
  );
}

/** All hands. */
export function openDocument({ constants: { HAND }, phrases }, table) {
  const hands = table.field("hands");
  return {
    hands: table
      .field("hand_size")
      .slice(0, table.players)
      .map((size, seat) => marks(phrases, hands.slice(seat * HAND, seat * HAND + size))),
  };
}
