"""Clones of one repository on machines of their own, with plain git and no configuration of ours."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.core.paths import state_directory
from progress_plugin.log.entry import writer_of
from tests import warm_process
from tests.conftest import PYCACHE, REPOSITORY

OURS = Path(".agent-os/progress")
SHARED = OURS / "shared"
CONFIG = "share = true\n"
PLAN = {
    "name": "Harbour",
    "userStories": [
        {"id": f"US-00{number}", "title": f"Story {number}", "passes": False} for number in (1, 2, 3)
    ],
}


class Clone:
    """A working tree with a home of its own, as on another machine."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        home.mkdir(parents=True, exist_ok=True)

    @property
    def environment(self) -> dict[str, str]:
        """What its processes see: its own home, git without any setting but a name."""
        kept = {name: value for name, value in os.environ.items() if name.startswith(("COV", "PATH", "TMP"))}
        person = {
            f"GIT_{role}_{what}": "agent@example.org"
            for role in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_EDITOR": "true"}
        ours = {"HOME": str(self.home), "PYTHONPATH": str(REPOSITORY), "AGENT_PROGRESS_NO_INSTALL": "1"}
        return {"PYTHONPYCACHEPREFIX": PYCACHE, **kept, **person, **quiet, **ours}

    def private(self, name: str) -> Path:
        """Return the path of a file in the private state of this project on this machine."""
        folder = Path(state_directory(str(self.root)) or "").name
        return self.home / ".local/state/agent-progress/projects" / folder / name

    def git(self, *words: str, check: bool = True) -> str:
        """Run git here, and return what it prints; a failure shows all that it said."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.environment, capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, f"git {' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout

    def run(self, *words: str, status: int | None = 0, err: bool = False) -> str:
        """Run a command of ours here, and return what it prints; with `err` what goes to standard error, too.

        A `status` of None is any.
        """
        done = warm_process.run(words, cwd=self.root, env=self.environment)
        printed, errors = done.stdout.decode(), done.stderr.decode()
        assert status in (done.returncode, None), f"{words}: {done.returncode} {printed}{errors}"
        return printed + (errors if err else "")

    def log(self, text: str, kind: str = "task_completed", **options: str) -> str:
        """Log an entry, and return its id."""
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return self.run("log", kind, "--description", text, *words).split()[0]

    def start(self) -> tuple[str, str]:
        """Start a session through the hook, and return what agent and user are shown."""
        answered = self.hook("SessionStart", source="startup")
        answer: dict[str, Any] = json.loads(answered) if answered.strip() else {}
        shown = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
        return shown.removesuffix(f"{END_OF_CONTEXT}\n"), answer.get("systemMessage", "")

    def hook(self, event: str, **fields: str) -> str:
        """Run the hook of an event of the session `s`, and return what it prints."""
        told = {"session_id": "s", "cwd": str(self.root), "hook_event_name": event, **fields}
        environment = {**self.environment, "CLAUDECODE": "1"}
        done = warm_process.run(
            ["hook", event], cwd=self.root, env=environment, stdin=json.dumps(told).encode()
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def commit(self, message: str = "work") -> None:
        """Commit everything that git does not ignore."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def entries(self) -> dict[str, str | None]:
        """Return the ids of the log, each with the clone that it came from; None for one of this clone."""
        path = self.root / OURS / "progress.json"
        items = json.loads(path.read_text("utf-8"))["entries"] if path.exists() else []
        assert len({item["id"] for item in items}) == len(items)
        return {item["id"]: writer_of(item) for item in items}

    def said(self) -> dict[str, str | None]:
        """Return what the log's entries say, each with the clone that it came from."""
        items = json.loads((self.root / OURS / "progress.json").read_text("utf-8"))["entries"]
        return {
            item["data"]["description"]: writer_of(item) for item in items if "description" in item["data"]
        }

    def files(self) -> set[str]:
        """Return the names of the entries' files that are checked out."""
        return {path.name for path in (self.root / SHARED).rglob("*.json")}

    def name(self) -> str:
        """Return the writer name of this clone."""
        return self.private("writer").read_text("ascii").strip()


def planned(clone: Clone) -> Clone:
    """Give a clone a plan of three stories."""
    (clone.root / "prd.json").write_text(json.dumps(PLAN), "utf-8")
    return clone


def begun(place: Path, name: str = "harbour") -> Clone:
    """Return a repository with one commit whose history is shared through git."""
    clone = Clone(place / name, place / f"home-of-{name}")
    clone.root.mkdir(parents=True)
    clone.git("init", "-q", "-b", "main")
    (clone.root / OURS).mkdir(parents=True)
    (clone.root / OURS / "config.toml").write_text(CONFIG, "utf-8")
    clone.commit("begin")
    return clone


def cloned(source: Clone, place: Path, name: str, *options: str) -> Clone:
    """Return a clone on a machine of its own."""
    clone = Clone(place / name, place / f"home-of-{name}")
    subprocess.run(
        ["git", "clone", "-q", *options, source.root.as_uri(), str(clone.root)],
        env=clone.environment,
        check=True,
    )
    return clone
