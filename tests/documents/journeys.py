"""The list of journeys in `docs/journeys.md`, made from the tests that are these journeys."""

from __future__ import annotations

import ast

from tests.conftest import REPOSITORY

DOCUMENT = "docs/journeys.md"
_HEAD = """# Journeys

What the life of a project with agent-progress is like, as `tests/journeys` tells and checks it with real hooks,
commands, commits and calls of tools: each line is a test, nearly all of them in a checkout, in a linked worktree,
before any package is installed, and after 600 entries. This page is made from their names.
"""


def listed() -> str:
    """Return the document: a section for each module, a line for each journey."""
    parts = [_HEAD]
    for path in sorted((REPOSITORY / "tests/journeys").glob("test_*.py")):
        module = ast.parse(path.read_text("utf-8"))
        title = (ast.get_docstring(module) or "").partition("\n")[0].rstrip(".")
        tests = [node.name for node in module.body if isinstance(node, ast.FunctionDef)]
        lines = [f"- {_sentence(name)}" for name in tests if name.startswith("test_")]
        parts.append(f"\n## {title}\n\n" + "\n".join(lines) + "\n")
    return "".join(parts)


def _sentence(name: str) -> str:
    words = name.removeprefix("test_").replace("_", " ")
    return words[:1].upper() + words[1:]
