"""What `doctor` found, as lines for a person: the faults first, in one screen where nothing is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.doctor.finding import Finding, FindingState

WIDTH = 80
SCREEN = 24
"""Lines that the smallest terminal shows at once."""
_INDENT = 7
_ORDER = (FindingState.WRONG, FindingState.NOTE, FindingState.OK)


def lines(findings: Sequence[Finding], *, verbose: bool, on_screen: bool = True) -> list[str]:
    """Return the verdict, then every finding, the worst first.

    What works is shortened to one line each on a screen, unless `verbose`: who reads a file or a pipe wants
    the ends.
    """
    number = sum(finding.state is FindingState.WRONG for finding in findings)
    needs = counted(number, "thing needs", "things need")
    verdict = f"{needs} mending; → says how." if number else "Everything works."
    told = [line for state in _ORDER[:2] for each in findings if each.state is state for line in _whole(each)]
    good = [each for each in findings if each.state is FindingState.OK]
    if verbose:
        return [verdict, "", *told, *(line for each in good for line in _whole(each))]
    heads = [f"{_head(each)} {one_line(each.what)}" for each in good]
    if not on_screen:
        return [verdict, "", *told, *heads]
    short = [_cut(head) for head in heads]
    if len(told) + len(short) + 2 > SCREEN:
        names = ", ".join(dict.fromkeys(each.area for each in good))
        short = _wrapped(f"{'ok':<5}  {names}; --verbose tells more")
    return [verdict, "", *told, *short]


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
