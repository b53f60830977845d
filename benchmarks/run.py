"""The budgets, measured side by side: prints a Markdown table, and writes it into a document.

    python3 benchmarks/run.py [--short] [--rounds 21] [--home DIR] [--write docs/performance.md]

Everything goes through the real launcher with a real environment, built once in `--home`. The cases of a
round run one after the other, so that each is compared with what ran beside it. Time never fails a run.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import document
import inner
import rows
import scale
import sessions
from process import Case, Ratio, Sample, in_turn, run
from rows import Machine, Row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--short", action="store_true", help="a few rounds, small sizes: does it all still run?"
    )
    parser.add_argument("--rounds", type=int, help="how often each case is run")
    parser.add_argument("--home", type=Path, default=Path.home() / ".cache/agent-progress-bench")
    parser.add_argument("--write", type=Path, help="the document whose tables are replaced")
    parser.add_argument("--no-scale", action="store_true", help="only the budgets, not the table of sizes")
    options = parser.parse_args()
    rounds = options.rounds or (3 if options.short else 21)
    machine = prepare(options.home)
    with tempfile.TemporaryDirectory(prefix="agent-progress-bench-") as folder:
        parts = {"budgets": "\n".join(budgets(machine, Path(folder), rounds, short=options.short))}
        print(parts["budgets"], flush=True)
        if not options.no_scale:
            parts["scale"], plot = scale.table(machine, Path(folder) / "scale", short=options.short)
            print("\n" + parts["scale"])
            if options.write:
                options.write.with_name("performance.svg").write_text(plot, "utf-8")
    if options.write:
        document.fill(options.write, parts)
    return 0


def prepare(home: Path) -> Machine:
    """Return the machine, with an environment built by the launcher where there is none yet."""
    place = home / ".local/share/agent-progress/env"
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    subprocess.run([rows.LAUNCHER, "setup"], env=environment, check=True, stdout=sys.stderr)
    hash_ = (rows.ROOT / "requirements.lock").read_text("utf-8").split()[2]
    stands = next(path.parent for path in sorted(place.glob(f"{hash_}-*/python")))
    return Machine(home, (stands / "python").read_text("utf-8").strip(), str(stands / "site-packages"))


def budgets(machine: Machine, folder: Path, rounds: int, *, short: bool) -> Iterator[str]:
    """Yield the lines of the report: where it was taken, then the table."""
    place = rows.corpus_place()
    cases = [
        *rows.references(machine),
        *rows.starts(machine, folder),
        *rows.hooks(machine, folder, 2_000 if short else 100_000),
        *rows.files(machine, folder, 500 if short else 20_000),
        rows.team(machine, folder),
        *(rows.corpus(machine, folder, place) if place else ()),
    ]
    for case in cases * 2:
        run(case)  # the first fills caches and compiles modules, the second finds them
    samples = in_turn(cases, rounds)
    yield about(machine, rounds)
    yield ""
    yield "| | What | Median, ms | CPU, ms | Times | Quartiles | CPU times | Bound | | Modules | Peak, MiB |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    yield from (_reference(name, samples[name]) for name in ("bare", "I"))
    named = {case.name: case for case in cases}
    for row in (*rows.ROWS, *(rows.CORPUS_ROWS if place else ())):
        yield _line(row, samples, machine, named[row.case])
    yield from inner.lines(machine, folder, short=short)
    yield from sessions.lines(machine, folder, short=short)


def about(machine: Machine, rounds: int) -> str:
    """Return when, where and with what it was measured."""
    version = (
        subprocess.run([machine.python, "--version"], capture_output=True, check=True)
        .stdout.decode()
        .split()[1]
    )
    load = "/".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"Measured {datetime.now(UTC):%Y-%m-%d %H:%M} UTC on {os.cpu_count()} cores ({_processor()}), "
        f"{platform.system()} {platform.release()}, Python {version}, {rounds} rounds, load {load}."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


def _reference(name: str, samples: Sequence[Sample]) -> str:
    what = {"bare": "`python3 -I -S -c pass`", "I": '`python3 -c "import pydantic, jinja2"`'}[name]
    wall, cpu, peak = (document.middle(column) for column in zip(*samples, strict=True))
    return f"| {name} | {what} | {wall * 1000:.1f} | {cpu * 1000:.1f} | 1 | | 1 | | | | {peak:.0f} |"


def _line(row: Row, samples: dict[str, list[Sample]], machine: Machine, case: Case) -> str:
    these, others = samples[row.case], samples[row.reference]
    wall = Ratio.of([each.wall for each in these], [each.wall for each in others])
    cpu = Ratio.of([each.cpu for each in these], [each.cpu for each in others])
    columns = [document.middle(column) for column in zip(*these, strict=True)]
    counted = rows.modules(machine, case) if "hook" in case.command else ""
    return (
        f"| {row.name} | {row.what} | {columns[0] * 1000:.1f} | {columns[1] * 1000:.1f} "
        f"| {wall.median:.2f} x {row.reference if row.reference != row.case else ''} "
        f"| {wall.low:.2f} – {wall.high:.2f} | {cpu.median:.2f} "
        f"| {f'{row.bound:g}' if row.bound else ''} "
        f"| {document.verdict(wall.median, row.bound) if row.bound else ''} | {counted} | {columns[2]:.0f} |"
    )


if __name__ == "__main__":
    raise SystemExit(main())
