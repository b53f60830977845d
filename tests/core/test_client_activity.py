"""What nobody waits for is done when the client rests (`core.client_activity`)."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from progress_plugin.core.client_activity import wait_until_idle

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="no /proc: nobody says there what a process has used"
)
LONG = 20.0


@contextmanager
def running(program: str, *, before: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """Run a program that has begun, and has done what it does `before`."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"{before}\nprint(flush=True)\n{program}"], stdout=subprocess.PIPE
    )
    try:
        assert process.stdout
        process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


def waited(process: int, at_most: float) -> float:
    before = time.monotonic()
    wait_until_idle(process, at_most)
    return time.monotonic() - before


def test_a_busy_client_is_waited_for_and_not_for_ever() -> None:
    with running("while True: pass") as client:
        assert waited(client.pid, 0.6) >= 0.6


def test_a_client_that_has_become_idle_is_waited_for_no_longer() -> None:
    with running(
        "import time\nend = time.process_time() + 0.4\nwhile time.process_time() < end: pass\ntime.sleep(60)"
    ) as client:
        assert 0.4 <= waited(client.pid, LONG) < LONG


def test_a_client_that_gets_no_processor_is_busy() -> None:
    """Three for each processor stand in line, so that none gets half of one."""
    with ExitStack() as others:
        number = 3 * (os.cpu_count() or 1)
        clients = [others.enter_context(running("while True: pass")) for _ in range(number)]
        assert waited(clients[0].pid, 0.8) >= 0.8


def test_all_threads_of_a_client_count(tmp_path: Path) -> None:
    work = "import threading\ndef work():\n    while True: pass\nthreading.Thread(target=work).start()"
    with running("threading.Event().wait()", before=work) as client:
        assert waited(client.pid, 0.6) >= 0.6


def test_a_client_that_has_gone_is_not_waited_for() -> None:
    with running("") as client:
        client.wait()
        assert waited(client.pid, LONG) < LONG
