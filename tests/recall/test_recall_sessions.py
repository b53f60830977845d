"""What was asked, said, changed and left failing in a session that nobody wrote down is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from progress_plugin.core.project import find_project
from progress_plugin.transcripts.events import Asked, Ran, Said, Wrote
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.recalling.answer_text import hit_line, recall_text
from progress_plugin.usecases.recalling.recall import Recalled

Ask = Callable[..., Recalled]


@pytest.fixture(params=["outside", "inside"])
def sessions(root: Path, request: pytest.FixtureRequest) -> Path:
    """Return a project with the records of two sessions, in our directory or before there is one."""
    if request.param == "inside":
        (root / ".agent-os/progress").mkdir(parents=True)
    records = [SessionRecord("claude", f"{number}a1b2c3d-0000", str(root)) for number in (1, 2)]
    for event in (
        Asked("2026-11-20T09:00:00Z", "Do not touch celsius, the firmware relies on it."),
        Wrote("2026-11-20T09:01:00Z", f"{root}/src/kelvin.py"),
        Ran("2026-11-20T09:02:00Z", "pytest tests/test_kelvin.py", 1, "E   assert absolute_zero == 0"),
        Asked("2026-11-20T09:03:00Z", "thanks"),
        Said("2026-11-20T09:04:00Z", "Decision: keep one digit; negative values must be asked about."),
    ):
        records[0].take(event)
    records[1].take(Asked("2026-11-21T09:00:00Z", "Paint the sluice red."))
    store = SessionStore(find_project(str(root)))
    for record in records:
        store.save(record)
    return root


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("what does the firmware rely on", "Asked: Do not touch celsius, the firmware relies on it."),
        ("negative values", "The agent's last words: Decision: keep one digit; negative values must be asked about."),
        ("src/kelvin.py", "Changed: `src/kelvin.py`"),
        ("absolute_zero", "Failing at its end: `pytest tests/test_kelvin.py`: E assert absolute_zero == 0"),
    ],
)  # fmt: skip
def test_each_kind_of_what_a_record_holds_is_found_with_the_session_and_the_day(
    sessions: Path, ask: Ask, words: str, said: str
) -> None:
    hit = ask(words).hits[0]
    assert hit_line(hit).startswith(f"session 1a1b2c3d-0000 (2026-11-20, session): {said}")


def test_a_request_that_only_thanks_is_not_in_the_history(sessions: Path, ask: Ask) -> None:
    assert "Asked: thanks" not in recall_text(ask("thanks", kind="session"))


def test_sessions_alone_are_a_history(sessions: Path, ask: Ask) -> None:
    (sessions / "progress.md").unlink()
    (sessions / "prd.json").unlink()
    assert "Paint the sluice red" in recall_text(ask("sluice"))


def test_sessions_are_a_kind_and_json_names_the_session_in_place_of_a_file(
    sessions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(sessions), "recall", "sluice", "--kind", "sessions", "--json"]) == 0
    (hit,) = json.loads(capsys.readouterr().out)["hits"]
    assert (hit["file"], hit["line"], hit["session"], hit["kind"]) == (None, None, "2a1b2c3d-0000", "session")


def test_where_transcripts_are_switched_off_nothing_of_them_is_found(sessions: Path, ask: Ask) -> None:
    assert ask("sluice").hits
    (sessions / ".agent-os/progress").mkdir(parents=True, exist_ok=True)
    (sessions / ".agent-os/progress/config.toml").write_text("transcripts = false\n", "utf-8")
    assert not ask("sluice").hits


def test_what_is_erased_from_the_records_is_not_found(sessions: Path, ask: Ask) -> None:
    assert ask("sluice").hits
    assert main(["-C", str(sessions), "erase", "Paint the sluice red", "--yes"]) == 0
    assert not ask("sluice").hits
