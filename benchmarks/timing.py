"""Run commands in turn and time them.

Hyperfine of Debian cannot give a command standard input, and pyperf cannot prepare each run.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

SETTLE_S = 3  # time for a background process to make what the next start shows
WARM_UP_RUNS = 2  # the first fills caches, the second uses them


@dataclass(frozen=True)
class Case:
    """A command with its input, what to do before each run, and a text that its output must contain."""

    command: Sequence[str | os.PathLike[str]]
    environment: Mapping[str, str]
    stdin: bytes = b""
    prepare: Callable[[], object] = field(default=lambda: None)
    expected: bytes = b""
    is_server: bool = False  # timed until it prints the expected text; its input stays open until then

    def run(self) -> float:
        """Run the command once and return the seconds it took. Raises RuntimeError if it fails."""
        self.prepare()
        output: list[bytes] = []
        started = time.perf_counter()
        with subprocess.Popen(
            self.command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(self.stdin)
            process.stdin.flush() if self.is_server else process.stdin.close()
            for line in process.stdout:
                output.append(line)
                if self.is_server and self.expected in line:
                    took = time.perf_counter() - started
                    process.stdin.close()
        if not self.is_server:
            took = time.perf_counter() - started
        if process.returncode or self.expected not in b"".join(output):
            raise RuntimeError(f"{self.command} ended with {process.returncode}: {output}")
        return took


def run_in_turn(cases: Sequence[Case], rounds: int) -> list[list[float]]:
    """Return the seconds of each case; a round runs all of them, so a busy machine slows them equally."""
    for case in cases:
        for _ in range(min(WARM_UP_RUNS, rounds)):
            case.run()
    samples: list[list[float]] = [[] for _ in cases]
    for _ in range(rounds):
        for case, own in zip(cases, samples, strict=True):
            own.append(case.run())
    return samples


def median_ratio(seconds: Sequence[float], reference: Sequence[float]) -> float:
    """Return how many times as long as the reference a case took, by the median of the rounds."""
    return statistics.median(one / other for one, other in zip(seconds, reference, strict=True))
