"""A machine with an empty home, on which the launcher runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core import environment
from tests.conftest import REPOSITORY

LAUNCHER = REPOSITORY / "bin" / "agent-progress"


@dataclass
class Machine:
    """An empty home and a project with a plan; commands run with few variables."""

    home: Path
    project: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> Path:
        """The directory of the environment, made or not."""
        return self.home / ".local/share/agent-progress/env" / os.path.basename(environment.directory())

    def link_environment(self) -> None:
        """Use the packages of the tests as the environment."""
        self.environment.parent.mkdir(parents=True)
        self.environment.symlink_to(sys.prefix)

    def run(
        self,
        *words: str,
        stdin: str = "",
        command: tuple[str, ...] = ("/bin/sh", str(LAUNCHER)),
        **variables: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command of the launcher in the project."""
        sources = {name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "SSL_"))}
        path = f"{os.path.dirname(environment.base_python())}:/usr/bin:/bin"
        given = {"HOME": str(self.home), "PATH": path, "CLAUDECODE": "1"}
        return subprocess.run(
            [*command, *words],
            input=stdin,
            env={**sources, **given, **self.variables, **variables},
            cwd=self.project,
            capture_output=True,
            text=True,
            timeout=600,
        )

    def hook(self, event: str, fields: dict[str, Any] | None = None, **variables: str) -> dict[str, Any]:
        """Run a hook and return its answer; it must exit with code 0 and print no error."""
        stdin = json.dumps({"session_id": "s", "cwd": str(self.project), **(fields or {})})
        done = self.run("hook", event, stdin=stdin, **variables)
        assert (done.returncode, done.stderr) == (0, "")
        answer: dict[str, Any] = json.loads(done.stdout or "{}")
        return answer


def build_wheel(place: Path) -> Path:
    """Build the sdist of this checkout and the wheel of that, by the locked backend; return the wheel."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(place), str(REPOSITORY)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = place.glob("*.whl")
    return found


@pytest.fixture
def machine(home: Path, tmp_path: Path) -> Machine:
    """Return a machine without an environment."""
    project = tmp_path / "a quarry"
    (project / ".agent-os" / "progress").mkdir(parents=True)
    story = {"id": "US-001", "title": "Raise the zinc roof", "passes": False}
    (project / "prd.json").write_text(json.dumps({"project": "Quarry", "userStories": [story]}))
    return Machine(home, project)
