"""The rows B1 to B11 of the table: what is run, against what, and how much of it is allowed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import inputs
from process import Case, apart

ROOT = Path(__file__).resolve().parent.parent
LAUNCHER = ROOT / "bin/agent-progress"
_PLANNED = 80
"""Stories of the plan that appends finish one by one: more than there are rounds."""


class Row(NamedTuple):
    """One line of the table: a case, the one it is compared with, and how many times as long it may take."""

    name: str
    what: str
    case: str
    reference: str
    bound: float | None


class Machine(NamedTuple):
    """Where the packages stand: a home of its own with a built environment."""

    home: Path
    python: str
    site: str

    def answers(self, root: Path) -> Path:
        """Return where it is kept what was found out about the logs of a project."""
        name = hashlib.blake2b(os.fsencode(root), digest_size=16).hexdigest()
        return self.home / ".cache/agent-progress/answers" / name

    def environment(self, **more: str) -> dict[str, str]:
        """Return what a client's hook sees, and nothing of this shell's."""
        return {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "CLAUDECODE": "1", "LANG": "C.UTF-8", **more}


ROWS = (
    Row("B1", "session start, fresh", "fresh", "bare", 1.3),
    Row("B2", "session start, stale, 30 KB log", "stale 30 KB", "I", 1.0),
    Row("B3", "session start, stale, 349 KB log, 183 stories", "stale 349 KB", "I", 2.0),
    Row("", "the same, its learnings never judged before", "first 349 KB", "I", None),
    Row("B4", "hook event that is not ours", "other event", "bare", 1.4),
    Row("B14", "hook at a file that nobody names, 20,000 learnings", "unnamed file", "bare", 1.4),
    Row("B14", "hook at a file that is named", "named file", "bare", 2.0),
    Row("B5", "append + regenerate, 500 entries, by a hook", "append", "I", 1.0),
    Row("B5", "the same by `agent-progress log`", "append by command", "I", 1.0),
    Row("B6", "append with an archive of 100,000", "append, archive", "append", 1.2),
    Row("B9", "status line", "status line", "bare", 2.0),
    Row("B11", "session start, nothing of ours", "nothing here", "bare", 1.3),
    Row("B15", "session start, fresh, with a team's server that does not answer", "with a team", "bare", 1.3),
)
CORPUS_ROWS = (
    Row("B2", "the corpus log nearest to 30 KB", "corpus 30 KB", "I", 1.0),
    Row("B3", "the corpus log nearest to 349 KB", "corpus 349 KB", "I", 2.0),
    Row("", "the same, its learnings never judged before", "first corpus 349 KB", "I", None),
)


def references(machine: Machine) -> list[Case]:
    """Return what the rest is compared with: a bare interpreter, and importing pydantic and jinja2."""
    code = f"import sys; sys.path.insert(0, {machine.site!r}); import pydantic, jinja2"
    return [
        Case("bare", [machine.python, "-I", "-S", "-c", "pass"], machine.environment()),
        Case("I", [machine.python, "-c", code], machine.environment()),
    ]


def starts(machine: Machine, folder: Path) -> list[Case]:
    """Return the session starts: fresh, stale with a small and a large log, and with nothing of ours."""
    small, large, first, nothing = (
        inputs.repository(folder / name) for name in ("small", "large", "first", "nothing")
    )
    fresh = inputs.repository(folder / "fresh")
    for root in (fresh, small):
        _authored(root, 14, 30_000)
    for root in (large, first):
        _authored(root, 183, 349_000)
    return [
        start("fresh", machine, fresh),
        start("stale 30 KB", machine, small, renewer(small / "progress.md")),
        start("stale 349 KB", machine, large, renewer(large / "progress.md")),
        start("first 349 KB", machine, first, renewer(first / "progress.md", answers=machine.answers(first))),
        start("nothing here", machine, nothing),
    ]


def team(machine: Machine, folder: Path) -> Case:
    """Return the start of a clone that takes part in a team whose server cannot be reached.

    The last sync is long ago, so each start begins another one, which it does not wait for.
    """
    root = inputs.repository(folder / "team")
    _authored(root, 14, 30_000)
    environment = machine.environment(
        AGENT_PROGRESS_TEAM_URL="postgresql:///team?host=/nonexistent",
        AGENT_PROGRESS_TEAM_PROJECT_KEY="bench",
    )
    command = [str(LAUNCHER), "-C", str(root), "sync"]
    subprocess.run(command, env=environment, check=False, capture_output=True)
    state = root / ".agent-os/progress/team/state"
    case = start("with a team", machine, root, partial(os.utime, state, (0, 0)))
    return case._replace(environment=environment)


def hooks(machine: Machine, folder: Path, archived: int) -> list[Case]:
    """Return the other hooks: somebody else's event, appends without and with an archive, the status line."""
    fresh, now = folder / "fresh", datetime.now(UTC)
    cases = [
        _hook("other event", machine, fresh, "PostToolUse", {"tool_input": {"file_path": "/src/main.ts"}}),
        Case(
            "status line",
            [str(LAUNCHER), "statusline"],
            machine.environment(),
            json.dumps({"workspace": {"project_dir": str(fresh)}}).encode(),
        ),
    ]
    for name, count in (("append", 0), ("append, archive", archived)):
        root = inputs.repository(folder / name.replace(", ", "-"))
        inputs.write_own_log(root, 500, now)
        if count:
            apart(partial(inputs.write_archive, root, count, now))
        cases.append(finishing(name, machine, root))
    root = inputs.repository(folder / "append-by-command")
    inputs.write_own_log(root, 500, now)
    command = [str(LAUNCHER), "-C", str(root), "log", "task_completed", "--description"]
    return [*cases, _numbered("append by command", command, machine)]


