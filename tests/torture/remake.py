"""Run everything that can be held and write docs/reliability.md: `.venv/bin/python -m tests.torture.remake`.

With `TORTURE_SECONDS=<n>` every test that can go on does so for that long. The fuzzers go on until they have
tried a million inputs in all, or for so many rounds. `--only` and paths of tests behind it run these alone: the
other lines of the page stay, with the day on which they were held. `--short` runs the short form of each test and
prints the document instead, to see that all of it works.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.conftest import REPOSITORY
from tests.torture.figures import FIGURES, INPUTS, SECONDS, TIME

DOCUMENT = REPOSITORY / "docs" / "reliability.md"
SECURITY = REPOSITORY / "SECURITY.md"
TESTS = ("tests/torture", "tests/fuzz", "tests/hostile")
LEAST_INPUTS = 1_000_000
"""Inputs that the fuzzers are to try; the page says how many they did."""
_GOING_ON = ("tests/fuzz", "-k", "fuzzer_that_follows")
_ROUNDS, _SECONDS_OF_A_ROUND = 20, 30
"""A round takes eight minutes; of two processors one tries some 2,000 inputs in a second."""
_FUZZING = "tests/fuzz/"
_LARGEST = ("longest", "megabytes", "processes_at_once")
"""Figures of which several runs of one test hold the largest; the others add up."""
_HEAD = """# Reliability

<!-- Written by `python -m tests.torture.remake` from runs of the tests it names; `make torture` runs it. -->

Nothing that was acknowledged is lost, and nothing that comes in can act. Each line is a promise, the test that
holds it, and what that test held when it ran last: on {machine},
{seconds}. Sections are those of the [specification](specification.md). A line is written only if every test
of the run passed; the short form of each runs with all other tests.

{inputs}
| Promise | Section | Test | Held in its last run | Day |
|---|---|---|---|---|
"""
_INPUTS = """The fuzzers tried **{total:,} inputs** in {minutes:,} minutes{of}, 0 findings open. {most:,} of them were {quickest}, which is the
quickest; each other kind of input had {least:,} at least. {grown:,} were made of one part over and over, to count whether the
work grows faster than the input; so did one in fifty of those that follow the branches.
"""
_ROW = re.compile(
    r"^\| (?P<start>[^|]+ \| [^|]+ \| (?P<test>`tests/[^|]+) \| [^|]+) \|(?: (?P<day>[\d-]+) \|)?$",
    re.MULTILINE,
)
_TAIL = """
Kills are made at every call that changes the disk, as an audit hook announces it; the list of these calls is
compared with strace. How long a hook takes depends on what else the machine does; the figure is this run's.
Secrets are held by `tests/text/test_redact.py` and its oracle. Lines of `tests/hostile/` count the attackers' cases that a
module tries.

## What was attacked

Besides the tests above, whose names say it, by hand as a hostile stranger would; what did not hold has its test now:

- **Secrets**: the ways in which people write them down (shells, makefiles, YAML, JSON, Dockerfiles, tables, lists, addresses, queries, commands and
  lists of their words, statements of SQL, code, sentences in eleven languages), with what cannot be seen inside; and lines that come near to one and
  have none. `tests/text/*_tables.py` lists both. Of 58 logs of other projects with their plans (6.4 MB) one value is taken, the key that AWS's documents
  show; of 9 MB of sources and documents, those of packages and our own, an example's password, texts of our tests, and wrongly one word of a list of options
  (`"--with-token", "…"`). Letters alone behind a name in prose stay.
- **Folders with 8,000 files** of any kind that we read (worktrees, specs, plans, months, waiting entries, sessions, branches): a start ends in 4.4 s by its own clock, the
  rest is done beside it; what commands do grows with the number.
- **Transcripts** that are `/dev/zero`, a named pipe, `/proc/self/mem`, 10 GB of nothing, 20 million empty lines, brackets 5 million deep, no text at all: no
  hook waits, none fails.
- **The server**: requests without an id or with two, in batches, of any nesting and size, half surrogates, control characters: each is answered or refused, and the next
  one answered.
- **Paths that are not UTF-8**, with colours and line ends in them, a full device and a closed one for output, a directory that is gone: a line, no traceback.

## What is not defended against

{undefended}
## How to make this anew

