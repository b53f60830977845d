"""Killed before any of its changes of the disk, a journey loses nothing and leaves nothing broken."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from progress_plugin.hooks.events import run_event
from tests.conftest import REPOSITORY
from tests.torture.changes import killed_at, seen_by_strace
from tests.torture.figures import instants
from tests.torture.workplace import Workplace, once_each, parses

Work = Callable[[], object]
Done = Callable[[Workplace], bool]


def _hook(place: Workplace, event: str, **fields: object) -> Work:
    told = {"session_id": "session-1", "cwd": str(place.root), "hook_event_name": event, **fields}

    def work() -> None:
        os.environ |= {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(place.root)}
        os.chdir(place.root)
        said, says = os.pipe()
        os.write(says, json.dumps(told).encode())
        os.close(says)
        os.dup2(said, 0)
        sys.stdout = io.TextIOWrapper(io.BytesIO())
        run_event([event])

    return work


def _command(place: Workplace, *words: str) -> Work:
    return lambda: main(["-C", str(place.root), *words])


def _first_start(place: Workplace) -> Work:
    shutil.rmtree(place.ours)
    (place.root / "progress.md").write_text("# Progress Log\n\n## 2026-03-01 - US-001: Light\n- lit\n---\n")
    return _hook(place, "SessionStart", source="startup")


def _stale_start(place: Workplace) -> Work:
    place.start()
    place.plan(done=6)
    return _hook(place, "SessionStart", source="startup")


def _fresh_start(place: Workplace) -> Work:
    place.start()
    return _hook(place, "SessionStart", source="startup")


def _finished_story(place: Workplace) -> Work:
    place.start()
    place.plan(done=5)
    edited = {"tool_name": "Write", "tool_input": {"file_path": str(place.root / "prd.json")}}
    return _hook(place, "PostToolUse", **edited)


def _finished_task(place: Workplace) -> Work:
    place.start()
    return _hook(place, "TaskCompleted", task_subject="Story number 5", task_id="1")


def _end_of_session(place: Workplace) -> Work:
    place.start()
    place.hooks.event("TaskCompleted", task_subject="coil the ropes", task_id="1")
    return _hook(place, "SessionEnd", reason="exit")


def _summarize(place: Workplace) -> Work:
    place.plan(done=6)
    return _command(place, "status", "summarize")


def _archive(place: Workplace) -> Work:
    return _command(place, "archive", "--days", "0", "--at-least", "1")


def _repair(place: Workplace) -> Work:
    log = place.ours / "progress.json"
    log.write_bytes(log.read_bytes()[:-40])
    return _command(place, "repair")


def _setting(place: Workplace) -> Work:
    return _command(place, "config", "set", "max_learnings", "3")


def _has_entry(type_: str, description: str | None = None) -> Done:
    """Return what tells whether an entry of this type stands in the log."""
    return lambda place: any(
        entry["type"] == type_ and description in {None, entry["data"].get("description")}
        for entry in place.everything()
    )


def _has(name: str, text: str) -> Done:
    """Return what tells whether a file of ours holds a text."""
    return lambda place: text in (place.ours / name).read_text("utf-8")


JOURNEYS: dict[Callable[[Workplace], Work], Done] = {
    _first_start: _has("progress-summary.md", "4/14"),
    _stale_start: _has("progress-summary.md", "6/14"),
    _fresh_start: _has("progress-summary.md", "4/14"),
    _finished_story: _has_entry("task_completed", "Story number 5"),
    _finished_task: _has_entry("task_completed", "Story number 5"),
    _end_of_session: _has_entry("session_ended"),
    _summarize: _has("progress-summary.md", "6/14"),
    _archive: lambda place: any((place.ours / "archive").glob("2*.json")),
    _repair: _has("progress.json", '"version"'),
    _setting: _has("config.toml", "max_learnings = 3"),
}
"""Each with what has come of it in the end."""


@pytest.mark.parametrize("journey", JOURNEYS)
def test_killed_before_any_of_its_changes_a_journey_loses_nothing_and_the_next_ends_it(
    workplace: Workplace, journey: Callable[[Workplace], Work], tmp_path: Path, home: Path
) -> None:
    workplace.commit()  # what is put back below is another directory, but of the same repository
    for number in range(3):
        workplace.log(f"older work {number}")
    work = journey(workplace)
    acknowledged = [entry["id"] for entry in workplace.everything()]
    before = tmp_path / "before"
    for name, original in (("project", workplace.root), ("home", home)):
        shutil.copytree(original, before / name, symlinks=True)
    broken = {"progress.json"} if journey is _repair else set()
    for step in instants(5):
        if not killed_at(step, work):
            break
        parses(workplace.ours, but=broken)
        seen = {entry["id"] for entry in workplace.everything()}
        assert set(acknowledged) <= seen, f"killed before change {step}"
        assert workplace.context(), f"killed before change {step}"
        killed_at(-1, work)
        assert JOURNEYS[journey](workplace), f"killed before change {step}, and not done when done again"
        workplace.command("repair")
        parses(workplace.ours)
        once_each(workplace.everything(), acknowledged)
        _each_story_once(workplace)
        assert workplace.command("verify") == 0, f"killed before change {step}"
        for name, target in (("project", workplace.root), ("home", home)):
            shutil.rmtree(target)
            shutil.copytree(before / name, target, symlinks=True)
    assert step > (1 if journey in {_fresh_start, _setting} else 4)


def _each_story_once(place: Workplace) -> None:
    """Check that a kill between an entry and the note of it did not have it written again."""
    told = Counter(
        entry["data"].get("key") or entry["data"].get("description")
        for entry in place.everything()
        if entry["type"] == "task_completed" and "supplements" not in entry["data"]
    )
    assert not [key for key, number in told.items() if number > 1], told


@pytest.mark.parametrize(
    ("event", "prepare"),
    [("SessionStart", _stale_start), ("PostToolUse", _finished_story)],
)
def test_no_change_of_the_disk_escapes_the_points_to_kill_at(
    workplace: Workplace,
    tmp_path: Path,
    event: str,
    prepare: Callable[[Workplace], Work],
) -> None:
    if shutil.which("strace") is None:
        pytest.skip("NO STRACE HERE: the list of points to kill at is not compared with the system calls")
    workplace.log("older work")
    prepare(workplace)
    told = {
        "session_id": "session-1",
        "tool_name": "Write",
        "source": "startup",
        "tool_input": {"file_path": str(workplace.root / "prd.json")},
    }
    notes, trace = tmp_path / "changes", tmp_path / "trace"
    command = [
        sys.executable,
        "-B",
        "-m",
        "tests.torture.changes",
        str(notes),
        str(REPOSITORY / "progress_plugin/__main__.py"),
        "hook",
        event,
    ]
    calls = ["strace", "-f", "-qq", "-e", "trace=file,ftruncate,fchmod", "-o", str(trace)]
    environment = {**os.environ, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(workplace.root)}
    done = subprocess.run(
        [*calls, *command],
        input=json.dumps(told).encode(),
        capture_output=True,
        cwd=REPOSITORY,
        env=environment,
    )
    if b"ptrace" in done.stderr:
        pytest.skip(
            "STRACE MAY NOT TRACE HERE: the list of points to kill at is not compared with the system calls"
        )
    assert (done.returncode, done.stderr) == (0, b"")
    announced = Counter(notes.read_text().split())
    made = seen_by_strace(trace.read_text())
    made["open"] -= 1  # the list itself
    missed = {kind: number - announced[kind] for kind, number in made.items() if number > announced[kind]}
    assert sum(made.values()) > 4
    assert not missed, (made, announced)
