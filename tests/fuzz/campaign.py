"""Fuzz every kind of input for so long: `python -m tests.fuzz.campaign MINUTES [KIND...]`.

The time is shared evenly: the kind that has had the least of it is next, unless it is so quick that it has had
its share of the inputs. One input in so many is traced, and kept to be changed further if it reaches new lines;
what must hold is checked of all of them. One in so many is a part over and over: the work is counted then.

Figures are kept while it runs, and added to those of earlier runs of the same code. What is found lies below
`build/fuzzing/found`, an input and its trace beside each other, once for each place in the code.
"""

from __future__ import annotations

import gc
import hashlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import FrameType

from hypothesis import HealthCheck, Phase, given, settings

from tests.conftest import REPOSITORY
from tests.fuzz.corpus import Corpus
from tests.fuzz.journeys import Arena, Journey
from tests.fuzz.readers import readers, sessions
from tests.fuzz.shapes import SHAPES, Repeated
from tests.fuzz.tally import PLACE, Kind, Tally, kept_tally
from tests.hostile.growth import grows_with_its_input
from tests.torture.hostile_text import HOSTILE

FOUND = PLACE.parent / "found"
WANTED = 1_000_000
_ONE_TRACED_IN, _ONE_GROWN_IN = 20, 250
_SHARE = WANTED // 10
"""Inputs of one kind: a quicker one leaves its time to the others."""
_TURN, _BETWEEN_NOTES = 5.0, 10.0
_PARTS = 15
_LONGEST = 20.0
"""Seconds of processor time that an input may take."""
_SEEDS = 60


class Fuzzer:
    """Tries inputs of one kind, and counts them."""

    def __init__(
        self, name: str, journey: Journey, seeds: list[bytes], kind: Kind, chance: random.Random
    ) -> None:
        self.name = name
        self.kind = kind
        self.corpus = Corpus(seeds, chance)
        self._journey = journey
        self._turns = 0

    def turn(self, seconds: float) -> None:
        """Try inputs for so much processor time."""
        begun = time.process_time()
        while time.process_time() - begun < seconds:
            self.once()
        self.kind.seconds += time.process_time() - begun

    def once(self) -> None:
        """Try one input; every so many one of them is traced, or a part over and over."""
        self._turns += 1
        if self._turns % _ONE_GROWN_IN == 0:
            self._grow(self.corpus.part())
            return
        data = self.corpus.new()
        is_traced = self._turns % _ONE_TRACED_IN == 1
        signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
        try:
            if is_traced:
                self.kind.kept += self.corpus.traced(self._journey, data)
            else:
                self._journey(data)
        except Exception as fault:  # noqa: BLE001 - whatever comes up is what was looked for
            self._found(data, fault)
            return
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.kind.tried += 1
        self.kind.traced += is_traced

    def _grow(self, part: bytes) -> None:
        made = Repeated(b"", part.replace(b"{i}", b"") + b"{i}", b"\n", b"\n")
        try:
            steep = grows_with_its_input(self._journey, made.times, _PARTS)
            assert not steep, steep
        except Exception as fault:  # noqa: BLE001 - as above
            self._found(made.times(_PARTS * 8), fault)
            return
        self.kind.grown += 1

    def _found(self, data: bytes, fault: Exception) -> None:
        """Keep what was found, once for each place it was found at."""
        trace = "".join(traceback.format_exception(fault))
        frames = [
            frame for frame in traceback.extract_tb(fault.__traceback__) if str(REPOSITORY) in frame.filename
        ]
        place = hashlib.sha256(f"{type(fault)}{frames[-1].filename}{frames[-1].lineno}".encode()).hexdigest()[
            :8
        ]
        folder = FOUND / folder_of(self.name)
        folder.mkdir(parents=True, exist_ok=True)
        self.kind.findings += 1
        if not (folder / place).exists():
            (folder / place).write_bytes(data)
            (folder / f"{place}.trace").write_text(trace, "utf-8", "backslashreplace")


