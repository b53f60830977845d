"""Where there is exactly one of a thing, every output speaks of it in the singular."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import pytest

from tests.journeys.project_life import OURS, Life

_PLURAL_OF_ONE = re.compile(r"(?<![\w./,:-])(?:1|0 of 1) ((?:[a-z]+ ){0,2}?(?!is\b|was\b|this\b)[a-z]+s)\b")
_SINGULAR = re.compile(r"(?:ss|us|is)$|(?:needs|says|stands|waits|stays|of this)$")
"""What ends in s and is no plural."""

READING = (
    ("status",),
    ("status", "summarize"),
    ("status", "why"),
    ("recent",),
    ("recent", "-n", "1"),
    ("recent", "-n", "0"),
    ("context",),
    ("context", "--sources"),
    ("verify",),
    ("archive",),
    ("repair",),
    ("promote",),
    ("memory", "search", "locks"),
    ("memory", "compact", "--older-than-days", "1"),
    ("doctor",),
    ("doctor", "--verbose"),
    ("report",),
    ("extract", "progress.md"),
    ("init",),
    ("erase", "noon"),
    ("mute", "The gate locks at noon"),
    ("retract", "nothing"),
)


def plurals_of_one(text: str) -> list[str]:
    """Return what is said of one thing in the plural."""
    return [found[0] for found in _PLURAL_OF_ONE.finditer(text) if not _SINGULAR.search(found[1])]


@pytest.fixture
def one_of_each(life_alone: Life) -> Life:
    """Return a project with one plan, one story, one log, one entry, one blocker, one learning, one observation."""
    life_alone.plan("US-001 Berths")
    life_alone.write(
        "progress.md",
        "# Progress Log\n\n## 2026-01-05 10:00 - US-001: Berths\n- Marked the berths\n"
        "- **Learnings:**\n  - The gate locks at noon\n",
    )
    session = life_alone.starts()
    session.logs("task_blocked", "No paint", task="US-001", duration="1", data={"issue": "No paint left"})
    session.calls("mem_save", title="Gate", content="It locks at noon", type="decision")
    return life_alone


def told_by(life: Life, commands: Iterable[tuple[str, ...]]) -> list[str]:
    """Return what each command says in the plural of one thing, with the command."""
    found = []
    for words in commands:
        done = life.try_command(*words)
        found += [f"{' '.join(words)}: {said}" for said in plurals_of_one(done.stdout + done.stderr)]
    return found


def test_no_command_speaks_of_one_thing_in_the_plural(one_of_each: Life) -> None:
    assert told_by(one_of_each, READING) == []


def test_nor_does_a_start_the_page_or_the_readable_log(one_of_each: Life) -> None:
    session = one_of_each.starts()
    session.ends()
    one_of_each.command("report")
    page = (one_of_each.root / OURS / "report.html").read_text("utf-8")
    text = re.sub(r"<style>.*?</style>|<[^>]+>", "\n", page, flags=re.DOTALL)
    told = [session.context, session.user_line, one_of_each.readable, text, one_of_each.status_line]
    assert [said for each in told for said in plurals_of_one(each)] == []


def test_nor_do_the_answers_about_a_log_that_is_damaged_or_gone(one_of_each: Life) -> None:
    path = one_of_each.root / OURS / "progress.json"
    whole = path.read_text("utf-8")
    entries = json.loads(whole)["entries"]
    path.write_text(json.dumps({"version": "1.0", "entries": [entries[-1], entries[-1]]}), "utf-8")
    said = told_by(one_of_each, [("verify",), ("repair",)])
    path.write_text(whole + "broken", "utf-8")
    said += told_by(one_of_each, [("verify",), ("status",), ("repair",)])
    (path.parent / ".tmp-left").write_text("", "utf-8")
    path.unlink()
    said += told_by(one_of_each, [("status",), ("recent",), ("verify",), ("repair",)])
    assert said == []


def test_asked_for_no_entries_recent_tells_blockers_and_what_comes_next(one_of_each: Life) -> None:
    told = one_of_each.command("recent", "-n", "0").splitlines()
    assert told[0].startswith("No entries shown, 1 blocker")
    assert "No previous progress" not in "".join(told)
    assert told[1] == "Open blockers:"


def test_the_check_itself_finds_plurals_and_nothing_else() -> None:
    assert plurals_of_one("1 blockers, 1 tasks completed, 0 of 1 learnings shown, 1 open stories") == [
        "1 blockers",
        "1 tasks",
        "0 of 1 learnings",
        "1 open stories",
    ]
    assert plurals_of_one("1 entry, 11 blockers, 1 pass, US-1 blocks, v1.1 things, 1 thing needs") == []
