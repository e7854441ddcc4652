"""How fast agents decide at a table of agents only, as set by whoever opened it."""

from dataclasses import dataclass

USUAL, SLOWEST, FASTEST = 2.0, 0.1, 20.0  # decisions a second


@dataclass
class Pacing:
    """The pace of a table of agents."""

    pace: float = USUAL  # decisions a second
    is_paused: bool = False
    is_stepping: bool = False  # one decision, although the table is paused

    @property
    def goes_on(self) -> bool:
        """May an agent decide?"""
        return self.is_stepping or not self.is_paused

    def step(self) -> None:
        """Pause, but for one more decision."""
        self.is_paused = self.is_stepping = True

    def resume(self) -> None:
        """Continue at the pace."""
        self.is_paused = self.is_stepping = False

    def pause(self) -> None:
        """Let nobody decide."""
        self.is_paused, self.is_stepping = True, False
