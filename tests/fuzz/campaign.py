"""Fuzz every kind of input for so long: `python -m tests.fuzz.campaign MINUTES [KIND...]`.

The time is shared evenly: the kind that has had the least of it is next, unless it is so quick that it has had
its share of the inputs. One input in so many is traced, and kept to be changed further if it reaches new lines;
what must hold is checked of all of them. One in so many is a part over and over: the work is counted then.

Figures are kept while it runs, and added to those of earlier runs of the same code; so are the inputs to change.
What is found lies below `build/fuzzing/found`, an input and its trace beside each other, once for each place in
the code.
"""

from __future__ import annotations

import gc
import hashlib
import json
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

from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.core.start_cache import StartCache, start_cache_bytes
from progress_plugin.text.managed_block import with_block
from tests.conftest import REPOSITORY
from tests.fuzz.corpus import Corpus
from tests.fuzz.journeys import Arena
from tests.fuzz.readers import Journey, readers, sessions
from tests.fuzz.shapes import SHAPES, Repeated
from tests.fuzz.stored_files import stored_files
from tests.fuzz.tally import PLACE, Kind, Tally, kept_tally
from tests.hostile.growth import grows_with_its_input
from tests.torture.hostile_text import HOSTILE

BUILD = PLACE.parent
WANTED = 1_000_000
_ONE_TRACED_IN, _ONE_GROWN_IN = 40, 300
SHARE = WANTED // 8
"""Inputs of one kind: a quicker one leaves its time to the others."""
_TURN, _BETWEEN_NOTES = 5.0, 10.0
_PARTS = 15
_LONGEST = 60.0
"""Seconds of processor time that an input may take, in four sizes too."""
_SEEDS = 60


class Fuzzer:
    """Tries inputs of one kind, and counts them."""

    def __init__(self, name: str, journey: Journey, corpus: Corpus, kind: Kind, place: Path = BUILD) -> None:
        self.name = name
        self.kind = kind
        self.corpus = corpus
        self._found, self._reaching = (place / folder / folder_of(name) for folder in ("found", "corpus"))
        self._journey = journey
        self._turns = 0

    def turn(self, seconds: float) -> None:
        """Try inputs for so much processor time, or until there were as many as one kind is to have."""
        begun = time.process_time()
        while time.process_time() - begun < seconds and self.kind.tried < SHARE:
            self.once()
        self.kind.seconds += time.process_time() - begun

    def once(self) -> None:
        """Try one input; every so many one of them is traced, or a part over and over."""
        self._turns += 1
        if self._turns % _ONE_GROWN_IN == 0:
            self.kind.grown += self._holds(self._grows, self.corpus.part())
            return
        is_traced = self._turns % _ONE_TRACED_IN == 1
        has_held = self._holds(self._traced if is_traced else self._journey, self.corpus.new())
        self.kind.tried += has_held
        self.kind.traced += has_held and is_traced

    def _holds(self, check: Journey, data: bytes) -> bool:
        """Return whether all that is checked of an input is so; what is not is kept."""
        signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
        try:
            check(data)
        except Exception as fault:  # noqa: BLE001 - whatever comes up is what was looked for
            self._keep(data, fault)
            return False
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return True

    def _traced(self, data: bytes) -> None:
        if self.corpus.traced(self._journey, data):
            self.kind.kept += 1
            self._reaching.mkdir(parents=True, exist_ok=True)
            (self._reaching / _digest(data)).write_bytes(data)

    def _grows(self, part: bytes) -> None:
        made = Repeated(b"", part.replace(b"{i}", b"") + b"{i}", b"\n", b"\n")
        steep = grows_with_its_input(self._journey, made.times, _PARTS)
        assert not steep, steep

    def _keep(self, data: bytes, fault: Exception) -> None:
        """Keep what was found, once for each place it was found at."""
        self.kind.findings += 1
        frames = traceback.extract_tb(fault.__traceback__)
        last = [frame for frame in frames if str(REPOSITORY) in frame.filename][-1]
        kept = self._found / _digest(f"{type(fault)}{last.filename}{last.lineno}".encode())
        self._found.mkdir(parents=True, exist_ok=True)
        if not kept.exists():
            kept.write_bytes(data)
            trace = "".join(traceback.format_exception(fault))
            kept.with_suffix(".trace").write_text(trace, "utf-8", "backslashreplace")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def folder_of(name: str) -> str:
    """Return the name of a kind as it stands on the disk."""
    return name.strip(".").replace("/", "-").replace(" ", "-")