def folder_of(name: str) -> str:
    """Return the name of a kind as it stands on the disk."""
    return name.strip(".").replace("/", "-").replace(" ", "-")


def kinds(arena: Arena) -> dict[str, Journey]:
    """Return every kind of input by its name: those of whole journeys, and of readers alone."""
    return {**arena.journeys(), **readers()}


def seeds(root: Path) -> dict[str, list[bytes]]:
    """Return what each kind begins with: hostile texts, examples, what looks right, what was found once."""
    hostile = [text[:2000].encode("utf-8", "replace") for text in HOSTILE.values()]
    examples = [path.read_bytes() for path in (REPOSITORY / "examples/harbour").iterdir()]
    shapes = {name: _drawn(name) for name in SHAPES}
    plans = [data for name in ("prd.json", "task_plan.md", ".beads/issues.jsonl") for data in shapes[name]]
    alike = {
        "a plan alone": plans,
        "a log of an agent alone": shapes["progress.md"],
        "progress.json alone": shapes["append"],
        "a progress document": shapes["prd.json"],
        "a request to the server": [_request(data) for data in shapes["hook input"]],
        **{name: [data] for name, data in sessions(root).items()},
    }
    return {
        name: [*hostile, *examples, *shapes.get(name, ()), *alike.get(name, ()), *_found_once(name)]
        for name in (*SHAPES, *readers())
    }


def _request(data: bytes) -> bytes:
    params = b'{"name": "mem_search", "arguments": ' + data + b"}"
    return b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": ' + params + b"}"


def _found_once(name: str) -> list[bytes]:
    return [path.read_bytes() for path in (REPOSITORY / "tests/fuzz/found" / folder_of(name)).glob("*")]


def _drawn(name: str) -> list[bytes]:
    drawn: list[bytes] = []

    def draw(data: bytes) -> None:
        drawn.append(data)

    quietly = settings(
        max_examples=_SEEDS, deadline=None, suppress_health_check=list(HealthCheck), database=None,
        derandomize=True, phases=[Phase.generate],
    )  # fmt: skip
    quietly(given(SHAPES[name])(draw))()
    return drawn


def fuzzers(root: Path, tally: Tally, names: tuple[str, ...] = (), seed: int = 0) -> list[Fuzzer]:
    """Return a fuzzer of each kind, or of those that are named; the same seed tries the same inputs."""
    begun, found = seeds(root), kinds(Arena(root / "arena"))
    return [
        Fuzzer(
            name,
            journey,
            begun[name],
            tally.kinds.setdefault(name, Kind()),
            random.Random(f"{name} {seed} {tally.runs}"),
        )
        for name, journey in found.items()
        if not names or name in names
    ]


def main(minutes: str, *names: str) -> int:
    """Try inputs until the time is over; the exit code says whether anything was found."""
    signal.signal(signal.SIGVTALRM, _too_long)
    end = time.monotonic() + 60 * float(minutes)
    tally = kept_tally()
    tally.runs += 1
    root = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    os.environ |= {"HOME": str(root / "home"), "AGENT_PROGRESS_NO_INSTALL": "1"}
    try:
        _run(fuzzers(root, tally, names), tally, end)
    finally:
        tally.keep()
        shutil.rmtree(root, ignore_errors=True)
    sys.stdout.write(f"{tally.tried:,} inputs, {tally.findings} findings\n")
    return 1 if tally.findings else 0


def _run(at_work: list[Fuzzer], tally: Tally, end: float) -> None:
    noted = 0.0
    gc.freeze()
    gc.set_threshold(20_000)
    while time.monotonic() < end:
        slow = [one for one in at_work if one.kind.tried < _SHARE]
        if not slow:
            return
        min(slow, key=lambda one: one.kind.seconds).turn(_TURN)
        if time.monotonic() - noted > _BETWEEN_NOTES:
            noted = time.monotonic()
            tally.keep()


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"an input took {_LONGEST:g} s")


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
