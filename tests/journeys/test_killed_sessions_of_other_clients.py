"""A session of Codex, Copilot, Gemini or OpenCode that ended without a word is read at the next start."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from progress_plugin.core.paths import state_file
from progress_plugin.core.start_cache import load_start_cache
from tests.journeys.project_life import Life, section
from tests.journeys.worked_sessions import LAST, STILL_RUNNING, hook
from tests.transcripts import client_sessions
from tests.transcripts.opencode_database import OpenCodeDatabase

OTHERS = ("codex", "copilot", "gemini", "opencode")


@pytest.fixture
def project(tmp_path: Path) -> Life:
    return Life(tmp_path / "harbour")


def begins(life: Life, client: str, session: str = "any") -> dict[str, str]:
    """Start a session of a client, and return what its hooks name of its transcript."""
    home = Path(os.environ["HOME"])
    told = {"codex": str(home / "codex/session.jsonl"), "gemini": str(home / "gemini/chats/session.jsonl")}
    fields = {"transcript_path": told[client]} if client in told else {}
    hook(life, client, "SessionStart", session, source="startup", **fields)
    return fields


def works(life: Life, client: str, session: str = "any") -> None:
    """Have a session build the pier, as its client writes it down, and leave its test failing."""
    path = client_sessions.write(client, Path(os.environ["HOME"]), life.root)
    places = {
        "copilot": f".copilot/session-state/{session}/events.jsonl",
        "opencode": ".local/share/opencode/opencode.db",
    }
    if client in places:
        place = Path(os.environ["HOME"]) / places[client]
        place.parent.mkdir(parents=True)
        shutil.move(path, place)


def has_log(life: Life) -> None:
    life.starts().logs("milestone_reached", "The harbour is open.")
    life.starts()


def is_fresh(life: Life) -> bool:
    cache = load_start_cache(str(life.root))
    return cache is not None and cache.is_fresh()


def becomes_fresh(life: Life) -> bool:
    """Wait until no start has to look for more: a transcript is watched until it is at rest."""
    until = time.monotonic() + 20
    while time.monotonic() < until and not is_fresh(life):
        time.sleep(0.1)
    return is_fresh(life)


@pytest.mark.parametrize("begun", ["with a log", "not at all"])
@pytest.mark.parametrize("client", OTHERS)
def test_a_session_that_was_killed_is_told_at_the_next_start(project: Life, client: str, begun: str) -> None:
    if begun == "with a log":
        has_log(project)
    begins(project, client)
    works(project, client)
    for _ in range(2):
        told = section(project.starts().context, LAST)
        assert "pier.py (new)" in told
        assert STILL_RUNNING in told
    (listed,) = project.told_as_json("sessions")["sessions"]
    assert listed["client"] == client
    assert (project.root / ".agent-os").exists() == (begun == "with a log")


@pytest.mark.parametrize("has", ["prd.json", "package.json", ".hg/", "a long path", "a plan below the top"])
def test_a_session_that_was_killed_is_told_whatever_the_project_is(tmp_path: Path, has: str) -> None:
    long = f"{'x' * 120}/{'y' * 120}" if has == "a long path" else "."
    project = Life(tmp_path / long / "harbour")
    if has == "a plan below the top":
        project.root /= "pier"
        project.root.mkdir()
        (project.root / "prd.json").write_text('{"userStories": []}', "utf-8")
    elif has != "a long path":
        shutil.rmtree(project.root / ".git")
        place = project.root / has
        place.mkdir() if has.endswith("/") else place.write_text('{"userStories": []}', "utf-8")
    begins(project, "codex")
    works(project, "codex")
    begins(project, "copilot", "another")
    (listed,) = project.told_as_json("sessions")["sessions"]
    assert listed["client"] == "codex"
    assert "pier.py (new)" in section(project.starts().context, LAST)


@pytest.mark.parametrize("client", ["codex", "gemini"])
def test_a_session_that_ended_costs_no_later_start_anything(project: Life, client: str) -> None:
    has_log(project)
    fields = begins(project, client)
    works(project, client)
    hook(project, client, "SessionEnd", "any", **fields)
    assert "pier.py (new)" in section(project.starts().context, LAST)
    assert is_fresh(project)
    begins(project, client, "another")
    assert not is_fresh(project)  # it may be killed, and its own transcript is not there yet
    hook(project, client, "SessionEnd", "another")
    assert is_fresh(project)


def test_a_killed_session_is_found_in_the_database_of_its_channel(project: Life) -> None:
    has_log(project)
    begins(project, "opencode")
    works(project, "opencode")
    folder = Path(os.environ["HOME"]) / ".local/share/opencode"
    other = OpenCodeDatabase(folder / "opencode-dev.db", project.root)
    other.begins("another")
    other.close()
    os.utime(folder / "opencode.db", (BEFORE, BEFORE))
    assert "pier.py (new)" in section(project.starts().context, LAST)


class OfOpenCode:
    """A session of OpenCode's that is open, and can be asked for more."""

    def __init__(self, life: Life) -> None:
        has_log(life)
        begins(life, "opencode")
        self._life = life
        self.rows = OpenCodeDatabase(
            Path(os.environ["HOME"]) / ".local/share/opencode/opencode.db", life.root
        )
        self.rows.begins("any")
        self.is_asked("Build the pier", "pier.py")

    def is_asked(self, said: str, file: str) -> None:
        self.rows.asks("any", said)
        self.rows.writes("any", file, new=True)

    def begins_a_turn(self) -> None:
        hook(self._life, "opencode", "UserPromptSubmit", "any")

    def ends_a_turn(self) -> None:
        hook(self._life, "opencode", "Stop", "any")


