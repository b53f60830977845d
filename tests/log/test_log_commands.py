"""recent, verify, repair and archive as commands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from progress_plugin.cli.main import main
from progress_plugin.log.entry import new_draft


@pytest.fixture
def run(place: Any, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that runs one command here and gives (exit code, output, errors)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["-C", str(place.root), *arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def test_recent_tells_entries_and_open_blockers(place: Any, run: Any) -> None:
    done = place.append(new_draft("task_completed", {"description": "Sign in"}, "auth", "US-1")).entries[0]
    blocked = place.append(
        new_draft("task_blocked", {"issue": "No \x1b[31mmail\n server"}, None, "US-2")
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


def test_verify_with_findings_is_exit_one(place: Any, run: Any) -> None:
    place.file.write_bytes(b"{")
    code, out, err = run("verify")
    assert (code, err) == (1, "")
    assert out.startswith("progress.json does not parse (Expecting property name")
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
