"""The rows of the table: what each row measures, its reference and its bound."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import corpus
import first_request
import inputs
from timing import SETTLE_S, Case, median_ratio, run_in_turn

ROOT = Path(__file__).resolve().parents[1]
LAUNCHER = ROOT / "bin/agent-progress"
LOG = ".agent-os/progress/progress.json"
QUESTION = "which retry does the queue need"
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


@dataclass(frozen=True)
class Line:
    """One line of the table; `value` and `bound` are in `unit`."""

    what: str
    milliseconds: float | None
    value: float
    bound: float
    unit: str

    @property
    def holds(self) -> bool:
        """Whether the value is within its bound."""
        return round(self.value, 2) <= self.bound


@dataclass(frozen=True)
class Bench:
    """Where a benchmark runs: a home with the environment, its Python, and a folder for projects."""

    home: Path
    python: str
    folder: Path
    rounds: int
    short: bool

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that a client gives its hooks."""
        return {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "CLAUDECODE": "1", "LANG": "C.UTF-8"}

    @property
    def bare(self) -> Case:
        """Return an interpreter that does nothing."""
        base = os.path.realpath(self.python)
        return Case([base, "-I", "-S", "-c", "pass"], self.environment)

    @property
    def imports(self) -> Case:
        """Return the import of two required packages, called I in the table."""
        return Case([self.python, "-c", "import pydantic, jinja2"], self.environment)

    def project(self, name: str, stories: int = 0, log_bytes: int = 0) -> Path:
        """Make a project with a plan and an agent log."""
        root = inputs.make_repository(self.folder / name)
        if stories:
            (root / "progress.md").write_text(inputs.agent_log(stories, log_bytes), "utf-8")
            (root / "prd.json").write_text(json.dumps(inputs.plan(stories + 4, stories)), "utf-8")
        return root

    def logged_project(self, name: str, archived: int = 0) -> Path:
        """Make a project with 500 entries in our log and `archived` entries in its archive."""
        root, now = self.project(name), datetime.now(UTC)
        (root / "prd.json").write_text(json.dumps(inputs.plan(80, 0)), "utf-8")
        inputs.write_log(root, 500, now)
        if archived:
            inputs.write_archive(root, archived, now)
        return root

    def command(self, *words: object, **options: Any) -> Case:
        """Return a run of the launcher."""
        return Case([str(LAUNCHER), *map(str, words)], self.environment, **options)

    def hook(self, root: Path, event: str, fields: Mapping[str, Any], **options: Any) -> Case:
        """Return a run of the launcher as a client's hook."""
        message = {"session_id": "benchmark", "cwd": str(root), "hook_event_name": event, **fields}
        return self.command("hook", event, stdin=json.dumps(message).encode(), **options)

    def start(self, root: Path, expected: bytes = b"Progress Summary", **options: Any) -> Case:
        """Return the start of a session."""
        return self.hook(root, "SessionStart", {"source": "startup"}, expected=expected, **options)

    def forget_caches(self) -> None:
        """Remove all caches except compiled modules."""
        for place in (self.home / ".cache/agent-progress").glob("*"):
            if place.is_dir() and place.name != "pycache":
                shutil.rmtree(place, ignore_errors=True)

    def forget_sections(self) -> None:
        """Remove the cached sections of logs."""
        for name in ("redacted.json", "sections.json"):
            for file in (self.home / ".local/state/agent-progress/projects").glob(f"*/{name}"):
                file.unlink()

    def compare(self, what: str, case: Case, reference: Case, bound: float) -> Line:
        """Measure a case in turn with its reference: `bare`, `I` or another case."""
        seconds, other = run_in_turn([case, reference], self.rounds)
        names = {str(self.bare.command): "bare", str(self.imports.command): "I"}
        unit = f"× {names.get(str(reference.command), 'row 5')}"
        return Line(what, statistics.median(seconds) * 1000, median_ratio(seconds, other), bound, unit)

    def limit(self, what: str, case: Case, bound_ms: float) -> Line:
        """Measure a case against a bound in milliseconds."""
        (seconds,) = run_in_turn([case], self.rounds)
        middle = statistics.median(seconds) * 1000
        return Line(what, middle, middle, bound_ms, "ms")


def unchanged_start(bench: Bench) -> Iterator[Line]:
    root = bench.project("unchanged", 14, 30_000)
    yield bench.compare("start, nothing changed", bench.start(root), bench.bare, 1.5)


