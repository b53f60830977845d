"""What answers at `team.url` and is no server with our tables: one line, whatever it says, and for how long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from progress_plugin.team import bounded_connection
from progress_plugin.team.connection import TeamServerFault, connected
from tests.team.fake_server import (
    NO_ROWS,
    NOTICE,
    ONE_ENDLESS_ROW,
    OTHER_COLUMNS,
    ROWS_WITHOUT_END,
    WORDS_FOR_NUMBERS,
    fake_server,
    now_and_then,
    once,
    without_end,
)

Answer = Callable[[threading.Event], Iterator[bytes]]
_MEBIBYTE = 1024 * 1024


def _said(answer: Answer) -> str:
    with fake_server(answer) as url, pytest.raises(TeamServerFault) as told, connected(url):
        pytest.fail("it was taken for a server of ours")
    return str(told.value)


@pytest.mark.parametrize("answer", [WORDS_FOR_NUMBERS, OTHER_COLUMNS, NO_ROWS])
def test_answers_that_are_none_are_called_that(answer: bytes) -> None:
    told = _said(once(answer))
    assert "it is no PostgreSQL with our tables, by its answer (" in told
    assert "look at team.url; no sync will succeed before" in told
    assert "\n" not in told


@pytest.mark.timeout(30)
@pytest.mark.parametrize("answer", [now_and_then(NOTICE), without_end(NOTICE, NOTICE * 2000)])
def test_a_server_that_says_something_now_and_then_and_never_answers_is_left(
    answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_connection, "ANSWER_SECONDS", 1)
    assert "no answer for 1 seconds" in _said(answer)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    ("pieces", "bound"),
    # libpq reads on in a row that was announced as one, as long as bytes are there: on this machine they are.
    [(ROWS_WITHOUT_END, 256 * _MEBIBYTE), (ONE_ENDLESS_ROW, 1024 * _MEBIBYTE)],
)
def test_an_answer_takes_no_more_memory_than_any_of_ours_may(
    pieces: tuple[bytes, bytes], bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_connection, "MOST_MEMORY", 48 * _MEBIBYTE)
    before = bounded_connection.resident()
    most = [before]
    look = bounded_connection.resident
    monkeypatch.setattr(bounded_connection, "resident", lambda: most.append(look()) or most[-1])
    assert "(more than any answer has)" in _said(without_end(*pieces))
    assert max(most) - before < bound
