"""No text changes structure, path or template, and a person can still read it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.clients import END_OF_CONTEXT
from tests.background import wait_for_processes
from tests.torture.client import acting, told
from tests.torture.figures import SECONDS
from tests.torture.hostile_text import HOSTILE
from tests.torture.workplace import Workplace, parses, snapshot

FIELD_LIKE = ("client tag", "our own heading", "open fence", "line separators")
PATH_LIKE = ("a way up", "nul", "very long")
"""A long run tries all of them as a field and as a path."""
HEADINGS = {
    "## Completion Status", "## Work in Progress", "## Story Status", "## Key Learnings (Extracted)",
    "### Repository Patterns", "### Gotchas & Warnings", "### Dependencies Discovered", "### Noted in Earlier Work",
}  # fmt: skip


def _told_everywhere(place: Workplace, text: str) -> None:
    """Put a text into every field that other people or a model can fill."""
    stories = [{"id": f"US-{number:03}", "title": "Plain", "passes": number < 3} for number in range(1, 6)]
    stories[0] |= {"title": text, "notes": text, "delegatedTo": text, "completedAt": text}
    stories[3] |= {
        "id": text,
        "title": text,
        "status": "blocked",
        "notes": text,
        "dependsOn": [text, "US-001"],
    }
    plan = {"project": text, "branchName": text, "userStories": stories, "optimization": {text[:40]: text}}
    (place.root / "prd.json").write_text(json.dumps(plan), "utf-8")
    body = text.encode("utf-8", "replace").decode()
    log = (
        f"# Progress Log\n\n## 2026-03-01 - US-001: {body}\n- {body}\n- Files: {body}\n"
        f"- **Learnings for future iterations:**\n  - Gotcha: {body} in `{body}`\n  - {body}\n---\n"
        f"\n## {body} - US-002: Plain\n- done\n---\n"
    )
    (place.root / "progress.md").write_text(log, "utf-8")
    entries: list[Any] = [
        {"id": text, "timestamp": text, "type": text, "spec": text, "task_id": text, "data": {text: text, "description": text}},
        {"id": "e-1", "timestamp": "2026-03-05T10:00:00Z", "type": "task_blocked", "spec": text, "task_id": text,
         "data": {"issue": text, "suggested_resolution": text, "learnings": [text, {"x": text}], "files_modified": [text]}},
        {"id": "e-2", "timestamp": "2026-03-06T10:00:00Z", "type": "task_completed", "task_id": "US-002",
         "data": {"description": text, "notes": text, "next_steps": text, text: [text]}},
    ]  # fmt: skip
    document = {"version": "1.0", "project": text, text: text, "entries": entries}
    place.ours.mkdir(parents=True, exist_ok=True)
    (place.ours / "progress.json").write_text(json.dumps(document), "utf-8")


def _check_structure(text: str) -> None:
    """Check that headings, tables and fences are those of the template, whatever the texts are."""
    lines = text.splitlines()
    assert sum(line.startswith("# ") for line in lines) == 1
    recent = next(
        (place for place, line in enumerate(lines) if line.startswith("## Recent Context (Last ")), len(lines)
    )
    assert {line for line in lines[:recent] if re.match(r"#{2,} ", line)} <= HEADINGS
    assert all(
        re.fullmatch(r"### .+ \((?:[✓→○✗⊘–]|other work)\)", line)
        for line in lines[recent + 1 :]
        if line.startswith("#")
    )
    rows = [line for line in lines if line.startswith("|")]
    columns = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows}
    assert columns <= {4} or columns <= {6}, rows
    assert not any(line.lstrip().startswith(("```", "~~~", "===", "<!--")) for line in lines)


@pytest.mark.parametrize("name", HOSTILE if SECONDS else FIELD_LIKE)
def test_a_hostile_text_in_every_field_changes_no_structure_and_stays_readable(
    workplace: Workplace, name: str
) -> None:
    _told_everywhere(workplace, HOSTILE[name])
    context = workplace.context()
    assert "lantern" in context
    assert "1337" not in context
    _check_structure(context)
    summary = (workplace.ours / "progress-summary.md").read_text("utf-8")
    assert not acting(summary)
    _check_structure(summary)
    assert workplace.log("plain work") == 0
    readable = (workplace.ours / "progress.md").read_text("utf-8")
    assert not acting(readable)
    assert "lantern" in readable
    assert readable.count("\n### ") == 4
    assert not re.search(r"(?m)^(```|~~~)", readable)
    parses(workplace.ours)


@pytest.mark.parametrize("name", HOSTILE if SECONDS else PATH_LIKE)
def test_a_hostile_text_leads_no_path_anywhere(workplace: Workplace, tmp_path: Path, name: str) -> None:
    text = HOSTILE[name]
    before = {path: state for path, state in snapshot(tmp_path).items() if not path.startswith("lighthouse")}
    workplace.hooks.session = text
    spec = (
        workplace.root
        / ".agent-os/specs"
        / (text.replace("/", "∕").replace("\0", "")[:60].encode("utf-8", "replace").decode())
    )
    spec.mkdir(parents=True)
    (spec / "tasks.md").write_text("- [x] 1. Light the lantern\n- [ ] 2. Trim the wick\n", "utf-8")
    workplace.start()
    plain = text.encode("utf-8", "replace").decode().replace("\0", "")
    named = ("--task", plain[:300], "--spec", plain[:300])
    assert workplace.log(plain, *named) == 0
    assert workplace.log(plain, *named, "--resolves", plain[:300]) == 2
    workplace.hooks.event("TaskCompleted", task_subject=text, task_id=text)
    (spec / "tasks.md").write_text("- [x] 1. Light the lantern\n- [x] 2. Trim the wick\n", "utf-8")
    workplace.hooks.event("Stop", stop_hook_active=text)
    workplace.start("resume")
    workplace.hooks.event("SessionEnd", reason=text)
    workplace.command("archive", "--days", "0", "--at-least", "1")
    wait_for_processes(tmp_path)
    after = {path: state for path, state in snapshot(tmp_path).items() if not path.startswith("lighthouse")}
    assert after == before
    assert [entry["type"] for entry in workplace.everything()].count("task_completed") >= 2
    assert {path.name for path in workplace.ours.iterdir()} <= {
        ".gitignore", "archive", "lock", "progress-summary.md", "progress.json", "progress.md", "summaries",
    }  # fmt: skip


def test_a_damaged_start_shows_hostile_entries_safely_as_well(workplace: Workplace) -> None:
    names = ("client tag", "tag over two lines", "fake tool result", "colours and titles", "right to left")
    entries = [
        {"id": f"e-{name}", "timestamp": "2026-03-05T10:00:00Z", "type": "task_completed", "data": {"description": HOSTILE[name]}}
        for name in names
    ]  # fmt: skip
    workplace.ours.mkdir(parents=True)
    (workplace.ours / "progress.json").write_text(json.dumps({"version": "1.0", "entries": entries}), "utf-8")
    code = (
        "from progress_plugin.usecases import starting\nstarting.ensure_fresh_cache = lambda *_: 1 / 0\n"
        "from progress_plugin.hooks.events import run_event\nrun_event(['SessionStart'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b'{"session_id": "s", "source": "startup"}', capture_output=True,
        env={**os.environ, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(workplace.root)}, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    context = str(told(done.stdout)["hookSpecificOutput"]["additionalContext"]).removesuffix(
        f"{END_OF_CONTEXT}\n"
    )
    assert "the last entries of the log" in context
    assert context.count("lantern") >= len(names)
    assert not acting(context)
    assert all(line.startswith(("- ", "agent-progress")) for line in context.splitlines())
