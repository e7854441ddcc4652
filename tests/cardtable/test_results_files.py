"""Results read from text: what a CSV and a JSON list mean, and what is wrong with them, line by line."""

import json

import pytest

from cardtable.ratings.results import NOBODY, RatingError
from cardtable.ratings.results_files import read_results

TABLE = """game,deal,seat,player,score
1,7,1,bob,30
1,7,0,ann,12
2,7,0,bob,8.5
2,7,1,ann,-3
3,9,0,eve,5
3,9,1,ann,6
3,9,2,bob,7
"""


def test_a_row_is_a_seat_and_a_game_the_rows_of_its_name() -> None:
    (results,) = read_results(TABLE, "t.csv")
    assert results.players == ("bob", "ann", "eve")
    assert results.seated.tolist() == [[1, 0, NOBODY], [0, 1, NOBODY], [2, 1, 0]]
    assert results.scores.tolist() == [[12, 30, 0], [8.5, -3, 0], [5, 6, 7]]
    assert results.deals.tolist() == [0, 0, 1]
    assert results.lower_is_better
    assert not read_results(TABLE, "t.csv", lower_is_better=False)[0].lower_is_better


def test_columns_may_stand_in_any_order_with_others_between_and_rows_of_a_game_apart() -> None:
    text = '\ufeffscore, when ,player,game\n1,"a\nb", "x, y",g\n\n2,c,u,h\n3,d, z,g\n4,e,v,h\n'
    (results,) = read_results(text, "t.csv")
    assert results.players == ("x, y", "u", "z", "v")
    assert results.seated.tolist() == [[0, 2], [1, 3]]
    assert results.scores.tolist() == [[1, 3], [2, 4]]
    assert results.deals.tolist() == [0, 1]  # without a column every game has its own


def test_a_json_list_of_objects_means_the_same() -> None:
    header, *lines = TABLE.split()
    rows = [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]
    typed = [row | {"game": int(row["game"]), "seat": int(row["seat"]), "score": float(row["score"])} for row in rows]
    for objects in (rows, typed):
        (read,), (expected,) = read_results(json.dumps(objects), "t.json"), read_results(TABLE, "t.csv")
        assert read.players == expected.players
        for name in ("seated", "scores", "deals"):
            assert getattr(read, name).tolist() == getattr(expected, name).tolist()


def test_further_columns_are_read_as_scores_of_the_same_games() -> None:
    text = "game,seat,player,score,luck\n1,1,a,10,1.5\n1,0,b,20,-2\n"
    results, luck = read_results(text, "t.csv", ["luck"])
    assert luck.scores.tolist() == [[-2, 1.5]]
    assert luck.seated.tolist() == results.seated.tolist() == [[1, 0]]


WRONG = [
    ("", "t.csv: no column game and no column player and no column score: the file is empty; required: game, player"),
    ("game,name,score\n1,a,2\n", "t.csv: no column player: there are game, name, score; required: game, player,"),
    ("game,player,score\n", "t.csv: there are no games under the header"),
    ("game,score,player,score\n1,2,a,3\n", "t.csv: the column score appears twice in the header"),
    ("game,player,score\n1,a,2\n\n1,b,two\n", "t.csv: line 4: score must be a finite number, not 'two'"),
    ("game,player,score\n1,a,2\n1,b,\n", "t.csv: line 3: score must be a finite number, not ''"),
    ("game,player,score\n1,a,2\n1,b,nan\n", "t.csv: line 3: score must be a finite number, not 'nan'"),
    ("game,player,score\n1,a,2\n1, ,3\n", "t.csv: line 3: player must be a name or a number, not ''"),
    ("game,player,score\n1,a,2\n2,b,1\n1,b,3\n", "t.csv: line 3: game 2 has only one player; a table has at least two"),
    ("game,player,score\n1,a,2\n1,b,1\n1,a,3\n", "t.csv: line 4: a plays twice in game 1"),
    (
        "game,player,score\n1,t:a=1,b=2,3\n1,b,3\n",
        "t.csv: line 2: 4 fields under a header of 3; put a name with a comma",
    ),
    ('game,player,score\n1,"a,2\n', "t.csv: line 2: unexpected end of data"),
    ("game,deal,player,score\n1,5,a,2\n1,6,b,3\n", "t.csv: line 3: game 1 has two deals, 5 and 6; a game has one"),
    ("game,deal,player,score\n1,5,a,2\n1,,b,3\n", "t.csv: line 3: deal must be a name or a number, not ''"),
    ("game,seat,player,score\n1,1,a,2\n1,1.0,b,3\n", "t.csv: line 3: seat 1.0 of game 1 is taken already"),
    ("game,seat,player,score\n1,0,a,2\n1,-1,b,3\n", "t.csv: line 3: seat must be a whole number, 0 or more, not '-1'"),
    ("game,seat,player,score\n1,0,a,2\n1,left,b,3\n", "t.csv: line 3: seat must be a finite number, not 'left'"),
    ("[]", "t.csv: there are no games in the list"),
    ('[{"game": 1},\n}', "t.csv: line 2: this is not JSON: "),
    ('{"game": 1}', "t.csv: this JSON is not a list of objects, one per seat and game"),
    ("[1, 2]", "t.csv: this JSON is not a list of objects"),
    ("[" * 100_000, "t.csv: this JSON holds more than names and numbers"),
    ('[{"game": 1, "score": 2}]', "t.csv: no column player: there are game, score; required:"),
    (
        '[{"game": 1, "player": "a", "score": 2}, {"game": 1, "player": "b"}]',
        "t.csv: object 2: score must be text or a number, not null",
    ),
    (
        '[{"game": 1, "player": "a", "score": true}]',
        "t.csv: object 1: score must be text or a number, not true",
    ),
]


@pytest.mark.parametrize(("text", "words"), WRONG)
def test_what_is_wrong_is_told_with_its_line_and_what_is_allowed(text: str, words: str) -> None:
    with pytest.raises(RatingError) as caught:
        read_results(text, "t.csv")
    (line,) = str(caught.value).splitlines()
    assert line.startswith(words)


def test_a_further_column_must_be_there_and_hold_numbers() -> None:
    with pytest.raises(RatingError, match="no column luck: there are game, deal, seat, player, score"):
        read_results(TABLE, "t.csv", ["luck"])
    with pytest.raises(RatingError, match="line 2: player must be a finite number, not 'bob'"):
        read_results(TABLE, "t.csv", ["player"])
