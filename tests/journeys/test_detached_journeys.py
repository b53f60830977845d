"""What takes longer than a client waits is done by one process, however many have asked for it."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from progress_plugin.core.lock import FileLock
from progress_plugin.core.start_cache import load_start_cache
from tests.journeys.project_life import OURS, Life

STARTS = 20
_PAUSE = 0.02
"""Seconds between two looks at the processes: a look takes one of two cores from those that it waits for."""
LATE = {"AGENT_PROGRESS_WAITED": "3"}
"""What the launcher says where it has used up the time of a start by looking for a Python."""

_TO_LEAVE = 0.4
"""Seconds that a process may take to find that another one is at work, and to end."""

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no list of processes here")


@pytest.fixture
def life(tmp_path: Path) -> Life:
    """Return a project with a log that takes long to read."""
    life = Life(tmp_path / "harbour")
    entries = (
        f"## 2026-01-{day % 28 + 1:02} - US-{day:03}: Dredged basin {day}\n"
        + "".join(f"- Gotcha: tide {day * 100 + line} is {line} cm above the mark\n" for line in range(20))
        for day in range(1, 2000)
    )
    life.write("progress.md", "# Progress Log\n\n" + "\n".join(entries))
    return life


def left_behind(life: Life) -> set[int]:
    """Return the processes that outlast the hooks of this project and hold the lock of such."""
    return {
        process for process in map(int, filter(str.isdigit, os.listdir("/proc"))) if _works(process, life)
    }


def _works(process: int, life: Life) -> bool:
    place, lock = Path(f"/proc/{process}"), str(life.main / OURS / "spool/drainer")
    try:
        words = (place / "cmdline").read_bytes().split(b"\0")
        if b"Detached" not in words or os.fsencode(life.root) not in words:
            return False
        return any(os.readlink(handle) == lock for handle in (place / "fd").iterdir())
    except OSError:
        return False  # it has just ended


def is_fresh(life: Life) -> bool:
    cache = load_start_cache(str(life.root))
    return cache is not None and cache.is_fresh()


def late_start(life: Life) -> None:
    life.session().starts()


def test_of_twenty_starts_that_have_no_time_one_process_makes_the_summary_for_all(life: Life) -> None:
    life.environment |= LATE
    most, since = 0, dict[int, float]()
    with ThreadPoolExecutor(3) as pool:
        starts: list[Future[None]] = [pool.submit(late_start, life) for _ in range(STARTS)]
        while not all(start.done() for start in starts) or not is_fresh(life):
            now = time.monotonic()
            since = {process: since.get(process, now) for process in left_behind(life)}
            most = max(most, sum(now - first >= _TO_LEAVE for first in since.values()))
            time.sleep(_PAUSE)
    assert [start.result() for start in starts] == [None] * STARTS
    assert most == 1
    life.environment.clear()
    assert "Auto-generated from progress.md." in life.session().starts()


def test_a_summary_that_was_wanted_while_a_hook_recorded_is_made_once_that_has_let_go(life: Life) -> None:
    agent = life.session()
    (life.main / OURS).mkdir(parents=True)
    (life.main / OURS / "spool").mkdir()
    life.environment |= LATE
    with FileLock(str(life.main / OURS / "spool/drainer"), 60):
        late_start(life)
        assert (life.main / OURS / "spool/summary-wanted").exists()
    life.environment.clear()
    life.write("progress.md", "# Progress Log\n\n## 2026-02-01 - US-400: Dredged the harbour\n- All of it\n")
    agent.finishes_task("Paint the hull")
    while (life.main / OURS / "spool/summary-wanted").exists() or left_behind(life):
        time.sleep(_PAUSE)
    assert is_fresh(life)


def test_after_a_process_that_was_killed_another_one_may_live(life: Life) -> None:
    life.environment |= LATE
    late_start(life)
    while not (processes := left_behind(life)) and not is_fresh(life):
        time.sleep(_PAUSE)
    for process in processes:
        os.kill(process, signal.SIGKILL)
    while left_behind(life):
        time.sleep(_PAUSE)
    late_start(life)
    while not is_fresh(life):
        time.sleep(_PAUSE)
