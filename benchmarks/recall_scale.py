"""What `recall` takes against the size of a history: the first question, the next, one after an append.

    .venv/bin/python benchmarks/recall_scale.py [--rounds 7] [--sizes 1.17 3.5 11.7] [--write FILE]

The history is half an agent's log and half entries of ours, nearly all of them archived. Times are of the
whole command as a client starts it, and of that less an interpreter that does nothing. Appended is an entry
to our log, then a line to the agent's.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(ROOT))

import click  # noqa: E402
import document  # noqa: E402
import inputs  # noqa: E402
from process import Case, Sample, in_turn, run  # noqa: E402

_ENTRY = 330
"""Bytes of an archived entry, about."""
_STORY = 1_900
_QUESTIONS = (
    "what is next and what is blocked",
    "which retry does the parser need",
    "why is the cache stale in src/module_7",
    "what did US-0042 change",
)
"""A question for a kind of answer, common words, a path, an id: a rare name alone takes less."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sizes", type=float, nargs="+", default=[1.17, 3.5, 11.7], metavar="MB")
    parser.add_argument("--write", type=Path, help="the document whose table is replaced")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="agent-progress-recall-") as folder:
        table = "\n".join(lines(Path(folder), options.sizes, options.rounds))
    print(table)
    if options.write:
        document.fill(options.write, {"recall": table})
    return 0


def lines(folder: Path, sizes: list[float], rounds: int) -> Iterator[str]:
    """Yield the table's lines."""
    yield (
        "| History, MB | Passages | Index, MB | First question, s | CPU, s "
        "| Next ones, ms | less bare, ms | CPU, ms | After an entry, ms "
        "| After a line of the agent's, CPU, s |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for size in sizes:
        yield _measured(folder / f"{size:g}", size, rounds)


def _measured(folder: Path, size: float, rounds: int) -> str:
    root, home = _history(folder / "project", int(size * 1e6)), folder / "home"
    home.mkdir()
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "AGENT_PROGRESS_SITE": str(Path(str(click.__file__)).parents[1]),
    }
    python = getattr(sys, "_base_executable", sys.executable)
    program = [
        python,
        "-I",
        "-S",
        "-X",
        "utf8",
        "-X",
        f"pycache_prefix={home}/pycache",
        str(ROOT / "progress_plugin/__main__.py"),
    ]

    def asked(words: str) -> Case:
        return Case(words, [*program, "-C", str(root), "recall", words], environment)

    bare = Case("bare", [python, "-I", "-S", "-c", "pass"], environment)
    run(Case("compile", [*program, "-C", str(folder), "recall", "x"], environment))
    first, _ = run(asked(_QUESTIONS[0]))
    index = max(
        (home / ".cache/agent-progress/recall").glob("*/index.db"), key=lambda path: path.stat().st_size
    )
    for words in _QUESTIONS:
        run(asked(words))
    taken = in_turn([bare, *map(asked, _QUESTIONS)], rounds)
    next_ones = [sample for words in _QUESTIONS for sample in taken[words]]
    wall, cpu = _middle(next_ones, "wall"), _middle(next_ones, "cpu")
    log = Case(
        "log", [*program, "-C", str(root), "log", "milestone_reached", "-m", "The lamp is lit"], environment
    )
    after = []
    for _ in range(rounds):
        run(log)
        after.append(run(asked(_QUESTIONS[0]))[0])
    told = []
    for number in range(3):
        with (root / "progress.md").open("a", encoding="utf-8") as file:
            file.write(f"- The lamp was lit {number} times\n")
        told.append(run(asked(_QUESTIONS[0]))[0])
    return (
        f"| {_size(root) / 1e6:.1f} | {_passages(index):,} | {index.stat().st_size / 1e6:.0f} "
        f"| {first.wall:.1f} | {first.cpu:.1f} "
        f"| {wall * 1000:.0f} | {(wall - _middle(taken['bare'], 'wall')) * 1000:.0f} | {cpu * 1000:.0f} "
        f"| {_middle(after, 'wall') * 1000:.0f} | {_middle(told, 'cpu'):.1f} |"
    )


def _middle(samples: list[Sample], name: str) -> float:
    return document.middle(float(getattr(sample, name)) for sample in samples)


def _history(root: Path, size: int) -> Path:
    inputs.repository(root)
    now = datetime.now(UTC)
    (root / "progress.md").write_text(inputs.markdown_log(size // 2 // _STORY, size // 2), "utf-8")
    inputs.write_own_log(root, 100, now)
    inputs.write_archive(root, size // 2 // _ENTRY, now)
    return root


def _size(root: Path) -> int:
    kept = [root / "progress.md", root / ".agent-os/progress/progress.json"]
    return sum(
        path.stat().st_size for path in (*kept, *(root / ".agent-os/progress/archive").glob("20*.json"))
    )


def _passages(index: Path) -> int:
    import sqlite3  # noqa: PLC0415 - for one figure

    connection = sqlite3.connect(index)
    (count,) = connection.execute("SELECT count(*) FROM passages").fetchone()
    connection.close()
    return int(count)


if __name__ == "__main__":
    raise SystemExit(main())
