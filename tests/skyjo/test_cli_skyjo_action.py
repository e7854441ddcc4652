"""`skyjo-action`: what a player of Skyjo Action types and sees, and what is told of a game."""

import random
import re
from collections.abc import Callable, Iterator

import pytest

from skyjo.interfaces import find_interface
from skyjo_action_env import Game, Rules, SkyjoActionError, action_names, events
from skyjo_action_env.card_game import spec_of
from skyjo_action_env.events import Event, seen_by
from skyjo_action_env.people.terminal import Terminal, _legal
from skyjo_action_env.rules import card_name

terminal, phrases = Terminal(), find_interface("skyjo_action").phrases
ASKING = Rules(players=3, defence="owner_decides", replay="any", star_source="open_or_pile", remove_action_cards=True)
TOLD_AT_THE_END = {"CardRevealed", "EnderDoubled", "RoundScored", "RoundStopped", "RoundDealt", "GameOver"}


def decisions(rules: Rules, games: int = 3) -> Iterator[tuple[Game, Callable[[str], str]]]:
    """Games by chance in which action cards are often played, before every decision, and what a text means there."""
    for seed in range(games):
        game, chance, names = Game(rules, seed=seed), random.Random(seed), action_names(rules)
        for _ in range(250):
            if game.is_over:
                break
            yield game, lambda text, game=game: read(game, text)  # type: ignore[misc]
            legal = game.legal_actions()
            plays = [action for action in legal if names[action].startswith("play")]
            game.apply(chance.choice(plays if plays and chance.random() < 0.5 else legal))


def at(phase: str, rules: Rules = ASKING) -> Game:
    """A game in which a player is asked this."""
    return next(game.copy() for game, _ in decisions(rules, 40) if game.phase == phase)


def read(game: Game, text: str) -> str:
    return action_names(game.rules)[terminal.read_action(game.rules, game.observation(), game.mask(), text)]


def asked(game: Game) -> str:
    return terminal.question(game.rules, game.observation(), game.mask())


def shown(game: Game, seat: int, colour: bool = False) -> str:
    names = [f"rollout:guesses={8 + other} (seat {other})" for other in range(game.rules.players)]
    return terminal.format_view(game.rules, game.observation(seat), names, colour)


def test_every_legal_action_can_be_typed_by_its_name_and_as_it_is_said() -> None:
    for game, meant in decisions(ASKING):
        view, names = spec_of(game.rules).view(game.observation()), action_names(game.rules)
        assert all(meant(names[action]) == names[action] for action in game.legal_actions())
        for word, which in _legal(game.rules, view, game.mask()).items():
            for each in which or [""]:
                assert action_names(game.rules).index(meant(each if word == "card" else f"{word} {each}")) >= 0


@pytest.mark.parametrize(
    ("phase", "text", "name"),
    [
        ("opening", "3", "flip 3"),
        ("turn", "d", "draw"),
        ("turn", " T ", "take"),
        ("turn", "a2", "open 2"),
        ("turn", "a pile", "pile"),
        ("drawn", "p 03", "place 3"),
        ("taken", "3", "place 3"),
        ("claim", "1", "open 1"),
        ("swap", "4", "cell 4 of 0"),
        ("exchange", "4", "cell 4 of 0"),
        ("exchange with", "{other}: 5", "cell 5 of 1"),
        ("exchange with", "{other}: cell 5", "cell 5 of 1"),
        ("look", "{other}: row 1", "line 5 of 1"),
        ("look", "column 2", "line 2 of 0"),
        ("steal", "{other}", "cell 0 of 1"),
        ("three", "none", "none"),
        ("line", "c", "clear"),
        ("defence", "defend", "defend"),
    ],
)
def test_short_forms(phase: str, text: str, name: str) -> None:
    for game, meant in decisions(ASKING, 40):
        if game.phase == phase and game.mask()[action_names(game.rules).index(name)]:
            assert meant(text.format(other=(game.seat + 1) % 3)) == name
            return
    raise AssertionError("never possible")


