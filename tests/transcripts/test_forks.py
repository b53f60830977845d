"""A session that was copied from another one has only what is its own."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from progress_plugin.core.project import Project
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of, requests_of


def forked(told: ClaudeTranscript, home: Path, name: str = "second") -> ClaudeTranscript:
    """Return a copy of a session under its own name, as `--fork-session` makes one."""
    fork = ClaudeTranscript(home, told.root, name, begin=told.now + timedelta(hours=1))
    own, copied = (f'"sessionId": "{each}"'.encode() for each in (name, told.session))
    records = [line for line in told.path.read_bytes().splitlines(keepends=True) if b'"uuid"' in line]
    fork.add_raw(b"".join(records).replace(copied, own))
    return fork


def builds(told: ClaudeTranscript, what: str) -> ClaudeTranscript:
    """Have a session ask for something, write it and leave its tests failing."""
    told.asks(f"Build the {what}.")
    told.writes(f"{what}.py", new=True)
    told.runs(f"pytest {what}", 1, "1 failed")
    told.says(f"The {what} leaks.")
    return told


def facts(project: Project, told: ClaudeTranscript) -> tuple[list[str], list[str], list[str]]:
    """Return requests, files and checks of a session."""
    record = record_of(project, told)
    return requests_of(record), list(record.files), list(record.checks)


def only(what: str) -> tuple[list[str], list[str], list[str]]:
    return [f"Build the {what}."], [f"{what}.py"], [f"pytest {what}"]


def test_a_fork_of_a_fork_has_only_what_is_its_own(
    project: Project, told: ClaudeTranscript, home: Path
) -> None:
    told.asks("<private>for Meier</private>")
    builds(told, "pier")
    assert facts(project, told) == only("pier")
    fork = builds(forked(told, home), "quay")
    assert facts(project, fork) == only("quay")
    told.path.unlink()
    assert facts(project, builds(forked(fork, home, "third"), "lighthouse")) == only("lighthouse")


def test_a_fork_of_what_followed_a_compaction_has_only_what_is_its_own(
    project: Project, told: ClaudeTranscript, home: Path
) -> None:
    builds(told, "pier")
    whole = told.path.read_bytes()
    told.is_compacted()
    builds(told, "quay")
    record_of(project, told)
    after = ClaudeTranscript(home, told.root, "after", begin=told.now)
    after.add_raw(told.path.read_bytes()[len(whole) :])
    assert facts(project, builds(forked(after, home), "lighthouse")) == only("lighthouse")


def test_what_a_fork_was_read_with_first_stays_with_it(
    project: Project, told: ClaudeTranscript, home: Path
) -> None:
    fork = builds(forked(builds(told, "pier"), home), "quay")
    assert facts(project, fork)[1] == ["pier.py", "quay.py"]
    assert facts(project, builds(told, "lighthouse")) == only("lighthouse")
    assert facts(project, fork)[1] == ["pier.py", "quay.py"]
