"""A start in a clone whose team's server does not answer: no socket, nothing waited for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.team import state as team_state
from progress_plugin.team.state import TeamState
from tests.conftest import REPOSITORY
from tests.team.members import KEY, STATE, Member, here, member, require_tracer, waited_for

MAIN = str(REPOSITORY / "progress_plugin/__main__.py")


@pytest.fixture
def clone(tmp_path: Path) -> Member:
    """Return a clone that takes part, with a server that nobody answers for, and a fresh cache."""
    made = member(tmp_path, "ours", "postgresql://127.0.0.1:1/team")
    made.log("Berths are listed", task="US-001")
    state = TeamState("a-server", KEY)
    made.private("team").mkdir(parents=True)
    with here(made):
        team_state.save(find_project(str(made.root)), state)
    made.start()
    waited_for(made)
    return made


def start(clone: Member, *before: str) -> subprocess.CompletedProcess[str]:
    """Start a session as the launcher does."""
    said = {"session_id": "another", "cwd": str(clone.root), "source": "startup"}
    return subprocess.run(
        [*before, sys.executable, "-I", "-S", "-X", "utf8", MAIN, "hook", "SessionStart"] if not before or before[0] == "strace"
        else [sys.executable, "-I", "-S", "-X", "utf8", *before, MAIN, "hook", "SessionStart"],
        input=json.dumps(said), cwd=clone.root, capture_output=True, text=True, check=True,
        env={"HOME": str(clone.home), "CLAUDECODE": "1", "PATH": os.environ["PATH"]},
    )  # fmt: skip


@pytest.mark.parametrize("is_fresh", [True, False], ids=["fresh", "stale"])
def test_a_start_opens_no_socket_and_starts_one_process_that_does(
    clone: Member, tmp_path: Path, is_fresh: bool
) -> None:
    require_tracer()
    os.utime(clone.private(STATE), (0, 0))
    if not is_fresh:
        (clone.root / "progress.md").write_text("## 2026-01-05 - US-002: Light the lamp\n- Lit it\n", "utf-8")
    trace = tmp_path / "trace"
    done = start(
        clone, "strace", "-ff", "-qq", "-s", "4096", "-o", str(trace), "-e", "trace=socket,connect,execve"
    )
    assert "Berths are listed" in done.stdout
    waited_for(clone)
    texts = [path.read_text("utf-8", "replace") for path in tmp_path.glob("trace.*")]
    [ours] = [text for text in texts if MAIN in text and '"sync"' not in text]
    assert "socket(" not in ours
    assert "connect(" not in ours
    detached = [text for text in texts if '"sync"' in text]
    assert len(detached) == 1
    assert "connect(" in detached[0]
    assert clone.private(STATE).stat().st_mtime > 0  # and the next start need not try again
