"""The rules as written positions: the scenarios of the rule facts, then every option that those leave out.

Docstrings cite the scenario and the clauses of docs/rules/skipbo.md.
"""

from collections import Counter

import pytest

from skipbo_env import OFFICIAL, STRITTMATTER, Game, Rules, RulesError
from tests.helpers import legal, line, lines, play, refuse
from tests.skipbo_env.tables import NO_MOVE, closed, table

STOCKS = "stock ? 2; stock ? 2"  # with no 1 and no 3 on the table, the 2 on top cannot be played
TWELVE = "1 2 3 4 5 6 7 8 9 10 11 12"


def test_a_card_can_be_played_on_every_place_that_takes_its_rank() -> None:
    """Scenario 1; clause 3.3."""
    game = table("building 0 0 5 0; stock ? 1; stock ? 2; hand 9; hand; seat 0 turn")
    assert legal(game, "stock") == ["stock to 0", "stock to 1", "stock to 3"]
    refuse(game, "stock to 2")
    assert play(game, "stock to 3").building_piles() == (0, 0, 5, 1)


def test_a_wild_card_is_played_as_any_rank() -> None:
    """Scenario 2; clauses 3.4, 3.5: as the 12 of a pile, it goes with it."""
    game = table("building 3 11 0 7; stock 5 w; stock ? 2; hand 9; hand; seat 0 turn")
    assert legal(game, "stock") == [f"stock to {place}" for place in range(4)]
    for place, heights in enumerate([(4, 11, 0, 7), (3, 0, 0, 7), (3, 11, 1, 7), (3, 11, 0, 8)]):
        assert play(game.copy(), f"stock to {place}").building_piles() == heights
    assert line(play(game.copy(), "stock to 1"), "completed") == "1 2 3 4 5 6 7 8 9 10 11 w"
    assert line(play(game.copy(), "stock to 3"), "building") == "3 11 0 8:8"


def test_equal_hand_cards_are_one_decision_and_the_one_drawn_first_leaves() -> None:
    """Scenario 3; clauses 3.3, 3.4, 7.2."""
    game = table(f"building 3 3 0 0; {STOCKS}; hand 7 4 4 w; hand; seat 0 turn")
    assert legal(game, "hand") == ["hand 4 to 0", "hand 4 to 1", *(f"hand w to {place}" for place in range(4))]
    assert play(game, "hand 4 to 0").hand(0) == (7, 4, 13)
    game = table(f"building 3 0 0 0; {STOCKS}; hand 4 7 4 5; hand; seat 0 turn")
    assert play(game, "hand 4 to 0").hand(0) == (7, 4, 5)


def test_who_has_played_the_last_hand_card_draws_five_at_once() -> None:
    """Scenario 4; clause 3.7."""
    game = table(f"building 3 0 0 0; {STOCKS}; hand 4; hand; draw 5 6 7 8 9 10 ...; seat 0 turn")
    play(game, "hand 4 to 0")
    assert (game.seat, game.turns, game.hand(0), line(game, "draw")[:2]) == (0, 0, (5, 6, 7, 8, 9), "10")


def test_who_has_discarded_the_last_hand_card_draws_in_the_next_turn() -> None:
    """Scenario 5; clauses 3.1, 3.8."""
    game = table(f"{STOCKS}; hand 9; hand 8 8; draw 5 6 7 3 3 4 4 4 4 ...; seat 0 turn")
    play(game, "discard 9 on 2")
    assert (game.seat, game.hand(0), game.hand(1), game.discard_pile(0, 2)) == (1, (), (8, 8, 5, 6, 7), (9,))
    assert play(game, "discard 5 on 0").hand(0) == (3, 3, 4, 4, 4)


