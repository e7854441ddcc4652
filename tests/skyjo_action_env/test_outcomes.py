"""Cards that are given instead of left to chance, in positions where it matters where they lie (12.3, 12.4)."""

import random
from fractions import Fraction

import pytest

from cardtable.table.errors import TableError
from skyjo_action_env import KINDS, STAR, Game
from tests.games.players import random_legal
from tests.games.skyjo_action import check
from tests.skyjo_action_env.test_scenarios import OTHER, table

KIND = 16  # added to a kind of action card
TURN = f"{OTHER}; {OTHER}; discard 3; seat 0 turn"


def number(game: Game, name: str) -> int:
    """The number of a named action."""
    return game.card_game.parse_action(game.rules, name)


def given(game: Game, name: str, *cards: int) -> Game:
    """The table after an action that brought these cards; both decks are still complete."""
    game.apply(number(game, name), *cards)
    check(game)
    return game


def test_an_unseen_card_may_be_any_that_nobody_has_seen() -> None:
    game = table(TURN)
    outcomes = game.outcomes(number(game, "draw"))
    assert (outcomes[3], outcomes[STAR], sum(outcomes.values())) == (Fraction(6, 119), Fraction(15, 119), 1)


@pytest.mark.parametrize("card", [-2, 0, 12, STAR])
@pytest.mark.parametrize("name", ["flip 0", "flip 11", "place 5"])
def test_a_hidden_card_may_be_given_wherever_it_lies(name: str, card: int) -> None:
    """From another layout, from the draw pile or from under the discard pile."""
    game = given(table(f"{OTHER}; {OTHER}; discard ?{'*' if card == STAR else card} 3; seat 0 drawn 7"), name, card)
    at = int(name.split()[1])
    assert (game.discard_top if "place" in name else game.board(0)[at % 3, at // 3]) == card


def test_a_card_that_the_seat_knows_is_no_chance() -> None:
    game = table(f"layout ?7@0 ? ? ? | ? ? ? ? | ? ? ? ?; {OTHER}; discard 3; seat 0 drawn 5")
    assert game.outcomes(number(game, "flip 0")) == {}
    assert game.outcomes(number(game, "flip 1"))[7] == Fraction(6, 117)  # one of the seven is known


def test_after_a_reshuffle_a_draw_is_a_known_card_or_a_stray() -> None:
    """Clause 12.4: the strays are as likely to be any unseen card."""
    tried = 0
    for seed in range(12):
        game, chance = Game("players=8 action_reshuffle=all", seed=seed), random.Random(seed)
        while not game.is_over and game.turns < 150:
            known, unseen = game.state["known_draws"][0], game.state["unseen"][0]
            strays = game.draw_pile_size - int(known.sum())
            if 0 < strays < game.draw_pile_size and game.phase == "turn" and not game.known(game.seat):
                outcomes = game.outcomes(0)
                for k in range(16):
                    share = Fraction(int(known[k])) + Fraction(strays * int(unseen[k]), int(unseen.sum()))
                    assert outcomes.get(k - 2, 0) == share / game.draw_pile_size
                for card in outcomes:
                    assert given(game.copy(), "draw", card).hand == (card,)
                tried += 1
                break
            game.apply(random_legal(game.legal_actions(), chance, 26, 0.5))
    assert tried > 7


def test_three_cards_come_one_after_the_other() -> None:
    game = given(table(f"held three |; {TURN}"), "play three", 5, STAR, -2)
    assert game.hand == (5, STAR, -2)
    game = table(f"held three |; {TURN}")
    with pytest.raises(TableError, match="reveals only 3"):
        game.apply(number(game, "play three"), 1, 1, 1, 1)


def test_looked_at_cards_and_action_cards_may_be_given() -> None:
    game = given(table(f"held look |; {TURN}"), "play look")
    given(game, "line 4 of 1", 1, 2, 3, 4)
    assert [*game.known(0).values()] == [1, 2, 3, 4]
    kinds = {card - KIND for card in game.outcomes(number(game, "pile"))}
    assert kinds <= set(range(len(KINDS)))
    before = game.held_actions(1)
    wanted = min(kinds)
    given(game, "pile", KIND + wanted)
    assert game.held_actions(1) == before | {KINDS[wanted]: before.get(KINDS[wanted], 0) + 1}


@pytest.mark.parametrize(("name", "cards", "reason"), [("draw", [KIND], "cannot"), ("pile", [5], "cannot")])
def test_a_card_of_the_other_deck_cannot_come(name: str, cards: list[int], reason: str) -> None:
    game = table(TURN)
    before = game.position()
    with pytest.raises(TableError, match=reason):
        game.apply(number(game, name), *cards)
    assert game.position() == before


def test_cards_cannot_be_chosen_where_owners_decide_at_the_end() -> None:
    """Clause 9.4."""
    game = table(f"rules reveal_star_clear=owner_decides; {TURN}")
    with pytest.raises(TableError, match="reveal_star_clear='best'"):
        game.apply(number(game, "draw"), 5)
