"""No source is opened while a journey holds the project's lock: whoever waits for it would wait for that, too."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
import pytest
from watched_door import PYTHON, REPOSITORY, door

MAIN = str(REPOSITORY / "progress_plugin/__main__.py")
PROGRAM = f"""
import os, posix, sys, threading
exec(open({str(REPOSITORY / "tests/openings.py")!r}).read().partition("import annotations")[2])
import fcntl
root, sys.argv = sys.argv[1], sys.argv[2:]
lock, state = root + "/.agent-os/progress/lock", threading.local()
def is_held():
    try:
        handle = posix.open(lock, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        posix.close(handle)
    return False
def told(event, arguments):
    if event == "open":
        path = state.openings.path(arguments[0], arguments[2])
        return path if path and path.startswith(root) else None
    return {{"subprocess.Popen": "a process", "sqlite3.connect": "a database"}}.get(event)
def watch(event, arguments):
    if getattr(state, "is_looking", False):
        return
    state.is_looking = True
    state.openings = getattr(state, "openings", None) or Openings()
    try:
        what = told(event, arguments)
        if what:
            posix.write(2, f"{{'locked' if is_held() else 'free'}} {{what}}\\n".encode())
    finally:
        state.is_looking = False
program = compile(open(sys.argv[0]).read(), sys.argv[0], "exec")
sys.addaudithook(watch)
exec(program, {{"__file__": sys.argv[0], "__name__": "__main__"}})
"""
PLAN, LOG, SETTINGS, AGENTS = "prd.json", "progress.md", ".agent-os/progress/config.toml", "AGENTS.md"
GOTCHA = "**Learnings:**\n- Pattern: the lamp needs oil of the first pressing\n"

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no way here to name an open file")


class Lighthouse:
    """A repository with a plan, an agent's log, settings, and a log of ours."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        self.log = root / ".agent-os/progress/progress.json"
        self._git("init", "-q", "-b", "main")
        (root / SETTINGS).parent.mkdir(parents=True)
        (root / SETTINGS).write_text("archive_days = 60\n", "utf-8")
        users = home / ".config/agent-progress/config.toml"
        users.parent.mkdir(parents=True)
        users.write_text("[promote]\nauto = true\n", "utf-8")
        (root / AGENTS).write_text("# For agents\n", "utf-8")
        (root / LOG).write_text(
            "".join(f"## 2026-01-0{day} - US-00{day}: Lit the lamp\n{GOTCHA}\n" for day in range(1, 5)),
            "utf-8",
        )
        self.plan(done=1)
        self.commit()
        self.hook("start.py", "SessionStart", source="startup")
        self.hook("record.py", "TaskCompleted", task_id="9", task_subject="Sweep the stairs")

    def plan(self, done: int) -> None:
        """Have so many stories of the plan finished."""
        stories = [
            {"id": f"US-{number:03}", "title": f"Lamp {number}", "passes": number <= done}
            for number in range(1, 9)
        ]
        (self.root / PLAN).write_text(json.dumps({"name": "Lamps", "userStories": stories}), "utf-8")

    def commit(self) -> None:
        self._git("add", "-A")
        self._git("commit", "-qm", "work")

    def hook(self, name: str, event: str, **told: Any) -> list[str]:
        """Have a hook run; return what it opened, each with whether the lock was held then."""
        said = {"session_id": "s-1", "cwd": str(self.root), "hook_event_name": event, **told}
        return self._run([door(name), event], json.dumps(said).encode())

    def edited(self) -> list[str]:
        tool = {"tool_name": "Edit", "tool_input": {"file_path": str(self.root / PLAN)}}
        return self.hook("record.py", "PostToolUse", **tool)

    def command(self, *words: str) -> list[str]:
        return self._run([MAIN, "-C", str(self.root), *words], b"")

    def calls(self, tool: str, arguments: dict[str, Any]) -> list[str]:
        """Have the server of the tools called by a client that says no more than it must."""
        client = {"name": "a test", "version": "1"}
        begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        requests = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": tool, "arguments": arguments},
            },
        ]
        words = [PYTHON, "-I", "-S", "-X", "utf8", "-c", PROGRAM, str(self.root), MAIN, "mcp"]
        with subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._variables(),
        ) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            assert server.stderr is not None
            server.stdin.write(b"".join(json.dumps(request).encode() + b"\n" for request in requests))
            server.stdin.flush()
            while b'"id":2' not in server.stdout.readline().replace(b" ", b""):
                pass
            server.stdin.close()
            return server.stderr.read().decode().splitlines()

    def entries(self) -> list[str]:
        entries = json.loads(self.log.read_bytes())["entries"]
        return [entry["data"].get("description") or entry["type"] for entry in entries]

    def _run(self, words: Sequence[str], raw: bytes) -> list[str]:
        done = subprocess.run(
            [PYTHON, "-I", "-S", "-X", "utf8", "-c", PROGRAM, str(self.root), *words],
            input=raw,
            capture_output=True,
            env=self._variables(),
            check=True,
        )
        return done.stderr.decode().splitlines()

    def _variables(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "AGENT_PROGRESS_SITE": str(Path(jinja2.__file__).parents[1]),
            "CLAUDECODE": "1",
            "CLAUDE_PROJECT_DIR": str(self.root),
        }

    def _git(self, *words: str) -> None:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        self.root.mkdir(exist_ok=True)
        subprocess.run(["git", *identity, *words], cwd=self.root, check=True, capture_output=True)