def test_a_draw_goes_on_from_the_completed_cards() -> None:
    """Scenario 6; clauses 4.1, 9.4."""
    game = closed(f"{STOCKS.replace('?', '3')}; hand; hand 9; draw 5 6; completed {TWELVE}; seat 1 turn")
    play(game, "discard 9 on 0")
    assert (game.seat, game.hand(0)[:2], len(game.hand(0))) == (0, (5, 6), 5)
    assert (game.draw_pile_size, game.completed_size, game.recycles) == (9, 0, 1)
    assert sorted([*game.hand(0)[2:], *map(int, line(game, "draw").split())]) == list(range(1, 13))


@pytest.mark.parametrize(("rules", "phase"), [("", "turn"), ("no_cards=nobody_wins", "over")])
def test_who_can_draw_no_more_goes_on_with_the_cards_there_are(rules: str, phase: str) -> None:
    """Scenario 7; clause 4.5: or the round ends, and nobody has won it."""
    rest = f"{STOCKS.replace('?', '3')}; hand 7; hand 9; draw 5 6 8; seat 1 turn"
    game = play(closed(f"rules {rules}; episode round; {rest}"), "discard 9 on 0")
    assert (game.phase, game.hand(0), game.draw_pile_size) == (phase, (7, 5, 6, 8), 0)
    if phase == "over":
        assert (game.ending, game.round_scores, game.winners, game.turns) == ("no_cards", (0, 0), (), 2)


def test_who_holds_no_card_plays_from_the_piles_or_passes() -> None:
    """Scenario 8; clauses 3.11, 4.5."""
    game = closed("stock 3 2; stock 3 2; hand; hand; piles 5 1 | | | 9; piles | | |; draw; seat 0 turn")
    assert legal(game) == [*(f"pile 0 to {place}" for place in range(4)), "pass"]
    assert legal(play(game.copy(), "pile 0 to 3")) == ["stock to 3", "pass"]
    assert play(game, "pass").seat == 1


def test_a_round_is_blocked_when_everybody_has_passed() -> None:
    """Scenario 9; clauses 3.12, 5.2, 5.3."""
    game = closed(f"episode round; stock 3 2; stock 3 2; {NO_MOVE}")
    assert legal(game) == ["pass"]
    assert (play(game, "pass").phase, game.seat, legal(game)) == ("turn", 1, ["pass"])
    play(game, "pass")
    assert (game.phase, game.ending, game.round_scores, game.winners) == ("over", "blocked", (0, 0), ())


def test_a_turn_in_which_something_happens_is_not_still() -> None:
    """Clause 5.2: seat 0 plays a card, and then both have to pass again."""
    game = closed("episode round; stock 2 3; stock 2 3; hand; hand; piles 1 | | |; piles | | | 12; draw; seat 1 turn")
    play(game, "pass", "pile 0 to 0", "pass", "pass")
    assert game.phase == "turn"
    assert play(game, "pass").ending == "blocked"


@pytest.mark.parametrize("own", ["stock 3 1; stock 3 2; piles | | |", "stock 3 2; stock 3 2; piles 1 | | |"])
def test_a_player_who_could_play_but_passes_never_lets_the_round_be_blocked(own: str) -> None:
    """Clauses 5.2, 5.5: the turns of seat 0 are not still; the round goes on until it is stopped."""
    game = closed(f"rules max_turns=9; episode round; {own}; piles | | | 12; hand; hand; draw; seat 0 turn")
    for turns in range(1, 9):
        play(game, "pass")
        assert (game.phase, game.turns, line(game, "still_turns")) == ("turn", turns, "" if turns % 2 else "1")
    assert play(game, "pass").ending == "stopped"


def test_who_has_played_the_last_stock_card_has_won_at_once() -> None:
    """Scenario 10; clause 5.1: nothing is discarded, whatever the hand holds, even nothing."""
    for hand in ("9 9 w", ""):
        game = table(f"episode round; stock 1; stock ? ? 2; hand {hand}; hand; seat 0 turn")
        play(game, "stock to 2")
        assert (game.phase, game.ending, game.winners, game.round_scores) == ("over", "won", (0,), (40, 0))
        assert (game.stock_top(0), len(game.hand(0)), game.turns) == (None, len(hand.split()), 1)


