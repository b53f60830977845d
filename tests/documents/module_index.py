"""The index of the modules in `progress_plugin/README.md`, made from the first sentences of their docstrings."""

from __future__ import annotations

import ast
from itertools import groupby
from pathlib import Path

from tests.conftest import REPOSITORY

DOCUMENT = "progress_plugin/README.md"
_PACKAGE = REPOSITORY / "progress_plugin"
_HEAD = """# Every module in a sentence

Look here for the module that decides something; `Where is what decided?` in [the README](../README.md#where-is-what-decided) says
what the packages are for. This page is made from the docstrings of the modules (`python -m tests.documents.remake`).
"""


def listed() -> str:
    """Return the page: a section for each package, a line for each module of it."""
    paths = sorted(
        (path.relative_to(_PACKAGE) for path in _PACKAGE.rglob("*.py") if path.name != "__init__.py"),
        key=lambda path: (path.parent.as_posix(), path.name),
    )
    parts = [_HEAD]
    for package, modules in groupby(paths, key=lambda path: path.parent.as_posix()):
        name = "progress_plugin" if package == "." else package
        parts.append(f"\n## {name}/\n\n" + "".join(_line(path) for path in modules))
    return "".join(parts)


def _line(path: Path) -> str:
    return f"- [{path.stem}]({path.as_posix()}): {sentence(path)}\n"


def sentence(path: Path) -> str:
    """Return what a module's docstring begins with."""
    docstring = ast.get_docstring(ast.parse((_PACKAGE / path).read_text("utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())
