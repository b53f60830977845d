"""Commands that messages advise exist and have these options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from progress_plugin.cli.main import COMMANDS, load_command
from tests.conftest import REPOSITORY

_PACKAGE = REPOSITORY / "progress_plugin"
_ADVICE = re.compile(
    r"agent-progress ((?:-C \S+ )?[a-z][a-z-]*(?: (?:[a-z][a-z_-]*|--?[A-Za-z][a-z-]*|[A-Z][A-Z-]*))*)"
)
_PROSE = {"hook", "mcp", "statusline"}
"""Commands of clients, which no message advises; after other words the text merely speaks of the program."""


def _strings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _advised() -> Iterator[tuple[str, str]]:
    for path in sorted(_PACKAGE.rglob("*.py")):
        for text in _strings(path):
            for advice in _ADVICE.findall(text):
                words = re.sub(r"^-C \S+ ", "", advice).split()
                if words[0] in COMMANDS:
                    yield str(path.relative_to(_PACKAGE)), " ".join(words)


def _missing(words: list[str]) -> list[str]:
    """Return the options of an advised command that it does not have."""
    command = load_command(words[0])
    rest = words[1:]
    if isinstance(command, click.Group) and rest and rest[0] in command.commands:
        command, rest = command.commands[rest[0]], rest[1:]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
    return [word for word in rest if word.startswith("-") and word not in known]


def test_messages_advise_commands_at_all() -> None:
    advised = {words.split()[0] for _, words in _advised()} - _PROSE
    assert {"repair", "verify", "setup", "init", "config", "status"} <= advised


@pytest.mark.parametrize("words", sorted({words for _, words in _advised()}))
def test_an_advised_command_has_the_options_it_is_given(words: str) -> None:
    assert _missing(words.split()) == []


def test_every_command_between_backticks_is_there() -> None:
    named = {
        (str(path.relative_to(_PACKAGE)), name)
        for path in _PACKAGE.rglob("*.py")
        for text in _strings(path)
        for name in re.findall(r"`agent-progress (?:-C \S+ )?([a-z]+)", text)
    }
    assert {pair for pair in named if pair[1] not in COMMANDS} == set()