RETURNED = [("", "1 3 4 6 7 8 9 10 11 12 w w"), ("recycled_wild=as_played", TWELVE)]


@pytest.mark.parametrize(("rules", "completed"), RETURNED)
def test_a_completed_pile_joins_the_completed_cards(rules: str, completed: str) -> None:
    """Scenarios 11 and 12; clauses 3.5, 4.4."""
    game = table(f"rules {rules}; building 4 11:2,5 0 0; {STOCKS}; hand 12 9; hand; seat 0 turn")
    play(game, "hand 12 to 1")
    assert (game.building_piles(), line(game, "completed"), game.completed_size) == ((4, 0, 0, 0), completed, 12)


def test_a_wild_card_on_a_discard_pile_can_be_played_once_it_lies_on_top() -> None:
    """Scenario 13; clauses 3.2, 3.10."""
    game = table(f"building 8 5 0 0; {STOCKS}; hand 3; hand; piles w 9 | | |; piles | | |; seat 0 turn")
    assert legal(game, "pile") == ["pile 0 to 0"]
    assert legal(play(game, "pile 0 to 0"), "pile") == [f"pile 0 to {place}" for place in range(4)]
    assert line(play(game, "pile 0 to 1"), "building") == "9 6:6 0 0"


SIZES = [(2, None, 30, 102), (4, None, 30, 42), (5, None, 20, 62), (6, None, 20, 42), (6, 22, 22, 30), (3, 1, 1, 159)]


@pytest.mark.parametrize(("players", "stock", "size", "left"), SIZES)
def test_the_deal(players: int, stock: int | None, size: int, left: int) -> None:
    """Scenario 14; clauses 1.5, 2.1, 3.1: the first player has drawn five cards, the others none."""
    game = Game(Rules(players=players, stock=stock), seed=1)
    assert [game.stock_size(seat) for seat in range(players)] == [size] * players
    assert [len(game.hand(seat)) for seat in range(players)] == [5] + [0] * (players - 1)
    assert game.draw_pile_size == left - 5


@pytest.mark.parametrize(("players", "stock"), [(5, 30), (6, 23), (6, 30)])
def test_stock_piles_that_the_deck_is_too_small_for_are_refused(players: int, stock: int) -> None:
    """Scenario 15; clause 1.5."""
    with pytest.raises(RulesError, match=f"stock={stock} is too large for players={players}.*at most stock="):
        Rules(players=players, stock=stock)


def test_the_winner_scores_25_and_5_for_every_card_left() -> None:
    """Scenario 19; clauses 5.4, 6.1."""
    left = f"stock {' ?' * 7}; stock 1; stock {' ?' * 12}"
    game = table(f"rules players=3; totals 5 10 15; {left}; hand; hand w; hand; seat 1 turn")
    play(game, "stock to 0")
    assert (game.round_scores, game.totals, game.round, game.phase) == ((0, 120, 0), (5, 130, 15), 2, "turn")


# Who starts


def end_round(rules: str, starter: int, stocks: tuple[int, int, int], winner: int) -> Game:
    """The game of three players after a seat has won a round with its last card."""
    left = "; ".join("stock 1" if size == 0 else f"stock{' ?' * size}" for size in stocks)
    text = f"rules players=3 {rules}; starter {starter}; {left}; hand; hand; hand; seat {winner} turn"
    return play(table(text), "stock to 0")


def test_the_first_starter_can_be_left_to_chance() -> None:
    """Clauses 2.2, 9.5."""
    starters = Counter(Game(Rules(players=3, first_starter="random"), deal=deal).starter for deal in range(300))
    assert set(starters) == {0, 1, 2}
    assert min(starters.values()) > 70
    assert {Game(Rules(players=3), deal=deal).starter for deal in range(50)} == {0}


STARTERS = [
    ("", 2, (3, 0, 4), 1, 0),
    ("next_starter=winner", 2, (3, 0, 4), 1, 1),
    ("next_starter=loser", 0, (3, 0, 4), 1, 2),
    ("next_starter=loser", 0, (4, 0, 4), 1, 2),  # the previous starter comes last
    ("next_starter=loser", 2, (4, 0, 4), 1, 0),
    ("next_starter=loser", 1, (4, 0, 4), 1, 2),
]


