"""What takes longer than a client waits is done by one process in the background."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from progress_plugin.core.start_cache import TOO_LONG, load_start_cache
from tests.journeys.project_life import REPOSITORY, Life

STARTS = 4
PAUSE_S = 0.05
PATIENCE_S = 240
LATE = (
    f"import sys; sys.path.insert(0, {str(REPOSITORY)!r}); from progress_plugin.hooks import entry; "
    "entry.START_SECONDS = 0.1; entry.run_event(['SessionStart'])"
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no list of processes here")


@pytest.fixture
def life(tmp_path: Path) -> Life:
    """Return a project with a log of 2,000 entries."""
    life = Life(tmp_path / "harbour")
    entries = (
        f"## 2026-01-{day % 28 + 1:02} - US-{day:03}: Dredged basin {day}\n- Gotcha: tide {day} is high\n"
        for day in range(1, 2000)
    )
    life.write("progress.md", "# Progress Log\n\n" + "\n".join(entries))
    return life


def background_processes(life: Life) -> set[int]:
    """Return the background processes of this project."""
    return {
        process for process in map(int, filter(str.isdigit, os.listdir("/proc"))) if _works(process, life)
    }


def _works(process: int, life: Life) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False  # it has just ended
    return b"background" in words and os.fsencode(life.root) in words


def wait_until(is_reached: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not is_reached():
        assert time.monotonic() < until
        time.sleep(PAUSE_S)


def is_fresh(life: Life) -> bool:
    cache = load_start_cache(str(life.root))
    return cache is not None and cache.is_fresh()


def late_start(life: Life) -> str:
    """Start a session that has a tenth of a second for it; return the message for the user."""
    fields = {"session_id": "late", "cwd": str(life.root), "source": "startup"}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", LATE], input=json.dumps(fields).encode(),
        capture_output=True, env=life._variables(), cwd=life.root, check=True,
    )  # fmt: skip
    return str(json.loads(done.stdout)["systemMessage"])


def test_starts_that_have_no_time_leave_the_summary_to_the_background(life: Life) -> None:
    with ThreadPoolExecutor(2) as pool:
        messages = set(pool.map(lambda _: late_start(life), range(STARTS)))
    assert TOO_LONG in messages
    wait_until(lambda: is_fresh(life) and not background_processes(life))
    assert "Auto-generated from progress.md." in life.session().starts()


def test_after_a_process_that_was_killed_another_one_makes_the_summary(life: Life) -> None:
    late_start(life)
    for process in background_processes(life):
        os.kill(process, signal.SIGKILL)
    wait_until(lambda: not background_processes(life))
    late_start(life)
    wait_until(lambda: is_fresh(life))
