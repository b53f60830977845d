"""Run everything that can be held and write docs/reliability.md: `.venv/bin/python -m tests.torture.remake`.

With `TORTURE_SECONDS=<n>` every test that can go on does so for that long. The fuzzers go on for an
hour. `--only` and paths of tests behind it run these alone: the other
lines of the page stay, with the day on which they were held. `--short` runs the short form of each test and prints
the document instead, to see that all of it works.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from progress_plugin.text.bounds import counted
from tests.conftest import REPOSITORY
from tests.fuzz.campaign import SHARE, WANTED
from tests.fuzz.shapes import SHAPES
from tests.fuzz.tally import Tally, kept_tally
from tests.torture.figures import FIGURES, SECONDS, TIME

DOCUMENT = REPOSITORY / "docs" / "reliability.md"
SECURITY = REPOSITORY / "SECURITY.md"
TESTS = ("tests/torture", "tests/fuzz", "tests/hostile")
_FUZZING = "tests/fuzz"
_MINUTES = 60
"""Of fuzzing; a run that is cut short is gone on with by the next, while the code is the same."""
_LARGEST = ("longest", "megabytes", "processes_at_once")
"""Figures of which several runs of one test hold the largest; the others add up."""
_HEAD = """# Reliability

<!-- Written by `python -m tests.torture.remake` from runs of the tests it names; `make torture` runs it. -->

Nothing that was acknowledged is lost, and nothing that comes in can act. Each line is a promise, the test that
holds it, and what that test held when it ran last: on {machine},
{seconds}. Sections are those of the [specification](specification.md). A line is written only if every test
of the run passed; the short form of each runs with all other tests.

| Promise | Section | Test | Held in its last run | Day |
|---|---|---|---|---|
"""
_FUZZED = """## What was fuzzed

The fuzzers tried **{total:,} inputs** in {minutes} of processor time{of}, {findings} findings open (last on {day}). Of each everything was
checked that must hold of it: nothing comes up but our own errors, in a line; output is valid and bounded; nothing in it acts on an
agent or a terminal; the secret that is planted is not told; what was readable is not lost. {traced:,} of them were traced, and the
{kept:,} that reached new lines of the package are changed further. Beside them {grown:,} parts were there over and over, in four sizes
each, to count whether the work grows faster than the input.

Runs add up as long as the package and what is checked of it are the same (`{code}` is the digest of both, {runs}); after a
change only what was tried since counts. The time is shared evenly between the kinds, but that a kind which is so quick that it
has had {share:,} inputs leaves its time to the others. Names of files are what stands in their place at a whole start of a session;
{whole:,} inputs went through a start, a hook, an entry or a call as a whole, the others through one reader each.

| Kind of input | Tried | Traced | Over and over | Processor time |
|---|---|---|---|---|
{kinds}

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

{fuzzed}## What was attacked

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
then the fuzzers go on for {minutes} minutes, to try {wanted:,} inputs at least; what they tried is kept while they run, so that a run may be cut short
and gone on with (`python -m tests.fuzz.campaign MINUTES`). `python -m tests.torture.remake --only tests/fuzz`
makes anew the lines of these tests alone; `--short` prints what the short form of every test holds and writes nothing.
"""


def main(arguments: list[str]) -> int:
    """Run the tests, and write the document if all of them passed."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--short", action="store_true", help="print what the short form of every test holds")
    parser.add_argument("--only", nargs="+", default=[], help="tests whose lines alone are made anew")
    options = parser.parse_args(arguments)
    is_short, only = options.short, options.only
    if not is_short:
        # A test holds the two equal: after a change of SECURITY.md the page could never be made otherwise.
        DOCUMENT.write_text(with_undefended(DOCUMENT.read_text("utf-8")), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        code = _run(Path(folder), *(only or TESTS))
        told = _told(folder)
    if not code and not is_short and _fuzzes(only):
        code = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.campaign", str(_MINUTES)], cwd=REPOSITORY, check=False
        ).returncode
    if code:
        return code
    page = document(told, kept_tally(), DOCUMENT.read_text("utf-8"), only=bool(only))
    if is_short:
        sys.stdout.write(page)
    else:
        DOCUMENT.write_text(page, "utf-8")
    return 0


def _fuzzes(only: list[str]) -> bool:
    return not only or any(path.startswith(_FUZZING) for path in only)


def _run(folder: Path, *words: str, seconds: float = SECONDS) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=0", *words]
    variables = {**os.environ, FIGURES: str(folder), "TORTURE_SECONDS": f"{seconds:g}"}
    return subprocess.run(command, cwd=REPOSITORY, env=variables, check=False).returncode


def _told(folder: str) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(Path(folder).rglob("*.json"))]


def document(told: list[dict[str, Any]], tally: Tally, page: str = "", *, only: bool = True) -> str:
    """Return the document of what the tests recorded, a line per promise, and of what was fuzzed.

    Where these were the only tests, what a page says of others stays; what it says of fuzzing stays where the code
    has changed since.
    """
    lines: dict[str, dict[str, Any]] = {}
    for one in told:
        line = lines.setdefault(one["promise"], {**one, "figures": {}})
        line["day"] = max(line["day"], one["day"])
        for name, value in one["figures"].items():
            line["figures"][name] = _together(name, line["figures"].get(name), value)
    rows = (_known(page) if only else {}) | {_test(line): _row(line) for line in lines.values()}
    tail = _TAIL.format(
        fuzzed=_fuzzed(tally) or _fuzzed_before(page),
        undefended=undefended(),
        wanted=WANTED,
        minutes=_MINUTES,
    )
    head = _HEAD.format(machine=_machine(), seconds=_seconds(told))
    return head + "".join(rows[test] for test in sorted(rows)) + tail


def _machine() -> str:
    return f"{platform.system()} with {os.cpu_count()} processors and Python {platform.python_version()}"


def _seconds(told: list[dict[str, Any]]) -> str:
    """Say for how long the tests of the last run went on that can."""
    asked = {one["asked"] for one in told}
    longest = f"up to {max(asked):g} seconds at a time for each test that can go on"
    return longest if max(asked) else "in the short form"


def _fuzzed(tally: Tally) -> str:
    """Say what the fuzzers tried of each kind; nothing where they did not run."""
    if not tally.tried:
        return ""
    found = tally.kinds.values()
    kinds = "\n".join(
        f"| {name if ' ' in name else f'`{name}`'} | {kind.tried:,} | {kind.traced:,} | {kind.grown:,} | {round(kind.seconds):,} s |"
        for name, kind in tally.kinds.items()
    )
    return _FUZZED.format(
        total=tally.tried,
        minutes=counted(-(-round(sum(kind.seconds for kind in found)) // 60), "minute"),
        of="" if tally.tried >= WANTED else f", of {WANTED:,} that are wanted",
        findings=tally.findings,
        day=tally.day,
        traced=sum(kind.traced for kind in found),
        kept=sum(kind.kept for kind in found),
        grown=sum(kind.grown for kind in found),
        code=tally.code,
        runs=f"tried in {counted(tally.runs, 'run')}",
        share=SHARE,
        whole=sum(kind.tried for name, kind in tally.kinds.items() if name in SHAPES),
        kinds=kinds,
    )


def _fuzzed_before(page: str) -> str:
    _, mark, rest = page.partition("## What was fuzzed\n")
    return mark + rest.partition("\n## ")[0] + "\n" if mark else ""


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