def no_concern(bench: Bench) -> Iterator[Line]:
    root, empty = bench.project("other-event", 14, 30_000), bench.project("empty")
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(root / "src/main.ts")}}
    workspace = json.dumps({"workspace": {"project_dir": str(root)}}).encode()
    bench.start(root).run()
    cases = {
        "hook event that does not concern us": bench.hook(root, "PostToolUse", edit),
        "status line": bench.command("statusline", stdin=workspace),
        "start in a project without anything of ours": bench.start(empty, b""),
    }
    for what, case in cases.items():
        yield bench.compare(what, case, bench.bare, 1.5)


def changed_start(bench: Bench) -> Iterator[Line]:
    root = bench.project("changed", 14, 30_000)
    case = bench.start(root, prepare=appender(root / "progress.md"))
    yield bench.compare("start, sources changed, 30 KB log", case, bench.imports, 3)


def large_start(bench: Bench) -> Iterator[Line]:
    stories, size = (40, 80_000) if bench.short else (180, 350_000)
    root = bench.project("large", stories, size)
    change = appender(root / "progress.md")

    def forget_and_change() -> None:
        bench.forget_caches()
        bench.forget_sections()
        change()

    first, later = bench.start(root, prepare=forget_and_change), bench.start(root, prepare=change)
    yield bench.compare(
        f"start, {size // 1000} KB log, {stories} stories, first time", first, bench.imports, 12
    )
    yield bench.compare("the same, later", later, bench.imports, 4)


def append_entry(bench: Bench) -> Iterator[Line]:
    root = bench.logged_project("append-by-hook")
    numbers = count(1)

    def finish_story() -> None:
        (root / "prd.json").write_text(json.dumps(inputs.plan(80, next(numbers))), "utf-8")

    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(root / "prd.json")}}
    case = bench.hook(root, "PostToolUse", edit, prepare=finish_story)
    yield bench.compare("append to 500 entries, by hook", case, bench.imports, 3)
    require_entries(root, 500 + bench.rounds)
    command = log_command(bench, bench.logged_project("append-by-command"))
    yield bench.compare("the same by `agent-progress log`", command, bench.imports, 3)


def append_with_archive(bench: Bench) -> Iterator[Line]:
    archived = 2_000 if bench.short else 100_000
    case = log_command(bench, bench.logged_project("append-archive", archived))
    reference = log_command(bench, bench.logged_project("append-no-archive"))
    yield bench.compare(f"append with {archived:,} archived entries", case, reference, 1.5)


def mcp_server(bench: Bench) -> Iterator[Line]:
    root = bench.project("served", 14, 30_000)
    call = {"name": "mem_progress", "arguments": {"project": "harbour"}}
    listing = [("initialize", HELLO), ("notifications/initialized", None), ("tools/list", {})]
    cases = {
        "listed": serve(bench, root, listing, b'"mem_progress"'),
        "called": serve(bench, root, [*listing, ("tools/call", call)], b'"id":4'),
    }
    yield bench.compare("MCP server until the tools are listed", cases["listed"], bench.bare, 12)
    yield bench.compare("MCP server until the first tool call is answered", cases["called"], bench.imports, 3)


def client_request(bench: Bench) -> Iterator[Line]:
    pairs = 2 if bench.short else max(bench.rounds, 10)
    milliseconds = first_request.median_delay_ms(bench.folder, bench.home, pairs)
    if milliseconds is not None:
        yield Line("delay of Claude Code's first request", milliseconds, milliseconds, 150, "ms")


def compaction(bench: Bench) -> Iterator[Line]:
    rows = 20_000 if bench.short else 1_000_000
    script = Path(__file__).with_name("memory.py")
    command = [bench.python, script, bench.folder / "memory.db", str(rows), str(bench.rounds)]
    done = subprocess.run(command, env=bench.environment, capture_output=True, check=True)
    for what, milliseconds in json.loads(done.stdout).items():
        yield Line(f"`mem_compact` {what} of {rows:,}", milliseconds, milliseconds, 50, "ms")


