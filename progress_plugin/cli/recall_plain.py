"""`recall` by the standard library alone: an agent waits for the answer, and click takes a sixth of the time.

Only lines that are plain beyond doubt are read here; help, and all that may be a mistake, is left to click,
so that nothing need be said here. A test gives both any line and compares.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from progress_plugin.cli.error_exit import bounded
from progress_plugin.cli.plain_line import plain_line
from progress_plugin.cli.recall_request import FILTERS, NAME, Request, answer
from progress_plugin.usecases.recalling.recall import MOST


def run(arguments: Sequence[str]) -> int | None:
    """Run `[-C DIR] recall …` and return its exit code; None for a line that click has to read."""
    line = plain_line(arguments, NAME)
    request = parsed(line.words) if line else None
    if line is None or request is None:
        return None
    return bounded(lambda: _run(line.project_dir, request))


def _run(project_dir: str | None, request: Request) -> int:
    told = answer(project_dir, request)
    sys.stdout.write(f"{told.text}\n")
    return told.code


def parsed(words: Sequence[str]) -> Request | None:
    """Return what a line asks for; None where it is not plain beyond doubt."""
    given: dict[str, Any] = {}
    rest: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            rest += left
            break
        if not word.startswith("-") or word == "-":
            rest.append(word)
        elif word == "--json":
            given["as_json"] = True
        elif name[:2] == "--" and name[2:] in FILTERS and (equals or left):
            given[name[2:]] = value if equals else left.pop(0)
        elif word == "-n" and left and (number := _number(left.pop(0))):
            given["number"] = number
        else:
            return None
    return Request(tuple(rest), **given)


def _number(text: str) -> int | None:
    """Return a number of hits as it is mostly written; None for one that click has to judge."""
    is_plain = text.isascii() and text.isdecimal() and len(text) <= len(str(MOST))
    return int(text) if is_plain and 1 <= int(text) <= MOST else None
