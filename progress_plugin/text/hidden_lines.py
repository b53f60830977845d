"""Which lines of a Markdown file are no text: fenced code, comments, a YAML head."""

from bisect import bisect_left
from collections.abc import Mapping

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.short_code import shell_commands, short_code

_YAML = LazyPattern(r"[\w-]+:(?:\s|$)|[ \t]+\S|- ")
_FENCE = LazyPattern(r"(`{3,}|~{3,})([^`~]*)$")
_LONGEST_HEAD = 60
_MARKERS = LazyPattern(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
"""What stands before the text of an item or a quote."""
_INTERRUPTS = LazyPattern(r"[ \t>]*(?:$|#{1,6}[ \t]|(?:[-*+]|\d{1,9}[.)])[ \t]|`{3}|~{3}|\|)")
"""A line that ends a paragraph, and a comment that began in it."""
_ONE_LINE = LazyPattern(r"[ \t>]*(?:#{1,6}[ \t]|\|)")
"""A heading or a row: neither goes on in the next line."""


def hidden_lines(text: str, lines: list[str]) -> tuple[set[int], Mapping[int, str], Mapping[int, str]]:
    """Return the numbers of the lines in fences, comments and a YAML head, and what is told of fences.

    That is what short ones hold, and the commands of those of a shell. What a comment encloses that begins
    behind other text is taken out of `lines`.
    """
    hidden: set[int] = set()
    fences: list[range] = []
    if "```" in text or "~~~" in text:
        fences = _hide_fences(lines, hidden)
    if "<!--" in text:
        _hide_comments(lines, hidden)
        _cut_comments(lines, hidden)
    hidden.update(_front_matter(lines))
    return hidden, short_code(lines, fences), shell_commands(lines, fences)


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


def _cut_comments(lines: list[str], hidden: set[int]) -> None:
    """Take out comments that begin in an item or a paragraph and end in a later line.

    Nobody sees them where the file is rendered.
    """
    closing = [number for number, line in enumerate(lines) if "-->" in line]
    at = 0
    ends = {_end_of_item: 0, _end_of_quote: 0, _end_of_paragraph: 0}
    while at < len(lines):
        line, first = lines[at], at
        at += 1
        start = line.find("<!--", line.rfind("-->") + 1)
        if start < 0 or at in hidden or line.count("`", 0, start) % 2 or _ONE_LINE.match(line):
            continue
        is_whole = _MARKERS.fullmatch(line, 0, start)
        end_of = (_end_of_quote if ">" in line[:start] else _end_of_item) if is_whole else _end_of_paragraph
        if at >= ends[end_of] or end_of is _end_of_item:  # of an item others may be in another
            ends[end_of] = end_of(lines, first)
        later = bisect_left(closing, at)
        last = closing[later] if later < len(closing) else len(lines)
        if last < ends[end_of]:
            lines[first] = "" if is_whole else line[:start]
            hidden.update(range(first + 2, last + 1))
            before, mark, after = lines[last].partition("-->")
            lines[last] = " " * len(before + mark) + after
            at = last


def _end_of_item(lines: list[str], at: int) -> int:
    """Return the place of the line behind all that belongs to the item that begins at a place."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    later = range(at + 1, len(lines))
    return next((n for n in later if lines[n].strip() and not lines[n][: indent + 1].isspace()), len(lines))


def _end_of_quote(lines: list[str], at: int) -> int:
    later = range(at + 1, len(lines))
    return next((number for number in later if not lines[number].lstrip().startswith(">")), len(lines))


def _end_of_paragraph(lines: list[str], at: int) -> int:
    later = range(at + 1, len(lines))
    return next((number for number in later if _INTERRUPTS.match(lines[number])), len(lines))
