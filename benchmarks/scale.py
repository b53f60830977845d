"""Time, memory and tokens against size: a table and a plot."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import inner
import inputs
import rows
from process import Case, Sample, apart, run
from rows import Machine

_BYTES_PER_STORY = 1_900
_MOST = 5


class Point(NamedTuple):
    """One size: what was measured at it."""

    stories: int
    bytes: int
    fresh: float
    stale: float
    peak: float
    before: int
    after: int


def table(machine: Machine, folder: Path, *, short: bool) -> tuple[str, str]:
    """Return the table of sizes as Markdown, and its plot as SVG."""
    folder.mkdir()
    points = [
        _measured(machine, folder, stories) for stories in ((10, 100) if short else (10, 100, 1_000, 10_000))
    ]
    lines = [
        "| Stories | Log | Fresh start, ms | Stale start, ms | Peak, MiB | Tokens before | after |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {each.stories:,} | {each.bytes / 1024:,.0f} KiB | {each.fresh * 1000:.1f} "
            f"| {each.stale * 1000:,.0f} | {each.peak:.0f} | {each.before:,} | {each.after:,} |"
            for each in points
        ),
        "",
        "| Archived entries | Append by a hook, ms | Stale start, ms | Fresh start, ms | Peak, MiB |",
        "|---|---|---|---|---|",
        *(
            _archived(machine, folder, count)
            for count in ((0, 1_000) if short else (0, 1_000, 10_000, 100_000))
        ),
        "",
        "| Observations | Identify, ms | Execute 200 | Search, a rare word | Write progress | Peak, MiB |",
        "|---|---|---|---|---|---|",
        *(
            _observed(machine, folder, count)
            for count in ((100_000,) if short else (100_000, 300_000, 1_000_000))
        ),
    ]
    return "\n".join(lines)


def _measured(machine: Machine, folder: Path, stories: int) -> Point:
    root = inputs.repository(folder / f"stories-{stories}")
    apart(partial(_write, root, stories))
    stale = _best(rows.start("stale", machine, root, partial(_append, root / "progress.md")))
    rows.summarize(machine, root)  # a start ends after 4 s; what makes the summary then goes on
    fresh = _best(rows.start("fresh", machine, root))
    figures = inner.inside(machine, "summary", root)
    return Point(
        stories,
        (root / "progress.md").stat().st_size,
        fresh.wall,
        stale.wall,
        stale.peak,
        figures["before"],
        figures["after"],
    )


def _append(log: Path) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write("- Looked at it again\n")


def _write(root: Path, stories: int) -> None:
    log = inputs.markdown_log(stories, _BYTES_PER_STORY * stories)
    (root / "progress.md").write_text(log, "utf-8")
    (root / "prd.json").write_text(json.dumps(inputs.plan(stories + 4, stories)), "utf-8")


def _archived(machine: Machine, folder: Path, count: int) -> str:
    root, now = inputs.repository(folder / f"archived-{count}"), datetime.now(UTC)
    inputs.write_own_log(root, 500, now)
    if count:
        apart(partial(inputs.write_archive, root, count, now))
    append = _best(rows.finishing("append", machine, root))
    fresh = _best(rows.start("fresh", machine, root))
    plan = rows.renewer(root / "prd.json", "\n")
    stale = _best(rows.start("stale", machine, root, plan))
    return (
        f"| {count:,} | {append.wall * 1000:.1f} | {stale.wall * 1000:.1f} | {fresh.wall * 1000:.1f} "
        f"| {append.peak:.0f} |"
    )


def _observed(machine: Machine, folder: Path, count: int) -> str:
    database = folder / f"memory-{count}.db"
    found = inner.inside(machine, "memory", database, count)
    database.unlink()
    names = ("identify", "execute 200", "search, a rare word", "progress, write")
    return f"| {count:,} | {' | '.join(f'{found[name][0]:.1f}' for name in names)} | {found['peak']:.0f} |"


def _best(case: Case) -> Sample:
    """Return the quickest of a few runs, after one that fills the caches."""
    run(case)
    return min((run(case)[0] for _ in range(_MOST)), key=lambda sample: sample.wall)
