"""Measure the budgets and print a Markdown table: `python benchmarks/run.py [--short] [ROW ...]`.

Everything runs through the real launcher with an environment that is made once in `--home`. Exit code 1
means that a bound does not hold; with `--short` only failures count.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from rows import LAUNCHER, ROWS, Bench, Line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"{', '.join(ROWS)}; all by default")
    parser.add_argument("--short", action="store_true", help="small sizes, few rounds: does it all run?")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--home", type=Path, default=Path.home() / ".cache/agent-progress-bench")
    options = parser.parse_args()
    if unknown := set(options.rows) - set(ROWS):
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    rounds = options.rounds or (1 if options.short else 15)
    # Row 8 starts a real client: not in a smoke test of a minute.
    chosen = options.rows or [row for row in ROWS if not (options.short and row == "8")]
    python = make_environment(options.home)
    print(f"{describe_machine(python)}, {rounds} rounds.\n")
    print("| | What | Median, ms | Measured | Bound | |\n|---|---|---:|---:|---:|---|", flush=True)
    lines: list[Line] = []
    failures = 0
    with tempfile.TemporaryDirectory(prefix="agent-progress-bench-") as folder:
        bench = Bench(options.home, python, Path(folder).resolve(), rounds, options.short)
        for row in chosen:
            try:
                measured = list(ROWS[row](bench))
            except (RuntimeError, subprocess.CalledProcessError) as error:
                print(f"| {row} | failed | | | | |\n{error}", flush=True)
                failures += 1
                continue
            for line in measured:
                print(format_line(row, line), flush=True)
            if not measured:
                print(f"| {row} | skipped: its input is not installed here | | | | |", flush=True)
            lines += measured
    return 0 if not failures and (options.short or all(line.holds for line in lines)) else 1


def make_environment(home: Path) -> str:
    """Make the environment in a home of its own and return its Python."""
    home.mkdir(parents=True, exist_ok=True)
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    subprocess.run([LAUNCHER, "setup"], env=environment, check=True, stdout=sys.stderr)
    return str(max(home.glob(".local/share/agent-progress/env/*/bin/python"), key=os.path.getmtime))


def describe_machine(python: str) -> str:
    """Return system, cores, load and version of Python."""
    done = subprocess.run([python, "--version"], capture_output=True, check=True)
    load = "/".join(f"{each:.1f}" for each in os.getloadavg())
    version = done.stdout.decode().strip()
    return f"{platform.system()} {platform.release()}, {os.cpu_count()} cores, load {load}, {version}"


def format_line(row: str, line: Line) -> str:
    """Return one row of the table."""
    middle = "" if line.milliseconds is None else f"{line.milliseconds:.1f}"
    digits = 2 if line.unit.startswith("×") else 0
    verdict = "holds" if line.holds else "**does not hold**"
    measured = f"{line.value:,.{digits}f} {line.unit}"
    return f"| {row} | {line.what} | {middle} | {measured} | {line.bound:,g} | {verdict} |"


if __name__ == "__main__":
    raise SystemExit(main())