@pytest.fixture
def lighthouse(tmp_path: Path, home: Path) -> Lighthouse:
    return Lighthouse(tmp_path / "lighthouse", home)


def _of_others(opened: list[str], root: Path) -> list[tuple[str, str]]:
    """Return what was opened that is not ours alone, with the state of the lock."""
    pairs = [line.split(" ", 1) for line in opened if line.startswith(("locked ", "free "))]
    ours = f"{root}/.agent-os/progress/"  # our directory itself is opened to sync it
    return [
        (state, what.removeprefix(f"{root}/"))
        for state, what in pairs
        if not f"{what}/".startswith(ours) or what.startswith((f"{ours}config.toml", f"{ours}templates"))
    ]


def _is_read_unlocked(opened: list[str], root: Path, *also: str) -> None:
    seen = _of_others(opened, root)
    assert {PLAN, SETTINGS, *also} <= {what for state, what in seen if state == "free"}
    assert [what for state, what in seen if state == "locked"] == []
    assert any(line.startswith("locked ") for line in opened), "the lock was never held"


def test_a_stale_start_reads_without_the_lock(lighthouse: Lighthouse) -> None:
    with (lighthouse.root / LOG).open("a", encoding="utf-8") as file:
        file.write(f"## 2026-01-07 - US-007: Rang the bell\n{GOTCHA}")
    opened = lighthouse.hook("start.py", "SessionStart", source="startup")
    _is_read_unlocked(opened, lighthouse.root, LOG, AGENTS)
    assert "first pressing" in (lighthouse.root / AGENTS).read_text("utf-8")


def test_an_entry_by_command_is_written_without_reading_under_the_lock(lighthouse: Lighthouse) -> None:
    opened = lighthouse.command("log", "task_completed", "--task", "US-002", "-m", "Filled the lamp")
    _is_read_unlocked(opened, lighthouse.root, LOG)
    assert lighthouse.entries()[-1] == "Filled the lamp"


def test_a_story_finished_in_the_plan_is_noticed_without_reading_under_the_lock(
    lighthouse: Lighthouse,
) -> None:
    lighthouse.plan(done=2)
    opened = lighthouse.edited()
    _is_read_unlocked(opened, lighthouse.root, LOG)
    assert lighthouse.entries()[-1] == "Lamp 2"


def test_what_a_commit_changed_is_asked_of_git_without_the_lock(lighthouse: Lighthouse) -> None:
    lighthouse.plan(done=3)
    lighthouse.commit()
    tool = {"tool_name": "Bash", "tool_input": {"command": "git commit -am work"}}
    opened = lighthouse.hook("record.py", "PostToolUse", **tool)
    _is_read_unlocked(opened, lighthouse.root, LOG, "a process")
    assert "Lamp 3" in lighthouse.entries()


def test_a_finished_task_is_recorded_without_reading_under_the_lock(lighthouse: Lighthouse) -> None:
    opened = lighthouse.hook("record.py", "TaskCompleted", task_id="1", task_subject="US-004: Lamp 4")
    _is_read_unlocked(opened, lighthouse.root, LOG)
    assert lighthouse.entries()[-1] == "Lamp 4"


def test_the_end_of_a_session_is_recorded_without_reading_under_the_lock(lighthouse: Lighthouse) -> None:
    opened = lighthouse.hook("record.py", "SessionEnd", reason="other")
    _is_read_unlocked(opened, lighthouse.root, LOG)
    assert lighthouse.entries()[-1] == "session_ended"


def test_a_summary_by_command_is_made_without_reading_under_the_lock(lighthouse: Lighthouse) -> None:
    lighthouse.plan(done=5)
    opened = lighthouse.command("status", "summarize")
    _is_read_unlocked(opened, lighthouse.root, LOG)
    assert lighthouse.entries()[-1] == "Lamp 5"


def test_an_entry_by_tool_is_written_without_reading_under_the_lock(lighthouse: Lighthouse) -> None:
    opened = lighthouse.calls("progress_log", {"type": "milestone_reached", "description": "The lamp burns"})
    _is_read_unlocked(opened, lighthouse.root, LOG)
    assert lighthouse.entries()[-1] == "The lamp burns"


@pytest.mark.parametrize(
    "words",
    [("init",), ("repair",), ("archive", "--days", "0"), ("erase", "Sweep the stairs", "--yes")],
    ids=lambda words: words[0],
)
def test_what_else_writes_the_log_reads_without_the_lock(
    lighthouse: Lighthouse, words: tuple[str, ...]
) -> None:
    twin = json.loads(lighthouse.log.read_bytes())
    twin["entries"].append(twin["entries"][-1])  # there is something to mend
    lighthouse.log.write_text(json.dumps(twin), "utf-8")
    _is_read_unlocked(lighthouse.command(*words), lighthouse.root)
