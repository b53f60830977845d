"""Waiting events: their roots are not trusted, and damaged state does not stop their recording."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.paths import state_file
from progress_plugin.core.project import find_project
from progress_plugin.usecases.recording.record import record_waiting
from tests.hooks.simulated_client import Hooks, Repository


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    place = Repository(tmp_path / "src/lighthouse")
    place.plan(done=4)
    place.commit()
    (place.root / ".agent-os/progress").mkdir(parents=True)
    Path(state_file(str(place.root), "spool")).mkdir(parents=True)
    return place


def waits(clone: Repository, kind: str, root: str, number: int = 0) -> Path:
    """Put an event where events wait."""
    told = {"subject": "US-005: forged", "reason": "exit"}
    event = {"kind": kind, "root": root, "session": "s-9", "when": "2026-03-14T15:09:26+00:00", "facts": told}
    path = Path(state_file(str(clone.root), f"spool/{number:020d}-0a0b0c0d.json"))
    path.write_text(json.dumps(event), "utf-8")
    return path


@contextmanager
def looked_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Collect the paths that this process asks the system about; every call goes on to the system."""
    seen: set[str] = set()

    def watched(call: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any, *more: Any, **options: Any) -> Any:
            if isinstance(path, str | bytes | os.PathLike):
                seen.add(os.path.abspath(os.fsdecode(path)))
            return call(path, *more, **options)

        return asked

    with monkeypatch.context() as patched:
        for name in ("stat", "lstat", "open", "listdir", "scandir", "readlink"):
            patched.setattr(os, name, watched(getattr(os, name)))
        yield seen


@pytest.mark.parametrize("kind", ["look", "end"])
def test_a_waiting_event_has_no_directory_looked_at_that_is_not_the_projects(
    clone: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    other = Repository(tmp_path / "other")
    other.plan(done=1)
    strangers = (str(other.root), "/net/away/share", f"{clone.root}/../other", str(tmp_path / "none"))
    paths = [waits(clone, kind, root, number) for number, root in enumerate(strangers)]
    with looked_at(monkeypatch) as seen:
        record_waiting(find_project(str(clone.root)), 10)
    assert not any(path.exists() for path in paths)
    assert seen
    away = [path for path in seen for root in strangers if path.startswith(os.path.abspath(root))]
    assert away == []


def test_a_worktree_that_only_one_side_claims_is_not_recorded(clone: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.plan(done=1)
    entry = clone.root / ".git/worktrees/x"
    entry.mkdir(parents=True)
    (entry / "gitdir").write_text(f"{other.root}/.git\n")
    waits(clone, "look", str(other.root))
    record_waiting(find_project(str(clone.root)), 10)
    assert not (other.root / ".agent-os").exists()
    assert not (clone.root / ".agent-os/progress/progress.json").exists()


def test_what_waits_of_a_linked_worktree_is_still_recorded(clone: Repository, tmp_path: Path) -> None:
    clone.git("worktree", "add", "-q", str(tmp_path / "annexe"), "-b", "side")
    Hooks(tmp_path / "annexe").start()
    side = Repository(tmp_path / "annexe")
    side.plan(done=5)
    waits(clone, "look", str(tmp_path / "annexe"))
    record_waiting(find_project(str(clone.root)), 10)
    assert [entry["worktree"] for entry in Hooks(clone.root).finished()] == ["annexe"]


def test_a_session_whose_state_somebody_made_up_stops_no_recording(clone: Repository) -> None:
    state = {"news": True, "tasks": [1], "ended": {"a": 1}, "started": 5}
    path = Path(os.environ["HOME"], ".local/state/agent-progress/sessions/s-9.json")
    path.parent.mkdir()
    path.write_text(json.dumps({"project": str(clone.root), "entries": state}), "utf-8")
    path = waits(clone, "end", str(clone.root))
    record_waiting(find_project(str(clone.root)), 10)
    assert not path.exists()


def test_archived_entries_whose_task_is_no_text_stop_neither_start_nor_log(clone: Repository) -> None:
    archive = clone.root / ".agent-os/progress/archive"
    archive.mkdir()
    entry = {
        "id": "entry-20260101-000000-aaaaaa",
        "timestamp": "2026-01-01T00:00:00Z",
        "type": "task_completed",
        "task_id": {"a": 1},
        "data": {"description": "Lit the lamp", "learnings": ["always close the shutters"]},
    }
    (archive / "2026-01.json").write_text(json.dumps({"entries": [entry]}), "utf-8")
    waits(clone, "task", str(clone.root))
    record_waiting(find_project(str(clone.root)), 10)
    context = Hooks(clone.root).start().context or ""
    assert "always close the shutters" in context
    assert len(Hooks(clone.root).finished()) == 1
