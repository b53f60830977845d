"""How commands print: nothing that was read from a file can act on the terminal or on an agent."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TextIO

import click

from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import clean, json_text, one_line, verbatim

NOTE_DELAY_S = 1.0  # a command that takes longer shows what it is doing
_UNITS = ((86_400 * 365, "year"), (86_400 * 30, "month"), (86_400, "day"), (3600, "hour"), (60, "minute"))


def say(text: str, *, err: bool = False) -> None:
    """Print lines without secrets, control characters and tags."""
    click.echo(clean(text), err=err)


def say_whole(text: str) -> None:
    """Print a document in which every character counts; invisible characters are spelt out."""
    click.echo(verbatim(text))


def print_json(value: Any) -> None:
    """Print one JSON value, indented, without secrets; invisible characters are escaped."""
    click.echo(json_text(value))


def print_context(text: str) -> None:
    """Print text that is safe already, byte for byte: what a session start or `recall` shows an agent."""
    click.echo(text, nl=False)


def emit(as_json: bool, data: Any, lines: Iterable[str]) -> None:
    """Print `data` as JSON, or the lines for a person."""
    if as_json:
        print_json(data)
        return
    for line in lines:
        say(line)


def print_notes(notes: Iterable[str]) -> None:
    """Print remarks on what was done to standard error, one line each."""
    for note in notes:
        say(one_line(note), err=True)


@contextmanager
def progress_note(
    activity: str, *, after: float = NOTE_DELAY_S, stream: TextIO | None = None
) -> Iterator[None]:
    """Show an activity such as "reading the archive" once `after` seconds have passed; remove it at the end.

    Only on a terminal: pipes and programs get nothing.
    """
    output = sys.stderr if stream is None else stream
    if not output.isatty():
        yield
        return
    line = f"agent-progress: {activity} …"
    shown = threading.Event()

    def show() -> None:
        output.write(line)
        output.flush()
        shown.set()

    timer = threading.Timer(after, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if shown.is_set():
            output.write(f"\r{' ' * len(line)}\r")
            output.flush()


def time_ago(since: str | None, now: datetime) -> str:
    """Return `3 days`, `1 hour` or `just now`; empty if `since` is not an ISO 8601 time.

    A bare day means its beginning. `now` carries its zone.
    """
    try:
        then = datetime.fromisoformat(since or "")
    except ValueError:
        return ""
    then = then.replace(tzinfo=UTC) if then.tzinfo is None else then
    seconds = (now - then).total_seconds()
    for length, name in _UNITS:
        number = int(seconds // length)
        if number >= 1:
            return counted(number, name)
    return "just now"
