"""Which lines of a Markdown file are no text: fenced code, comments, a YAML head.

What is told of the code all the same is decided in `text.short_code`.
"""

import re
from collections.abc import Mapping

from progress_plugin.text.short_code import short_code

_YAML = re.compile(r"[\w-]+:(?:\s|$)|[ \t]+\S|- ")
_FENCE = re.compile(r"(`{3,}|~{3,})([^`~]*)$")
_LONGEST_HEAD = 60


def hidden_lines(text: str, lines: list[str]) -> tuple[set[int], Mapping[int, str]]:
    """Return the numbers of the lines in fences, comments and a YAML head, and what short fences hold."""
    hidden: set[int] = set()
    fences: list[range] = []
    if "```" in text or "~~~" in text:
        fences = _hide_fences(lines, hidden)
    if "<!--" in text:
        _hide_comments(lines, hidden)
    hidden.update(_front_matter(lines))
    return hidden, short_code(lines, fences)


def _hide_fences(lines: list[str], hidden: set[int]) -> list[range]:
    """Add the lines of fenced code, return the closed fences; the end of one is the beginning of none."""
    closed = []
    fences = [
        (number, found[1], bool(found[2].strip()))
        for number, line in enumerate(lines, 1)
        if ("```" in line or "~~~" in line) and (found := _FENCE.match(line.strip()))
    ]
    at = 0
    while at < len(fences):
        start, marks, _ = fences[at]
        closing = fences[at + 1] if at + 1 < len(fences) else None
        if closing and not closing[2] and closing[1][0] == marks[0]:
            closed.append(range(start, closing[0] + 1))
            hidden.update(closed[-1])
            at += 2
        else:  # never closed: it ends with its paragraph, or the rest of the log would be lost
            limit = closing[0] if closing else len(lines) + 1
            hidden.update(range(start, _paragraph_end(lines, start, limit)))
            at += 1
    return closed


def _front_matter(lines: list[str]) -> range:
    """Return the lines of a YAML head between two rules: data for a machine, no part of the log."""
    if lines[0].strip() != "---":
        return range(0)
    for number, line in enumerate(lines[1:_LONGEST_HEAD], 2):
        if line.strip() == "---":
            return range(1, number + 1) if number > 2 else range(0)  # noqa: PLR2004 - two rules hold nothing
        if not _YAML.match(line):
            break
    return range(0)


def _paragraph_end(lines: list[str], start: int, limit: int) -> int:
    """Return the number of the first line after `start` that is blank, a heading or a rule, or `limit`."""
    for number in range(start + 1, limit):
        line = lines[number - 1].strip()
        if not line or line.startswith(("#", "---")):
            return number
    return limit


def _hide_comments(lines: list[str], hidden: set[int]) -> None:
    """Add the lines of HTML comments; one that is never closed hides its first line only."""
    closers = [number for number, line in enumerate(lines, 1) if "-->" in line]
    at = 0
    for number, line in enumerate(lines, 1):
        if number in hidden or not line.lstrip().startswith("<!--"):
            continue
        while at < len(closers) and closers[at] < number:
            at += 1
        last = closers[at] if at < len(closers) else number
        hidden.update(range(number, last + 1))
