"""`log` by the standard library alone: packages may not be there, and an agent waits for it.

It reads the command line as click does, with the same answers to what it cannot read; a test compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from textwrap import fill
from typing import Any

from progress_plugin.cli.error_exit import bounded, said
from progress_plugin.cli.log_request import EPILOG, HELP, NAME, OPTIONS, TYPE, Option, answer
from progress_plugin.cli.plain_line import plain_line
from progress_plugin.core.packages import environment

_HELP = Option("help", ("-h", "--help"), "Show this message and exit.")
_WIDEST_TERM = 30


class Unreadable(Exception):
    """The command line cannot be read; the text says why."""


def run(arguments: Sequence[str]) -> int | None:
    """Run `[-C DIR] log …` and return its exit code; None where another option is before `log`."""
    line = plain_line(arguments, NAME)
    return None if line is None else bounded(lambda: _run(*line))


def _run(project_dir: str | None, words: list[str]) -> int:
    try:
        given = parsed(words)
    except Unreadable as error:
        return said(str(error), 2)
    if given is None:
        sys.stdout.write(_help())
        return 0
    environment.enter()  # a project's own layout of the summary needs Jinja
    answer(project_dir, *given).tell()
    return 0


def parsed(words: Sequence[str]) -> tuple[str, dict[str, Any]] | None:
    """Return the type and a value for every option; None where help is asked for. Raises Unreadable."""
    given, rest = _read(list(words))
    if given.get(_HELP.field):
        return None
    values = _values(given)
    if not rest:
        raise Unreadable(f"Missing argument '{TYPE}'.")
    if rest[1:]:
        plural = "s" if rest[2:] else ""
        raise Unreadable(f"Got unexpected extra argument{plural} ({' '.join(rest[1:])})")
    return rest[0], values


def _read(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the options given, by field, and the other words. Raises Unreadable."""
    by_name = {name: option for option in (*OPTIONS, _HELP) for name in option.names}
    given: dict[str, Any] = {}
    rest: list[str] = []
    left = words
    while left:
        word = left.pop(0)
        if word == "--":
            return given, rest + left
        if not word.startswith("-") or word == "-":
            rest.append(word)
            continue
        name, equals, value = word.partition("=")
        if word.startswith("--") and name in by_name:
            if equals:
                left.insert(0, value)
        elif word.startswith("--"):
            raise Unreadable(_no_such(name, by_name))
        else:
            name, attached = word[:2], word[2:]
            if name not in by_name:
                raise Unreadable(f"No such option {name!r}.")
            takes_none = by_name[name].metavar is None
            if attached:
                left.insert(0, f"-{attached}" if takes_none else attached)
            equals = ""
        _take(by_name[name], name, left, given, attached=bool(equals))
    return given, rest


def _take(option: Option, name: str, left: list[str], given: dict[str, Any], *, attached: bool) -> None:
    if option.metavar is None:
        if attached:
            raise Unreadable(f"Option {name!r} does not take a value.")
        given[option.field] = True
    elif not left:
        raise Unreadable(f"Option {name!r} requires an argument.")
    elif option.repeats:
        given.setdefault(option.field, []).append(left.pop(0))
    else:
        given[option.field] = left.pop(0)


def _no_such(name: str, by_name: dict[str, Option]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only where somebody mistyped

    near = sorted(get_close_matches(name, [known for known in by_name if known.startswith("--")]))
    if not near:
        return f"No such option {name!r}."
    if len(near) == 1:
        return f"No such option {name!r}. Did you mean {near[0]!r}?"
    return f"No such option {name!r}. (Did you mean one of: {', '.join(map(repr, near))}?)"


def _values(given: dict[str, Any]) -> dict[str, Any]:
    """Return a value for every field. Raises Unreadable for a number that is none."""
    values: dict[str, Any] = {}
    for option in OPTIONS:
        value = given.get(option.field, False if option.metavar is None else None)
        if option.repeats:
            value = tuple(value or ())
        elif option.least is not None and value is not None:
            value = _number(option, value)
        values[option.field] = value
    return values


def _number(option: Option, text: str) -> int:
    wrong = f"Invalid value for {option.names[0]!r}"
    try:
        number = int(text)
    except ValueError:
        raise Unreadable(f"{wrong}: {text!r} is not a valid integer range.") from None
    if option.least is not None and number < option.least:
        raise Unreadable(f"{wrong}: {number} is not in the range x>={option.least}.")
    return number


def _help() -> str:
    import shutil  # noqa: PLC0415 - 6 ms, only for the help

    width = max(min(shutil.get_terminal_size().columns, 80) - 2, 50)
    parts = [f"Usage: agent-progress {NAME} [OPTIONS] {TYPE}\n"]
    parts += [_indented(paragraph, width) for paragraph in HELP.split("\n\n")]
    parts += ["Options:\n" + _terms([(_term(option), _told(option)) for option in (*OPTIONS, _HELP)], width)]
    parts += [_indented(EPILOG, width)]
    return "\n".join(parts)


def _indented(text: str, width: int) -> str:
    return fill(text, width, initial_indent="  ", subsequent_indent="  ") + "\n"


def _term(option: Option) -> str:
    names = ", ".join(sorted(option.names, key=len))
    return f"{names} {option.metavar}" if option.metavar else names


def _told(option: Option) -> str:
    return option.help if option.least is None else f"{option.help}  [x>={option.least}]"


def _terms(rows: list[tuple[str, str]], width: int) -> str:
    first = min(max(len(term) for term, _ in rows), _WIDEST_TERM) + 2
    told = []
    for term, text in rows:
        lines = fill(text, max(width - first - 2, 10), replace_whitespace=False).split("\n")
        told += [f"  {term:<{first}}{lines[0]}", *(f"  {'':<{first}}{line}" for line in lines[1:])]
    return "\n".join(told) + "\n"