def kinds(arena: Arena) -> dict[str, Journey]:
    """Return every kind of input by its name: those of whole journeys, and of readers alone."""
    return {**arena.journeys(), **readers(), **stored_files()}


_LIKE = {
    "a plan alone": ("prd.json", "task_plan.md", ".beads/issues.jsonl"),
    "a log of an agent alone": ("progress.md",),
    "progress.json alone": ("append",),
    "a progress document": ("prd.json",),
    "a request to the server": ("hook input",),
    "a baseline alone": ("baseline.json",),
    "a configuration alone": (".agent-os/progress/config.toml",),
    "a client's settings": ("prd.json",),
    "a block in a document": ("progress.md",),
    "a damaged log alone": ("append",),
    "objects in a text": ("hook input",),
    "paths in a text": ("progress.md", "search"),
    "members of a hook's input": ("hook input",),
}
"""Whose shapes a reader alone begins with."""
_STORED = {
    "a start cache": [start_cache_bytes(StartCache(InputSnapshot("/nowhere"), "context", "message", "status"))],
    "a client's settings": [b'{"a": [1, 2, /* x */ {"b": 3,}], // y\n "hooks": {"Stop": [{"command": "x"}]},}'],
    "a block in a document": [with_block("# A\n", "a label", ["- x"]).encode()],
    "a baseline alone": [json.dumps({"head": "a", "plan_id": "b", "branch": None, "titles": {"US-1": "light"},
                                     "statuses": {"US-1": "done"}, "counts": {"done": {"US-1": 2}}}).encode()],
}  # fmt: skip
"""What is stored, as it is written."""
_AS_OFTEN = 60
"""Times that these are among what a kind begins with, so that most of its inputs are made of them."""


def seeds(name: str, root: Path, number: int = _SEEDS) -> list[bytes]:
    """Return what a kind begins with: hostile texts, examples, so many that look right, what was found once."""
    drawn = [data for alike in _LIKE.get(name, (name,)) if alike in SHAPES for data in _drawn(alike, number)]
    return [
        *(text[:2000].encode("utf-8", "replace") for text in HOSTILE.values()),
        *(path.read_bytes() for path in sorted((REPOSITORY / "examples/harbour").iterdir())),
        *(_request(data) if name == "a request to the server" else data for data in drawn),
        *(data for kind, data in sessions(root).items() if kind == name),
        *_STORED.get(name, []) * _AS_OFTEN,
        *_in(REPOSITORY / "tests/fuzz/found" / folder_of(name)),
    ]


def _in(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob("*"))]


def _request(data: bytes) -> bytes:
    params = b'{"name": "mem_search", "arguments": ' + data + b"}"
    return b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": ' + params + b"}"


def _drawn(name: str, number: int) -> list[bytes]:
    drawn: list[bytes] = []

    def draw(data: bytes) -> None:
        drawn.append(data)

    quietly = settings(
        max_examples=number, deadline=None, suppress_health_check=list(HealthCheck), database=None,
        derandomize=True, phases=[Phase.generate],
    )  # fmt: skip
    quietly(given(SHAPES[name])(draw))()
    return drawn


def fuzzers(root: Path, tally: Tally, names: tuple[str, ...]) -> list[Fuzzer]:
    """Return a fuzzer of each kind, or of those that are named; every run tries other inputs."""
    return [
        Fuzzer(
            name,
            journey,
            Corpus(
                [*seeds(name, root), *_in(BUILD / "corpus" / folder_of(name))],
                random.Random(f"{name} {tally.runs}"),
            ),
            tally.kinds.setdefault(name, Kind()),
        )
        for name, journey in kinds(Arena(root / "arena")).items()
        if not names or name in names
    ]


def main(minutes: str, *names: str) -> int:
    """Try inputs until the time is over; the exit code says whether anything was found."""
    signal.signal(signal.SIGVTALRM, _too_long)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended early; its figures are kept"))
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
    noted = time.monotonic()
    gc.freeze()
    gc.set_threshold(20_000)
    while time.monotonic() < end:
        slow = [one for one in at_work if one.kind.tried < SHARE]
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
