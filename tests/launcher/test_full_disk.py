"""A disk that is full while the plugin is first used: nothing of that lasts."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).resolve().parents[2] / "bin" / "agent-progress"
_HEAD = 16
"""Bytes before the code in a file of compiled code (PEP 552)."""


def _limited(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, -1))


def _start(project: Path, home: Path, most: int = -1) -> subprocess.CompletedProcess[bytes]:
    told = {"session_id": "a", "cwd": str(project), "hook_event_name": "SessionStart", "source": "startup"}
    return subprocess.run(
        ["sh", str(LAUNCHER), "hook", "SessionStart"],
        input=json.dumps(told).encode(),
        env={"HOME": str(home), "PATH": os.environ["PATH"], "AGENT_PROGRESS_NO_INSTALL": "1"},
        capture_output=True,
        preexec_fn=lambda: _limited(most),
        check=False,
    )


LOAD = f"import marshal, sys\nfor path in sys.argv[1:]: marshal.loads(open(path, 'rb').read()[{_HEAD}:])"


def _are_whole(kept: Path) -> bool:
    """Return whether all compiled code can be loaded: by a process of its own, which half of it may end."""
    paths = [str(path) for path in kept.rglob("*.pyc")]
    return (
        subprocess.run([sys.executable, "-c", LOAD, *paths], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.parametrize("most", [500, 5_000, 20_000])
def test_what_a_full_disk_cut_short_of_compiled_code_is_not_kept(
    tmp_path: Path, home: Path, most: int
) -> None:
    # Python before 3.14 keeps it, and then not even the interpreter starts (github.com/python/cpython/issues/126606).
    (tmp_path / "progress.md").write_text("# Log\n\n## 2026-03-01 - US-001: Light the lamp\n- lit\n", "utf-8")
    _start(tmp_path, home, most)
    kept = home / ".cache/agent-progress/pycache"
    for _ in range(100):  # what the start has left to others may still be at work
        if _are_whole(kept):
            break
        time.sleep(0.05)
    assert _are_whole(kept)
    done = _start(tmp_path, home)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Light the lamp" in done.stdout
    assert len(list(kept.rglob("encodings/*.pyc"))) >= 2
