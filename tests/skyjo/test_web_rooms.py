"""Rooms: friends in several browsers, agents between them, and what is kept."""

import pytest

from tests.skyjo.web_client import Browser, Seat


def second(browser: Browser) -> Browser:
    """Return another browser at the same server."""
    return Browser(browser.client)


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_two_browsers_play_to_the_end(game: str, browser: Browser) -> None:
    rules = {"skipbo": "stock=3"}.get(game, "")
    host, guest = browser, second(browser)
    number = host.open("you", "open", game=game, rules=rules, names=["Ada"])
    with host.at(number) as first:
        assert first.receive()["names"] == ["you", "open seat 2"]
        assert guest.join(number, name="Bea") == {"seat": 1}
        assert first.receive()["names"] == ["you", "Bea"]
        with guest.at(number) as other:
            seats = [first, other]
            assert other.receive()["names"] == ["Ada", "you"]
            assert first.receive()["here"] == [True, True]
            while first.view["decider"] is not None:
                play(seats)
            assert first.view["winners"] == other.view["winners"] is not None
    assert [len(each.rooms(game)) for each in (host, guest, second(browser))] == [1, 1, 0]


def play(seats: list[Seat]) -> None:
    """Let the seat to move decide."""
    decider = seats[seats[0].view["decider"]]
    seq = decider.view["seq"]
    decider.ask(action=decider.view["legal"][0])
    for seat in seats:
        if seat is not decider:
            seat.receive()
        assert seat.view["seq"] == seq + 1
        assert seat.view["first"] == seq
        assert [told["action"] for told in seat.view["decisions"]] == [decider.view["decisions"][0]["action"]]
