"""A plugin of nothing but the launcher and doors that tell what they were called with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from progress_plugin.core.packages.environment import interpreter

LAUNCHER = Path(__file__).resolve().parents[2] / "bin" / "agent-progress"
HASH = "0123456789abcdef"

_DOORS = tuple(f"hooks/{name}.py" for name in ("start", "record", "statusline", "mcp"))
_DOOR = """import json, os, sys
print(json.dumps({
    "door": os.path.basename(__file__),
    "arguments": sys.argv[1:],
    "python": os.path.realpath(sys.executable),
    "site": os.environ["AGENT_PROGRESS_SITE"],
    "isolated": sys.flags.isolated,
    "no_site": sys.flags.no_site,
    "utf8": sys.flags.utf8_mode,
    "writes_bytecode": not sys.dont_write_bytecode,
    "pycache_prefix": sys.pycache_prefix,
}))
"""


@dataclass
class Plugin:
    """A plugin directory, and the environment variables its launcher is started with."""

    root: Path
    variables: dict[str, str]
    shell: tuple[str, ...] = ("/bin/sh",)

    @property
    def data(self) -> Path:
        return Path(self.variables["HOME"]) / ".local" / "share" / "agent-progress"

    @property
    def cache(self) -> Path:
        return Path(self.variables["HOME"]) / ".cache" / "agent-progress"

    def start(self, *words: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
        """Run the launcher; a variable given as None is left out."""
        wanted = {**self.variables, **changes}
        variables = {name: value for name, value in wanted.items() if value is not None}
        command = [*self.shell, str(self.root / "bin" / "agent-progress"), *words]
        return subprocess.run(command, env=variables, input="", capture_output=True, text=True, check=False)

    def door(self, *words: str, **changes: str | None) -> dict[str, Any]:
        """Run the launcher and return what the door saw; nothing else may be printed."""
        done = self.start(*words, **changes)
        assert (done.returncode, done.stderr) == (0, "")
        seen = json.loads(done.stdout)
        assert isinstance(seen, dict)
        return seen

    def environment(
        self, name: str = f"{HASH}-3.11", *, python: str | None = None, home: Path | None = None
    ) -> Path:
        """Make a directory that looks like an environment; return its site-packages."""
        place = (home or self.data / "env") / name
        (place / "site-packages").mkdir(parents=True)
        (place / "python").write_text(f"{python or interpreter()}\n", "utf-8")
        return place / "site-packages"


def make_plugin(root: Path, home: Path, path: str) -> Plugin:
    """Put the launcher and the telling doors into a new directory."""
    for folder in ("bin", "hooks", "progress_plugin"):
        (root / folder).mkdir(parents=True)
    shutil.copy(LAUNCHER, root / "bin")
    (root / "requirements.lock").write_text(f"# environment: {HASH} (a test)\n", "utf-8")
    for door in (*_DOORS, "progress_plugin/__main__.py"):
        (root / door).write_text(_DOOR, "utf-8")
    return Plugin(root, {"HOME": str(home), "PATH": path})


def old_python(folder: Path) -> Path:
    """Make a `python3` that is too old, in a new folder; return the file that gets a line at each start of it."""
    folder.mkdir(parents=True)
    calls = folder / "calls"
    (folder / "python3").write_text(f'#!/bin/sh\necho started >>"{calls}"\nexit 1\n', "utf-8")
    (folder / "python3").chmod(0o755)
    return calls


def path_of(*folders: Path) -> str:
    """Return a PATH with these folders and the system's commands, but no Python of the system's."""
    return os.pathsep.join([*map(str, folders), str(_commands(folders[0].parent))])


def _commands(parent: Path) -> Path:
    place = parent / "commands"
    place.mkdir(exist_ok=True)
    for name in ("mkdir", "mv", "rm", "date", "readlink"):
        if not (place / name).exists():
            found = shutil.which(name)
            assert found
            (place / name).symlink_to(found)
    return place
