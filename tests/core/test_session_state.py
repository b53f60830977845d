"""The state of client sessions: one file each, changed under a lock."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from progress_plugin.core.session_state import SessionState, begin_session, load_session, update_session


def test_a_session_is_read_as_it_was_written_and_private(home: Path) -> None:
    begin_session("s-1", SessionState({"project": "/p", "shown": 'a "quoted" line\n', "start_ids": ["x"]}))
    state = load_session("s-1")
    assert (state.project, state.shown, state.start_ids) == ("/p", 'a "quoted" line\n', ["x"])
    (path,) = home.rglob("s-1.json")
    assert path.stat().st_mode & 0o077 == 0


def test_simultaneous_changes_are_all_kept() -> None:
    with ThreadPoolExecutor(4) as pool:
        for number in range(12):
            pool.submit(
                update_session, "s-1", lambda state, number=number: state.file_ids.append(str(number))
            )
    assert sorted(load_session("s-1").file_ids, key=int) == [str(number) for number in range(12)]


@pytest.mark.parametrize("session", ["../escape", "", "x" * 81, None])
def test_an_id_that_is_not_a_file_name_is_not_kept(session: str | None, home: Path) -> None:
    begin_session(session, SessionState({"project": "/p"}))
    assert list(home.rglob("*.json")) == []
