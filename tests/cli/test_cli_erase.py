"""`erase`: none of our files has the erased text any more."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import make_state_directory
from progress_plugin.core.session_state import SessionState, save_session
from progress_plugin.memory import database
from progress_plugin.usecases.correcting.targets import MARK, TextTarget

SECRET = 'pier "seven" – ключ 4711'


def holders(*places: Path, text: str = SECRET) -> list[str]:
    """Return the files below these paths that hold the text, in any JSON spelling."""
    spellings = {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    return [
        str(path)
        for place in places
        for path in sorted(place.rglob("*"))
        if path.is_file() and any(each in path.read_text("utf-8", "replace") for each in spellings)
    ]


@pytest.fixture
def spooled(project: Path, home: Path) -> Path:
    """Return the path of an event that waits to be recorded."""
    del home
    spool = Path(make_state_directory(str(project))) / "spool"
    spool.mkdir(exist_ok=True)
    return spool / "0.json.unreadable"


@pytest.fixture
def leaked(project: Path, run: Any, home: Path, spooled: Path) -> Path:
    """Return a project whose log, archive, copies, summaries, cache, spool and sessions hold a secret."""
    ours = project / ".agent-os/progress"
    run("log", "debug_resolved", "--task", "US-001", "-m", f"Opened it with {SECRET}", "--learning", SECRET)
    run("log", "task_completed", "-m", SECRET)
    run("archive", "--days", "0", "--at-least", "0")
    for number in range(3):
        run("log", "milestone_reached", "-m", f"Stone {number}", "--notes", SECRET)
    save_session("one", SessionState({"project": str(project), "shown": SECRET}))
    spooled.write_text(json.dumps({"told": SECRET}), "utf-8")
    (ours / "summaries").mkdir(exist_ok=True)
    run("report")
    (ours / "summaries" / "Other.md").write_text(f"# Progress Summary: Other\n{SECRET}\n", "utf-8")
    log = (ours / "progress.json").read_bytes()
    (ours / "progress.json.corrupt-20260101T000000Z").write_bytes(log[: len(log) // 2 + 60])
    (ours / ".agent-progress-progress.json.123456789abc.tmp").write_bytes(log)
    (home / ".cache/agent-progress").mkdir(parents=True, exist_ok=True)
    (home / ".cache/agent-progress/swallowed.log").write_text(f"x Error: {SECRET}\n", "utf-8")
    assert len(holders(ours, home)) >= 10
    return ours


def test_a_text_is_in_no_directory_of_ours(
    leaked: Path, spooled: Path, home: Path, run: Any, answer: Any
) -> None:
    before = {path: path.read_bytes() for path in leaked.rglob("*") if path.is_file()}
    code, out, err = run("erase", SECRET)
    assert (code, err) == (1, "")
    assert f"{leaked / 'progress.json'}: 3 places would be erased\n" in out
    assert out.endswith("repeat with --yes to do it. It cannot be undone.\n")
    assert {path: path.read_bytes() for path in leaked.rglob("*") if path.is_file()} == before
    done = answer("erase", SECRET, "--yes")
    assert holders(leaked, home) == []
    assert not (leaked / "report.html").exists()
    assert (done["kind"], done["applied"], done["remaining"]) == ("text", True, [])
    assert (done["found"][str(spooled)], json.loads(spooled.read_text())) == (1, {"told": MARK})
    entries = json.loads((leaked / "progress.json").read_text())["entries"]
    assert [entry["data"]["notes"] for entry in entries] == [MARK] * 3
    (month,) = (leaked / "archive").glob("20*.json")
    archived = json.loads(month.read_text())["entries"][0]
    assert (archived["task_id"], archived["data"]["description"]) == ("US-001", f"Opened it with {MARK}")
    assert answer("verify")["ok"] is True
    assert (leaked / "progress-summary.md").read_text().startswith("# Progress Summary: Harbour\n")


def test_nothing_is_erased_while_a_hook_records_what_it_has_read_already(
    leaked: Path, spooled: Path, run: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("progress_plugin.usecases.correcting.erase.DEFAULT_TIMEOUT_S", 0.1)
    with FileLock(str(spooled.with_name("drainer")), 0):
        code, _, err = run("erase", SECRET, "--yes")
    assert (code, "recorded by process" in err) == (3, True)
    assert holders(leaked, home)


@pytest.mark.parametrize("is_archived", [False, True])
def test_an_entry_is_gone_from_every_copy(leaked: Path, home: Path, answer: Any, is_archived: bool) -> None:
    (month,) = (leaked / "archive").glob("20*.json")
    entry = json.loads((month if is_archived else leaked / "progress.json").read_text())["entries"][1]["id"]
    assert answer("erase", entry, "--yes")["kind"] == "entry"
    assert holders(leaked, home, text=entry) == []
    counted = json.loads((leaked / "progress.json").read_text())["metadata"]
    kept, archived = (3, 1) if is_archived else (2, 2)
    assert (counted["total_entries"], counted["archived_entries"]) == (kept, archived)
    assert answer("verify")["ok"] is True


def test_a_plan_that_holds_it_is_named_and_left_to_its_owner(project: Path, run: Any) -> None:
    run("log", "milestone_reached", "-m", "the secret word")
    plan = (project / "prd.json").read_text()
    (project / "prd.json").write_text(plan.replace("Story 2", "the secret word"))
    code, out, _ = run("erase", "the secret word", "--yes")
    assert code == 1
    assert f"{project / 'prd.json'} holds it: edit that file yourself" in out
    assert "the secret word" in (project / "prd.json").read_text()
    assert "the secret word" not in (project / ".agent-os/progress/progress.json").read_text()


def remember(run: Any, *contents: str) -> None:
    for content in contents:
        assert run("memory", "save", "--title", "t", "--type", "note", "--content", content)[0] == 0


def kept_in(home: Path, text: str) -> list[Path]:
    """Return the files of the user's data that hold a text somewhere in their bytes."""
    return [path for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_the_memory_keeps_nothing_of_it(project: Path, run: Any, answer: Any, home: Path) -> None:
    run("log", "milestone_reached", "-m", "the sevenfold word")
    remember(run, "we used the sevenfold word here", "nothing of it")
    document = json.dumps({"goal": "the sevenfold word", "next_steps": ["a"]})
    for goal in (document, json.dumps({"goal": "another"})):
        run("memory", "progress", "--content", goal)
    dry = answer("erase", "sevenfold", code=1)
    path = home / ".local/share/agent-progress/memory.db"
    assert dry["found"][str(path)] == 2
    assert kept_in(home, "sevenfold")
    done = answer("erase", "sevenfold", "--yes")
    assert (done["found"][str(path)], done["remaining"]) == (2, [])
    assert kept_in(home, "sevenfold") == []
    assert (
        answer("memory", "search", "erased")["observations"][0]["content"] == "we used the [erased] word here"
    )
    assert answer("memory", "search", "sevenfold", code=1)["count"] == 0
    assert answer("memory", "search", "nothing of it")["count"] == 1
    assert '"goal":"another"' in run("memory", "progress")[1].replace(" ", "")


def test_a_text_that_is_the_structure_of_a_document_is_refused(project: Path, run: Any) -> None:
    run("memory", "progress", "--content", '{"goal": "x"}')
    code, _, errors = run("erase", '{"goal"', "--yes")
    assert code == 2
    assert "nothing was erased: this matches the structure of observation 1" in errors


def test_a_memory_that_another_process_holds_is_named_and_rid_of_it_later(
    project: Path, run: Any, answer: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.1)
    remember(run, "the sevenfold word")
    path = home / ".local/share/agent-progress/memory.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM observations").fetchone()
        done = answer("erase", "sevenfold", "--yes", code=1)
        assert done["found"] == {str(path): 1}
        assert "then erase again" in done["remaining"][0]
    answer("erase", "sevenfold", "--yes")
    assert kept_in(home, "sevenfold") == []