def recall(bench: Bench) -> Iterator[Line]:
    size = 500_000 if bench.short else 10_000_000
    root = bench.project("history", size // 2 // 1_900, size // 2)
    inputs.write_log(root, 100, datetime.now(UTC))
    inputs.write_archive(root, size // 2 // 330, datetime.now(UTC))
    what = f"`recall` in {size / 1e6:g} MB,"
    ready = bench.command("-C", root, "recall", QUESTION, expected=b"queue")
    yield bench.limit(f"{what} with an index", ready, 200)
    single = Bench(bench.home, bench.python, bench.folder, 1 if bench.short else 3, bench.short)
    missing = bench.command("-C", root, "recall", QUESTION, prepare=bench.forget_caches, expected=b"queue")
    yield single.limit(f"{what} without an index", missing, 5_000)


def context_tokens(bench: Bench) -> Iterator[Line]:
    if (place := corpus.find()) is None:
        return
    savings = corpus.measure(place, limit=3 if bench.short else None)
    tokens = statistics.median(each.context_tokens for each in savings)
    yield Line(f"tokens of the start context, median of {len(savings)} logs", None, tokens, 1_200, "tokens")


def catch_up(bench: Bench) -> Iterator[Line]:
    few, many, size = (2, 6, 200_000) if bench.short else (20, 100, 2_000_000)
    starts, seconds = {}, {}
    for number in (0, few, many):
        home, root = bench.folder / f"home-{number}", bench.project(f"sessions-{number}", 14, 30_000)
        (home / ".local/share").mkdir(parents=True)
        (home / ".local/share/agent-progress").symlink_to(bench.home / ".local/share/agent-progress")
        inputs.write_transcripts(home, root, number, size)
        begin = time.perf_counter()
        starts[number] = Bench(home, bench.python, bench.folder, 1, bench.short).start(root, b"").run()
        while len([*home.glob(".local/state/agent-progress/projects/*/sessions/*.json")]) < number:
            time.sleep(0.05)
        seconds[number] = time.perf_counter() - begin
        time.sleep(SETTLE_S)
    later = (starts[many] - starts[0]) * 1000
    yield Line(f"delay of a first start by {many} transcripts never read", later, later, 1000, "ms")
    ratio = seconds[many] / seconds[few]
    what = f"{many} transcripts of {size / 1e6:g} MB read in the background"
    yield Line(what, seconds[many] * 1000, ratio, 1.3 * many / few, f"× {few} transcripts")


ROWS: dict[str, Callable[[Bench], Iterator[Line]]] = {
    "1": unchanged_start,
    "2": no_concern,
    "3": changed_start,
    "4": large_start,
    "5": append_entry,
    "6": append_with_archive,
    "7": mcp_server,
    "8": client_request,
    "9": compaction,
    "10": recall,
    "11": context_tokens,
    "12": catch_up,
}


def appender(path: Path) -> Callable[[], None]:
    """Return a function that gives a file another last line each time."""
    text, numbers = path.read_text("utf-8"), count(1)
    return lambda: path.write_text(f"{text}- Looked at it again, times: {next(numbers)}\n", "utf-8") and None


def log_command(bench: Bench, root: Path) -> Case:
    """Return `agent-progress log` with another description at each run, because equal entries are dropped."""
    command = [str(LAUNCHER), "-C", str(root), "log", "milestone_reached", "--description", ""]
    numbers = count(1)

    def number_description() -> None:
        command[-1] = f"Checked the harbour light {next(numbers)} times"

    return Case(command, bench.environment, prepare=number_description, expected=b"entry-")


def require_entries(root: Path, least: int) -> None:
    entries = len(json.loads((root / LOG).read_text("utf-8"))["entries"])
    if entries < least:
        raise RuntimeError(f"{root / LOG} has {entries} entries, expected {least}: the hook recorded nothing")


def serve(bench: Bench, root: Path, requests: list[tuple[str, Any]], expected: bytes) -> Case:
    """Return a session of the MCP server whose requests are all sent at once."""
    lines = []
    for number, (method, params) in enumerate(requests, 1):
        message = {"jsonrpc": "2.0", "method": method} | ({"params": params} if params is not None else {})
        lines.append(json.dumps(message if method.startswith("notifications/") else message | {"id": number}))
    environment = bench.environment | {"CLAUDE_PROJECT_DIR": str(root)}
    stdin = "\n".join([*lines, ""]).encode()
    return Case([str(LAUNCHER), "mcp"], environment, stdin, expected=expected, is_server=True)