@pytest.mark.parametrize(("rules", "starter", "stocks", "winner", "following"), STARTERS)
def test_who_starts_the_next_round(
    rules: str, starter: int, stocks: tuple[int, int, int], winner: int, following: int
) -> None:
    """Clause 2.3."""
    game = end_round(rules, starter, stocks, winner)
    assert (game.round, game.starter, game.seat, game.turns) == (2, following, following, 0)


def test_the_next_round_rotates_if_nobody_has_won() -> None:
    """Clause 2.3 with next_starter = "winner"."""
    text = "rules players=3 next_starter=winner no_cards=nobody_wins; starter 1; stock 2; stock 2; stock 2"
    game = play(closed(f"{text}; hand 9; hand; hand; draw 3; seat 0 turn"), "discard 9 on 0")
    assert (game.round, game.starter, game.ending) == (2, 2, "no_cards")


def test_the_next_round_is_dealt_afresh() -> None:
    """Clauses 2.1, 3.1."""
    game = end_round("recycled_wild=as_played", 0, (2, 0, 2), 1)
    assert [game.stock_size(seat) for seat in range(3)] == [30, 30, 30]
    assert (game.building_piles(), game.completed_size, game.recycles) == ((0, 0, 0, 0), 0, 0)
    assert [len(game.hand(seat)) for seat in range(3)] == [0, 5, 0]
    written = " ".join((*lines(game, "stock"), *lines(game, "hand"), line(game, "draw"))).split()
    assert Counter(written) == Counter({**{str(rank): 12 for rank in range(1, 13)}, "w": 18})


# A turn


def test_the_top_of_a_stock_pile_is_turned_up_at_once() -> None:
    """Clauses 1.4, 3.6: it can be played in the same turn."""
    game = table("stock 7 2 1; stock 2; hand 9; hand; seat 0 turn")
    assert play(game, "stock to 1").stock_top(0) == 2
    assert play(game, "stock to 1").stock_top(0) == 7


def test_only_the_tops_of_own_discard_piles_can_be_played() -> None:
    """Clause 3.2."""
    game = table(f"{STOCKS}; hand 9; hand; piles 1 8 | | 1 | 7; piles 1 | | |; seat 0 turn")
    assert legal(game, "pile") == [f"pile 2 to {place}" for place in range(4)]


def test_cards_may_be_laid_on_any_discard_pile() -> None:
    """Clause 3.8."""
    game = table(f"{STOCKS}; hand 9 12; hand; piles 1 8 | | 1 | 7; piles | | |; seat 0 turn")
    assert legal(game, "discard") == [f"discard {card} on {pile}" for card in (9, 12) for pile in range(4)]
    assert play(game, "discard 12 on 0").discard_pile(0, 0) == (1, 8, 12)


def test_without_a_refill_the_turn_goes_on_with_an_empty_hand() -> None:
    """Clauses 3.7, 3.11 with refill = "never"; the turn was not still, and five cards are drawn in the next."""
    game = table(f"rules refill=never; building 3 0 0 0; {STOCKS}; hand 4; hand 9; seat 0 turn")
    assert legal(play(game, "hand 4 to 0")) == ["pass"]
    play(game, "pass", "discard 9 on 0")
    assert (game.seat, len(game.hand(0)), line(game, "still_turns")) == (0, 5, "")


def test_who_holds_a_card_cannot_pass() -> None:
    """Clause 3.11."""
    refuse(table(f"{STOCKS}; hand 9; hand; seat 0 turn"), "pass")


