"""What an earlier version kept in the project moves to the user's state directory, if this clone made it."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.core import data_directory
from progress_plugin.core.paths import state_directory
from progress_plugin.log import team_state
from progress_plugin.log.old_private_state import move_old_state
from progress_plugin.log.outside_copies import directory_mark


@pytest.mark.parametrize("is_made_here", [True, False])
def test_it_moves_if_this_clone_made_it(tmp_path: Path, is_made_here: bool) -> None:
    directory = tmp_path / ".agent-os/progress"
    data_directory.prepare(str(directory))
    mark = directory_mark(str(tmp_path)) if is_made_here else b"1.2.3"
    assert mark is not None
    (directory / "start.cache").write_bytes(b"agent-progress start cache 17 0.1.0 " + mark + b"\n")
    (directory / "sessions.jsonl").write_text("{}\n")
    (directory / "team").mkdir()
    (directory / "team/state").write_bytes(b"agent-progress team 1 " + mark + b'\n{"server": "s"}\n')
    move_old_state(str(tmp_path), str(directory))
    state = Path(state_directory(str(tmp_path)) or "")
    assert (directory / "start.cache").exists() is not is_made_here
    assert (state / "sessions.jsonl").exists() is is_made_here
    loaded = team_state.load(str(directory))
    assert (loaded.server if loaded else None) == ("s" if is_made_here else None)
