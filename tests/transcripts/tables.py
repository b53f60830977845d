"""Tables of examples in this directory: one example a line, its columns separated by tabs."""

from __future__ import annotations

from pathlib import Path


def rows(name: str) -> list[list[str]]:
    """Return the columns of each row of a table; `\\n` and `\\t` in a column are characters."""
    lines = Path(__file__).with_name(name).read_text("utf-8").split("\n")
    return [
        [_unescaped(column) for column in line.split("\t")] for line in lines if line and line[:2] != "# "
    ]


def _unescaped(column: str) -> str:
    return column.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")