@pytest.mark.parametrize("plays", ["stock to 0", "hand 1 to 0", "pile 1 to 0"])
def test_playing_can_be_compulsory(plays: str) -> None:
    """Clause 3.9: a card can be discarded, but with compulsory = True only when none can be played."""
    stock, hand, pile = (
        card if word in plays else "6" for word, card in (("stock", "1"), ("hand", "1"), ("pile", "1"))
    )
    text = f"stock ? {stock}; stock ? 2; hand 9 {hand}; hand; piles | {pile} | |; piles | | |; seat 0 turn"
    free, bound = table(text), table(f"rules compulsory=true; {text}")
    assert legal(free, "stock", "hand", "pile") == legal(bound)
    assert plays in legal(bound)
    assert "discard 9 on 0" in legal(free)
    refuse(bound, "discard 9 on 0")
    none = table("rules compulsory=true; stock ? 6; stock ? 2; hand 9; hand; piles | 6 | |; piles | | |; seat 0 turn")
    assert legal(none) == [f"discard 9 on {pile}" for pile in range(4)]


def test_nobody_is_compelled_to_play_before_they_pass() -> None:
    """Clauses 3.9, 3.11: only discarding a hand card is restricted."""
    rest = "stock 3 1; stock 3 2; hand; hand; draw; seat 0 turn"
    assert legal(closed(f"rules compulsory=true; {rest}")) == [*(f"stock to {place}" for place in range(4)), "pass"]


def test_discarding_wild_cards_can_be_forbidden() -> None:
    """Clause 3.10."""
    text = f"{STOCKS}; hand 9 w; hand; seat 0 turn"
    assert "discard w on 3" in legal(table(text))
    game = table(f"rules discard_wild=false; {text}")
    assert legal(game, "discard") == [f"discard 9 on {pile}" for pile in range(4)]
    wild_only = table(f"rules discard_wild=false; {text.replace('9 w', 'w w')}")
    assert legal(wild_only) == [f"hand w to {place}" for place in range(4)]


# The draw pile


def test_the_completed_cards_are_recycled_when_a_card_is_wanted_or_when_the_last_is_taken() -> None:
    """Clauses 4.1, 4.2."""
    rest = f"stock 3 2; stock 3 2; hand 9; hand; draw 4 4 5 5 6; completed {TWELVE}; seat 0 turn"
    wanted, empty = (closed(f"{rules}{rest}") for rules in ("", "rules recycle=when_empty; "))
    for game in (wanted, empty):
        assert play(game, "discard 9 on 0").hand(1) == (4, 4, 5, 5, 6)
    assert (wanted.draw_pile_size, wanted.completed_size, wanted.recycles) == (0, 12, 0)
    assert (empty.draw_pile_size, empty.completed_size, empty.recycles) == (12, 0, 1)


def test_with_no_completed_cards_the_recycling_waits() -> None:
    """Clause 4.2: then 4.1 applies; the pile that seat 1 completes is recycled only when seat 0 draws."""
    rest = "building 11 0 0 0; stock 3 2; stock 3 2; hand 9; hand 12; draw 4 4 5 5; seat 0 turn"
    game = closed(f"rules recycle=when_empty; {rest}")
    play(game, "discard 9 on 0", "hand 12 to 0")
    assert (game.completed_size, game.recycles) == (12, 0)
    play(game, "discard 4 on 0")
    assert (game.completed_size, game.recycles, game.draw_pile_size) == (0, 1, 7)


@pytest.mark.parametrize(("rules", "wild"), [("", 1), ("recycled_wild=as_played", 0)])
def test_a_completed_pile_can_be_shuffled_into_the_draw_pile_at_once(rules: str, wild: int) -> None:
    """Clauses 4.3, 4.4, 9.4."""
    rest = f"building 11:3 0 0 0; {STOCKS}; hand 12 9; hand; draw ...; seat 0 turn"
    game = table(f"rules recycle=on_completion {rules}; {rest}")
    before = line(game, "draw").split()
    play(game, "hand 12 to 0")
    after = line(game, "draw").split()
    came = Counter(after) - Counter(before)
    assert came == Counter(TWELVE.split()) - Counter({"3": wild}) + Counter({"w": wild})
    assert (len(after), game.completed_size, game.recycles) == (len(before) + 12, 0, 1)
    assert after[: len(before)] != before


