"""Run everything that can be held and write docs/reliability.md: `.venv/bin/python -m tests.torture.remake`.

With `TORTURE_SECONDS=<n>` every test that can go on does so for that long. The fuzzers go on until they have
tried a million inputs in all. The table holds what this run held. `--short` runs the short form of each test
and prints the document instead, to see that all of it works.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.conftest import REPOSITORY
from tests.torture.figures import FIGURES, INPUTS, SECONDS, TIME

DOCUMENT = REPOSITORY / "docs" / "reliability.md"
SECURITY = REPOSITORY / "SECURITY.md"
TESTS = ("tests/torture", "tests/fuzz", "tests/hostile")
LEAST_INPUTS = 1_000_000
"""Inputs that the fuzzers try at least before the document is written."""
_GOING_ON = ("tests/fuzz", "-k", "fuzzer_that_follows")
_ROUNDS, _SECONDS_OF_A_ROUND = 20, 30
"""A round takes eight minutes; of two processors one tries some 2,000 inputs in a second."""
_FUZZING = "tests/fuzz/"
_LARGEST = ("longest", "megabytes", "processes_at_once")
"""Figures of which several runs of one test hold the largest; the others add up."""
_HEAD = """# Reliability

<!-- Written by `python -m tests.torture.remake` from a run of the tests it names; `make torture` runs it. -->

Nothing that was acknowledged is lost, and nothing that comes in can act. Each line is a promise, the test that
holds it, and what that test held in one run: {day}, {machine},
{seconds}. Sections are those of the [specification](specification.md). The document is written only if every test
passed; the short form of each runs with all other tests.

{inputs}
| Promise | Section | Test | Held in this run |
|---|---|---|---|
"""
_INPUTS = """The fuzzers tried **{total:,} inputs** in {minutes:,} minutes, 0 findings open. {grown:,} of them were made of one part
over and over, to count whether the work grows faster than the input; so did one in fifty of those that follow the
branches.
"""
_TAIL = """
Kills are made at every call that changes the disk, as an audit hook announces it; the list of these calls is
compared with strace. How long a hook takes depends on what else the machine does; the figure is this run's.
Secrets are held by `tests/text/test_redact.py` and its oracle. Lines of `tests/hostile/` count the attackers' cases that a
module tries.

## What is not defended against

{undefended}
## How to make this anew

`TORTURE_SECONDS=20 make torture` on a machine that does nothing else: each test that can go on does so for 20 seconds, and
the fuzzers until they have tried {inputs:,} inputs, which takes them about 22 minutes on two processors. `python -m tests.torture.remake --short` prints what the short form of
every test holds and writes nothing.
"""


def main(arguments: list[str]) -> int:
    """Run the tests, and write the document if all of them passed."""
    is_short = "--short" in arguments
    more = [argument for argument in arguments if argument != "--short"]
    if not is_short:
        # A test holds the two equal: after a change of SECURITY.md the page could never be made otherwise.
        DOCUMENT.write_text(with_undefended(DOCUMENT.read_text("utf-8")), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        code = _run(Path(folder, "all"), *TESTS, *more)
        for number in range(0 if is_short else _ROUNDS):
            if code or _inputs(_told(folder)) >= LEAST_INPUTS:
                break
            code = _run(Path(folder, f"round-{number}"), *_GOING_ON, seconds=_SECONDS_OF_A_ROUND)
        told = _told(folder)
    if code:
        return code
    if is_short:
        sys.stdout.write(document(told))
        return 0
    if _inputs(told) < LEAST_INPUTS:
        sys.stderr.write(f"the fuzzers tried only {_inputs(told):,} inputs; nothing was written\n")
        return 1
    DOCUMENT.write_text(document(told), "utf-8")
    return 0


def _run(folder: Path, *words: str, seconds: float = SECONDS) -> int:
    folder.mkdir()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=0", *words]
    variables = {**os.environ, FIGURES: str(folder), "TORTURE_SECONDS": f"{seconds:g}"}
    return subprocess.run(command, cwd=REPOSITORY, env=variables, check=False).returncode


def _told(folder: str) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(Path(folder).rglob("*.json"))]


def _inputs(told: list[dict[str, Any]], *, grown: bool = False) -> int:
    """Return how many inputs the fuzzers tried, or of how many the growth was looked at."""
    fuzzed = [one for one in told if one["test"].startswith(_FUZZING)]
    return sum(one["figures"].get(INPUTS, 0) for one in fuzzed if not grown or "grows" in one["promise"])


def document(told: list[dict[str, Any]]) -> str:
    """Return the document of what the tests recorded, a line per promise."""
    lines: dict[str, dict[str, Any]] = {}
    for one in told:
        line = lines.setdefault(one["promise"], {**one, "figures": {}})
        for name, value in one["figures"].items():
            line["figures"][name] = _together(name, line["figures"].get(name), value)
    seconds = f"{SECONDS:g} seconds for each test that can go on" if SECONDS else "in the short form"
    machine = f"{platform.system()} with {os.cpu_count()} processors and Python {platform.python_version()}"
    minutes = -(-sum(one["figures"].get(TIME, 0) for one in told) // 60)
    inputs = _INPUTS.format(total=_inputs(told), grown=_inputs(told, grown=True), minutes=minutes)
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    head = _HEAD.format(day=day, machine=machine, seconds=seconds, inputs=inputs)
    rows = "".join(_row(line) for line in sorted(lines.values(), key=lambda line: line["test"]))
    return head + rows + _TAIL.format(undefended=undefended(), inputs=LEAST_INPUTS)


def with_undefended(page: str) -> str:
    """Return the page with what SECURITY.md says is not defended by now."""
    head, mark, rest = page.partition("\n## What is not defended against\n\n")
    _, following, tail = rest.partition("\n## ")
    return f"{head}{mark}{undefended()}{following}{tail}"


def undefended() -> str:
    """Return what SECURITY.md says is not defended: it is written there alone."""
    [part] = re.findall(r"\n## What is not defended\n\n(.*?)\n## ", SECURITY.read_text("utf-8"), re.DOTALL)
    return str(part)


def _together(name: str, known: Any, value: Any) -> Any:
    if known is None or isinstance(value, str):
        return value
    return max(known, value) if name.startswith(_LARGEST) else known + value


def _row(line: dict[str, Any]) -> str:
    path, _, name = line["test"].partition("::")
    test = f"`{path}` · `{name.removeprefix('test_')}`" if name else f"`{path}`"
    held = ", ".join(
        f"{key.replace('_', ' ')}: {value:,}" for key, value in line["figures"].items() if key != TIME
    )
    return f"| {line['promise']} | {line['section']} | {test} | {held} |\n"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
