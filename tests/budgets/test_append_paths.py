"""What an append by a hook may load, open and sync: its budget as far as it can be held without a clock."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from watched_door import PYTHON, door, watched

DOOR = door("record.py")
NOT_TO_APPEND = {
    "asyncio", "click", "concurrent.futures", "dataclasses", "email", "hashlib", "inspect", "jinja2", "mcp",
    "multiprocessing", "platformdirs", "pydantic", "rich", "selectors", "shutil", "signal", "socket", "sqlite3",
    "ssl", "subprocess", "tempfile", "tomllib", "typing", "unittest", "urllib", "watchdog",
    "progress_plugin.memory.database", "progress_plugin.core.git.commit_files",
}  # fmt: skip
WATCHED = watched("record.py", "PostToolUse")
LOOKS = f"""
import os, posix, sys
stat = posix.stat
def look(path, **how):
    if str(path).endswith("/2025-01.json"):
        posix.write(2, f"look {{path}}\\n".encode())
    return stat(path, **how)
os.stat = posix.stat = look
sys.argv = [{DOOR!r}, "PostToolUse"]
exec(compile(open({DOOR!r}).read(), {DOOR!r}, "exec"), {{"__file__": {DOOR!r}}})
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no way here to name an open file")


class Harbour:
    """A project whose plan, log and archive are all in use."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        self.ours = root / ".agent-os/progress"
        self._done = 0
        (root / ".git").mkdir(parents=True)
        (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
        (root / "progress.md").write_text("## 2026-01-05 - US-001: Light the lamp\n- Lit it\n", "utf-8")
        folder = self.ours / "archive"
        folder.mkdir(parents=True)
        old = {"id": "e-1", "timestamp": "2025-01-05T10:00:00Z", "type": "milestone_reached", "data": {}}
        (folder / "2025-01.json").write_text(json.dumps({"entries": [old]}))

    def finish_a_story(self, *words: str) -> list[str]:
        """Turn the next story of the plan done, have the hook of that edit run; return what it reported."""
        self._done += 1
        path = self.root / "prd.json"
        stories = [
            {"id": f"US-{number:03}", "title": f"Lamp {number}", "passes": number <= self._done}
            for number in range(1, 9)
        ]
        path.write_text(json.dumps({"name": "Lamps", "userStories": stories}))
        edit = {"tool_name": "Edit", "tool_input": {"file_path": str(path)}}
        said = {"session_id": "s-1", "cwd": str(self.root), "hook_event_name": "PostToolUse", **edit}
        done = subprocess.run(
            [PYTHON, "-I", "-S", "-X", "utf8", *words],
            input=json.dumps(said).encode(),
            capture_output=True,
            env={"HOME": str(self.home), "CLAUDECODE": "1"},
            check=True,
        )
        return done.stderr.decode().splitlines()

    def tasks(self) -> list[str]:
        """Return the tasks that the log tells of."""
        entries = json.loads((self.ours / "progress.json").read_bytes())["entries"]
        return [entry["task_id"] for entry in entries if "task_id" in entry]


@pytest.fixture
def harbour(tmp_path: Path, home: Path) -> Harbour:
    """Return a project that has seen two appends, so that everything of ours is in its place."""
    harbour = Harbour(tmp_path / "harbour", home)
    for _ in range(3):
        harbour.finish_a_story(DOOR, "PostToolUse")
    assert harbour.tasks() == ["US-002", "US-003"]
    return harbour


def test_an_append_loads_nothing_that_only_others_need(harbour: Harbour) -> None:
    lines = harbour.finish_a_story("-X", "importtime", DOOR, "PostToolUse")
    loaded = {line.rsplit("|", 1)[1].strip() for line in lines if "|" in line}
    assert harbour.tasks()[-1] == "US-004"
    assert {
        "progress_plugin.usecases.recording.entries_from_signals",
        "progress_plugin.summary.render",
    } <= loaded
    assert not NOT_TO_APPEND & loaded
    assert len(loaded) <= 283


def test_an_append_where_no_agent_keeps_a_log_loads_nothing_that_reads_one(harbour: Harbour) -> None:
    (harbour.root / "progress.md").unlink()
    lines = harbour.finish_a_story("-X", "importtime", DOOR, "PostToolUse")
    loaded = {line.rsplit("|", 1)[1].strip() for line in lines if "|" in line}
    assert harbour.tasks()[-1] == "US-004"
    assert not {"progress_plugin.authored.reader", "progress_plugin.learnings.extract"} & loaded


def test_an_append_reads_plans_and_logs_once_for_entry_and_summary(harbour: Harbour) -> None:
    opened = harbour.finish_a_story("-c", WATCHED)
    assert harbour.tasks()[-1] == "US-004"
    for name in ("prd.json", "progress.md"):
        # Once to read it, once more where the clock has not moved on since it was written.
        assert 1 <= opened.count(f"read {harbour.root}/{name}") <= 2


def test_an_append_opens_no_month_of_the_archive_and_parses_index_and_table_once(harbour: Harbour) -> None:
    opened = harbour.finish_a_story("-c", WATCHED)
    archive = [line.rpartition("/")[2] for line in opened if f"{harbour.ours}/archive" in line]
    # The index as an input, and to parse it; it is not written. Then the table.
    assert archive == ["index.json", "index.json", "stories"]


def test_an_append_syncs_the_log_and_its_name_and_nothing_else(harbour: Harbour) -> None:
    synced = [line for line in harbour.finish_a_story("-c", WATCHED) if line.startswith("sync")]
    assert harbour.tasks()[-1] == "US-004"
    log, folder = synced
    assert Path(log.removeprefix("sync ")).name.startswith(".agent-progress-progress.json.")
    assert folder == f"sync {harbour.ours}"


def test_an_append_replaces_each_of_its_files_once(harbour: Harbour) -> None:
    opened = "\n".join(harbour.finish_a_story("-c", WATCHED))
    replaced = re.findall(rf"write {harbour.ours}/\.agent-progress-(.+)\.[0-9a-f]{{12}}\.tmp", opened)
    assert sorted(replaced) == [
        "baseline.json", "progress-summary.md", "progress.json", "progress.md", "start.cache",
    ]  # fmt: skip


def test_an_append_looks_at_each_month_of_the_archive_four_times(harbour: Harbour) -> None:
    looked = harbour.finish_a_story("-c", LOOKS)
    assert harbour.tasks()[-1] == "US-004"
    # For the index, at what was read under the lock, for the index after the append, before the summary's place.
    assert looked == [f"look {harbour.ours}/archive/2025-01.json"] * 4