def test_a_last_hand_card_that_completes_a_pile_can_be_drawn_again() -> None:
    """Clause 3.13: the pile leaves the table before five cards are drawn."""
    game = closed("building 11 0 0 0; stock 3 2; stock 3 2; hand 12; hand; draw; seat 0 turn")
    play(game, "hand 12 to 0")
    assert (game.seat, len(game.hand(0)), game.draw_pile_size) == (0, 5, 7)


def test_a_last_stock_card_wins_before_anything_is_drawn() -> None:
    """Clauses 3.13, 5.1: although it completes a pile."""
    game = table("episode round; building 11 0 0 0; stock 12; stock 2; hand; hand; seat 0 turn")
    assert (play(game, "stock to 0").ending, game.completed_size, game.hand(0)) == ("won", 12, ())


def test_the_round_can_end_when_the_last_hand_card_cannot_be_replaced() -> None:
    """Clauses 3.13, 4.5 with no_cards = "nobody_wins"."""
    rest = "building 3 0 0 0; stock 3 2; stock 3 2; hand 4; hand; draw 9 9; seat 0 turn"
    game = play(closed(f"rules no_cards=nobody_wins; episode round; {rest}"), "hand 4 to 0")
    assert (game.phase, game.ending, game.hand(0), game.winners) == ("over", "no_cards", (9, 9), ())
    game = play(closed(rest), "hand 4 to 0")
    assert (game.phase, game.hand(0), game.seat) == ("turn", (9, 9), 0)


# End of a round and of the game


@pytest.mark.parametrize(("stocks", "winners"), [("2; stock 3 2", (0,)), ("3 2; stock 2", (1,)), ("2; stock 2", ())])
def test_the_smallest_stock_pile_can_win_a_blocked_round(stocks: str, winners: tuple[int, ...]) -> None:
    """Clause 5.3 with blocked = "fewest_stock": 25 points, and 5 for the two cards left."""
    game = play(closed(f"rules blocked=fewest_stock; episode round; stock {stocks}; {NO_MOVE}"), "pass", "pass")
    assert (game.ending, game.winners) == ("blocked", winners)
    assert game.round_scores == tuple(35 if seat in winners else 0 for seat in range(2))


def test_a_blocked_round_can_go_on_with_the_cards_of_the_discard_piles() -> None:
    """Clauses 5.2, 5.3 with blocked = "recycle_discards": all but the tops; and the row of still turns begins anew."""
    piles = "piles 3 4 5 | 6 | | 7 8; piles | | | 11"
    game = closed(f"rules blocked=recycle_discards; stock 9 2; stock 9 2; hand; hand; {piles}; draw; seat 0 turn")
    play(game, "pass", "pass")
    assert (game.phase, game.seat, game.turns, game.recycles, len(game.hand(0))) == ("turn", 0, 2, 1, 5)
    tops = [[game.discard_pile(seat, pile) for pile in range(4)] for seat in range(2)]
    assert tops == [[(5,), (6,), (), (8,)], [(), (), (), (11,)]]
    assert (line(game, "still_turns"), game.draw_pile_size) == ("", 162 - 4 - 4 - 5)


def test_a_blocked_round_without_covered_discards_is_over() -> None:
    """Clause 5.3 with blocked = "recycle_discards": all cards lie in stock piles, on one place, or on top of a pile."""
    stocks = "; ".join([f"stock{' ?' * 21} 9"] * 6)
    piles = "; ".join(["piles 12 | 12 | 11 | 11"] * 6)
    rules = "rules players=6 stock=22 blocked=recycle_discards"
    game = table(f"{rules}; episode round; building 6 0 0 0; {stocks}; {piles}; draw; seat 3 turn")
    play(game, *["pass"] * 6)
    assert (game.phase, game.ending, game.winners, game.recycles) == ("over", "blocked", (), 0)


