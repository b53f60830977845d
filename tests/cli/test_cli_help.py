"""Every command explains itself, completes itself, and says in one line what went wrong."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from progress_plugin.cli.main import COMMANDS, load_command
from progress_plugin.core.environment import PLUGIN_ROOT
from tests.cli.conftest import TABLES

EXAMPLE = Path(PLUGIN_ROOT) / "examples" / "harbour"
WAITING = {"watch", "mcp", "setup", "report"}
"""Commands that wait, install something or open a browser: their examples are only read."""

ANSWERS = {
    "retract": 2, "mute": 2, "erase": 1, "memory": 1, "memory progress": 1, "memory search": 1, "recall": 1,
    "memory import": 2, "claim": 2, "release": 2, "sync": 2, "team join": 2, "team leave": 1,
}  # fmt: skip
"""Exit codes of examples that name what a fresh copy of the example project does not have."""


def _every() -> Iterator[tuple[str, click.Command]]:
    for name in COMMANDS:
        command = load_command(name)
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {sub}", each) for sub, each in command.commands.items())


EVERY = dict(_every())


def example_of(name: str) -> str:
    """Return the example that a command's help ends with, without `agent-progress`."""
    # A command keeps the help option of the first context that asks for one, so it is asked for as `main` does.
    names = ["-h", "--help"]
    context = click.Context(EVERY[name], terminal_width=1000, max_content_width=1000, help_option_names=names)
    _, found, example = EVERY[name].get_help(context).rpartition("Example: agent-progress ")
    assert found, name
    return example.splitlines()[0]


@pytest.mark.parametrize("name", EVERY)
def test_the_help_of_every_command_ends_with_an_example_of_it_that_runs(
    name: str, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [os.path.expanduser(word) for word in shlex.split(example_of(name))]
    called = words[2:] if words[0] == "-C" else words
    assert called[: len(name.split())] == name.split() or called[0] == name.split(maxsplit=1)[0]
    if called[0] in WAITING:
        return
    shutil.copytree(EXAMPLE, tmp_path / "harbour")
    monkeypatch.chdir(tmp_path / "harbour")
    monkeypatch.setenv("HOME", str(tmp_path))
    run("init")
    code, _, err = run(*words)
    assert code == ANSWERS.get(name, 0), err


def test_help_of_the_whole_names_every_command_and_an_example(run: Any) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in out] == []
    assert "Example: agent-progress -C " in out


@pytest.mark.parametrize(
    ("words", "number", "completed"),
    [("agent-progress retr", 1, "plain,retract"), ("agent-progress promote --", 2, "plain,--apply")],
)
def test_commands_and_options_complete(words: str, number: int, completed: str) -> None:
    asked = {"_AGENT_PROGRESS_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
    command = [sys.executable, "-m", "progress_plugin"]
    environment = {**os.environ, "PYTHONPATH": PLUGIN_ROOT, **asked}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert completed in done.stdout


@pytest.mark.parametrize(("arguments", "said"), TABLES["wrong words"])
def test_a_wrong_word_is_one_line_that_says_what_to_do(
    project: Path, run: Any, arguments: tuple[str, ...], said: str
) -> None:
    found, out, err = run(*arguments)
    assert (found, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("agent-progress: ")
    assert said in err


def test_a_home_directory_is_no_project(run: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    code, _, err = run("status")
    assert (code, err) == (
        2, f"agent-progress: {home} is not a project; go into one, or name one with -C DIR\n",
    )  # fmt: skip
