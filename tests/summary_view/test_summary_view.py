"""The summaries of small projects, made from their files and our own log."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import os
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.config.settings import Settings
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.sources.find import find_sources
from progress_plugin.state.inputs import read_inputs, read_redacted
from progress_plugin.state.state import Record
from progress_plugin.summary.head_lines import other_plan_lines
from progress_plugin.summary.make_summary import Summary, make_summary
from progress_plugin.summary.newest_entries import newest_entries
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.summary.project_facts import Facts, with_decision

TODAY = dt.date(2026, 6, 1)
CHANGED_S = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC).timestamp()  # of every file
PROJECTS = sorted((Path(__file__).parent / "projects").glob("*.txt"))


def project_facts(name: str, root: Path) -> Facts:
    """Write the files of an example below `root` and read them as a project."""
    sources = (Path(__file__).parent / "projects" / f"{name}.txt").read_text("utf-8").partition("\n==>\n")[0]
    entries = []
    for path, text in re.findall(r"^--- (\S+)\n((?:(?!--- ).*\n?)*)", sources, re.MULTILINE):
        if path == "entries":
            entries = json.loads(text)
        else:
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text, "utf-8")
            os.utime(root / path, (CHANGED_S, CHANGED_S))
    return read_facts(root, entries)


def read_facts(root: Path, entries: list[dict[str, Any]]) -> Facts:
    """Read the files below `root`, with entries of our own log."""
    snapshot = InputSnapshot(str(root))
    files = find_sources(snapshot, None).files
    documents = read_inputs(files, partial(read_redacted, snapshot, {}))
    name = documents.plans[0].name if documents.plans else root.name
    problems = tuple(f"{file.path}: {file.reason}" for file in files if file.is_unreadable)
    facts = Facts(name, None, files, documents, read_own_log(entries), problems=problems)
    return with_decision(facts, TODAY)


def summary_of(name: str, root: Path, **settings: object) -> Summary:
    return make_summary(project_facts(name, root), Settings(**settings))


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: path.stem)
def test_summary_has_these_lines_in_this_order(path: Path, tmp_path: Path) -> None:
    expected = path.read_text("utf-8").partition("\n==>\n")[2].splitlines()
    lines = iter(summary_of(path.stem, tmp_path).text.splitlines())
    assert [line for line in expected if line not in lines] == []


def test_what_a_finished_story_was_to_do_is_not_shown(tmp_path: Path) -> None:
    assert "will hang the gate" not in summary_of("overtaken-announcement", tmp_path).text


def test_entries_of_one_day_have_the_order_of_the_commits_that_name_their_stories(tmp_path: Path) -> None:
    facts = project_facts("two-plans-with-the-same-ids", tmp_path)
    assert [entry.ids for _, entry in newest_entries(facts)] == [("US-001",), ("US-002",)]
    plans = {"US-002": "mill/prd.json", "US-001": "quay/prd.json"}
    for stories in (["US-001", "US-002"], ["US-002", "US-001"]):
        commits = tuple(Record("c", story, "", path=plans[story]) for story in stories)
        newest = newest_entries(dataclasses.replace(facts, commits=commits))
        assert [entry.ids[0] for _, entry in newest] == stories[::-1]


def test_of_an_older_plan_the_date_is_shown_and_not_what_is_next(tmp_path: Path) -> None:
    quay, mill = project_facts("two-plans-with-the-same-ids", tmp_path).state.plans
    older = quay._replace(plan=quay.plan._replace(changed_s=mill.plan.changed_s - 1))
    lines = [line.text for line in (*other_plan_lines([mill, quay]), *other_plan_lines([mill, older]))]
    assert lines == [
        f"quay/prd.json: 1 of 2 open{end}" for end in (", next: Lay the planks", " on 2026-03-02")
    ]


def test_unreadable_plan_is_named(tmp_path: Path) -> None:
    assert "Not read: prd.json" in summary_of("unreadable-plan", tmp_path).text


def test_lines_know_their_sources(tmp_path: Path) -> None:
    summary = summary_of("plan-and-log", tmp_path)
    sources = {line.text: [(each.path, each.line) for each in line.sources] for line in summary.lines()}
    assert sources["- The gate stops at 2 m"] == [("prd.json", 4)]
    assert sources["- The crane follows the rails of the quay"] == [("progress.md", 13)]
    assert [path for path, _ in sources["| US-003 | Close the sluice at ebb | ○ |"]] == ["prd.json"]
    assert [line.text for line in summary.lines()] == summary.text.splitlines()


def test_size_is_limited_and_the_newest_entry_stays(tmp_path: Path) -> None:
    text = summary_of("plan-and-log", tmp_path, max_context_tokens=200).text
    assert "Never start the crane" not in text
    assert "### 2026-03-02 US-002: Move a crane along the quay (✓)" in text


def test_settings_limit_stories_and_learnings(tmp_path: Path) -> None:
    text = summary_of("plan-and-log", tmp_path, recent_stories_count=1, max_learnings=0).text
    assert "## Recent Context (Last 1 Story)" in text
    assert "No reusable patterns identified yet" not in text
    assert "known, none shown: `agent-progress recall WORDS`" in text


def test_muted_learning_is_not_shown(tmp_path: Path) -> None:
    facts = project_facts("own-log", tmp_path)
    assert "Pilots count berths" in make_summary(facts, Settings()).text
    path = Path(__file__).parent / "projects" / "own-log.txt"
    entries = json.loads(path.read_text("utf-8").partition("\n==>\n")[0].partition("\n")[2])
    entries[2]["data"]["mutes"] = ["Pilots count berths from the sea, so number them that way"]
    muted = read_facts(tmp_path, entries)
    assert "Pilots count berths" not in make_summary(muted, Settings()).text


def test_prioritised_sections_get_space_in_their_order(tmp_path: Path) -> None:
    names = ("gate", "rope", "mast", "keel", "hull", "sail", "bell", "plank", "anchor", "deck")
    patterns = "".join(
        f"- The {name} is always drawn in `{name}.svg` by the master before the wood for the {name} is cut\n"
        for name in names
    )
    gotchas = "".join(
        f"- A wet {name} breaks `{name}_check` in the yard, so dry every {name} for a week before the test\n"
        for name in names
    )
    text = f"# Log\n\n## Patterns\n\n{patterns}\n## Gotchas\n\n{gotchas}"
    (tmp_path / "progress.md").write_text(text, "utf-8")
    facts = read_facts(tmp_path, [])
    for first, other, sign in (("patterns", "gotchas", ".svg"), ("gotchas", "patterns", "_check")):
        shown = make_summary(facts, Settings(prioritize=(first, other), max_context_tokens=280)).text
        assert shown.count(sign) > shown.count("_check" if sign == ".svg" else ".svg")
