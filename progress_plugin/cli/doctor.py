"""The command doctor: whether everything works here, and what to do if not."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from textwrap import wrap

import click

from progress_plugin.cli.options import json_option, project_or_none
from progress_plugin.cli.output import print_context, print_json, progress_note, say
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.doctor.examination import examine
from progress_plugin.usecases.doctor.findings import Finding, FindingState

WIDTH = 80
SCREEN = 24
"""Lines that the smallest terminal shows at once."""
_INDENT = 7
_ORDER = (FindingState.WRONG, FindingState.NOTE, FindingState.OK)


@click.command(
    help="Start the real hooks as a client does, look at installation, settings, log and database, and say "
    "what to do. Nothing of yours is changed. Exit 1 if something is wrong, for CI.",
    epilog="Example: agent-progress doctor --verbose",
)
@click.option(
    "--context", "show_context", is_flag=True, help="Print exactly what an agent gets at a startup."
)
@click.option("--verbose", is_flag=True, help="Say everything that was found, also of what works.")
@json_option
def doctor(show_context: bool, verbose: bool, as_json: bool) -> int:
    """Examine the installation and this project; print the worst first."""
    with progress_note("starting the hooks"):
        found = examine(project_or_none(), datetime.now(UTC))
    if as_json:
        findings = [finding._asdict() for finding in found.findings]
        print_json({"ok": found.is_good, "findings": findings, "context": found.context})
    elif show_context:
        print_context(found.context)
    else:
        say("\n".join(finding_lines(found.findings, verbose=verbose, on_screen=sys.stdout.isatty())))
    return 0 if found.is_good else 1


def finding_lines(findings: Sequence[Finding], *, verbose: bool, on_screen: bool = True) -> list[str]:
    """Return the verdict, then every finding, the worst first.

    What works is shortened to one line each on a screen, unless `verbose`: who reads a file or a pipe wants
    the ends.
    """
    number = sum(finding.state is FindingState.WRONG for finding in findings)
    needs = counted(number, "thing needs", "things need")
    verdict = f"{needs} mending; → says how." if number else "Everything works."
    listed = [
        line for state in _ORDER[:2] for each in findings if each.state is state for line in _whole(each)
    ]
    good = [each for each in findings if each.state is FindingState.OK]
    if verbose:
        return [verdict, "", *listed, *(line for each in good for line in _whole(each))]
    heads = [f"{_head(each)} {one_line(each.what)}" for each in good]
    if not on_screen:
        return [verdict, "", *listed, *heads]
    short = [_cut(head) for head in heads]
    if len(listed) + len(short) + 2 > SCREEN:
        names = ", ".join(dict.fromkeys(each.area for each in good))
        short = _wrapped(f"{'ok':<5}  {names}; --verbose tells more")
    return [verdict, "", *listed, *short]


def _head(finding: Finding) -> str:
    return f"{finding.state.value:<5}  {finding.area}:"


def _whole(finding: Finding) -> list[str]:
    found = _wrapped(f"{_head(finding)} {one_line(finding.what)}")
    return [*found, *(_wrapped(f"       → {one_line(finding.remedy)}", 2) if finding.remedy else [])]


def _wrapped(text: str, deeper: int = 0) -> list[str]:
    """Return the text in lines; a path is never broken: somebody will copy it."""
    start = text[:_INDENT]
    indent = " " * (_INDENT + deeper)
    return wrap(
        text[_INDENT:],
        WIDTH,
        initial_indent=start,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"