def test_a_session_between_two_turns_costs_no_start_beside_it_anything(project: Life) -> None:
    """OpenCode tells of no end, so all of its sessions would be looked at by the starts of an hour."""
    session = OfOpenCode(project)
    assert not is_fresh(project)
    session.ends_a_turn()
    assert is_fresh(project)
    assert "pier.py (new)" in section(project.starts().context, LAST)
    assert is_fresh(project)


def test_a_session_that_is_killed_in_a_later_turn_is_told_at_the_next_start(project: Life) -> None:
    session = OfOpenCode(project)
    session.ends_a_turn()
    session.begins_a_turn()
    assert not is_fresh(project)
    session.is_asked("Build the quay, too", "quay.py")
    assert "quay.py (new)" in section(project.starts().context, LAST)
    session.ends_a_turn()
    assert is_fresh(project)


def test_a_turn_that_leaves_a_call_running_is_looked_at_again(project: Life) -> None:
    session = OfOpenCode(project)
    message = session.rows.answers("any")
    call = {"type": "tool", "tool": "write"}
    given = {"input": {"filePath": "quay.py"}, "metadata": {"exists": False}}
    part = session.rows.part("any", message, {**call, "state": {"status": "running", **given}})
    session.ends_a_turn()
    assert not is_fresh(project)
    session.rows.changes(part, {**call, "state": {"status": "completed", **given}})
    assert "quay.py (new)" in section(project.starts().context, LAST)


@pytest.mark.parametrize("begun", ["with a log", "not at all"])
def test_a_session_that_goes_on_in_a_new_process_is_not_told_of_itself(project: Life, begun: str) -> None:
    if begun == "with a log":
        has_log(project)
    begins(project, "opencode")
    works(project, "opencode")
    hook(project, "opencode", "Stop", "any")
    told = [hook(project, "opencode", "SessionStart", "any", source="reopened") for _ in range(2)]
    assert not any("pier.py" in each for each in told)
    assert all("harbour is open" in each for each in told) == (begun == "with a log")
    assert "pier.py (new)" in section(
        hook(project, "opencode", "SessionStart", "new", source="startup"), LAST
    )


def test_a_session_that_goes_on_elsewhere_is_no_concern_of_this_project(
    project: Life, tmp_path: Path
) -> None:
    other = Life(tmp_path / "quay")
    has_log(project)
    begins(project, "codex")
    works(other, "codex")
    assert "## Last Session" not in project.starts().context
    assert project.told_as_json("sessions")["sessions"] == []


def test_what_begins_while_transcripts_are_switched_off_is_not_read(project: Life) -> None:
    has_log(project)
    project.command("config", "set", "transcripts", "false")
    begins(project, "codex")
    works(project, "codex")
    assert "pier.py" not in project.starts().context


def test_so_many_notes_of_sessions_are_kept_and_no_more(project: Life) -> None:
    has_log(project)
    for number in range(25):
        begins(project, "copilot", f"session-{number}")
    begins(project, "codex")
    works(project, "codex")
    assert "pier.py (new)" in section(project.starts().context, LAST)
    folder = Path(state_file(str(project.root), "begun"))
    assert len(list(folder.iterdir())) == 20
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


class OfCopilot:
    """A session of Copilot's that has ended but for its transcript, of which so many lines are there."""

    def __init__(self, life: Life, written: int) -> None:
        has_log(life)
        begins(life, "copilot")
        works(life, "copilot")
        self._life = life
        self._path = Path(os.environ["HOME"]) / ".copilot/session-state/any/events.jsonl"
        self._lines = [*self._path.read_bytes().splitlines(keepends=True), SHUTDOWN]
        self._path.write_bytes(b"".join(self._lines[:written]))
        if not written:
            self._path.unlink()
        else:
            os.utime(self._path, (BEFORE, BEFORE))
        hook(life, "copilot", "SessionEnd", "any")

    def writes_its_end(self) -> None:
        self._path.write_bytes(b"".join(self._lines))

    def is_left(self) -> None:
        """Wait until nobody waits for its end any more."""
        time.sleep(5)


SHUTDOWN = b'{"type": "session.shutdown", "timestamp": "2026-11-20T09:01:00.000Z", "data": {}}\n'
BEFORE = time.time() - 60


@pytest.mark.parametrize("written", [0, 4])
def test_what_copilot_writes_after_it_has_told_of_the_end_is_told_at_once(
    project: Life, written: int
) -> None:
    session = OfCopilot(project, written)
    session.writes_its_end()
    assert "pier.py (new)" in section(project.starts().context, LAST)
    assert becomes_fresh(project)
    assert "pier.py (new)" in section(project.starts().context, LAST)


@pytest.mark.parametrize("written", [0, 4])
def test_a_process_reads_what_copilot_wrote_after_the_end(project: Life, written: int) -> None:
    session = OfCopilot(project, written)
    time.sleep(0.7)
    session.writes_its_end()
    assert becomes_fresh(project)
    told = section(project.starts().context, LAST)
    assert "pier.py (new)" in told
    assert STILL_RUNNING not in told


@pytest.mark.parametrize("written", [0, 4])
def test_an_end_that_copilot_writes_very_late_is_read_at_the_next_start(project: Life, written: int) -> None:
    session = OfCopilot(project, written)
    session.is_left()
    assert not is_fresh(project)
    session.writes_its_end()
    assert "pier.py (new)" in section(project.starts().context, LAST)
