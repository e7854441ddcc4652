"""The process of one agent: it confines itself, makes the agent, and answers questions until the connection closes.

It begins as a fresh interpreter, which forks a child for the work and waits for it, because a PID namespace takes
effect only in a child. No code of the agent runs before the child is confined.
"""

import os
import pickle
import signal
import socket
import sys
from typing import Any, NoReturn

from cardtable.referee.confinement import Bounds, Granted, confine, prepare
from cardtable.referee.frames import MOST_ORDER, TEXT, Wire, pack_text, read_text
from cardtable.referee.linux import SIGXCPU, end_with_parent

SIGNALLED = 128  # added to the number of the signal that ended a process, as shells do
OVERTIME = SIGNALLED + SIGXCPU
ROUNDING = 0.5  # seconds by which the system may count less than its limit when it ends a process


def main(descriptor: int) -> NoReturn:
    """Serve one agent over this socket."""
    end = socket.socket(fileno=descriptor)
    order = read_text(Wire(end).receive(MOST_ORDER).body)
    bounds = Bounds.read(order["bounds"])
    has_user, has_namespaces = prepare(bounds)
    gate, opened = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(opened)
        if os.read(gate, 1) == b"":
            os._exit(0)  # the parent, which should wait, is gone
        os.close(gate)
        granted = Granted(has_user, has_namespaces, confine(bounds))
        _serve(Wire(end), order, granted)
    # Kill the child when the process that asks dies; the agent could prevent the child from noticing by itself.
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    end_with_parent(signal.SIGTERM)
    Wire(end).send(TEXT, 0, pack_text({"child": child}))
    end.close()
    os.write(opened, b"!")
    os._exit(_status(child, bounds))


def _status(child: int, bounds: Bounds) -> int:
    """How the child ended, as an exit status."""
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0 and used.ru_utime + used.ru_stime >= bounds.cpu - ROUNDING:
        return OVERTIME
    return code if code >= 0 else SIGNALLED - code


def _serve(wire: Any, order: dict[str, Any], granted: Granted) -> NoReturn:
    """Make the agent and answer for it. It always ends the child, so that the parent's code never runs in it."""
    status = 1
    try:
        status = _answer_all(wire, order, granted)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        status = 0
    except SystemExit as done:
        status = done.code if isinstance(done.code, int) else 1
    finally:
        os._exit(status & 0xFF)


def _answer_all(wire: Any, order: dict[str, Any], granted: Granted) -> int:
    from dataclasses import asdict

    from cardtable.agents import checked_actions, shown_to
    from cardtable.referee import frames

    sys.argv[1:] = []
    wire.send(frames.TEXT, 0, frames.pack_text(asdict(granted)))
    memory = order["bounds"]["memory"]
    try:
        agent, spec, declared = _make(order)
    except Exception as error:
        wire.send(frames.FAILED, 0, _words(error, memory))
        return 0
    wire.send(frames.TEXT, 0, frames.pack_text(declared))
    while True:
        asked = wire.receive(2**40)
        try:
            observations, *others = pickle.loads(asked.body)  # masks and chances, which the agent may keep and write to
            name = type(agent).__name__
            answer = agent.act(shown_to(agent, name, spec, observations), *others)
            actions = checked_actions(name, answer, len(observations))
        except (Exception, SystemExit, GeneratorExit) as error:
            wire.send(frames.FAILED, asked.number, _words(error, memory))
        else:
            wire.send(frames.ACTIONS, asked.number, actions.tobytes())


def _make(order: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """The agent, how to read what it sees, and what its class declares."""
    from cardtable.agents import is_slow, sees_hidden
    from cardtable.card_game import find_game

    game = find_game(order["game"])
    rules = game.rules(order["rules"])
    agent = game.agents.make(order["agent"], rules)
    factory = game.agents.factory(order["agent"])
    learned = getattr(agent, "digest", "")
    declared = {"is_slow": is_slow(factory), "sees_hidden": sees_hidden(factory)}
    return agent, game.spec_of(rules), declared | {"kind": type(agent).__name__, "learned": str(learned)[:64]}


def _words(error: BaseException, memory: int) -> bytes:
    """What went wrong in the agent, worded as without a referee."""
    from cardtable.agents import failure_words

    words = failure_words(error)
    if isinstance(error, MemoryError):
        words = f"more than {memory} MB of memory ({words})"
    return pack_text({"words": words})
