"""`status` on a terminal: every width, every script, no colour where none is wanted."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from progress_plugin.cli.status_screen import show
from progress_plugin.cli.time_ago import time_ago
from progress_plugin.core.packages.environment import PLUGIN_ROOT
from progress_plugin.usecases.status import plan_status

NOW = datetime(2026, 4, 2, 12, tzinfo=UTC)


def story(number: int, status: str, title: str, **more: Any) -> dict[str, Any]:
    """Return a story as `status --json` has it."""
    marks = {"done": "✓", "active": "→", "pending": "○", "failed": "✗", "blocked": "⊘", "skipped": "–"}
    return {
        "id": f"US-{number:03}", "title": title, "status": status, "mark": marks[status], "agent": None,
        "attempts": 0, "waits_for": [], "subtasks": [], "entries": 0, "finished_by": None, **more,
    }  # fmt: skip


STORIES = [
    story(1, "done", "Build the pier", agent="mason", attempts=2),
    story(2, "done", "码头照明：在夜间保持航道可见，并在雾天加强", agent="mason", attempts=1),
    story(
        3, "active", "Dredge the basin 🚢 until the deepest ships can turn in it without a tug", agent="diver"
    ),
    story(4, "blocked", "Crane"),
    story(5, "skipped", "Casino"),
    story(6, "pending", "Open the harbour", waits_for=["US-003", "US-004"]),
]

ANSWER: dict[str, Any] = {
    "project": "Harbour",
    "root": "/srv/harbour",
    "branch": "feature/basin",
    "branch_line": "feature/basin",
    "updated": "2026-04-01 18:00",
    "summary": "2/5 complete (40%), 1 skipped",
    "percent": 40.0,
    "counts": {"done": 2, "active": 1, "blocked": 1, "failed": 0, "skipped": 1, "pending": 1},
    "current": "US-003",
    "begun": True,
    "blocked": [
        {
            "id": "US-004",
            "spec": None,
            "title": "Crane",
            "why": "the steel is late",
            "since": "2026-03-30T11:00:00Z",
            "entry": "e",
            "waits": False,
            "by": None,
        },
        {
            "id": "permits",
            "spec": None,
            "title": "",
            "why": "the office is closed",
            "since": "2026-04-02",
            "entry": "f",
            "waits": False,
            "by": None,
        },
    ],
    "blocking": 2,
    "claims": [],
    "finished_in_log": [],
    "next_of_others": None,
    "next": "US-006: Open the harbour (waits for US-004)",
    "focus": None,
    "next_story": STORIES[5],
    "plan": {"path": "prd.json", "name": "Harbour", "format": "prd", "counts": {}},
    "drift": [],
    "problems": [],
    "stories": STORIES,
    "sources": {"files": ["prd.json"]},
    "freshness": {"fresh": False, "input": "prd.json", "reason": "prd.json changed"},
}

AT_60 = """\
Harbour  ·  feature/basin  ·  updated 2026-04-01 18:00
▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░  2/5 complete (40%), 1 skipped

Current  US-003: Dredge the basin 🚢 until the deepest ships
         can turn in it without a tug
Blocked  US-004: Crane - the steel is late (3 days)
         permits - the office is closed (12 hours)
Next     US-006: Open the harbour (waits for US-004)

✓  US-001  Build the pier
✓  US-002  码头照明：在夜间保持航道可见，并在雾天加强
→  US-003  Dredge the basin 🚢 until the deepest ships can
           turn in it without a tug
⊘  US-004  Crane
–  US-005  Casino
○  US-006  Open the harbour (waits for US-003, US-004)

