"""The state of client sessions: one private file each."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.core.session_state import SessionState, load_session, save_session


def test_a_session_is_read_as_it_was_written_and_private(home: Path) -> None:
    save_session("s-1", SessionState({"project": "/p", "shown": 'a "quoted" line\n', "shown_notes": ["x"]}))
    state = load_session("s-1")
    assert (state.project, state.shown, state.shown_notes) == ("/p", 'a "quoted" line\n', ["x"])
    (path,) = home.rglob("s-1.json")
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("session", ["../escape", "", "x" * 81, None])
def test_an_id_that_is_not_a_file_name_is_not_kept(session: str | None, home: Path) -> None:
    save_session(session, SessionState({"project": "/p"}))
    assert list(home.rglob("*.json")) == []
