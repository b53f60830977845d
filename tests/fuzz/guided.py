"""Coverage-guided fuzzing of one journey: `python -m tests.fuzz.guided JOURNEY ARENA SECONDS`.

A fault ends it with a trace and the input on the disk, beside the arena; kept under `found/<journey>/` it is
tried by every test run from then on.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["progress_plugin"]):
    from tests.fuzz.journeys import Arena

from tests.torture.hostile_text import HOSTILE


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
    atheris.Setup([sys.argv[0], *bounds, str(corpus)], arena.journeys()[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
