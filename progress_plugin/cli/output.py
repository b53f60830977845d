"""Declare commands, print their answers, and show on a terminal that a command is running.

Nothing that was read from a file can act on the terminal or on an agent.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import wraps
from io import TextIOWrapper
from typing import Any, NamedTuple

import click

from progress_plugin.core.errors import AgentProgressError, NoProject, reason_of
from progress_plugin.core.project import Project, find_project
from progress_plugin.text.safe_output import escape_composed, json_text, one_line, verbatim
from progress_plugin.usecases.answers import render_answer

SPINNER_DELAY_S = 1.0
COLOURS = {  # of the labels of lines such as `Blocked: US-012`, on a terminal
    "Blocked": "red",
    "Problem": "yellow",
    "Plan and log disagree": "yellow",
    "Current": "green",
    "Next": "cyan",
}


class Answer(NamedTuple):
    """The answer of a command: with `--json` its data, else its text or template, its lines and its notes."""

    data: Any
    template: str = ""  # a name in `templates/commands`; rendered over `values`, else over `data`
    notes: Iterable[str] = ()  # remarks on what was done, for standard error
    code: int = 0
    values: Mapping[str, Any] | None = None
    lines: Iterable[str] = ()
    text: str | None = None  # sanitised, printed byte for byte, as an agent gets it


def command(
    example: str,
    group: click.Group | None = None,
    *,
    name: str | None = None,
    in_project: bool = True,
    json_help: str = "Print one JSON object.",
    **settings: Any,
) -> Callable[[Callable[..., Answer | Iterator[Answer]]], click.Command]:
    """Make a function a command that prints the answer, or each of the answers, that it returns or yields.

    Its first argument is the project that `-C` names, or that is found upward from the working directory,
    unless `in_project` is false. `example` ends the help.
    """

    def declare(function: Callable[..., Answer | Iterator[Answer]]) -> click.Command:
        @wraps(function)
        def run(*arguments: Any, as_json: bool, **options: Any) -> int:
            project = (find_project(named_directory()),) if in_project else ()
            answer = function(*project, *arguments, **options)
            code = 0
            for each in [answer] if isinstance(answer, Answer) else answer:
                print_answer(each, as_json=as_json)
                code = each.code
            return code

        declared = (group or click).command(name, epilog=example_line(example), **settings)(run)
        declared.params.append(click.Option(["--json", "as_json"], is_flag=True, help=json_help))
        return declared

    return declare


def example_line(words: str) -> str:
    return f"Example: agent-progress {words}"


def named_directory() -> str | None:
    """Return the directory that `-C` names."""
    directory: str | None = click.get_current_context().obj
    return directory


def project_or_none() -> Project | None:
    """Return the project of this call, or None if there is none here."""
    try:
        return find_project(named_directory())
    except NoProject:
        return None


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print an answer as `Answer` says."""
    if as_json:
        _print(json_text(answer.data))
        return
    if answer.text is not None:
        _print(answer.text, end="")
    elif answer.template:
        for line in render_answer(answer.template, answer.values or answer.data).split("\n"):
            say(line.rstrip())
    for line in answer.lines:
        say(line)
    for note in answer.notes:
        say(one_line(note), err=True)


def say(text: str, *, err: bool = False) -> None:
    """Print lines that we composed; the texts from files in them are already redacted, each on its own."""
    text = escape_composed(text)
    label, colon, rest = text.partition(":")
    if label in COLOURS:
        text = f"{click.style(label, fg=COLOURS[label], bold=True)}{colon}{rest}"
    _print(text, err=err)


def whole(text: str) -> str:
    """Return a document to print in full: invisible characters are spelt out, nothing acts on a terminal."""
    return f"{verbatim(text)}\n"


def _print(text: str, *, end: str = "\n", err: bool = False) -> None:
    _activity.close()
    with output_errors():
        click.echo(f"{text}{end}", nl=False, err=err)


@contextmanager
def output_errors() -> Iterator[None]:
    """End the command if nobody reads its output. Raise AgentProgressError if it cannot be written."""
    try:
        yield
    except OSError as error:
        # Otherwise Python would fail once more when it exits and writes the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(0) from None
        why = f"the output could not be written ({reason_of(error)}); the command itself did its work"
        raise AgentProgressError(why) from error


def prepare_streams() -> None:
    """Open the standard streams that Python found closed, and print names that are not UTF-8 with escapes."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - not closed
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if isinstance(sys.stderr, TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")


_activity = ExitStack()  # while a spinner may be shown, its `close` removes the spinner from the terminal


@contextmanager
def activity() -> Iterator[None]:
    """Show a spinner on a terminal once a second has passed, until something is printed."""
    if sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415 - only for a terminal

        spinner = Console(stderr=True).status("agent-progress: working …")
        timer = threading.Timer(SPINNER_DELAY_S, spinner.start)
        timer.daemon = True
        for end in (spinner.stop, timer.join, timer.cancel):  # the last one is called first
            _activity.callback(end)
        timer.start()
    with _activity:
        yield
