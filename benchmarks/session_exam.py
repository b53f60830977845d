"""What a next agent is told of sessions by us, by claude-handoff, and by the end of the transcript.

    .venv/bin/python benchmarks/session_exam.py [--peer PROGRAM] [--samples DIR] [--write docs/sessions.md]

Asked is the exam of the test suite, 12 scripted sessions with 8 facts each, and, where `--samples` names the
directory with transcripts of real Claude Codes, 8 facts of each of those. Told is a fact where its words
stand in the text. Sizes are tokens by our estimate for all.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(ROOT))

import document  # noqa: E402
from process import Case, Sample, run  # noqa: E402

from progress_plugin.summary.tokens import estimate  # noqa: E402
from progress_plugin.transcripts.clients.readers import reader_of  # noqa: E402
from progress_plugin.transcripts.record import SessionRecord  # noqa: E402
from progress_plugin.transcripts.session_section import TOKENS, section  # noqa: E402
from progress_plugin.transcripts.transcript_lines import Place  # noqa: E402
from tests.transcripts.claude_transcript import ClaudeTranscript  # noqa: E402
from tests.transcripts.exam_sessions import EXAM  # noqa: E402
from tests.transcripts.test_session_exam import written  # noqa: E402

_SAMPLES = ("claude-code-2.1.330.jsonl", "claude-code-2.1.197.jsonl")
_OF_SAMPLES = (
    "Add a tide table", "Fix the failing test: LOW must be 0.7", "tides.py", "new", "Failed", "Run checks",
    "feat: tide table", "LOW is back to 0.7",
)  # fmt: skip
"""What the facts about the samples say is in them; `Failed`: that a command failed and was never repeated."""


class Told(NamedTuple):
    """What one way of telling told of one session."""

    facts: int
    tokens: int


class Asked(NamedTuple):
    """One session, and what is asked about it."""

    path: Path
    root: Path
    facts: Sequence[str]
    commits: list[tuple[str, str]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", type=Path, help="claude-handoff, installed somewhere of its own")
    parser.add_argument("--samples", type=Path, help="directory with transcripts of real clients")
    parser.add_argument("--write", type=Path, help="the document whose table is replaced")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="agent-progress-exam-") as folder:
        table = "\n".join(lines(Path(folder), options.peer, options.samples))
    print(table)
    if options.write:
        document.fill(options.write, {"exam": table})
    return 0


def lines(folder: Path, peer: Path | None, samples: Path | None) -> Iterator[str]:
    """Yield the table's lines."""
    exam = list(_exam(folder))
    real = list(_real(samples)) if samples else []
    ways: dict[str, Callable[[Asked], str]] = {"agent-progress": ours}
    if peer is not None:
        ways["claude-handoff"] = lambda asked: theirs(asked, peer, folder)
        ways[f"claude-handoff, its first {TOKENS} tokens"] = lambda asked: _first(theirs(asked, peer, folder))
    ways["the transcript's end, as many tokens as ours"] = lambda asked: _end(asked, estimate(ours(asked)))
    ways[f"the transcript's end, {TOKENS} tokens"] = lambda asked: _end(asked, TOKENS)
    yield "| | Facts of the exam | Tokens | Facts of real transcripts | Tokens | Processor time, ms |"
    yield "|---|---|---|---|---|---|"
    timed = _with_a_folder(folder)
    took = {"agent-progress": _ours_timed(timed, folder)}
    if peer is not None:
        took["claude-handoff"] = _timed(Case("peer", _command(peer, timed), _environment(folder)))
    for name, way in ways.items():
        cells = [*_cells(way, exam), *_cells(way, real)]
        sample = took.get(name)
        cells.append(f"{sample.cpu * 1000:.0f}" if sample else "")
        yield f"| {name} | {' | '.join(cells)} |"


def ours(asked: Asked) -> str:
    """Return the section of a start."""
    record, reader = SessionRecord("claude", "exam", str(asked.root)), reader_of("claude", None)
    for line in Place(str(asked.path)).lines():
        for event in reader.events(line):
            record.take(event)
    record.made(asked.commits)
    return section(record, running=False, in_log=False)


def theirs(asked: Asked, peer: Path, folder: Path) -> str:
    """Return what claude-handoff makes of it without a model."""
    done = subprocess.run(_command(peer, asked), env=_environment(folder), capture_output=True, check=True)
    return done.stdout.decode()


def _end(asked: Asked, size: int) -> str:
    texts = "\n".join(
        str(line.get("message", {}).get("content", "")) for line in Place(str(asked.path)).lines()
    )
    text = texts[-6 * size :]
    while estimate(text) > size:
        text = text[len(text) // 50 + 1 :]
    return text


def _first(text: str) -> str:
    while estimate(text) > TOKENS:
        text = text[: -len(text) // 50 - 1]
    return text


def _exam(folder: Path) -> Iterator[Asked]:
    chance = random.Random(12)
    root = Path("/home/me/harbour")  # claude-handoff tells no files of a temporary folder
    for number, session in enumerate(EXAM):
        told = ClaudeTranscript(folder / "home", root, f"exam-{number}")
        commits = written(told, session, chance)
        yield Asked(told.path, root, session.facts, commits)


def _real(samples: Path) -> Iterator[Asked]:
    for name in _SAMPLES:
        yield Asked(
            samples / name,
            Path("/home/me/harbour"),
            _OF_SAMPLES,
            [("934cc2c" + "0" * 33, "feat: tide table")],
        )


def _cells(way: Callable[[Asked], str], sessions: Sequence[Asked]) -> list[str]:
    if not sessions:
        return ["", ""]
    texts = [(asked, way(asked)) for asked in sessions]
    told = [Told(sum(fact in text for fact in asked.facts), estimate(text)) for asked, text in texts]
    of = sum(len(asked.facts) for asked in sessions)
    sizes = [each.tokens for each in told]
    return [
        f"{sum(each.facts for each in told)} of {of}",
        f"{sum(sizes) / len(sizes):.0f}, at most {max(sizes)}",
    ]


def _command(peer: Path, asked: Asked) -> list[str]:
    return [str(peer), str(asked.path), "-o", "-"]


def _environment(folder: Path) -> dict[str, str]:
    return {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def _with_a_folder(folder: Path) -> Asked:
    """Return the first session of the exam in a project that is there, for what a whole process does."""
    told = ClaudeTranscript(folder / "home", folder / "harbour", "timed")
    written(told, EXAM[0], random.Random(12))
    return Asked(told.path, folder / "harbour", EXAM[0].facts, [])


def _ours_timed(asked: Asked, folder: Path) -> Sample:
    """Measure the process that a hook leaves the reading to, with the record written."""
    (asked.root / ".agent-os/progress").mkdir(parents=True, exist_ok=True)
    door = [sys.executable, "-I", "-S", "-X", "utf8", "-B", str(ROOT / "hooks/record.py")]
    told = ["DetachedReading", str(asked.root), "claude", asked.path.stem, str(asked.path), "0", "over"]
    record = asked.root / ".agent-os/progress/sessions.jsonl"
    return _timed(
        Case("ours", [*door, *told], _environment(folder), b"", lambda: record.unlink(missing_ok=True))
    )


def _timed(case: Case) -> Sample:
    run(case)  # the first one compiles modules
    samples = [run(case)[0] for _ in range(11)]
    return Sample(*(document.middle(column) for column in zip(*samples, strict=True)))


if __name__ == "__main__":
    raise SystemExit(main())
