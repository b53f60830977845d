"""Rows that are no plain process: B5, B8 and B17 by the server, B7 in a database, B10 growth."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import inputs
import rows
from document import middle, verdict
from process import Ratio, run
from rows import Machine

_HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
    },
}  # fmt: skip
_INSIDE = Path(__file__).with_name("inside.py")


def lines(machine: Machine, folder: Path, *, short: bool) -> Iterator[str]:
    """Yield the table's lines for B5 by a tool, B7, B8 and B10."""
    yield _tool(machine, folder, 3 if short else 11)
    yield from _memory(machine, folder, 100_000 if short else 1_000_000)
    yield from _server(machine, folder, 3 if short else 11)
    yield from _growth(machine, folder)


def inside(machine: Machine, *words: object) -> dict[str, Any]:
    """Run a measurement of `inside.py` with the environment's Python and return what it found."""
    command = [machine.python, "-I", "-S", "-X", "utf8", "-B", _INSIDE, machine.site, *map(str, words)]
    done = subprocess.run(command, env=machine.environment(), capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _tool(machine: Machine, folder: Path, rounds: int) -> str:
    """Measure an append by a server that runs, from the call to its answer, beside the reference of B5."""
    root = inputs.repository(folder / "append-by-tool")
    inputs.write_own_log(root, 500, datetime.now(UTC))
    reference = next(case for case in rows.references(machine) if case.name == "I")
    pairs = []
    with _Server(machine, root) as server:
        for number in range(rounds + 1):
            arguments = {"type": "task_completed", "description": f"Checked the harbour light, {number}"}
            begun = time.perf_counter()
            server.ask(number + 2, "tools/call", {"name": "progress_log", "arguments": arguments})
            pairs.append((time.perf_counter() - begun, run(reference)[0].wall))
    ratio = Ratio.of(*map(list, zip(*pairs[1:], strict=True)))
    took = middle(ours for ours, _ in pairs[1:]) * 1000
    return (
        f"| B5 | the same by the tool `progress_log` | {took:.1f} | | {ratio.median:.2f} x I "
        f"| {ratio.low:.2f} – {ratio.high:.2f} | | 1 | {verdict(ratio.median, 1)} | | |"
    )


class _Server:
    """Our server, running in a project."""

    def __init__(self, machine: Machine, root: Path) -> None:
        self._process = subprocess.Popen(
            [rows.LAUNCHER, "mcp"], env=machine.environment(CLAUDE_PROJECT_DIR=str(root)),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def __enter__(self) -> Self:
        self._say(_HELLO)
        self._answer()
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, number: int, method: str, params: dict[str, Any]) -> None:
        """Make a request and wait for its answer; raises RuntimeError where that is an error."""
        self._say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = self._answer()
        if answer.get("id") != number or answer.get("result", {}).get("isError", "error" in answer):
            raise RuntimeError(f"{method}: {answer}")

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


def _memory(machine: Machine, folder: Path, count: int) -> Iterator[str]:
    database = folder / "memory.db"
    found = inside(machine, "memory", database, count)
    for name in ("identify", "execute 200"):
        took = found[name][0]
        yield (
            f"| B7 | mem_compact, {name}, {count:,} observations | {took:.1f} | | | | | 50 ms "
            f"| {verdict(took, 50)} | | {found['peak']:.0f} |"
        )
    database.unlink()


def _server(machine: Machine, folder: Path, rounds: int) -> Iterator[str]:
    """Measure what a client waits for, each time beside what it is measured by."""
    root = inputs.repository(folder / "served")
    bare = next(case for case in rows.references(machine) if case.name == "bare")
    empty = machine._replace(home=folder / "home-without-packages", site="")
    python = empty.home / ".local/share/agent-progress/python"
    python.parent.mkdir(parents=True)
    python.write_text(machine.python + "\n", "utf-8")
    cases = (
        ("B8 | MCP server until initialized", machine, _until_initialized, "the SDK's import", 1.15),
        (
            "B8 | the first `tools/call`, right after `tools/list`",
            machine,
            _until_called,
            "the SDK's import",
            1.15,
        ),
        ("B17 | MCP server until `tools/list` is answered", machine, _until_listed, "bare", 3.0),
        ("B17 | the same without packages", empty, _until_listed, "bare", 3.0),
    )
    for name, home, measured, against, bound in cases:
        pairs = []
        for _ in range(rounds + 1):
            took = measured(home, root)
            other = run(bare)[0].wall if against == "bare" else _importing(machine)
            pairs.append((took, other))
        ratio = Ratio.of(*map(list, zip(*pairs[1:], strict=True)))
        middling = middle(ours for ours, _ in pairs[1:]) * 1000
        yield (
            f"| {name} | {middling:.0f} | | {ratio.median:.2f} x {against} "
            f"| {ratio.low:.2f} – {ratio.high:.2f} | | {bound:g} | {verdict(ratio.median, bound)} | | |"
        )


def _until_initialized(machine: Machine, root: Path) -> float:
    begun = time.perf_counter()
    with _Server(machine, root):
        return time.perf_counter() - begun


def _until_listed(machine: Machine, root: Path) -> float:
    begun = time.perf_counter()
    with _Server(machine, root) as server:
        server.ask(2, "tools/list", {})
        return time.perf_counter() - begun


def _until_called(machine: Machine, root: Path) -> float:
    with _Server(machine, root) as server:
        server.ask(2, "tools/list", {})
        begun = time.perf_counter()
        server.ask(3, "tools/call", {"name": "mem_progress", "arguments": {"project": "harbour"}})
        return time.perf_counter() - begun


def _sdk(machine: Machine) -> str:
    return (
        f"import sys; sys.path.insert(0, {machine.site!r}); "
        "import mcp.server.lowlevel, mcp.server.stdio; print(flush=True)"
    )


def _importing(machine: Machine) -> float:
    """Return the seconds in which a bare process imports the SDK's server; its end is not counted."""
    begun = time.perf_counter()
    process = subprocess.Popen([machine.python, "-I", "-S", "-c", _sdk(machine)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    took = time.perf_counter() - begun
    process.communicate()
    return took


def _growth(machine: Machine, folder: Path) -> Iterator[str]:
    took = []
    for factor in (1, 10):
        log = folder / f"growth-{factor}.md"
        log.write_text(inputs.markdown_log(20 * factor, 40_000 * factor), "utf-8")
        found = inside(machine, "extraction", log)
        took.append(found["read"] + found["extract"] + found["merge"])
    times = took[1] / took[0]
    yield (
        f"| B10 | extraction from 10 x the log (40 to 400 KB) | {took[1] * 1000:.1f} | {took[1] * 1000:.1f} "
        f"| {times:.1f} x the smaller | | | 11 | {verdict(times, 11)} | | |"
    )
    tokens = []
    for stories in (20, 200):
        root = inputs.repository(folder / f"growth-{stories}")
        (root / "progress.md").write_text(inputs.markdown_log(stories, 2_000 * stories), "utf-8")
        (root / "prd.json").write_text(json.dumps(inputs.plan(stories + stories // 5, stories)), "utf-8")
        tokens.append(inside(machine, "summary", root)["after"])
    growth = tokens[1] / tokens[0]
    yield (
        f"| B10 | tokens of the summary, 20 to 200 stories | {tokens[0]} to {tokens[1]} tokens "
        f"| | {growth:.2f} x | | | 1.3 | {verdict(growth, 1.3)} | | |"
    )
