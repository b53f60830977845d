"""Run everything that can be held and write docs/reliability.md: `.venv/bin/python -m tests.torture.remake`.

With `TORTURE_SECONDS=<n>` every test that can go on does so for that long. The table holds what this run held.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.conftest import REPOSITORY
from tests.torture.figures import FIGURES, SECONDS

DOCUMENT = REPOSITORY / "docs" / "reliability.md"
TESTS = ("tests/torture", "tests/fuzz")
_LARGEST = ("longest", "megabytes", "processes_at_once")
"""Figures of which several runs of one test hold the largest; the others add up."""
_HEAD = """# Reliability

<!-- Written by `python -m tests.torture.remake` from a run of the tests it names; `make torture` runs it. -->

Nothing that was acknowledged is lost, and nothing that comes in can act. Each line is a promise, the test that
holds it, and what that test held in one run: {day}, {machine},
{seconds}. Sections are those of the [specification](specification.md). The document is written only if every test
passed; the short form of each runs with all other tests.

| Promise | Section | Test | Held in this run |
|---|---|---|---|
"""
_TAIL = """
Kills are made at every call that changes the disk, as an audit hook announces it; the list of these calls is
compared with strace. How long a hook takes depends on what else the machine does; the figure is this run's.
Secrets are held by `tests/text/test_redact.py` and its oracle.

`make torture` runs all of it for as long as one asks: `TORTURE_SECONDS=600 make torture`.
"""


def main() -> int:
    """Run the tests, and write the document if all of them passed."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--timeout=0",
            *TESTS,
            *sys.argv[1:],
        ]
        code = subprocess.run(
            command, cwd=REPOSITORY, env={**os.environ, FIGURES: folder}, check=False
        ).returncode
        if code == 0:
            told = [json.loads(path.read_text("utf-8")) for path in sorted(Path(folder).iterdir())]
            DOCUMENT.write_text(document(told), "utf-8")
        return code


def document(told: list[dict[str, Any]]) -> str:
    """Return the document of what the tests recorded, a line per promise."""
    lines: dict[str, dict[str, Any]] = {}
    for one in told:
        line = lines.setdefault(one["promise"], {**one, "figures": {}})
        for name, value in one["figures"].items():
            line["figures"][name] = _together(name, line["figures"].get(name), value)
    seconds = f"{SECONDS:g} seconds for each test that can go on" if SECONDS else "in the short form"
    machine = f"{platform.system()} with {os.cpu_count()} processors and Python {platform.python_version()}"
    head = _HEAD.format(day=f"{datetime.now(UTC):%Y-%m-%d}", machine=machine, seconds=seconds)
    return (
        head + "".join(_row(line) for line in sorted(lines.values(), key=lambda line: line["test"])) + _TAIL
    )


def _together(name: str, known: Any, value: Any) -> Any:
    if known is None or isinstance(value, str):
        return value
    return max(known, value) if name.startswith(_LARGEST) else known + value


def _row(line: dict[str, Any]) -> str:
    path, _, name = line["test"].partition("::")
    held = ", ".join(f"{key.replace('_', ' ')}: {value:,}" for key, value in line["figures"].items())
    return f"| {line['promise']} | {line['section']} | `{path}` · `{name.removeprefix('test_')}` | {held} |\n"


if __name__ == "__main__":
    raise SystemExit(main())
