"""Rows B16: a transcript of 100 MB read at its session's end, from where reading stopped last, and whole."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import inputs
import rows
from document import middle, verdict
from process import Case, Sample, run
from rows import Machine

_MB = 1024 * 1024
_NEW = 2 * _MB
_BOUND, _WHOLE = 300, 2000
"""Milliseconds: what a client waits for at every end of a session, and what nobody waits for."""
_SESSION = "bench-1"
_WORDS = ("harbour", "return", "value", "pier", "index", "    assert", "lantern", "import", "path", "{", "}")


def lines(machine: Machine, folder: Path, *, short: bool) -> Iterator[str]:
    """Yield the table's lines for B16."""
    size, rounds = (10 if short else 100) * _MB, 3 if short else 11
    root = inputs.repository(folder / "session")
    (root / ".agent-os/progress").mkdir(parents=True)
    path = folder / f"{_SESSION}.jsonl"
    known = write_transcript(path, root, size - _NEW)
    whole = [run(_reading(machine, root, path))[0]]
    record = root / ".agent-os/progress/sessions.jsonl"
    kept = record.read_bytes()
    write_transcript(path, root, _NEW)
    with path.open("rb") as file:
        file.seek(known)
        new = file.read()

    def forget() -> None:
        os.truncate(path, known)
        record.write_bytes(kept)
        with path.open("ab") as file:
            file.write(new)

    said = {
        "session_id": _SESSION,
        "cwd": str(root),
        "hook_event_name": "SessionEnd",
        "transcript_path": str(path),
    }
    end = Case(
        "end",
        [str(rows.LAUNCHER), "hook", "SessionEnd"],
        machine.environment(),
        json.dumps(said).encode(),
        forget,
    )
    samples = [run(end)[0] for _ in range(rounds + 1)][1:]
    if _offset(record) != path.stat().st_size:
        raise RuntimeError("the end of the session did not read its transcript")
    yield _line(f"end of a session, transcript of {size // _MB} MB, 2 MB of it new", samples, _BOUND)
    yield _line(
        f"the same transcript from its beginning, in a process of its own, {known // _MB} MB", whole, _WHOLE
    )
    path.unlink()


def write_transcript(path: Path, root: Path, size: int) -> int:
    """Append so many bytes, about, of what Claude Code writes; return how long the file is then.

    Calls and their results, mostly looks around, an edit and a test run now and then.
    """
    chance = random.Random(16)
    written = 0
    with path.open("ab") as file:
        while written < size:
            number = path.stat().st_size + written
            words = " ".join(chance.choice(_WORDS) for _ in range(chance.choice((40, 400, 2_000))))
            kind = number % 7
            given = (
                {"file_path": str(root / f"src/{number % 90}.py")}
                if kind == 0
                else {"command": "rg -n harbour"}
            )
            given = {"command": "pytest -q"} if kind == 1 else given
            tool = "Edit" if kind == 0 else "Bash"
            call = {"type": "tool_use", "id": f"call_{number}", "name": tool, "input": given}
            result = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": words}
            for name, content in (("assistant", call), ("user", result)):
                message = {
                    "role": name,
                    "id": f"msg_{number}",
                    "model": "claude-opus-5-5",
                    "content": [content],
                }
                record = {
                    "uuid": f"{number:x}-{name}",
                    "type": name,
                    "message": message,
                    "cwd": str(root),
                    "sessionId": _SESSION,
                    "timestamp": f"2026-11-20T09:{number // 60_000 % 60:02}:00.000Z",
                    "toolUseResult": {"stdout": words} if name == "user" else None,
                }
                written += file.write(json.dumps(record).encode() + b"\n")
    return path.stat().st_size


def _reading(machine: Machine, root: Path, path: Path) -> Case:
    door = [machine.python, "-I", "-S", "-X", "utf8", "-B", str(rows.ROOT / "hooks/record.py")]
    told = ["DetachedReading", str(root), "claude", _SESSION, str(path), "0", ""]
    return Case("whole", [*door, *told], machine.environment())


def _offset(record: Path) -> int:
    told = json.loads(record.read_bytes().splitlines()[1])
    return max(int(state["offset"]) for state in told["reading"].values())


def _line(what: str, samples: Sequence[Sample], bound: int) -> str:
    wall, cpu, peak = (middle(column) for column in zip(*samples, strict=True))
    return (
        f"| B16 | {what} | {wall * 1000:.0f} | {cpu * 1000:.0f} | | | | {bound} ms "
        f"| {verdict(wall * 1000, bound)} | | {peak:.0f} |"
    )
