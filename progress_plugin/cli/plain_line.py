"""A command line read without click: what is before the name of a command is read alike for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_PROJECT = ("-C", "--project-dir")


class PlainLine(NamedTuple):
    """`[-C DIR] NAME WORDS…`, taken apart."""

    project_dir: str | None
    words: list[str]


def plain_line(arguments: Sequence[str], name: str) -> PlainLine | None:
    """Return what a line says around the name of its command; None where another option is before it."""
    words = list(arguments)
    project_dir = None
    while words and words[0] != name:
        word = words.pop(0)
        option, equals, value = word.partition("=")
        if option == _PROJECT[1] and equals:
            project_dir = value
        elif word in _PROJECT and words:
            project_dir = words.pop(0)
        elif word.startswith(_PROJECT[0]):
            project_dir = word[len(_PROJECT[0]) :]
        else:
            return None
    return PlainLine(project_dir, words[1:])
