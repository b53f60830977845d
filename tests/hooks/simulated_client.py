"""A repository, and a client that sends events to the hooks of the plugin, each a process."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.core.snapshot import FAILURE
from tests import warm_process

REPOSITORY = Path(__file__).resolve().parents[2]
MAIN = str(REPOSITORY / "progress_plugin/__main__.py")


class Answer:
    """What one hook printed."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.raw = done.stdout
        self.errors = done.stderr.decode()
        self.json: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}

    @property
    def context(self) -> str:
        """The text for the model without its end mark, or an empty string."""
        return str(self.json.get("hookSpecificOutput", {}).get("additionalContext", "")).removesuffix(
            f"{END_OF_CONTEXT}\n"
        )

    @property
    def user_line(self) -> str | None:
        """The line for the user."""
        return self.json.get("systemMessage")


class Hooks:
    """Starts the hooks for one project, as Claude Code does."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.session = "session-1"
        self.environment: dict[str, str] = {}

    def start(self, source: str = "startup", **fields: Any) -> Answer:
        """Begin, resume, clear or compact a session; try again if a busy machine made the start too slow."""
        for _ in range(3):
            answer = self.event("SessionStart", source=source, **fields)
            if answer.user_line != FAILURE:
                break
        return answer

    def event(self, name: str, **fields: Any) -> Answer:
        """Send an event."""
        message = {"session_id": self.session, "cwd": str(self.root), "hook_event_name": name, **fields}
        client = {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(self.root)}
        variables = {**os.environ, **client, **self.environment}
        given = json.dumps(message).encode()
        answer = Answer(warm_process.run(["hook", name], cwd=self.root, env=variables, stdin=given))
        assert (answer.code, answer.errors) == (0, "")
        return answer

    def edited(self, path: str) -> Answer:
        """Report that the agent wrote a file of the project."""
        return self.used("Write", path)

    def used(self, tool: str, path: str, **fields: Any) -> Answer:
        """Report that the agent used a tool on a file of the project."""
        given = {"file_path": str(self.root / path), "content": "…"}
        return self.event("PostToolUse", tool_name=tool, tool_input=given, **fields)

    def ran(self, command: str) -> Answer:
        """Report that the agent ran a command."""
        return self.event("PostToolUse", tool_name="Bash", tool_input={"command": command})

    def command(self, *words: str) -> str:
        """Run a command of ours in the project; return its output."""
        done = warm_process.run(["-C", str(self.root), *words], cwd=REPOSITORY, env=os.environ)
        done.check_returncode()
        return done.stdout.decode()

    def log(self) -> list[dict[str, Any]]:
        """Return the raw entries of the log."""
        path = self.root / ".agent-os/progress/progress.json"
        return list(json.loads(path.read_text("utf-8"))["entries"]) if path.exists() else []

    def finished(self) -> list[dict[str, Any]]:
        """Return the entries of completed tasks, without later supplements."""
        entries = [entry for entry in self.log() if entry["type"] == "task_completed"]
        return [entry for entry in entries if "supplements" not in entry["data"]]


class Repository:
    """A git repository with a plan of fourteen stories."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "agent@example.org")
        self.git("config", "user.name", "agent")

    def git(self, *arguments: str, variables: dict[str, str] | None = None) -> str:
        """Run git; return its output."""
        environment = {**os.environ, **(variables or {})}
        command = ["git", *arguments]
        done = subprocess.run(command, cwd=self.root, check=True, capture_output=True, env=environment)
        return done.stdout.decode().strip()

    def plan(self, done: int, total: int = 14, **story: Any) -> None:
        """Write the plan with its first `done` stories finished."""
        stories = [
            {"id": f"US-{number:03}", "title": f"Story number {number}", "passes": number <= done, **story}
            for number in range(1, total + 1)
        ]
        text = json.dumps({"project": "Lighthouse", "userStories": stories}, indent=1)
        self.write("prd.json", text)

    def write(self, name: str, text: str = "") -> None:
        """Write a file."""
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, "utf-8")

    def commit(self, message: str = "work") -> str:
        """Commit everything and return the commit's id."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def commit_nothing(self) -> str:
        """Make an empty commit and return its id."""
        self.git("commit", "-q", "--allow-empty", "-m", "nothing")
        return self.git("rev-parse", "HEAD")
