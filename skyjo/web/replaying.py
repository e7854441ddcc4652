"""A recorded game step by step: its decisions, and the table after each, as every seat saw it."""

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import TableGame
from cardtable.table.render.text import counted
from skyjo.analysis.judge import analyst_for
from skyjo.table.described_game import Decision, DescribedGame, result_words
from skyjo.web import messages
from skyjo.web.kept_games import GameText
from skyjo.web.messages import VERSION, PublicState, SeatView, encoded, studied_state

SPACING = 32  # decisions from one remembered table to the next
MAX_LETTERS = 200_000  # of a game that is kept
MAX_REPLAYED = 8  # games in memory


class ReplayedGame:
    """A game that was replayed once, so that the table after any decision is found quickly."""

    def __init__(self, game: str, text: str) -> None:
        """Read a record or a position and play it; TableError in a line if it is none."""
        self.card_game = find_game(game)
        self.record = RecordFormat(self.card_game).read_game(text).record()
        self._text = RecordFormat(self.card_game).format_record(self.record)
        if len(self._text) > MAX_LETTERS:
            raise TableError(f"the game has more than {MAX_LETTERS:,} characters as text")
        described = DescribedGame(RecordFormat(self.card_game).begin(self.record))
        self._interface = described.interface
        self._milestones: list[TableGame[Any]] = [described.game.copy()]
        self.decisions: list[Decision] = []
        for action in self.record["actions"]:
            self.decisions.append(described.apply(action))
            if len(self.decisions) % SPACING == 0:
                self._milestones.append(described.game.copy())

    @property
    def rules(self) -> Any:
        """The rules of the game."""
        return self._milestones[0].rules

    def written(self) -> GameText:
        """The game as it is kept."""
        players, rounds = self.rules.players, len({decision.round for decision in self.decisions})
        decisions = counted(len(self.decisions), "decision")
        long = f"{counted(rounds, 'round')}, {decisions}" if self.decisions else "a position"
        return GameText(self._text, f"{players} seats, {long}", players)

    def game_after(self, decisions: int) -> TableGame[Any]:
        """The game as it stood after this many decisions."""
        game = self._milestones[decisions // SPACING].copy()
        for action in self.record["actions"][decisions - decisions % SPACING : decisions]:
            game.apply(action)
        return game

    def document(self, names: Sequence[str], seats: Sequence[str]) -> str:
        """All but the cards, as JSON; `names` are what the seats are called, `seats` who sat there."""
        document = {
            "version": VERSION,
            "game": self.card_game.name,
            "title": self.card_game.title,
            "episode": self._milestones[0].episode,
            "players": self.rules.players,
            "names": [*names],
            "seats": [*seats],
            "decisions": [
                {"seat": each.seat, "round": each.round, "words": each.words, "turn_over": each.ends_turn}
                for each in self.decisions
            ],
            "rounds": [_round([*each]) for _, each in groupby(self.decisions, key=lambda decision: decision.round)],
            "analysis": self._can_be_judged(),
        }
        return encoded(document)

    def _can_be_judged(self) -> bool:
        """Is there a judge for this game and its rules?"""
        try:
            analyst_for(self._interface, self.rules)
        except TableError:
            return False
        return True

    def views(self, steps: range, seat: int | None, names: Sequence[str], shows_all: bool) -> Iterator[str]:
        """The table after these numbers of decisions as this seat saw it; without a seat, as a spectator did.

        If all is shown, each also has the cards that were hidden from somebody.
        """
        game, documents = self.game_after(steps.start), self._interface.documents
        for step in steps:
            view = messages.view(documents, self.rules, self._public(game, step, names), self._seen(game, seat))
            yield self._opened(view, game) if shows_all else view
            if step < len(self.decisions):
                game.apply(self.record["actions"][step])

    def _public(self, game: TableGame[Any], step: int, names: Sequence[str]) -> PublicState:
        return studied_state(
            self.card_game.name,
            game.episode,
            (game.round, game.phase),
            [*zip(names, game.totals, strict=True)],
            None if game.is_over else game.seat,
            self.decisions[:step],
            (result_words(game, names), game.winners) if game.is_over else ("", ()),
        )

    def _seen(self, game: TableGame[Any], seat: int | None) -> SeatView:
        decides = not game.is_over and game.seat == seat
        names = self.card_game.action_names(self.rules)
        legal = {action: names[action] for action in game.legal_actions()} if decides else {}
        return SeatView(seat, game.observation(seat or 0), legal, is_own=seat is not None, is_covered=False)

    def _opened(self, view: str, game: TableGame[Any]) -> str:
        document = json.loads(view)
        document["table"]["open"] = self._interface.documents.open_document(game)
        return encoded(document)


class ReplayedGames:
    """The games that were replayed last, for one thread at a time."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._replayed: OrderedDict[str, ReplayedGame] = OrderedDict()  # by number, the most recently used last

    def read(self, text: str) -> GameText:
        """A text that somebody has sent, as it will be kept; TableError if it is not a game."""
        replayed = ReplayedGame(self._game, text)
        written = replayed.written()
        self._remember(written.number, replayed)
        return written

    def of(self, text: GameText) -> ReplayedGame:
        """A kept game."""
        number = text.number
        replayed = self._replayed.get(number) or ReplayedGame(self._game, text.text)
        return self._remember(number, replayed)

    def _remember(self, number: str, replayed: ReplayedGame) -> ReplayedGame:
        self._replayed[number] = replayed
        self._replayed.move_to_end(number)
        if len(self._replayed) > MAX_REPLAYED:
            self._replayed.popitem(last=False)
        return replayed


def _round(decisions: Sequence[Decision]) -> dict[str, Any]:
    """Where a round begins, and its scores if it was scored."""
    return {"first": decisions[0].number - 1, "scores": getattr(decisions[-1].end, "scores", None)}
