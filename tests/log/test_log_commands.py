"""recent, verify, repair and archive as commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.cli.main import main
from progress_plugin.log import pending_events
from progress_plugin.log.entry import EntryDraft


@pytest.fixture
def run(place: Any, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that runs one command here and gives (exit code, output, errors)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["-C", str(place.root), *arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def test_recent_tells_entries_and_open_blockers(place: Any, run: Any) -> None:
    done = place.append(EntryDraft("task_completed", {"description": "Sign in"}, "auth", "US-1")).entries[0]
    blocked = place.append(
        EntryDraft("task_blocked", {"issue": "No \x1b[31mmail\n server"}, None, "US-2")
    ).entries[0]
    assert run("recent") == (
        0,
        (
            "Last 2 entries: 1 task completed, 1 blocker. Most recent: No mail server.\n"
            f"2026-03-14T15:09:26Z  ✅ US-1 (auth): Sign in  {done['id']}\n"
            f"2026-03-14T15:09:26Z  ⚠️ US-2: No mail server  {blocked['id']}\n"
            "Open blockers:\n"
            f"  {blocked['id']}  US-2: No mail server (since 2026-03-14)\n"
        ),
        "",
    )


def test_recent_is_bounded_whatever_somebody_says_how_often(place: Any, run: Any) -> None:
    first = place.append(EntryDraft("milestone_reached", {"description": "Begun"})).entries[0]["id"]
    more = [EntryDraft("milestone_reached", {"description": f"Said {number}", "supplements": first})
            for number in range(200)]  # fmt: skip
    place.append(*more, EntryDraft("milestone_reached", {"notes": "long " * 20_000}))
    _, out, _ = run("recent")
    assert "180 more lines; `recent --json` has all" in out
    assert len(out) < 3000
    assert len(run("recent", "--json")[1]) > 100_000


def test_recent_as_json_has_its_keys(place: Any, run: Any) -> None:
    entry = place.done()
    code, out, _ = run("recent", "-n", "5", "--json")
    assert (code, json.loads(out)) == (
        0,
        {
            "entries": [entry],
            "summary": "Last 1 entry: 1 task completed, 0 blockers. Most recent: did US-1.",
            "last_spec": None,
            "last_task": "US-1",
            "unresolved_blockers": [],
            "blocked": [],
        },
    )


def test_verify_of_a_log_in_order_is_exit_zero(place: Any, run: Any) -> None:
    place.done()
    assert run("verify") == (0, "Log and archive are in order.\n", "")
    assert json.loads(run("verify", "--json")[1]) == {"ok": True, "findings": []}


def test_verify_with_findings_is_exit_one(place: Any, run: Any) -> None:
    place.file.write_bytes(b"{")
    code, out, err = run("verify")
    assert (code, err) == (1, "")
    assert out.startswith("progress.json does not parse: Expecting property name")
    code, out, _ = run("verify", "--json")
    assert code == 1
    assert json.loads(out)["findings"][0]["remedy"] == "run `agent-progress repair`"


def test_repair_says_what_it_did_and_then_there_is_nothing_to_do(place: Any, run: Any) -> None:
    place.done()
    place.file.write_bytes(b"{")
    code, out, _ = run("repair")
    assert code == 0
    assert "the damaged file is kept as progress.json.corrupt-" in out
    assert run("verify")[0] == 0
    assert run("repair") == (0, "There is nothing to repair.\n", "")
    assert json.loads(run("repair", "--json")[1]) == {"repaired": []}


def test_repair_of_a_newer_version_is_refused(place: Any, run: Any) -> None:
    place.write([], version="9.0")
    code, out, err = run("repair")
    assert (code, out) == (2, "")
    assert err.startswith(
        "agent-progress: nothing was written: progress.json has version 9.0, newer than 1.0"
    )


def test_repair_names_what_was_mended_because_something_waited_to_be_recorded(place: Any, run: Any) -> None:
    place.done()
    place.file.write_bytes(place.file.read_bytes()[:-10])
    told = {"subject": "Paint the crane", "client_task": "7"}
    pending_events.put(
        place.directory, pending_events.PendingEvent("task", str(place.root), "s", place.now, told)
    )
    out = run("repair")[1]
    (copy,) = place.path.glob("progress.json.corrupt-*")
    assert copy.name in out
    assert "Paint the crane" in run("recent")[1]
    assert run("repair") == (0, "There is nothing to repair.\n", "")


def test_archive_moves_nothing_that_is_not_due(place: Any, run: Any) -> None:
    place.done()
    before = place.file.read_bytes()
    assert run("archive") == (0, "Nothing is due: 1 entry stays in the log.\n", "")
    assert place.file.read_bytes() == before


def test_archive_with_figures_moves_by_them(place: Any, run: Any) -> None:
    place.write(place.old_entries(5, days=400))
    code, out, _ = run("archive", "--at-least", "1", "--days", "36500", "--json")
    assert (code, json.loads(out)["moved"]) == (0, 0)
    code, out, _ = run("archive", "--at-least", "1", "--days", "0")
    assert (code, out) == (0, "5 older entries were moved to the archive\n")
    assert place.ids() == []
    assert json.loads(run("recent", "--json")[1])["entries"][-1]["id"] == "old-4"


@pytest.mark.parametrize("command", ["recent", "verify", "repair", "archive"])
def test_a_directory_in_the_place_of_the_log_is_one_line_and_exit_two(
    place: Any, run: Any, command: str
) -> None:
    place.file.mkdir()
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert err == f"agent-progress: {place.file} is not a regular file; move it out of the way\n"


def test_recent_tells_every_time_in_utc(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    times = ["2026-11-27T23:30:00+09:00", "2026-11-28 10:00:00", "2026-11-29", "soon"]
    entries = [
        {"id": f"e{at}", "timestamp": time, "type": "milestone_reached", "data": {"description": "Mark"}}
        for at, time in enumerate(times)
    ]
    log = tmp_path / ".agent-os/progress/progress.json"
    log.parent.mkdir(parents=True)
    log.write_text(json.dumps({"version": "1.0", "project": "o", "entries": entries}), "utf-8")
    assert main(["-C", str(tmp_path), "recent"]) == 0
    told = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines() if "Mark  e" in line]
    assert told == ["2026-11-27T14:30:00Z", "2026-11-28T10:00:00Z", "2026-11-29", "soon"]
