"""Rows that are no plain process: B7 in a database, B8 until a server answers, B10 growth."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import inputs
import rows
from document import middle, verdict
from process import Ratio
from rows import Machine

_HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
    },
}  # fmt: skip
_INSIDE = Path(__file__).with_name("inside.py")


def lines(machine: Machine, folder: Path, *, short: bool) -> Iterator[str]:
    """Yield the table's lines for B7, B8 and B10."""
    yield from _memory(machine, folder, 100_000 if short else 1_000_000)
    yield _server(machine, 3 if short else 11)
    yield from _growth(machine, folder)


def inside(machine: Machine, *words: object) -> dict[str, Any]:
    """Run a measurement of `inside.py` with the environment's Python and return what it found."""
    command = [machine.python, "-I", "-S", "-X", "utf8", "-B", _INSIDE, machine.site, *map(str, words)]
    done = subprocess.run(command, env=machine.environment(), capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


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


def _server(machine: Machine, rounds: int) -> str:
    ours, theirs = [rows.LAUNCHER, "mcp"], [machine.python, "-c", _sdk(machine)]
    pairs = [(_until_a_line(machine, ours), _until_a_line(machine, theirs)) for _ in range(rounds + 1)][1:]
    ratio = Ratio.of(*map(list, zip(*pairs, strict=True)))
    took = middle(ours for ours, _ in pairs) * 1000
    return (
        f"| B8 | MCP server until initialized | {took:.0f} | | {ratio.median:.2f} x the SDK's import "
        f"| {ratio.low:.2f} – {ratio.high:.2f} | | 1.15 | {verdict(ratio.median, 1.15)} | | |"
    )


def _sdk(machine: Machine) -> str:
    return (
        f"import sys; sys.path.insert(0, {machine.site!r}); "
        "import mcp.server.lowlevel, mcp.server.stdio; print(flush=True)"
    )


def _until_a_line(machine: Machine, command: list[Any]) -> float:
    """Return the seconds from the start of a process to its first line; its end is not counted."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, env=machine.environment(CLAUDE_PROJECT_DIR=str(rows.ROOT)),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(_HELLO).encode() + b"\n")
    process.stdin.flush()
    line = process.stdout.readline()
    took = time.perf_counter() - begun
    process.communicate()
    if not line:
        raise RuntimeError(f"no answer from {command}")
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
