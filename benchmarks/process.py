"""One process, measured from outside: wall time, processor time, peak memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Sample(NamedTuple):
    """What one process took; seconds, and MiB at its peak."""

    wall: float
    cpu: float
    peak: float


class Case(NamedTuple):
    """A command that is run once in every round, with what has to be done before."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    said: bytes = b""
    """What stands on its standard input."""
    before: Callable[[], None] = lambda: None


def run(case: Case) -> tuple[Sample, bytes]:
    """Run a case and return what it took and what it printed. Raises RuntimeError where it fails."""
    case.before()
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as printed:
        told.write(case.said)
        told.seek(0)
        begun = time.perf_counter()
        process = subprocess.Popen(
            case.command, env=case.environment, stdin=told, stdout=printed, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{case.name} ended with {process.returncode}: {' '.join(case.command)}")
        printed.seek(0)
        return Sample(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024), printed.read()


def in_turn(cases: Sequence[Case], rounds: int) -> dict[str, list[Sample]]:
    """Run all cases once per round, so that whatever disturbs the machine disturbs them all alike."""
    samples: dict[str, list[Sample]] = {case.name: [] for case in cases}
    for _ in range(rounds):
        for case in cases:
            samples[case.name].append(run(case)[0])
    return samples


class Ratio(NamedTuple):
    """How many times as long one case takes as another: of the pairs of each round the quartiles."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, these: Sequence[float], others: Sequence[float]) -> Ratio:
        """Return the ratio of samples taken in the same rounds."""
        pairs = sorted(this / other for this, other in zip(these, others, strict=True))
        if len(pairs) < 2:
            return cls(pairs[0], pairs[0], pairs[0])
        low, median, high = statistics.quantiles(pairs, n=4, method="inclusive")
        return cls(low, median, high)


def apart(call: Callable[[], object]) -> None:
    """Do something in a process of its own: memory that this one has had counts for all it starts later."""
    child = os.fork()
    if child == 0:
        try:
            call()
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("an input could not be made")