Summary: stale, prd.json changed; the next start makes it
anew
Root /srv/harbour, read: prd.json
"""


def screen(answer: dict[str, Any], width: int, **options: Any) -> str:
    """Return what is printed on a terminal of that width."""
    output = io.StringIO()
    show(answer, Console(file=output, width=width, highlight=False, **options), NOW)
    return output.getvalue()


def trimmed(text: str) -> str:
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


def test_a_narrow_terminal_shows_everything_that_matters() -> None:
    assert trimmed(screen(ANSWER, 60)) == AT_60


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for line in screen(ANSWER, width).splitlines():
        assert cell_len(line) <= width


def test_who_works_on_which_story_stands_above_what_comes_next() -> None:
    times = {"since": "2026-04-01T10:00:00Z", "until": "2026-04-01T12:00:00Z"}
    claims = [{"story": "US-003", "writer": "host-b", **times}, {"story": "US-006", "writer": None, **times}]
    lines = [line.strip() for line in screen({**ANSWER, "claims": claims}, 100).splitlines()]
    at = lines.index("Claimed  US-003 by host-b since 2026-04-01T10:00:00Z, until 2026-04-01T12:00:00Z")
    assert lines[at + 1].startswith("US-006 by this clone since")
    assert lines[at + 2].startswith("Next")


def test_what_a_colleague_has_finished_stands_above_what_comes_next() -> None:
    done = {"story": "US-3", "writer": "host-b", "when": "2026-11-23T10:02:03Z", "branch": None, "entry": "e"}
    lines = [line.strip() for line in screen({**ANSWER, "finished_in_log": [done]}, 120).splitlines()]
    told = "US-3: finished by host-b on 2026-11-23 10:02 UTC; the plan here does not say so yet"
    [place] = [number for number, line in enumerate(lines) if line == f"Finished  {told}"]
    assert place < next(number for number, line in enumerate(lines) if line.startswith("Next"))


def test_a_wider_terminal_adds_words_agents_and_attempts() -> None:
    assert "in progress" not in screen(ANSWER, 60)
    assert "in progress" in screen(ANSWER, 100)
    assert "mason" not in screen(ANSWER, 100)
    assert "mason  2 attempts" in screen(ANSWER, 160)


def test_columns_stand_below_each_other_whatever_the_script() -> None:
    rows = [line for line in screen(ANSWER, 120).splitlines() if line.startswith("✓")]
    assert len({cell_len(row[: row.index("complete")]) for row in rows}) == 1 < len(rows)


def test_colours_are_there_on_a_terminal_and_gone_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[32m" in screen(ANSWER, 100, force_terminal=True, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    plain = screen(ANSWER, 100, force_terminal=True, color_system="standard")
    assert not any(f"\x1b[{code}m" in plain for code in (31, 32, 33, 36, "1;36"))


def test_nothing_from_a_plan_can_act_on_the_terminal() -> None:
    hostile = story(1, "pending", "[bold]x[/bold] \x1b[2J\x1b]0;owned\x07 \u202eabc")
    shown = screen({**ANSWER, "stories": [hostile], "blocked": [], "drift": ["\x1b[31mred"]}, 100)
    assert "[bold]x[/bold] abc" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_a_plan_of_nothing_has_words_and_no_bar() -> None:
    nothing = {
        "stories": [],
        "blocked": [],
        "blockers": [],
        "current": None,
        "summary": "no stories",
        "percent": None,
    }
    counts = dict.fromkeys(ANSWER["counts"], 0)
    assert trimmed(screen({**ANSWER, **nothing, "counts": counts}, 100)).splitlines()[1] == "no stories"


def test_a_plan_alone_is_shown_without_project_and_freshness(project: Path) -> None:
    shown = trimmed(screen(plan_status(str(project / "prd.json")), 100))
    assert shown.startswith("Harbour\n▓")
    assert "○  US-003  Story 3 (waits for US-002)  pending\n" in shown
    assert "Summary" not in shown


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
def test_a_real_terminal_gets_the_screen_in_its_width(project: Path) -> None:
    shown = on_terminal(project, columns=72)
    assert "▓" in shown
    assert "\x1b[32m" in shown
    assert "Current" in shown


def on_terminal(project: Path, columns: int) -> str:
    """Run `status` on a pseudo-terminal and return what reaches it."""
    ours, theirs = pty.openpty()
    variables = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color", "PYTHONPATH": PLUGIN_ROOT}
    variables.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "progress_plugin.cli.main", "status"]
    with subprocess.Popen(
        command, cwd=project, env=variables, stdout=theirs, stdin=subprocess.DEVNULL
    ) as process:
        os.close(theirs)
        shown = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break  # Linux tells the end of a pseudo-terminal so
            if not part:
                break
            shown += part
        assert process.wait(60) == 0
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize(
    ("since", "said"),
    [
        ("2026-04-02T11:59:30Z", "just now"), ("2026-04-02T11:58:00+00:00", "2 minutes"),
        ("2026-04-02T11:00:00", "1 hour"), ("2026-04-01", "1 day"), ("2026-02-01T00:00:00Z", "2 months"),
        ("2023-01-01", "3 years"), ("2027-01-01", "just now"), (None, ""), ("soon", ""),
    ],
)  # fmt: skip
def test_an_age_is_told_in_the_words_people_use(since: str | None, said: str) -> None:
    assert time_ago(since, NOW) == said
