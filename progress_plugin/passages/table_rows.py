"""What the row of a table says as one statement, and whether it says that something is blocked."""

from __future__ import annotations

from progress_plugin.model.status import Status, parse_status
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind, section_of

_COUNTERS = frozenset(
    {"#", "no", "nr", "№", "attempt", "attempts", "try", "tries", "序号", "尝试次数", "尝试"}
)
"""Headers of columns whose bare numbers say nothing without the rest of the row."""
_REMARK = LazyPattern(r"[:：(（,] ?| [-–—] ")
"""What parts the word of a state from what is said of it: `blocked: no key`."""


def row(header: list[str], columns: list[str]) -> str:
    """Return the row of a table as one statement, under the names of its columns where they help."""
    if len(header) == len(columns):
        kept = [pair for pair in zip(header, columns, strict=True) if not _is_count(*pair)]
        header, columns = [name for name, _ in kept], [column for _, column in kept]
    said = [column for column in columns if column and column not in {"-", "—", "–"}]
    if len(header) != len(columns) or len(said) < 3:  # noqa: PLR2004 - two columns explain each other
        return " — ".join(said)
    told = [
        f"{name}: {column}" if name else column
        for name, column in zip(header[1:], columns[1:], strict=True)
        if column
    ]
    return f"{columns[0]} — {', '.join(told)}" if columns[0] else ", ".join(told)


def _is_count(name: str, column: str) -> bool:
    """Return whether a cell only numbers the rows, or says how often something was tried."""
    return column.isdigit() and name.casefold().strip(" .") in _COUNTERS


def blocked_row(header: list[str], columns: list[str]) -> str:
    """Return a row whose column of states says blocked, without that word; empty for any other row.

    A legend has its words in the first column, and a table of counts has them there or in its header.
    """
    if not columns[0] or parse_status(columns[0]) or len(header) != len(columns):
        return ""
    at = next((at for at, name in enumerate(header) if at and section_of(name) is SectionKind.STATUS), 0)
    word, _, remark = _told_apart(columns[at]) if at else ("", "", "")
    if parse_status(word) is not Status.BLOCKED:
        return ""
    rest = [column for number, column in enumerate(columns) if number not in {0, at}]
    return " — ".join([columns[0], *filter(_says, (remark, *rest))])


def _told_apart(state: str) -> tuple[str, str, str]:
    """Return the word of a state, what parts the two, and what is said of it."""
    found = _REMARK.search(state)
    return (
        (state[: found.start()], found[0], state[found.end() :].rstrip(")）")) if found else (state, "", "")
    )


def _says(column: str) -> bool:
    return any(map(str.isalnum, column))
