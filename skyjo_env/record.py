"""Records of games: as text, and played again move by move (docs/notation.md).

>>> game = Game(seed=3)
>>> game.apply(game.legal_actions()[0])
>>> replay(game.record()).position() == game.position()
True
"""

from cardtable.records import RecordFormat
from skyjo_env.actions import action_names, parse_action
from skyjo_env.game import Game
from skyjo_env.rules import Rules

FORMAT = RecordFormat(
    game=Game,
    parse_rules=Rules.from_text,
    action_names=action_names,
    parse_action=parse_action,
    begins_turn=lambda game: game.phase == "turn",
    example="seat 0: draw, place 3",
)
begin = FORMAT.begin
replay = FORMAT.replay
format_record = FORMAT.format_record
