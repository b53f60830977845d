"""A repository that is a trap: links to files outside in every place that we read."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from progress_plugin.core.errors import ToolError
from progress_plugin.mcp.server import call
from tests.conftest import link_pycache
from tests.torture.workplace import Workplace, snapshot

MARK = "kept-from-everybody"
"""Stands in every file outside; it looks like no secret, so nothing but not reading it keeps it in."""

_ENTRY = {
    "id": f"entry-{MARK}", "timestamp": "2026-03-02T10:00:00Z", "type": "task_completed", "task_id": "US-001",
    "spec": MARK, "data": {"description": MARK, "learnings": [f"Gotcha: {MARK}"], "next_steps": MARK},
}  # fmt: skip
_MARKDOWN = (
    f"# Progress Log\n\nBranch: {MARK}\n\n## Codebase Patterns\n- Always {MARK}\n\n"
    f"## 2026-03-02 10:00 - US-001: {MARK}\n- Did {MARK}\n**Learnings:**\n- Gotcha: {MARK}\n"
)
_STORY = {"id": "US-001", "title": MARK, "status": "done", "passes": True, "acceptanceCriteria": [MARK]}
_LOG = json.dumps({"version": "1.0", "project": MARK, "entries": [_ENTRY]})
_PLAN = json.dumps({"project": MARK, "branchName": MARK, "userStories": [_STORY]})
_TASKS = json.dumps({"master": {"tasks": [_STORY], "metadata": {"projectName": MARK}}})
_PHASES = f"# {MARK}\n\n### Phase 1: {MARK}\n**Status:** complete\n- [x] {MARK}\n"

OURS = ".agent-os/progress"
CONTENTS = {
    **dict.fromkeys(("progress.md", "progress.txt", "tasks/progress.md", "claude-progress.txt", "notes/log.md"), _MARKDOWN),
    **dict.fromkeys(("prd.json", "tasks/prd.json", "ralph/prd.json", "plans/prd.json", ".chief/prds/a/prd.json"), _PLAN),
    **dict.fromkeys((".taskmaster/tasks/tasks.json", "tasks/tasks.json", ".agent-os/specs/one/tasks.json"), _TASKS),
    "feature_list.json": json.dumps({"features": [_STORY]}),
    ".taskmaster/state.json": json.dumps({"currentTag": MARK}),
    ".agent-os/specs/two/tasks.md": f"# {MARK}\n\n- [x] 1. {MARK}\n",
    ".beads/issues.jsonl": json.dumps(_STORY) + "\n",
    "task_plan.md": _PHASES,
    ".planning/x/task_plan.md": _PHASES,
    f"{OURS}/progress.json": _LOG,
    f"{OURS}/progress.json.corrupt-20260101T000000Z": _LOG[:-2],
    f"{OURS}/archive/2026-03.json": json.dumps({"entries": [_ENTRY]}),
    f"{OURS}/archive/2026-04.json.corrupt-20260101T000000Z": json.dumps({"entries": [_ENTRY]})[:-1],
    f"{OURS}/archive/index.json": json.dumps({"format": 1, "hidden": [], "files": {MARK: {}}}),
    f"{OURS}/recovery/progress-000001-20260314-00000000.json": _LOG,
    f"{OURS}/recovery/original-x.json": _LOG,
    f"{OURS}/config.toml": f'project = "{MARK}"\nlog_files = ["notes/log.md"]\n',
    f"{OURS}/templates/progress-summary.md.j2": f"# Progress Summary: {MARK}\n",
    f"{OURS}/progress-summary.md": f"# Progress Summary: {MARK}\n",
    f"{OURS}/summaries/main.md": f"# Progress Summary: {MARK}\n",
    f"{OURS}/shared/host-b/2026-03/entry-20260302-100000-abcdef.0123456789ab.json": json.dumps(_ENTRY),
    f"{OURS}/erased.json": json.dumps({"ids": [f"entry-{MARK}"]}),
    f"{OURS}/archive/stories": json.dumps({"months": [MARK], "counts": {MARK: 1}}) + f"\n{MARK}\n",
    f"{OURS}/report.html": MARK + "\n",
    ".planning/STATE.md": _MARKDOWN,
    "memory-bank/activeContext.md": _MARKDOWN,
    "docs/progress.md": _MARKDOWN,
    f"{OURS}/lock": f"{MARK} {MARK} {MARK}\n",
    f"{OURS}/.gitignore": f"# {MARK}\n*\n",
    "AGENTS.md": f"# {MARK}\n",
    ".claude/settings.json": json.dumps({"enabledPlugins": {f"progress@{MARK}": True, "progress@b": True}}),
    ".git/HEAD": f"ref: refs/heads/{MARK}\n",
    ".git/packed-refs": f"{MARK} refs/heads/main\n",
    ".git/logs/HEAD": f"0 1 {MARK}\tcommit: {MARK}\n",
}  # fmt: skip
"""By its place in a project, what a file there would say that is really a link to somewhere else."""

FOLDERS = (
    "tasks", "notes", ".chief", ".taskmaster", ".taskmaster/tasks", ".agent-os", ".agent-os/specs", ".agent-os/specs/one",
    ".beads", ".planning", OURS, f"{OURS}/archive", f"{OURS}/recovery", f"{OURS}/templates", f"{OURS}/summaries",
    f"{OURS}/shared", f"{OURS}/shared/host-b", "memory-bank", ".claude", ".git",
)  # fmt: skip


class Trap:
    """A repository, the files outside that its links lead to, and all output while it was used."""

    def __init__(self, root: Path, outside: Path, home: Path, printed: pytest.CaptureFixture[str]) -> None:
        self.place = Workplace(root)
        self.place.commit_anything()
        self.outside = outside
        self.home = home
        self.said: list[str] = []
        self._printed = printed
        for name, content in CONTENTS.items():
            file = outside / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, "utf-8")
        self._before = snapshot(outside)

    def link(self, name: str, *, relative: bool = False) -> None:
        """Replace a file by a link to a file outside."""
        link = self.place.root / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if link.is_dir():
            link.rename(link.with_name(f"{link.name}-aside"))
        link.unlink(missing_ok=True)
        target = self.outside / name
        link.symlink_to(os.path.relpath(target, link.parent) if relative else target)

    def start(self, source: str = "startup") -> str:
        """Start a session; return what the client was told."""
        raw = self.place.hooks.start(source).raw.decode()
        self.said.append(raw)
        return raw

    def command(self, *words: str) -> str:
        """Run a command; return what it printed."""
        self.place.command(*words)
        said = self._printed.readouterr()
        self.said += [said.out, said.err]
        return said.out + said.err

    def call(self, tool: str, **given: object) -> None:
        """Call a tool of the server."""
        with contextlib.suppress(ToolError):
            data, text = call(tool, given, {})
            self.said += [json.dumps(data), text]

    def held(self) -> list[str]:
        """Return where the outside text appears: in the output, and in files of the project and the home."""
        places = [said[:300] for said in self.said if MARK in said]
        for top in (self.place.root, self.home):
            files = [path for path in _files(top) if MARK.encode() in path.read_bytes() or MARK in path.name]
            places += map(str, files)
        return places

    def check(self) -> None:
        """Check that no outside text appears, and that no file outside was changed."""
        held = self.held()
        assert not held, held
        assert snapshot(self.outside) == self._before


def _files(top: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(top):
        for name in names:
            path = Path(folder, name)
            if path.is_file() and not path.is_symlink():
                yield path


@pytest.fixture
def trap(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> Trap:
    """Return a repository without links yet, and the files outside that they may lead to."""
    outside = tmp_path / "outside"
    outside.mkdir()
    link_pycache(home)
    return Trap(tmp_path / "lighthouse", outside, home, capsys)