def test_one_of_three_cards_is_named_by_its_value_and_an_attacked_seats_cell_by_its_number() -> None:
    game = at("three")
    assert all(read(game, card_name(card)).startswith("card ") for card in game.hand)
    assert read(at("remove"), "3") == f"cell 3 of {(int(at('remove').attacked or 0) - at('remove').seat) % 3}"


@pytest.mark.parametrize("text", ["", "x", "99", "play chess", "3: 1", "row 4", "column 5", "0: 12", "пять", "-", "*"])
def test_what_is_no_action_is_refused_with_what_is_possible(text: str) -> None:
    with pytest.raises(SkyjoActionError, match=r"is not understood; you can flip 0-11; \? for help|not possible now"):
        read(Game(ASKING), text)


def test_a_cell_can_mean_two_things_after_a_draw() -> None:
    game = at("drawn")
    (hidden,) = {action - 14 for action in game.legal_actions() if action >= 14} & {game.legal_actions()[-1] - 14}
    with pytest.raises(SkyjoActionError, match=f"{hidden} can mean two things: type p {hidden} to place"):
        read(game, str(hidden))


def test_questions_say_how_to_answer_and_views_fit_into_80_columns_in_all_phases() -> None:
    phases, asks = set(), []
    for players in (2, 5, 8):
        for game, _ in decisions(ASKING.replace(players=players), 4):
            phases.add(game.phase)
            asks.append(asked(game))
            out = shown(game, game.seat)
            assert max(map(len, out.splitlines())) <= 80
            assert re.sub("\033\\[[0-9;]*m", "", shown(game, game.seat, colour=True)) == out
    assert {"claim", "swap with", "three top", "look", "exchange with", "remove", "steal card", "defence"} <= phases
    assert max(map(len, asks)) < 160
    assert all(question.endswith("? ") for question in asks)


def test_a_card_that_was_looked_at_is_shown_to_its_knower_alone() -> None:
    for game, _ in decisions(ASKING):
        for seat in range(3):
            shows = re.findall(r"\?(?:-?\d+|\*)", shown(game, seat))
            assert sorted(shows) == sorted(f"?{card_name(card)}" for card in game.known(seat).values())


def test_the_public_table_hides_drawn_and_hidden_cards_and_the_whole_one_shows_them() -> None:
    text = "skyjo_action-position 1; layout ?7 ? ? ? | ? ? ? ? | ? ? ? ?; layout ? ? ? ? | ? ? ? ? | ? ? ? ?; "
    drawn, other = (Game.from_position(f"{text}discard 3; seat 0 drawn {card}") for card in (11, 12))
    public, whole = (terminal.format_table(drawn, False, all_cards=every) for every in (False, True))
    assert public == terminal.format_table(other, False, all_cards=False)
    assert "11" not in public
    assert "?7" not in public
    assert "11" in whole
    assert "?7" in whole


def test_every_event_has_words_and_they_hold_no_card_that_others_do_not_see() -> None:
    kinds = {kind.__name__ for kind in Event.__subclasses__()}
    assert kinds & phrases.events.keys() == kinds - TOLD_AT_THE_END
    for seed in range(8):
        game, chance = Game(ASKING, seed=seed, episode="round"), random.Random(seed)
        while not game.is_over:
            done = game.play(chance.choice(game.legal_actions()))
            assert phrases.describe("", done) == phrases.describe("", [seen_by(event, None) for event in done])


def test_events_in_words() -> None:
    def words(*done: Event) -> str:
        return phrases.describe("", done).words

    assert words(events.CardPlaced(1, 3, 13, True, -2, True)) == "placed * on cell 3 for a hidden -2"
    assert words(events.CardsMoved(1, 3, 1, 4)) == "swapped cells 3 and 4"
    assert words(events.CardsMoved(1, 3, 2, 4)) == "exchanged cell 3 of seat 1 for cell 4 of seat 2"
    assert words(events.CardRemoved(2, 5, 14, 7)) == "removed a hidden card on cell 5 of seat 2 for 7"
    assert words(events.LineKept(0, 5), events.CardRevealed(1, 2, 3)) == "kept row 1"
    looked = events.CardsLookedAt(0, 1, (0, 2), (5, 6))
    assert words(events.ActionPlayed(0, "look"), looked) == "played look, looked at cells 0, 2 of seat 1"
