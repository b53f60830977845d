"""A session that was copied from another one tells only what is its own."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from progress_plugin.core.project import Project
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of, requests_of


def forked(told: ClaudeTranscript, home: Path, name: str = "second", hours: int = 0) -> ClaudeTranscript:
    """Return a copy of a session under its own name, as `--fork-session` makes one."""
    fork = ClaudeTranscript(home, told.root, name, begin=told.now + timedelta(hours=hours))
    own, copied = (f'"sessionId": "{each}"'.encode() for each in (name, told.session))
    records = [line for line in told.path.read_bytes().splitlines(keepends=True) if b'"uuid"' in line]
    fork.add_raw(b"".join(records).replace(copied, own))
    return fork


def builds(told: ClaudeTranscript, what: str) -> ClaudeTranscript:
    """Have a session ask for something, write it and leave its tests failing."""
    told.asks(f"Build the {what}.")
    told.writes(f"{what}.py", new=True)
    told.runs(f"pytest {what}", 1, "1 failed")
    told.add_raw(b'{"type": "last-prompt", "lastPrompt": "Build it."}\n')
    told.says(f"The {what} leaks.")
    return told


def told_of(project: Project, told: ClaudeTranscript) -> tuple[list[str], list[str], list[str]]:
    """Return what the record of a session tells: requests, files and checks."""
    record = record_of(project, told)
    return requests_of(record), list(record.files), list(record.checks)


def only(what: str) -> tuple[list[str], list[str], list[str]]:
    return [f"Build the {what}."], [f"{what}.py"], [f"pytest {what}"]


@pytest.mark.parametrize("goes_on", [False, True], ids=["at its end", "while it goes on"])
@pytest.mark.parametrize("first", ["fork", "origin"])
def test_a_fork_that_ends_before_its_origin_was_read_tells_only_what_is_its_own(
    first: str, project: Project, told: ClaudeTranscript, home: Path, *, goes_on: bool
) -> None:
    builds(told, "pier")
    fork = builds(forked(told, home), "quay")
    if goes_on:
        told.says("And I go on.")
    both = {"fork": fork, "origin": told}
    found = {name: told_of(project, both[name]) for name in sorted(both, reverse=first == "origin")}
    assert found == {"fork": only("quay"), "origin": only("pier")}


def test_a_fork_of_what_came_after_an_unread_compaction_tells_only_what_is_its_own(
    project: Project, told: ClaudeTranscript, home: Path
) -> None:
    builds(told, "pier")
    record_of(project, told)
    whole = told.path.read_bytes()
    told.is_compacted()
    builds(told, "quay")
    after = ClaudeTranscript(home, told.root, "after", begin=told.now)
    after.add_raw(told.path.read_bytes()[len(whole) :])
    fork = builds(forked(after, home), "lighthouse")
    after.path.unlink()
    assert told_of(project, fork) == only("lighthouse")
    assert told_of(project, told)[1] == ["pier.py", "quay.py"]


def test_a_fork_whose_origin_is_gone_tells_only_what_is_its_own(
    project: Project, told: ClaudeTranscript, home: Path
) -> None:
    told.asks("<private>for Meier</private>")
    builds(told, "pier")
    record_of(project, told)
    fork = builds(forked(told, home), "quay")
    told.path.unlink()
    assert told_of(project, fork) == only("quay")


def test_two_forks_whose_origin_nobody_has_read_tell_of_it_once(
    project: Project, told: ClaudeTranscript, home: Path
) -> None:
    builds(told, "pier")
    whole = told.path.read_bytes()
    one = builds(forked(told, home, "one"), "quay")
    told.path.unlink()
    assert told_of(project, one)[1] == ["pier.py", "quay.py"]
    told.path.write_bytes(whole)
    other = forked(told, home, "other", 1)
    told.path.unlink()
    assert told_of(project, builds(other, "lighthouse")) == only("lighthouse")


def test_a_fork_tells_only_what_is_its_own(project: Project, told: ClaudeTranscript, home: Path) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    record_of(project, told)
    fork = ClaudeTranscript(home, Path(project.root), "second", begin=told.now)
    fork.add_raw(told.path.read_bytes().replace(b'"sessionId": "first"', b'"sessionId": "second"'))
    fork.asks("What is left?")
    record = record_of(project, fork)
    assert [request.text for request in record.requests] == ["What is left?"]
    assert not record.files


def test_a_fork_of_a_fork_tells_only_what_is_its_own(
    project: Project, told: ClaudeTranscript, home: Path
) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    record_of(project, told)
    before = told
    for number, name in enumerate(("fork", "fork-of-fork")):
        fork = ClaudeTranscript(home, Path(project.root), name, begin=told.now + timedelta(hours=1 + number))
        own, copied = (f'"sessionId": "{each}"'.encode() for each in (name, before.session))
        fork.path.write_bytes(before.path.read_bytes().replace(copied, own))
        fork.asks(f"Build the {name}.")
        fork.writes(f"{name}.py", new=True)
        record, before = record_of(project, fork), fork
        assert [request.text for request in record.requests] == [f"Build the {name}."]
        assert list(record.files) == [f"{name}.py"]