`TORTURE_SECONDS=20 make torture` on a machine that does nothing else: each test that can go on does so for 20 seconds, and
the fuzzers until they have tried {inputs:,} inputs, which takes them about 22 minutes on two processors. `python -m tests.torture.remake --only tests/fuzz`
makes anew the lines of these tests alone; `--short` prints what the short form of every test holds and writes nothing.
"""


def main(arguments: list[str]) -> int:
    """Run the tests, and write the document if all of them passed."""
    is_short = "--short" in arguments
    only = arguments[arguments.index("--only") + 1 :] if "--only" in arguments else []
    if not is_short:
        # A test holds the two equal: after a change of SECURITY.md the page could never be made otherwise.
        DOCUMENT.write_text(with_undefended(DOCUMENT.read_text("utf-8")), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        code = _run(Path(folder, "all"), *(only or TESTS))
        for number in range(0 if is_short or not _fuzzes(only) else _ROUNDS):
            if code or _inputs(_told(folder)) >= LEAST_INPUTS:
                break
            code = _run(Path(folder, f"round-{number}"), *_GOING_ON, seconds=_SECONDS_OF_A_ROUND)
        told = _told(folder)
    if code:
        return code
    page = document(told, DOCUMENT.read_text("utf-8") if only else "")
    if is_short:
        sys.stdout.write(page)
    else:
        DOCUMENT.write_text(page, "utf-8")
    return 0


def _fuzzes(only: list[str]) -> bool:
    return not only or any(path.startswith(_FUZZING.rstrip("/")) for path in only)


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


def document(told: list[dict[str, Any]], page: str = "") -> str:
    """Return the document of what the tests recorded, a line per promise; of others what a page says stays."""
    lines: dict[str, dict[str, Any]] = {}
    for one in told:
        line = lines.setdefault(one["promise"], {**one, "figures": {}})
        line["day"] = max(line["day"], one["day"])
        for name, value in one["figures"].items():
            line["figures"][name] = _together(name, line["figures"].get(name), value)
    rows = _known(page) | {_test(line): _row(line) for line in lines.values()}
    head = _HEAD.format(machine=_machine(), seconds=_seconds(told), inputs=_tried(told, page))
    return (
        head
        + "".join(rows[test] for test in sorted(rows))
        + _TAIL.format(undefended=undefended(), inputs=LEAST_INPUTS)
    )


def _machine() -> str:
    return f"{platform.system()} with {os.cpu_count()} processors and Python {platform.python_version()}"


def _seconds(told: list[dict[str, Any]]) -> str:
    """Say for how long the tests of the last run went on that can."""
    asked = {one["asked"] for one in told}
    longest = f"up to {max(asked):g} seconds at a time for each test that can go on"
    return longest if max(asked) else "in the short form"


def _tried(told: list[dict[str, Any]], page: str) -> str:
    """Say what the fuzzers tried, or what a page says of that where they did not run."""
    total = _inputs(told)
    if not total:
        return next((part + "\n" for part in page.split("\n\n") if part.startswith("The fuzzers tried ")), "")
    kinds: Counter[str] = Counter()
    for one in told:
        if one["test"].startswith(_FUZZING):
            kinds[one.get("variant", "")] += one["figures"].get(INPUTS, 0)
    (quickest, most), *others = kinds.most_common()
    minutes = -(-sum(one["figures"].get(TIME, 0) for one in told) // 60)
    return _INPUTS.format(
        total=total, minutes=minutes, of="" if total >= LEAST_INPUTS else f", of {LEAST_INPUTS:,} that were wanted",
        most=most, quickest=f"`{quickest}`", least=min((count for _, count in others if count), default=0),
        grown=_inputs(told, grown=True),
    )  # fmt: skip


def _known(page: str) -> dict[str, str]:
    """Return the lines of a page by their test, but those whose test is gone."""
    everywhere = re.search(r"in one run: ([\d-]{10})", page)
    return {
        row["test"]: f"| {row['start']} | {row['day'] or (everywhere[1] if everywhere else '')} |\n"
        for row in _ROW.finditer(page)
        if _is_there(row["test"])
    }


def _is_there(test: str) -> bool:
    path, _, name = test.replace("`", "").partition(" · ")
    file = REPOSITORY / path
    return file.is_file() and f"def test_{name}" in file.read_text("utf-8")


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


def _test(line: dict[str, Any]) -> str:
    path, _, name = line["test"].partition("::")
    return f"`{path}` · `{name.removeprefix('test_')}`" if name else f"`{path}`"


def _row(line: dict[str, Any]) -> str:
    held = ", ".join(
        f"{key.replace('_', ' ')}: {value:,}" for key, value in line["figures"].items() if key != TIME
    )
    return f"| {line['promise']} | {line['section']} | {_test(line)} | {held} | {line['day']} |\n"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
