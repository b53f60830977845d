"""How every command prints: nothing that was in a file acts on the terminal, or on an agent."""

from __future__ import annotations

from typing import Any

import click

from progress_plugin.text.safe_output import clean, json_text, verbatim


def say(text: str, *, err: bool = False) -> None:
    """Print lines without secrets, control characters and tags; lines that are harmless stay as they are."""
    click.echo(clean(text), err=err)


def say_whole(text: str) -> None:
    """Print a document whose every character counts: what cannot be seen is spelt out."""
    click.echo(verbatim(text))


def print_json(value: Any) -> None:
    """Print one JSON value, indented, in UTF-8: without secrets, and with escapes for what cannot be seen."""
    click.echo(json_text(value))


def print_context(text: str) -> None:
    """Print what a session start or `recall` tells an agent, to the byte: it is made of harmless text."""
    click.echo(text, nl=False)
