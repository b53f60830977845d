"""Clauses of the specification that are cited, wherever that is: `S5` is a section, `S5.1` a clause of it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.conftest import REPOSITORY

SPECIFICATION = REPOSITORY / "docs" / "specification.md"
_FOLDERS = (
    "progress_plugin", "tests", "hooks", "bin", "docs", "benchmarks", "training", "skills", "commands",
    "templates", "opencode",
)  # fmt: skip
_TEXTS = {".py", ".md", ".toml", ".js", ".sh", ".j2", ".cmd", ""}
_DATA = {"fixtures", "found", "__pycache__"}
"""Folders of tests whose files are input."""
# At most two digits: `S101` is a rule of the linter.
_NUMBER = r"(?<![\w.-])S\d{1,2}"
_END = r"(?![\w-])(?!\.\d)"
_CLAUSE = re.compile(rf"{_NUMBER}(?:\.\d{{1,2}})+{_END}")
_ANY = re.compile(rf"{_NUMBER}(?:\.\d{{1,2}})*{_END}")
_CODE = re.compile(r"^```.*?^```|``[^\n]*?``|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_ANCHOR = re.compile(r'<a id="(s[\d.]+)"></a>(?:\*\*)?(S[\d.]+)?')


class Citation(NamedTuple):
    """One place that cites a clause."""

    clause: str
    place: str
    """`path:line`."""


def anchors(text: str) -> list[tuple[str, str]]:
    """Return each anchor of a clause with the number that is printed behind it, in order, repeated ones too."""
    return [(anchor, number) for anchor, number in _ANCHOR.findall(text)]


def citations() -> list[Citation]:
    """Return every citation in code, tests and documents of this repository."""
    return [
        Citation(clause, f"{path.relative_to(REPOSITORY)}:{line}")
        for path in sorted(_files())
        for line, clause in cited(path.name, path.read_text("utf-8"))
    ]


def cited(name: str, text: str) -> list[tuple[int, str]]:
    """Return the line and number of each citation in a file.

    A number with a dot is one wherever it stands. A bare one, such as `S3`, names much else, a story or a
    service: it is one in prose alone, that is in comments, docstrings and Markdown outside of code.
    """
    if not _ANY.search(text):
        return []
    if name.endswith(".py"):
        return sorted(
            hit for line, part, is_prose in _parts(text) for hit in _hits(line, part, prose=is_prose)
        )
    return list(_hits(1, text, prose=name.endswith(".md")))


def _files() -> Iterator[Path]:
    yield from REPOSITORY.glob("*.md")
    yield REPOSITORY / "pyproject.toml"
    for folder in _FOLDERS:
        for path in (REPOSITORY / folder).rglob("*"):
            inside = path.relative_to(REPOSITORY).parts
            if path.is_file() and path.suffix in _TEXTS and _DATA.isdisjoint(inside):
                yield path


def _parts(source: str) -> Iterable[tuple[int, str, bool]]:
    """Yield the comments and strings of a module, each with its line and whether it is prose."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value, id(node) in docstrings
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string, True


def _hits(first: int, text: str, *, prose: bool) -> Iterator[tuple[int, str]]:
    spans = [match.span() for match in _CODE.finditer(text)] if prose else []
    for match in (_ANY if prose else _CLAUSE).finditer(text):
        in_code = any(start <= match.start() < end for start, end in spans)
        if "." in match[0] or not in_code:
            yield first + text.count("\n", 0, match.start()), match[0]
