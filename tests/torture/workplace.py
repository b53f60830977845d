"""A project that is used through hooks (as processes) and commands, and checks of its files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from progress_plugin.cli.main import main
from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.core.paths import state_file
from progress_plugin.log import store
from tests.hooks.simulated_client import Hooks, Repository
from tests.torture.client import told

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


class Workplace(Repository):
    """A repository with a plan, and everything that may happen in it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.hooks = Hooks(root)
        self.ours = root / ".agent-os" / "progress"

    @classmethod
    def at(cls, root: Path) -> Workplace:
        """Return an existing checkout, such as a linked worktree."""
        place = cls.__new__(cls)
        place.root, place.hooks, place.ours = root, Hooks(root), root / ".agent-os" / "progress"
        return place

    def private(self, name: str) -> Path:
        """Return the path of a file of the private state, which is in the home."""
        return Path(state_file(str(self.root), name))

    def git_id(self, name: str) -> str:
        """Return the commit id of a name, such as `HEAD`."""
        return self.git("rev-parse", name)

    def commit_anything(self) -> None:
        """Begin the history of the repository."""
        self.git("commit", "-q", "--allow-empty", "-m", "begin")

    def command(self, *words: str) -> int:
        """Run a command on this project and return its exit code; none of them may be an internal error."""
        code = main(["-C", str(self.root), *words])
        assert code in (0, 1, 2, 3)
        return code

    def log(self, text: str, *words: str) -> int:
        """Append an entry; return the exit code."""
        return self.command("log", "task_completed", "-m", text, *words)

    def start(self, source: str = "startup") -> dict[str, Any]:
        """Start a session and return what its client was told."""
        return told(self.hooks.start(source).raw)

    def context(self) -> str:
        """Return the text that a session start gives the model."""
        return str(self.start().get("hookSpecificOutput", {}).get("additionalContext", "")).removesuffix(
            f"{END_OF_CONTEXT}\n"
        )

    def everything(self) -> list[dict[str, Any]]:
        """Return every entry of log and archive; one that is in both is returned twice."""
        return list(store.read_all_entries(str(self.ours)))

    def work(self) -> None:
        """Run everything that writes, once; the answers do not matter here."""
        self.start()
        self.log("by hand", "--task", "US-007", "--learning", "Gotcha: mind the tide")
        self.plan(done=5)
        self.hooks.edited("prd.json")
        self.hooks.event("TaskCompleted", task_subject="coil the ropes", task_id="7")
        self.command("status", "summarize")
        self.command("repair")
        self.command("init")
        self.command("config", "set", "max_learnings", "9")
        self.hooks.event("Stop")
        self.start("resume")
        self.hooks.event("SessionEnd", reason="exit")
        self.command("archive", "--days", "0", "--at-least", "1")


def snapshot(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Return mode and content, or the target of a link, of everything below a folder, by path."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            content: bytes | str = str(path.readlink())
        else:
            content = path.read_bytes() if path.is_file() else "directory"
        found[str(path.relative_to(folder))] = (path.lstat().st_mode, content)
    return found


def parses(ours: Path, *, but: Iterable[str] = ()) -> int:
    """Check that every JSON file of ours parses, and return how many there are."""
    files = [path for path in ours.rglob("*.json") if path.is_file() and path.name not in but]
    for path in files:
        assert isinstance(json.loads(path.read_bytes()), dict), path
    return len(files)


def once_each(entries: list[dict[str, Any]], ids: Iterable[str]) -> None:
    """Check that each of these entries is there, and none of them twice."""
    there = Counter(entry["id"] for entry in entries)
    wrong = {name: there[name] for name in ids if there[name] != 1}
    assert not wrong, wrong
