"""A table at which one player is told everything in words, and answers with the names of actions."""

import secrets
from collections.abc import Sequence
from typing import TypedDict

from cardtable.table.agents.agents import agents_of
from cardtable.table.envs.options import rules_for
from cardtable.table.envs.text import read_answer, table_text
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.table_game import game_class
from skyjo.analysis.analysed_game import ConductDocument
from skyjo.interfaces import GameInterface
from skyjo.table.described_game import Decision, result_words, turn_lines
from skyjo.table.played_game import Session
from skyjo.table.seating import check_guest
from skyjo.tools.seat_score import SeatJudge

PATIENCE = 20.0  # seconds for which a call judges


class ResultDocument(TypedDict):
    """The end of a finished table, and the score of the player's seat."""

    seat: int
    round_scores: Sequence[int]  # by seat
    totals: Sequence[int]
    winners: Sequence[int]
    stopped: bool  # after too many turns, without a score
    judge: str  # the agent that judged; empty if none can
    still_to_judge: int  # decisions; as long as there are any, ask again
    score: ConductDocument | None


class TextTable:
    """A game against agents. Its seed is random, and neither a text nor an error tells it or a hidden card."""

    def __init__(
        self, interface: GameInterface, opponents: Sequence[str], players: int | None, rules: str, episode: str
    ):
        """Deal, and let the opponents play until the player decides; TableError names the allowed values."""
        game = find_game(interface.game)
        if players is None and "players=" not in rules:
            players = len(opponents) + 1
        for opponent in opponents:
            check_guest(agents_of(game), opponent)
        dealt = game_class(game)(rules_for(game, rules, players), secrets.randbits(63), 0, episode)
        self._session = Session(dealt, secrets.randbelow(dealt.rules.players), opponents)
        self._interface = interface
        self._judge: SeatJudge | None = None
        self._let_others_play()

    @property
    def is_over(self) -> bool:
        """True once the last decision has been made."""
        return self._session.game.is_over

    def look(self) -> str:
        """Return the player's observation and legal actions as text."""
        self._let_others_play()
        session, game = self._session, self._session.game
        text = table_text(session.rules, game.observation(session.seat), game.mask())
        return f"{text}\nthe {game.episode} is {result_words(game, session.names)}" if game.is_over else text

    def act(self, answer: str) -> str:
        """Carry out the player's decision, and return all moves that follow; after an IllegalActionError the table is
        unchanged.
        """
        session, before = self._session, len(self._session.decisions)
        self._let_others_play()
        session.apply(read_answer(session.rules, session.game.mask(), answer))
        self._let_others_play()
        return f"{self._news(session.decisions[before:])}\n\n{self.look()}"

    def result(self) -> ResultDocument:
        """Return the result, with more decisions judged at each call, as that takes long in some games; TableError
        before the end.
        """
        session, game = self._session, self._session.game
        if not self.is_over:
            raise TableError(f"the {game.episode} is not over: there is no result yet")
        if self._judge is None:
            self._judge = SeatJudge(self._interface, game, session.seat, [one.seat for one in session.decisions])
        self._judge.work_on(PATIENCE)
        return {
            "seat": session.seat,
            "round_scores": game.round_scores,
            "totals": game.totals,
            "winners": game.winners,
            "stopped": game.is_truncated,
            "judge": self._judge.judge,
            "still_to_judge": self._judge.left,
            "score": self._judge.score(),
        }

    def _let_others_play(self) -> None:
        while not (self.is_over or self._session.is_asked):
            try:
                self._session.decide()
            except Exception:  # its words may name cards that only its seat sees
                seat = self._session.game.seat
                raise AgentError(f"the agent of seat {seat} has failed: this table cannot continue") from None

    def _news(self, decisions: Sequence[Decision]) -> str:
        """Return the decisions as text, turn by turn, with the end of every round."""
        lines: list[str] = []
        of_round: list[Decision] = []
        for decision in decisions:
            of_round.append(decision)
            if decision.end is not None:
                end = self._interface.terminal.format_end(self._session.rules, decision.end, self._session.names, False)
                lines += [*turn_lines(of_round, self._session.names), "", end, ""]
                of_round = []
        return "\n".join([*lines, *turn_lines(of_round, self._session.names)]).rstrip()
