"""The log of events: the effects of a decision are recorded where they happen, in a log that a caller passes along.

A log is an array of whole numbers. The first is the index at which the next goes. An event is its kind, which is its
number in the game's `EVENTS`, and then its fields in order. A field of several numbers begins with their count.
`cardtable.table.game.events` reads it. Loops that need no events pass None: then none of this is compiled.
"""

from cardtable.table.compiling.compiler import inlined_kernel

UNUSED = -(1 << 62)  # stands for no number
LOG_SIZE = 1 << 13  # more than all events of a decision in any game


@inlined_kernel
def note(log, a, b=UNUSED, c=UNUSED, d=UNUSED, e=UNUSED, f=UNUSED, g=UNUSED, h=UNUSED):
    """Note numbers: an event with its fields, or further fields of the event that was noted last.

    Cards of one event may be noted one by one, as a list of one each time. Events of the same kind that follow each
    other directly, and differ only in their lists, are one event.
    """
    if log is not None:
        at = log[0]
        log[at] = a
        at += 1
        log[at] = b
        at += b != UNUSED
        log[at] = c
        at += c != UNUSED
        log[at] = d
        at += d != UNUSED
        log[at] = e
        at += e != UNUSED
        log[at] = f
        at += f != UNUSED
        log[at] = g
        at += g != UNUSED
        log[at] = h
        at += h != UNUSED
        log[0] = at


@inlined_kernel
def note_list(log, numbers, size):
    """Note the first `size` numbers as the next field of an event."""
    if log is not None:
        note(log, size)
        for k in range(size):
            note(log, numbers[k])
