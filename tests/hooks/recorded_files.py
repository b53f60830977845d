"""A project whose logs say something of its files, and what an agent is told when it opens one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from real_doors import REPOSITORY, Hooks, Repository

from progress_plugin.core.file_note_index import INDEX_FILE
from progress_plugin.core.paths import state_file

DATA = ".agent-os/progress"
WARDS = (
    "wicks burn down within four nights of storm, so the keeper trims them before supper and again at dawn",
    "salt creeps behind the brass collar; vinegar dissolves it, while acid eats threads that hold the lens",
    "mercury in the float bath must be filtered yearly, else rotation stutters and pilots report a false sector",
    "an auxiliary battery feeds the relay only when mains voltage sags below ninety percent for ten seconds",
    "glass panes expand against their putty each August, hence two millimetres of play along every edge",
    "never grease the clutch with tallow: rats gnaw through hoses to reach it, which flooded the cellar twice",
    "timetables assume local apparent noon rather than zone time, therefore subtract the equation of time first",
    "soot on reflectors absorbs infrared, overheats the mount, then warps whichever bracket was riveted last",
)
LAMP = "The lamp in `src/lamp.ts` must cool before a restart"


def log(repository: Repository, *learnings: str, name: str = "progress.md") -> None:
    """Write an agent's log with these learnings, of which a start tells none."""
    told = "\n".join(f"  - {learning}" for learning in learnings)
    text = f"# Progress Log\n\n## 2026-03-01 - US-001: Light the lamp\n- Lit it\n- **Learnings:**\n{told}\n"
    (repository.root / name).write_text(text, "utf-8")
    settings(repository, "max_learnings = 0")


def started(hooks: Hooks) -> None:
    """Begin a session; a start for which a busy machine had no time makes no index."""
    while not os.path.exists(state_file(str(hooks.root), INDEX_FILE)):
        hooks.start()


def settings(repository: Repository, text: str) -> None:
    folder = repository.root / DATA
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(text + "\n", "utf-8")


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("light\n", "utf-8")


def used(hooks: Hooks, path: Path | str, tool: str = "Read", **fields: Any) -> str:
    """Tell that a tool was used on a file, and return what the agent gets."""
    place = str(hooks.root / path)
    return hooks.event("PostToolUse", tool_name=tool, tool_input={"file_path": place}, **fields).context


def command(hooks: Hooks, *words: str) -> subprocess.CompletedProcess[bytes]:
    program = [sys.executable, str(REPOSITORY / "progress_plugin/__main__.py"), "-C", str(hooks.root)]
    return subprocess.run([*program, *words], capture_output=True, env=dict(os.environ), check=True)
