"""GameBatch: many tables stepped together, in arrays that are written in place."""

from cardtable.table_batch import BatchParts, TableBatch
from skyjo_env.actions import illegal_action
from skyjo_env.kernel.batch import deal_tables, sample_tables, show_tables, step_shares, step_tables
from skyjo_env.kernel.state import EPISODES, GAME_DTYPE, OVER, PHASES, TRUNCATED
from skyjo_env.observation import spec_of
from skyjo_env.position import format_position
from skyjo_env.rules import OFFICIAL, Rules
from skyjo_env.valid_tables import check_sample, check_states


class GameBatch(TableBatch[Rules]):
    """N tables under the same rules. Table i plays deals i, i + N, i + 2N, ...; a deal is the same game as in `Game`.

    The arrays are the batch's own and are overwritten by every `step`: `observations[N, D]` and `masks[N, A]` of the
    seat that decides, `seats[N]`, `phases[N]`, `deals[N]`, and what `step` returns.

    >>> batch = GameBatch(OFFICIAL, n=3)
    >>> batch.observations.shape, batch.masks.shape, batch.seats.tolist()
    ((3, 88), (3, 26), [0, 0, 0])
    """

    parts = BatchParts(
        dtype=GAME_DTYPE,
        episodes=EPISODES,
        phases=PHASES,
        over=OVER,
        truncated=TRUNCATED,
        check_rules=Rules.check,
        spec_of=spec_of,
        illegal_action=illegal_action,
        deal_tables=deal_tables,
        show_tables=show_tables,
        step_tables=step_tables,
        step_shares=step_shares,
        sample_tables=sample_tables,
        format_position=format_position,
        check_states=check_states,
        check_sample=check_sample,
    )

    def __init__(
        self,
        rules: Rules | str = OFFICIAL,
        n: int = 1,
        seed: int = 0,
        episode: str = "game",
        restart: bool = True,
        threads: int = 1,
    ) -> None:
        """With `restart=False` a finished table is left as it is, and ignores actions.

        `threads` share the tables; the results are the same with any number.
        """
        super().__init__(rules, n, seed, episode, restart, threads)
