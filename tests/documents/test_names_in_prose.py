"""What comments, docstrings and documents call a module or a name in one is there."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import REPOSITORY
from tests.documents.definitions import defined

_PACKAGE = REPOSITORY / "progress_plugin"
_MODULES = {
    path.relative_to(_PACKAGE).with_suffix("").as_posix().removesuffix("/__init__").replace("/", "."): path
    for path in _PACKAGE.rglob("*.py")
}
_PACKAGES = {part for name in _MODULES for part in name.split(".")[:-1]} - {"text", "config", "log", "memory"}
_SUFFIXES = {
    ".".join(name.split(".")[start:]): path
    for name, path in _MODULES.items()
    for start in range(name.count(".") + 1)
}
"""By their whole names, and by the last parts of them: a text may leave out what is clear."""
_DOTTED = re.compile(
    r"`((?:[a-z_]+\.)+[A-Za-z_]+)`|\(((?:core|usecases|log|plans|summary|memory)(?:\.[a-z_]+)+)\)"
)
_NAMES_BEHIND = re.compile(r"`((?:[a-z_]+\.)+[a-z_]+)`\s\(((?:`[A-Za-z_.]+`(?:,\s)?)+)")
"""A module, and in brackets behind it names that it defines: `core.project` (`find_project`, `Project.path`)."""
_ENDINGS = (
    "py",
    "md",
    "json",
    "toml",
    "txt",
    "cache",
    "log",
    "lock",
    "html",
    "db",
    "jsonl",
    "sh",
    "cmd",
    "js",
    "c",
)


def _prose(path: Path) -> Iterator[tuple[int, str]]:
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _named(text: str) -> Iterator[str]:
    for ticked, bracketed in _DOTTED.findall(text):
        name = (ticked or bracketed).removeprefix("progress_plugin.")
        if name.rpartition(".")[2] not in _ENDINGS:
            yield name


def _is_there(name: str) -> bool:
    """Return whether a dotted name is a module or a name in one; what begins otherwise is not looked at."""
    first, _, rest = name.partition(".")
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = _SUFFIXES.get(".".join(parts[:end]))
        if path is not None:
            words = parts[end:]
            return all(re.search(rf"\b{word}\b", path.read_text("utf-8")) for word in words)
    return not (first in _PACKAGES and rest)


def test_modules_and_names_that_are_spoken_of_are_there() -> None:
    gone = [
        f"{path.relative_to(REPOSITORY)}:{line}: {name}"
        for path in sorted(_PACKAGE.rglob("*.py"))
        for line, text in _prose(path)
        for name in _named(text)
        if not _is_there(name)
    ]
    assert gone == []


def test_a_name_in_brackets_behind_a_module_is_defined_in_that_module() -> None:
    gone = [
        f"{path.relative_to(REPOSITORY)}:{line}: {module} {name}"
        for path in sorted(_PACKAGE.rglob("*.py"))
        for line, text in _prose(path)
        for module, names in _NAMES_BEHIND.findall(text)
        for name in re.findall(r"`([^`]+)`", names)
        if module in _SUFFIXES and name not in defined(_SUFFIXES[module])
    ]
    assert gone == []


def test_modules_that_documents_speak_of_are_there() -> None:
    pages = [
        *sorted(set((REPOSITORY / "docs").glob("*.md")) - {REPOSITORY / "docs/commands.md"}),
        *(REPOSITORY / name for name in ("AGENTS.md", "CONTRIBUTING.md", "SECURITY.md")),
    ]
    named = {
        (page.name, name)
        for page in pages
        for name in re.findall(r"`((?:progress_plugin/)?[a-z_]+(?:/[a-z_]+)+\.py)`", page.read_text("utf-8"))
    }
    gone = {
        pair
        for pair in named
        if not any((base / pair[1]).is_file() for base in (REPOSITORY, _PACKAGE, REPOSITORY / "training"))
    }
    assert gone == set()


def test_a_name_that_is_gone_is_noticed() -> None:
    assert _is_there("summary_files.take_turn")
    assert _is_there("core.fast.start_cache")
    assert not _is_there("core.fast.event_gate")
    assert not _is_there("summary_files.take_no_turn")