@pytest.mark.parametrize("word", ["", " ", "erased", "completed", "entry-2", "2026-", "4711"])
def test_a_text_that_is_also_part_of_an_entrys_frame_is_refused(leaked: Path, run: Any, word: str) -> None:
    words = ("-m", "we completed the milestone, an id of its type", "--data", '{"pin": 471199}')
    run("log", "task_completed", "--task", "A", *words)
    before = (leaked / "progress.json").read_bytes()
    code, _, err = run("erase", word, "--yes")
    assert (code, err.count("\n")) == (2, 1)
    assert (leaked / "progress.json").read_bytes() == before
    run("erase", "we completed the", "--yes")
    assert b"[erased] milestone" in (leaked / "progress.json").read_bytes()


def test_a_damaged_log_is_repaired_first(leaked: Path, run: Any) -> None:
    log = leaked / "progress.json"
    log.write_bytes(log.read_bytes()[:-40])
    code, _, err = run("erase", SECRET, "--yes")
    assert (code, err) == (
        2,
        "agent-progress: nothing was erased: progress.json does not parse; run `agent-progress repair` first\n",
    )


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(value=VALUES, before=st.text(), after=st.text(), ascii_only=st.booleans())
def test_no_string_of_json_holds_it(value: Any, before: str, after: str, ascii_only: bool) -> None:
    document = {"entries": [{"id": "e", "data": {"note": f"{before}{SECRET}{after}", "value": value}}]}
    data = json.dumps(document, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    target = TextTarget(SECRET)
    found = json.loads(target.erase(data)[0])
    assert found["entries"][0]["data"]["note"].startswith(before + MARK)
    assert found["entries"][0]["data"]["value"] == value
    assert target.erase(target.erase(data)[0])[1] == 0
