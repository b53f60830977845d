"""The package has no import cycles, and the fast path of hooks imports only what it needs."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PACKAGE = "progress_plugin"


def find_modules() -> dict[str, Path]:
    """Return the package's files by module name."""
    names = {
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts): path
        for path in (REPOSITORY / PACKAGE).rglob("*.py")
    }
    return {name.removesuffix(".__init__"): path for name, path in names.items()}


def find_import_time_imports(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run with the module: not those in functions or for the type checker."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from find_import_time_imports([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from find_import_time_imports([*node.body, *(s for h in node.handlers for s in h.body)])


def imported_modules(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """Yield the package's modules that a module imports."""
    for node in find_import_time_imports(ast.parse(path.read_text("utf-8")).body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif node.module in known:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in known else node.module


def test_no_modules_import_each_other_in_a_cycle() -> None:
    modules = find_modules()
    graph = {name: set(imported_modules(path, modules)) - {name} for name, path in modules.items()}
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError with the names


@pytest.mark.parametrize(
    "entry_point",
    [
        "hooks", "hooks.file_notes", "hooks.recording", "hooks.session_start", "hooks.events",
        "mcp.server",
    ],
)  # fmt: skip
def test_the_fast_path_imports_nothing_large(entry_point: str) -> None:
    program = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r}); import {PACKAGE}.{entry_point}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    large = {"re", "json", "typing", "dataclasses", "subprocess", "pathlib"}
    if entry_point.startswith("hooks"):
        large.add("__future__")  # a file of its own, of which no hook needs anything
    assert not large & set(done.stdout.split())
