"""Work that browsers ask for is bounded, and no browser can take all of it."""

import asyncio
from threading import Event

import pytest

from cardtable.table.errors import TableError
from skyjo.web.bounded_work import MOST, MOST_OF_ONE, Places, Worker
from skyjo.web.requests import FullError

PATIENCE = 60  # seconds


def test_one_browser_cannot_take_every_place() -> None:
    places = Places(3, 2, "full")
    with places.taken("greedy"), places.taken("greedy"):
        with pytest.raises(FullError, match="full"), places.taken("greedy"):
            pass
        with places.taken("other"), pytest.raises(FullError), places.taken("third"):
            pass
        with places.taken("third"):
            pass
    with places.taken("greedy"):
        pass


def test_a_worker_refuses_what_is_too_much_and_does_the_rest_in_order() -> None:
    goes_on, done = Event(), []

    def work(number: int) -> int:
        assert goes_on.wait(PATIENCE)
        done.append(number)
        return number

    async def ask() -> None:
        worker = Worker("worker", "this cannot be done")
        greedy = [asyncio.create_task(worker.done("greedy", work, number)) for number in range(MOST_OF_ONE + 3)]
        other = asyncio.create_task(worker.done("other", work, 99))
        await asyncio.sleep(0)
        goes_on.set()
        found = await asyncio.gather(*greedy, return_exceptions=True)
        assert found[:MOST_OF_ONE] == [*range(MOST_OF_ONE)]
        assert [str(error) for error in found[MOST_OF_ONE:]] == 3 * [
            "too much is being asked for; try again in a moment"
        ]
        assert await other == 99
        assert done == [*range(MOST_OF_ONE), 99]
        assert await worker.done("greedy", work, 5) == 5

    assert MOST_OF_ONE < MOST
    asyncio.run(ask())


def test_what_goes_wrong_frees_the_place_and_is_said_in_a_line() -> None:
    async def ask() -> None:
        worker = Worker("worker", "this cannot be done", 1)
        for _ in range(2):
            with pytest.raises(TableError, match=r"^this cannot be done: ZeroDivisionError$"):
                await worker.done("me", lambda: 1 // 0)

    asyncio.run(ask())
