"""Coverage-guided fuzzing of one journey: `python -m tests.fuzz.guided JOURNEY ARENA SECONDS`.

It sees what values are compared with, which `tests.fuzz.campaign` does not, and takes seven seconds to begin: the long
form of the tests runs it for each journey.

Each input is tried as it is, and one in so many as a part that stands there often: the work is counted then.

A fault ends it with a trace and the input on the disk, beside the arena; kept under `found/<journey>/` it is
tried by every test run from then on.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["progress_plugin"]):
    from tests.fuzz.journeys import Arena

from tests.fuzz.shapes import REPEATED, Repeated
from tests.hostile.growth import grows_with_its_input
from tests.torture.hostile_text import HOSTILE

_ONE_IN = 50
_LONGEST_PART = 80
_PARTS = 15


def main(name: str, place: str, seconds: str) -> None:
    """Begin with the hostile texts, and go on from whatever reaches new code."""
    arena = Arena(Path(place))
    corpus = arena.root.parent / "corpus"
    corpus.mkdir(exist_ok=True)
    for number, text in enumerate(HOSTILE.values()):
        (corpus / str(number)).write_bytes(text[:2000].encode("utf-8", "replace"))
    bounds = [
        f"-max_total_time={seconds}",
        "-max_len=4096",
        "-timeout=20",
        "-rss_limit_mb=2048",
        f"-artifact_prefix={corpus.parent}/",
    ]
    journey, tried = arena.journeys()[name], 0

    def once_or_often(data: bytes) -> None:
        nonlocal tried
        tried += 1
        journey(data)
        if name in REPEATED and tried % _ONE_IN == 0:
            part = data[:_LONGEST_PART].replace(b"{i}", b"")
            steep = grows_with_its_input(journey, Repeated(b"", part + b"{i}", b"\n", b"\n").times, _PARTS)
            assert not steep, steep

    atheris.Setup([sys.argv[0], *bounds, str(corpus)], once_or_often)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
