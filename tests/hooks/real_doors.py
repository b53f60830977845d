"""A repository, and a client that starts the real doors as processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jinja2

REPOSITORY = Path(__file__).resolve().parents[2]
MAIN = str(REPOSITORY / "progress_plugin/__main__.py")
SITE = str(Path(jinja2.__file__).parents[1])
"""The packages, as the launcher finds them in a standing environment."""


class Answer:
    """What one hook printed."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.raw = done.stdout
        self.errors = done.stderr.decode()
        self.json: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}

    @property
    def context(self) -> str:
        """What the model gets; empty where it gets nothing."""
        return str(self.json.get("hookSpecificOutput", {}).get("additionalContext", ""))

    @property
    def user_line(self) -> str | None:
        """What the person sees."""
        return self.json.get("systemMessage")


class Hooks:
    """Starts the doors for one project, as Claude Code does."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.session = "session-1"
        self.environment: dict[str, str] = {}

    def start(self, source: str = "startup", **fields: Any) -> Answer:
        """Begin, resume, clear or compact a session."""
        return self._run("SessionStart", {"source": source, **fields})

    def event(self, name: str, **fields: Any) -> Answer:
        """Send any other event."""
        return self._run(name, fields)

    def edited(self, path: str) -> Answer:
        """Tell that the agent edited a file of the project."""
        file = {"file_path": str(self.root / path), "content": "…"}
        return self.event("PostToolUse", tool_name="Write", tool_input=file)

    def ran(self, command: str) -> Answer:
        """Tell that the agent ran a command."""
        return self.event("PostToolUse", tool_name="Bash", tool_input={"command": command})

    def log(self) -> list[dict[str, Any]]:
        """Return the raw entries of the log."""
        path = self.root / ".agent-os/progress/progress.json"
        return list(json.loads(path.read_text("utf-8"))["entries"]) if path.exists() else []

    def finished(self) -> list[dict[str, Any]]:
        """Return the entries of finished tasks, without what was added to them later."""
        entries = [entry for entry in self.log() if entry["type"] == "task_completed"]
        return [entry for entry in entries if "supplements" not in entry["data"]]

    def _run(self, event: str, fields: dict[str, Any]) -> Answer:
        told = {"session_id": self.session, "cwd": str(self.root), "hook_event_name": event, **fields}
        variables = {
            **os.environ,
            "CLAUDECODE": "1",
            "CLAUDE_PROJECT_DIR": str(self.root),
            **self.environment,
        }
        command = [sys.executable, MAIN, "hook", event]
        done = subprocess.run(
            command,
            input=json.dumps(told).encode(),
            capture_output=True,
            env=variables,
            cwd=self.root,
            timeout=60,
        )
        answer = Answer(done)
        assert answer.code == 0, answer.errors
        assert answer.errors == ""
        return answer


class Repository:
    """A git repository with a plan of fourteen stories."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "agent@example.org")
        self.git("config", "user.name", "agent")

    def git(self, *arguments: str, variables: dict[str, str] | None = None) -> str:
        """Run git and return what it prints."""
        environment = {**os.environ, **(variables or {})}
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, check=True, capture_output=True, env=environment
        )
        return done.stdout.decode().strip()

    def plan(self, done: int, total: int = 14, **story: Any) -> None:
        """Write the plan with its first `done` stories finished."""
        stories = [
            {"id": f"US-{number:03}", "title": f"Story number {number}", "passes": number <= done, **story}
            for number in range(1, total + 1)
        ]
        text = json.dumps({"project": "Lighthouse", "userStories": stories}, indent=1)
        (self.root / "prd.json").write_text(text, "utf-8")

    def commit(self, message: str = "work") -> str:
        """Commit everything and return the commit's id."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def commit_nothing(self) -> str:
        """Make an empty commit and return its id."""
        self.git("commit", "-q", "--allow-empty", "-m", "nothing")
        return self.git("rev-parse", "HEAD")
