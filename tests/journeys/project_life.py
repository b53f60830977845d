"""Steps for journeys, which are tests of long scenarios: a project, its sessions, and what is read from it.

Every step is a process: hooks and commands and the MCP server are forks of one that has imported everything. `Life` is the project, `Session` one session of a coding agent in it.
"""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from progress_plugin.core.clients import END_OF_CONTEXT
from tests import warm_process

OURS = Path(".agent-os/progress")


class Failed(AssertionError):
    """A step that should have worked did not."""


class Life:
    """The life of one project, from its first plan on."""

    def __init__(self, root: Path) -> None:
        self.root = root
        """Where the work is done; in a linked worktree that is not where the log stands."""
        self.main = root
        self.environment: dict[str, str] = {}
        self._sessions = 0
        self._plans: dict[str, dict[str, Any]] = {}
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "agent@example.org")
        self.git("config", "user.name", "agent")

    # --- what people and agents do to the files ----------------------------------------------------------

    def plan(
        self,
        *stories: str,
        path: str = "prd.json",
        name: str = "Harbour",
        branch: str | None = None,
        **fields: Any,
    ) -> None:
        """Write a plan with these stories, each `US-001 its title`, all open; it replaces a plan at this path."""
        listed = [
            {"id": story.partition(" ")[0], "title": story.partition(" ")[2], "passes": False}
            for story in stories
        ]
        self._plans[path] = {
            "project": name,
            **({"branchName": branch} if branch else {}),
            **fields,
            "userStories": listed,
        }
        self.save_plan(path)

    def story(self, name: str, path: str = "prd.json", **fields: Any) -> None:
        """Change fields of a story in the plan file: `passes=True`, `status="blocked"`, `notes=…`."""
        plan = self._plans[path]
        found = next(story for story in plan["userStories"] if story["id"] == name)
        found.update(fields)
        for gone in [field for field, value in found.items() if value is None]:
            del found[gone]
        self.save_plan(path)

    def save_plan(self, path: str = "prd.json") -> None:
        """Write the plan file as this object knows it: after a checkout the file may differ."""
        self.write(path, json.dumps(self._plans[path], indent=1))

    def write(self, path: str, text: str) -> None:
        """Write any file of the project."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    def git(self, *arguments: str) -> str:
        """Run git in the project and return what it prints."""
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"git {' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip()

    def commit(self, message: str = "work") -> str:
        """Commit everything, as a person does outside of any session, and return the commit's id."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    # --- who works here ----------------------------------------------------------------------------------

    def session(self) -> Session:
        """Return a new session of a coding agent, not started yet."""
        self._sessions += 1
        return Session(self, f"session-{self._sessions}")

    def starts(self, source: str = "startup") -> Session:
        """Begin a new session and return it; what it was shown is its `context`."""
        session = self.session()
        session.starts(source)
        return session

    # --- what is read ------------------------------------------------------------------------------------

    @property
    def context(self) -> str:
        """What an agent that starts now is shown."""
        return self.starts().context

    @property
    def user_line(self) -> str:
        """The line a person sees when a session starts."""
        return self.starts().user_line

    @property
    def status_line(self) -> str:
        """The line in the client's status bar, after a session has started."""
        self.starts()
        return self.shown_status_line

    @property
    def shown_status_line(self) -> str:
        """The line in the client's status bar, without a session start before it."""
        told = {"cwd": str(self.root), "workspace": {"project_dir": str(self.root)}}
        return self._run(["statusline"], json.dumps(told).encode()).decode().strip()

    @property
    def status(self) -> str:
        """What `status` prints."""
        return self.command("status")

    @property
    def recent(self) -> str:
        """What `recent` prints."""
        return self.command("recent")

    @property
    def report(self) -> str:
        """What the report holds, as JSON text: the page shows the same."""
        return self.command("report", "--json")

    @property
    def readable(self) -> str:
        """`progress.md`, the log as a person reads it."""
        return (self.main / OURS / "progress.md").read_text("utf-8")

    def told_as_json(self, *words: str) -> Any:
        """Return what a reading command says with `--json`."""
        return json.loads(self.command(*words, "--json"))

    @property
    def log(self) -> list[dict[str, Any]]:
        """The raw entries of `progress.json`, none if there is no log."""
        path = self.main / OURS / "progress.json"
        return list(json.loads(path.read_text("utf-8"))["entries"]) if path.exists() else []

    def entries(self, kind: str) -> list[dict[str, Any]]:
        """Return the raw entries of one type."""
        return [entry for entry in self.log if entry["type"] == kind]

    # --- how ---------------------------------------------------------------------------------------------

    def command(self, *words: str, session: str | None = None) -> str:
        """Run `agent-progress WORDS` and return what it prints; raises Failed if the exit code is not 0."""
        done = self.try_command(*words, session=session)
        if done.returncode:
            raise Failed(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
        return done.stdout

    def try_command(self, *words: str, session: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run `agent-progress WORDS` as the launcher does, and return the finished process."""
        extra = {"CLAUDE_CODE_SESSION_ID": session} if session else {}
        done = warm_process.run(words, cwd=self.root, env=self._variables() | extra)
        return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())

    def hook(self, event: str, session: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Send a hook event as Claude Code does, and return its JSON answer."""
        told = {"session_id": session, "cwd": str(self.root), "hook_event_name": event, **fields}
        printed = self._run(["hook", event], json.dumps(told).encode())
        answer: dict[str, Any] = json.loads(printed) if printed else {}
        return answer

    def tool(self, name: str, arguments: dict[str, Any], session: str) -> str:
        """Start the MCP server, call one of its tools, and return the text of the answer."""
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        call = {"name": name, "arguments": arguments, "_meta": {"sessionId": session}}
        messages = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
        ]
        printed = self._run(["mcp"], "".join(json.dumps(message) + "\n" for message in messages).encode())
        answer = next(each for each in map(json.loads, printed.splitlines()) if each.get("id") == 2)
        result = answer.get("result") or {}
        return "\n".join(part.get("text", "") for part in result.get("content", [])) or json.dumps(answer)

    def _run(self, arguments: list[str], raw: bytes) -> bytes:
        done = warm_process.run(arguments, cwd=self.root, env=self._variables(), stdin=raw)
        if done.returncode or done.stderr:
            raise Failed(f"{arguments}: exit {done.returncode}: {done.stderr.decode()}")
        return done.stdout

    def _variables(self) -> dict[str, str]:
        return {
            **os.environ,
            "CLAUDECODE": "1",
            "CLAUDE_PROJECT_DIR": str(self.root),
            "AGENT_PROGRESS_NO_INSTALL": "1",
            **self.environment,
        }


class Session:
    """One session of a coding agent."""

    def __init__(self, life: Life, name: str) -> None:
        self.life = life
        self.name = name
        self.context = ""
        """What the last start of this session put in front of the agent."""
        self.user_line = ""

    def starts(self, source: str = "startup") -> str:
        """Start, resume, clear or compact the session, and return the context that it is shown."""
        answer = self.life.hook("SessionStart", self.name, {"source": source})
        self.context = str(answer.get("hookSpecificOutput", {}).get("additionalContext", "")).removesuffix(
            f"{END_OF_CONTEXT}\n"
        )
        self.user_line = str(answer.get("systemMessage", ""))
        return self.context

    def edits(self, path: str, text: str | None = None) -> None:
        """Edit a file of the project, with the hook that follows it."""
        if text is not None:
            self.life.write(path, text)
        file = {"file_path": str(self.life.root / path), "content": "…"}
        self.life.hook("PostToolUse", self.name, {"tool_name": "Write", "tool_input": file})

    def marks(self, story: str, path: str = "prd.json", **fields: Any) -> None:
        """Change a story in the plan: `marks("US-001", passes=True)`."""
        self.life.story(story, path, **fields)
        self.edits(path)

    def reads(self, path: str) -> str:
        """Read a file, and return the note that the agent is shown about it."""
        tool = {"tool_name": "Read", "tool_input": {"file_path": str(self.life.root / path)}}
        answer = self.life.hook("PostToolUse", self.name, tool)
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", "")).removesuffix(
            f"{END_OF_CONTEXT}\n"
        )

    def commits(self, message: str = "work") -> str:
        """Commit everything with a shell command of the agent's, and return the commit's id."""
        commit = self.life.commit(message)
        command = {"command": f"git add -A && git commit -m '{message}'"}
        self.life.hook("PostToolUse", self.name, {"tool_name": "Bash", "tool_input": command})
        return commit

    def logs(self, kind: str, description: str | None = None, **options: Any) -> str:
        """Run `agent-progress log`, and return what it prints: `logs("task_completed", "…", task="US-001")`.

        `learning` may be a list, `data` an object.
        """
        words = ["log", kind, *(["--description", description] if description is not None else [])]
        for name, value in options.items():
            for one in value if isinstance(value, list) else [value]:
                words += [f"--{name}", json.dumps(one) if isinstance(one, dict) else str(one)]
        return self.life.command(*words, session=self.name)

    def calls(self, tool: str, **arguments: Any) -> str:
        """Call a tool of the MCP server, and return the text of its answer."""
        return self.life.tool(tool, arguments, self.name)

    def finishes_task(self, subject: str, number: str = "1", details: str | None = None) -> None:
        """Complete a task of the client's task list, with its text and description."""
        told = {"task_id": number, "task_subject": subject}
        if details is not None:
            told["task_description"] = details
        self.life.hook("TaskCompleted", self.name, told)

    def stops(self) -> None:
        """End a turn."""
        self.life.hook("Stop", self.name, {})

    def ends(self, reason: str = "other") -> None:
        """End the session."""
        self.life.hook("SessionEnd", self.name, {"reason": reason})

    def is_compacted(self) -> str:
        """Have the client compact the session, and return the context that is shown afterwards."""
        self.life.hook("PreCompact", self.name, {"trigger": "auto"})
        return self.starts("compact")


def section(context: str, heading: str) -> str:
    """Return the text under a heading of a context, up to the next heading of its level; empty without it."""
    level = len(heading) - len(heading.lstrip("#"))
    found: list[str] = []
    inside = False
    for line in context.splitlines():
        depth = len(line) - len(line.lstrip("#")) if line.startswith("#") else 0
        if depth and depth <= level:
            inside = line.startswith(heading)
        elif inside:
            found.append(line)
    return "\n".join(found).strip()


def earlier_entries(number: int, *, now: datetime | None = None) -> list[dict[str, Any]]:
    """Return a number of entries of older work, until two days ago, without stories and searched words."""
    last = (now or datetime.now(UTC)) - timedelta(days=2)
    return [
        {
            "id": f"entry-20250101-000000-{place:06d}",
            "timestamp": (last - timedelta(hours=6 * (number - place))).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "type": "milestone_reached",
            "data": {"description": f"Earlier milestone {place}"},
        }
        for place in range(number)
    ]