def files(machine: Machine, folder: Path, learnings: int) -> list[Case]:
    """Return the hooks at a read of a file that nobody names, and of one that a learning names."""
    root = inputs.repository(folder / "files")
    (root / "progress.md").write_text(inputs.log_about_files(learnings), "utf-8")
    data = root / ".agent-os/progress"
    data.mkdir(parents=True)
    (data / "config.toml").write_text("max_learnings = 0\n", "utf-8")
    summarize(machine, root)
    told = data / "sessions/bench-1.told"
    cases = []
    for name, file in (
        ("unnamed file", "src/unheard-of.ts"),
        ("named file", inputs.file_named(learnings // 2)),
    ):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("light\n", "utf-8")
        read = {"tool_name": "Read", "tool_input": {"file_path": str(root / file)}}
        forget = partial(told.unlink, missing_ok=True)
        cases.append(_hook(name, machine, root, "PostToolUse", read, forget))
    return cases


def corpus(machine: Machine, folder: Path, place: Path) -> list[Case]:
    """Return stale starts with real logs of about the sizes of B2 and B3, held-out ones excepted."""
    held_out = (ROOT / "tests/corpus/held_out.txt").read_text("utf-8").split()
    logs = [
        path
        for path in place.glob("logs/*/progress.*")
        if path.suffix in (".md", ".txt") and path.parent.name not in held_out
    ]
    cases = []
    for name, size in (
        ("corpus 30 KB", 30_000),
        ("corpus 349 KB", 349_000),
        ("first corpus 349 KB", 349_000),
    ):
        nearest = min(logs, key=lambda path: abs(path.stat().st_size - size))
        root = inputs.repository(folder / name.replace(" ", "-"))
        for path in nearest.parent.iterdir():
            if path.is_file() and path.suffix in (".md", ".txt", ".json"):
                (root / path.name).write_bytes(path.read_bytes())
        answers = machine.answers(root) if name.startswith("first") else None
        cases.append(start(name, machine, root, renewer(root / nearest.name, answers=answers)))
    return cases


def start(name: str, machine: Machine, root: Path, before: Callable[[], None] = lambda: None) -> Case:
    """Return the start of a session in a project, as the client starts the hook."""
    return _hook(name, machine, root, "SessionStart", {"source": "startup"}, before)


def _hook(  # noqa: PLR0913, PLR0917 - what one hook's call is made of
    name: str,
    machine: Machine,
    root: Path,
    event: str,
    fields: dict[str, object],
    before: Callable[[], None] = lambda: None,
) -> Case:
    said = {"session_id": "bench-1", "cwd": str(root), "hook_event_name": event, **fields}
    return Case(
        name, [str(LAUNCHER), "hook", event], machine.environment(), json.dumps(said).encode(), before
    )


def _authored(root: Path, stories: int, size: int) -> None:
    (root / "progress.md").write_text(inputs.markdown_log(stories, size), "utf-8")
    (root / "prd.json").write_text(json.dumps(inputs.plan(stories + 4, stories)), "utf-8")


def renewer(
    path: Path, words: str = "- Looked at it again, times: ", answers: Path | None = None
) -> Callable[[], None]:
    """Return what makes a file stale: another end every time, of these words and a number or of blanks.

    `answers` are what was found out about logs, to be forgotten each time.
    """
    text, count = path.read_bytes().rstrip() + b"\n", iter(range(1, 10**9))

    def renew() -> None:
        number = next(count)
        if answers:
            answers.unlink(missing_ok=True)
        path.write_bytes(text + (f"{words}{number}\n" if words.strip() else words * number).encode())

    return renew


def finishing(name: str, machine: Machine, root: Path) -> Case:
    """Return the hook of an edit that finishes one more story of a plan: one entry, one regeneration."""
    done = iter(range(1, 10**6))
    path = root / "prd.json"
    path.write_text(json.dumps(inputs.plan(_PLANNED, 0)), "utf-8")

    def finish() -> None:
        path.write_text(json.dumps(inputs.plan(_PLANNED, next(done))), "utf-8")

    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(path)}}
    return _hook(name, machine, root, "PostToolUse", edit, finish)


def summarize(machine: Machine, root: Path) -> None:
    """Make the summary of a project, and wait for it."""
    command = [str(LAUNCHER), "-C", str(root), "status", "summarize"]
    subprocess.run(command, env=machine.environment(), check=True, stdout=subprocess.DEVNULL)


def _numbered(name: str, command: Sequence[str], machine: Machine) -> Case:
    """Return a command whose last word is another one every time."""
    words = [*command, ""]

    def count() -> None:
        words[-1] = f"Checked the harbour light, {time.monotonic_ns()}"

    return Case(name, words, machine.environment(), b"", count)


def modules(machine: Machine, case: Case) -> int:
    """Return how many modules the Python behind a hook loads, from its first to its last."""
    door = {"SessionStart": "start", "statusline": "statusline"}.get(case.command[-1], "record")
    flags = ["-I", "-S", "-X", "utf8", "-X", f"pycache_prefix={machine.home}/.cache/agent-progress/pycache"]
    case.before()
    done = subprocess.run(
        [machine.python, *flags, "-X", "importtime", str(ROOT / f"hooks/{door}.py"), case.command[-1]],
        env=case.environment | {"AGENT_PROGRESS_SITE": machine.site},
        input=case.said,
        capture_output=True,
        check=True,
    )
    return sum(line.startswith(b"import time:") for line in done.stderr.splitlines()) - 1


def corpus_place() -> Path | None:
    """Return where real logs stand, None where there are none."""
    place = Path(os.environ.get("AGENT_PROGRESS_CORPUS") or ROOT.parent / "shared/corpus")
    return place if (place / "logs").is_dir() else None
