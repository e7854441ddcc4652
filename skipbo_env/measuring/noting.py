"""A decision carried out, and what it leaves behind noted: the one way in which rounds are played to be measured."""

from skipbo_env.kernel.play import act, conclude
from skipbo_env.kernel.scoring import ENDS, final_score
from skipbo_env.kernel.state import TRUNCATED
from skipbo_env.measuring.deal_results import note_scores, note_traces
from skipbo_env.measuring.jit import compiled
from skipbo_env.measuring.luck_terms import luck_of_move


@compiled
def play_noting(games, rules, action, counts, result, points, has_luck):
    """Carry out a legal action at `games[0]` and note what comes of it; `games[1]` and `counts` are room.

    The scores of a round that it ends are written to the first places of `points`.
    """
    game, before = games[0], games[1]
    if has_luck:
        games[1] = games[0]
    act(game, rules, action)
    result.decisions += 1
    if has_luck:
        luck_of_move(before, game, rules, action, counts, result.luck)
    if game.phase != ENDS:
        return
    note_traces(game, rules, result)
    result.turns += game.turns
    conclude(game, rules)
    note_scores(game, rules, result, points)


@compiled
def note_end(game, rules, result):
    """The episode is over."""
    result.is_stopped = game.phase == TRUNCATED
    for seat in range(rules.players):
        result.scores[seat] = final_score(game, seat)
