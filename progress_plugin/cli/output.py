"""Options that commands share, and how they print.

Nothing that was read from a file can act on the terminal or on an agent.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any, Concatenate, ParamSpec, TextIO, TypeVar

import click

from progress_plugin.core.errors import NoProject
from progress_plugin.core.project import Project, find_project
from progress_plugin.text.safe_output import composed, json_text, one_line, verbatim

SPINNER_DELAY_S = 1.0


class _Output(FileIO):
    """Standard output that remembers why it failed: the error itself does not name a file."""

    fault: str | None = None

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            self.fault = error.strerror or str(error)
            raise


def prepare_streams() -> None:
    """Replace closed standard streams by empty ones, and print names that are not UTF-8 with escapes."""
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for the life of the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as above
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as above
    if isinstance(sys.stdout, TextIOWrapper) and _is_plain_file(sys.stdout.buffer):
        output = BufferedWriter(_Output(sys.stdout.fileno(), "w", closefd=False))
        is_terminal = sys.stdout.isatty()
        sys.stdout = TextIOWrapper(output, "utf-8", "backslashreplace", line_buffering=is_terminal)
    if isinstance(sys.stderr, TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")


def _is_plain_file(stream: Any) -> bool:
    return type(getattr(stream, "raw", stream)) is FileIO  # Python may be set not to buffer


def discard_output() -> None:
    """Send the rest of standard output nowhere: Python would fail once more when it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def output_fault() -> str | None:
    """Return why standard output could not be written, or None."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.fault if isinstance(raw, _Output) else None


def say(text: str, *, err: bool = False, colours: Mapping[str, str] | None = None) -> None:
    """Print lines that we composed; texts from outside were redacted before, each on its own.

    On a terminal the label of a line such as `Blocked: US-012` gets its colour.
    """
    text = composed(text)
    label, colon, rest = text.partition(":")
    if colours and label in colours:
        text = f"{click.style(label, fg=colours[label], bold=True)}{colon}{rest}"
    _print(text, err=err)


def say_whole(text: str) -> None:
    """Print a document in which every character counts; invisible characters are spelt out."""
    _print(verbatim(text))


def print_json(value: Any) -> None:
    """Print one JSON value, indented, without secrets; invisible characters are escaped."""
    _print(json_text(value))


def print_context(text: str) -> None:
    """Print text that is safe already, byte for byte: what a session start or `recall` shows an agent."""
    _print(text, end="")


def emit(
    as_json: bool,
    data: Any,
    lines: Iterable[str],
    notes: Iterable[str] = (),
    *,
    colours: Mapping[str, str] | None = None,
) -> None:
    """Print `data` as JSON, or the lines for a person and, on standard error, remarks on what was done."""
    if as_json:
        print_json(data)
        return
    for line in lines:
        say(line, colours=colours)
    for note in notes:
        say(one_line(note), err=True)


def _print(text: str, *, end: str = "\n", err: bool = False) -> None:
    if _spinners:
        _spinners[-1]()
    click.echo(f"{text}{end}", nl=False, err=err)


_spinners: list[Callable[[], None]] = []
"""Functions that remove the spinner from the terminal, the innermost last."""


@contextmanager
def activity(what: str, *, after: float = SPINNER_DELAY_S, stream: TextIO | None = None) -> Iterator[None]:
    """Show a spinner once `after` seconds have passed, until something is printed or the work is done.

    Only on a terminal: pipes and programs get nothing.
    """
    stream = stream or sys.stderr
    if not stream.isatty():
        yield
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.markup import escape  # noqa: PLC0415

    spinner = Console(file=stream).status(f"agent-progress: {escape(what)} …")
    timer = threading.Timer(after, spinner.start)
    timer.daemon = True

    def end() -> None:
        timer.cancel()
        timer.join()
        spinner.stop()

    _spinners.append(end)
    timer.start()
    try:
        yield
    finally:
        _spinners.remove(end)
        end()


_P = ParamSpec("_P")
_R = TypeVar("_R")
_Function = TypeVar("_Function", bound=Callable[..., Any])


class ShellPath(click.Path):
    """A path as a shell means it: relative to the working directory, whatever `-C` names."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the absolute path; empty text is left to the command, which says what is wrong with it."""
        return super().convert(os.path.abspath(value) if value.strip() else value, param, ctx)


def example(words: str) -> str:
    """Return the last line of a command's help."""
    return f"Example: agent-progress {words}"


def json_option(command: _Function) -> _Function:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


def pass_project(command: Callable[Concatenate[Project, _P], _R]) -> Callable[_P, _R]:
    """Call a command with the project that `-C` names, or that is found upward from the working directory."""

    @wraps(command)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        return command(find_project(click.get_current_context().obj), *args, **kwargs)

    return call


def project_or_none() -> Project | None:
    """Return the project of this call, or None if there is none here."""
    try:
        return find_project(click.get_current_context().obj)
    except NoProject:
        return None
