"""The dialogue of the command `play`: shows the player what happens, asks, and does what is typed."""

import shlex
from pathlib import Path

from cardtable.table.errors import TableError
from skyjo.analysis.judge import mistakes
from skyjo.table.described_game import Decision, result_words, turn_lines
from skyjo.table.played_game import Session
from skyjo.terminal.console import ask_decision, clear_screen, folded, waiting, with_command
from skyjo.terminal.text_files import write_text

COMMANDS_HELP = """\
  hint, hint AGENT the choice of an agent, which sees only your view
  undo             back to your last decision, as often as you like
  save FILE        save the game, to continue later or to replay it
  table            show the table again
  quit             leave"""


class Dialogue:
    """One session at the terminal."""

    def __init__(self, session: Session, colour: bool, again: str, file: str | None) -> None:
        """Take the command that resumes a saved game as `again`, and the file where this one is saved as `file`."""
        self.session, self.colour, self.again = session, colour, again
        self._interface = session.interface
        self._file = file
        self._saved = session.actions.copy()
        self._unreported: list[Decision] = []  # since the player was asked last
        self._shows_table = True  # the player has not seen the table as it is
        self._is_left = False
        self._has_warned = False
        self._is_first = True  # nothing has been asked yet

    def run(self, origin: str) -> None:
        """Play to the end, or until the player leaves."""
        session = self.session
        others = ", ".join(name for name in session.names if name != "you")
        print(folded(f"You are seat {session.seat}, against {others}. Type ? for help."))
        print(origin)
        try:
            while not session.game.is_over and not self._is_left:
                if session.is_asked:
                    self._ask()
                else:
                    self._unreported.append(session.decide())
        except (EOFError, KeyboardInterrupt) as leaving:
            print()
            self._say_how_to_go_on()
            if isinstance(leaving, KeyboardInterrupt):
                raise
            return
        if self._is_left:
            self._say_how_to_go_on()
        else:
            self._report()
            print(f"\nThe {session.game.episode} is {result_words(session.game, session.names)}.")

    def _ask(self) -> None:
        """Ask for one decision of the player, or one command that changes the decision."""
        game = self.session.game
        if game.phase not in self._interface.later_phases:  # else the question says it all
            self._redraw()
            self._report()
            self._shows_table = True
        if self._shows_table:
            self._table("")
        commands = {"hint": self._hint, "undo": self._undo, "save": self._save, "table": self._table}
        commands |= {"help": self._help, "quit": self._quit}
        action = ask_decision(game.rules, game.observation(), game.mask(), commands)
        if action is not None:
            self._has_warned = False
            self._unreported.append(self.session.apply(action))

    def _redraw(self) -> None:
        """Clear the screen, so that the table stays in its place; but keep the greeting above the first one."""
        if not self._is_first and (self._unreported or self._shows_table):
            clear_screen()
        self._is_first = False

    def _report(self) -> None:
        """Print what has happened since the last report, and the end of every round."""
        print()
        names, of_round = self.session.names, []
        for decision in self._unreported:
            of_round.append(decision)
            if decision.end is not None:
                print("\n".join(map(folded, turn_lines(of_round, names))))
                end = self._interface.terminal.format_end(self.session.rules, decision.end, names, self.colour)
                print(f"\n{end}\n")
                self._say_mistakes(decision.round)
                of_round = []
        if of_round:
            print("\n".join([*map(folded, turn_lines(of_round, names)), ""]))
        self._unreported = []

    def _say_mistakes(self, number: int) -> None:
        """Print the losses of the player's decisions in a round, if it can be judged, and quickly."""
        if not self._interface.judges_quickly:
            return
        with waiting("judging your decisions"):
            try:
                lines = mistakes(self._interface, self.session.game.record(), self.session.seat, number)
            except TableError:
                return
        print("\n".join([*map(folded, lines), ""]))

    def _say_how_to_go_on(self) -> None:
        if self._file is None:
            print("Not saved.")
            return
        unsaved = "" if self._saved == self.session.actions else " (without your last decisions)"
        print(with_command(f"To continue{unsaved}:", f"{self.again} --load {shlex.quote(self._file)}"))

    # What can be typed beside actions. Each returns whether it settles the question.

    def _table(self, _: str) -> bool:
        game = self.session.game
        format_view = self._interface.terminal.format_view
        print(f"{format_view(game.rules, game.observation(), self.session.names, self.colour)}\n")
        self._shows_table = False
        return False

    def _help(self, _: str) -> bool:
        print(f"{self._interface.actions_help}\n{COMMANDS_HELP}")
        return False

    def _hint(self, adviser: str) -> bool:
        name = adviser or self.session.adviser()
        print(folded(f"{name} would: {self.session.hint(name)}"))
        return False

    def _undo(self, _: str) -> bool:
        if not self.session.undo():
            print("You have not decided anything yet.")
            return False
        print("Back to your last decision.\n")
        self._unreported, self._shows_table = [], True
        return True

    def _save(self, file: str) -> bool:
        file = file or self._file or ""
        if not file:
            raise TableError("save FILE: the name of a file is missing")
        if file != self._file and Path(file).expanduser().exists():
            raise TableError(f"{file} exists; choose another name")
        try:
            write_text(file, self.session.written())
        except OSError as error:
            raise TableError(f"{file}: {error.strerror}") from None
        self._file, self._saved = file, self.session.actions.copy()
        print(f"Saved as {file}.")
        return False

    def _quit(self, _: str) -> bool:
        if self._saved != self.session.actions and not self._has_warned:
            self._has_warned = True
            print(
                folded("Your last decisions are not saved: save FILE keeps them, and quit again leaves without saving.")
            )
            return False
        self._is_left = True
        return True
