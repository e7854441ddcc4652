"""Results in CSV files: the games as they stand there, and errors that name the line."""

import pytest

from cardtable.arena.ratings.results import NOBODY, RatingError
from cardtable.arena.ratings.results_files import read_results

TEXT = """\ufeffplayer, game, score, luck, deal
ann, 2, 5, 0.5, x
"bob, junior", 2, 7, 1, x
ann, 1, 3, 0, y
cy, 2, 9, 2, x
"bob, junior", 1, 4, 1, y
"""


def test_games_come_in_the_order_of_their_first_rows() -> None:
    games, luck = read_results(TEXT, "a.csv", ["luck"])
    assert games.players == ("ann", "bob, junior", "cy")
    assert games.seated.tolist() == [[0, 1, 2], [0, 1, NOBODY]]
    assert games.scores.tolist() == [[5, 7, 9], [3, 4, 0]]
    assert luck.scores.tolist() == [[0.5, 1, 2], [0, 1, 0]]
    assert games.deals.tolist() == [0, 1]
    assert games.lower_is_better


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no column game: there is nothing; required: game, player, score"),
        ("game,player,points\n1,a,2", "no column score: there is game, player, points"),
        ("game,player,score\n", "there are no games under the header"),
        ("game,player,score\n1,a,2\n1,b,x\n", "line 3: score must be a finite number, not 'x'"),
        ("game,player,score\n1,a,2\n1,b\n", "line 3: score must be a finite number, not None"),
        ("game,player,score\n1,a,2\n", "row 0: fewer than two players sit at the table"),
        ("game,player,score\n1,a,2\n1,a,3\n", "row 0: a player sits there twice"),
        ('game,player,score\n1,"a,2\n', "line 2: unexpected end of data"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(text: str, words: str) -> None:
    with pytest.raises(RatingError, match=r"^a\.csv: ") as caught:
        read_results(text, "a.csv")
    assert words in str(caught.value)