@pytest.mark.parametrize("last", ["discard 9 on 0", "pass"])
def test_a_round_of_too_many_turns_is_stopped_and_the_game_with_it(last: str) -> None:
    """Clause 5.5: nobody draws for a next turn."""
    hand = "9" if "discard" in last else ""
    rest = f"turns 9; totals 60 45; scores 60 0; round 3; {STOCKS}; hand {hand}; hand 8; seat 0 turn"
    game = play(table(f"rules max_turns=10; {rest}"), last)
    assert (game.phase, game.is_truncated, game.ending, game.turns) == ("truncated", True, "stopped", 10)
    assert (game.totals, game.round_scores, game.winners, game.legal_actions()) == ((60, 45), (0, 0), (), [])
    assert game.hand(1) == (8,)


def test_a_round_that_ends_with_its_last_turn_is_not_stopped() -> None:
    """Clause 5.5: won, or blocked."""
    won = table("rules max_turns=10; episode round; turns 9; stock 1; stock ? 2; hand 9; hand; seat 0 turn")
    assert (play(won, "stock to 0").phase, won.turns) == ("over", 10)
    blocked = closed(f"rules max_turns=10; episode round; turns 8; stock 3 2; stock 3 2; {NO_MOVE}")
    assert (play(blocked, "pass", "pass").phase, blocked.turns) == ("over", 10)


def test_the_last_turn_can_recycle_discards_and_is_still_the_last() -> None:
    """Clauses 5.3, 5.5: nobody draws from the new draw pile."""
    rest = "turns 8; stock 9 2; stock 9 2; hand; hand; piles | | |; piles 5 11 | | | 12; draw; seat 0 turn"
    game = play(closed(f"rules max_turns=10 blocked=recycle_discards; {rest}"), "pass", "pass")
    assert (game.phase, game.ending, game.recycles) == ("truncated", "stopped", 1)
    assert (game.draw_pile_size, game.hand(0)) == (162 - 4 - 2, ())


@pytest.mark.parametrize(("total", "phase"), [(469, "turn"), (470, "over")])
def test_the_game_is_over_when_a_total_has_reached_the_target(total: int, phase: str) -> None:
    """Clauses 6.1, 6.2, 6.4."""
    game = table(f"totals {total} 480; stock 1; stock 2; hand; hand; seat 0 turn")
    play(game, "stock to 0")
    assert (game.totals, game.phase, game.winners) == ((total + 30, 480), phase, (0,) if phase == "over" else ())


def test_the_highest_total_wins_and_may_be_shared() -> None:
    """Clauses 6.3, 6.4: after the last round that the rules allow."""
    for totals, winners in (("0 30", (0, 1)), ("0 35", (1,)), ("0 25", (0,))):
        rest = f"round 3; totals {totals}; stock 1; stock 2; hand; hand; seat 0 turn"
        assert play(table(f"rules max_rounds=3; {rest}"), "stock to 0").winners == winners


def test_a_single_round_is_over_whatever_the_totals() -> None:
    """Clause 6.5."""
    game = table("episode round; totals 0 90; stock 1; stock 2; hand; hand; seat 0 turn")
    assert (play(game, "stock to 0").phase, game.winners) == ("over", (0,))


# Decisions


def test_with_the_lowest_of_equal_places_nothing_is_legal_twice() -> None:
    """Clause 7.4 with symmetric = "lowest"."""
    rest = "building 3 0 3 0; stock ? 1; stock ? 2; hand 4 w; hand; piles 7 | | 9 |; piles | | |; seat 0 turn"
    assert legal(table(f"rules symmetric=lowest; {rest}")) == [
        "stock to 1",
        "hand 4 to 0",
        *("hand w to 0", "hand w to 1"),
        *(f"discard {card} on {pile}" for card in ("4", "w") for pile in (0, 1, 2)),
    ]
    assert len(legal(table(rest))) == 2 + 2 + 4 + 8


# Presets


def test_the_presets() -> None:
    """Clauses 10.1, 10.2."""
    assert Rules() == OFFICIAL
    assert STRITTMATTER.players == 2
    assert Rules(stock=30, view="own", max_rounds=1) == STRITTMATTER
