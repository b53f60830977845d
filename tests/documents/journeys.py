"""The list of journeys in `docs/journeys.md`, made from the tests that are these journeys."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping

from tests.conftest import REPOSITORY

DOCUMENT = "docs/journeys.md"
SETTINGS = {
    "plain": "in a checkout",
    "in-a-linked-worktree": "in a linked worktree",
    "without-packages": "before any package is installed",
    "after-600-entries": "after 600 entries",
}
"""What the settings of `tests/journeys/conftest.py` are called, in the order in which they are named."""
_HEAD = """# Journeys

What the life of a project with agent-progress is like, as `tests/journeys` tells and checks it with real hooks,
commands, commits and calls of tools: each line is a test. {whole} of these {number} journeys are made in four settings:
{every}; a usual run takes the first of them and for every other journey a second, `make thorough` all.
Behind each of the others stands in which; *a project of its own* is one that the test sets up for itself. This page
is made from the names of the tests and the settings that pytest finds for them.
"""
_OWN = "a project of its own"
_FOUND = re.compile(r"^(tests/journeys/\w+\.py)::(\w+)(?:\[(.*)\])?$", re.MULTILINE)


def listed() -> str:
    """Return the document: a section for each module, a line for each journey."""
    made_in = _settings()
    parts = []
    for path in sorted((REPOSITORY / "tests/journeys").glob("test_*.py")):
        module = ast.parse(path.read_text("utf-8"))
        title = (ast.get_docstring(module) or "").partition("\n")[0].rstrip(".")
        tests = [node.name for node in module.body if isinstance(node, ast.FunctionDef)]
        names = [f"{path.relative_to(REPOSITORY)}::{name}" for name in tests if name.startswith("test_")]
        lines = [f"- {_sentence(name)}{_note(made_in[name])}" for name in names]
        parts.append(f"\n## {title}\n\n" + "\n".join(lines) + "\n")
    whole = sum(len(settings) == len(SETTINGS) for settings in made_in.values())
    *some, last = SETTINGS.values()
    return _HEAD.format(whole=whole, number=len(made_in), every=f"{', '.join(some)}, and {last}") + "".join(
        parts
    )


def _settings() -> Mapping[str, set[str]]:
    """Return in which settings each test is made, as pytest collects them."""
    command = ("-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests/journeys")
    whole = {**os.environ, "TORTURE_SECONDS": "1"}  # not the sample of them that a usual run takes
    done = subprocess.run(
        [sys.executable, *command], cwd=REPOSITORY, env=whole, capture_output=True, text=True, check=True
    )
    found: dict[str, set[str]] = {}
    for path, name, words in _FOUND.findall(done.stdout):
        setting = next((each for each in SETTINGS if re.search(rf"(?:^|-){each}(?:-|$)", words)), None)
        found.setdefault(f"{path}::{name}", set()).update({setting} if setting else set())
    return found


def _note(settings: set[str]) -> str:
    if len(settings) == len(SETTINGS):
        return ""
    return f" ({', '.join(told for name, told in SETTINGS.items() if name in settings) or _OWN})"


def _sentence(name: str) -> str:
    words = name.partition("::")[2].removeprefix("test_").replace("_", " ")
    return words[:1].upper() + words[1:]
