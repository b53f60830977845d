"""No modules of ours import each other in a circle: kept ones are made ready before they run."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import REPOSITORY


def modules(root: Path) -> dict[str, Path]:
    """Return the package's modules by name."""
    names = {
        ".".join(path.relative_to(root).with_suffix("").parts): path
        for path in (root / "progress_plugin").rglob("*.py")
    }
    return {name.removesuffix(".__init__"): path for name, path in names.items()}


def run_at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the imports that run with a module: not those of functions, nor those for types alone."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If):
            yield from run_at_import(node.orelse)
            if "TYPE_CHECKING" not in ast.unparse(node.test):
                yield from run_at_import(node.body)
        elif isinstance(node, ast.Try):
            yield from run_at_import(
                [*node.body, *(each for handler in node.handlers for each in handler.body)]
            )


def imported(path: Path, known: set[str]) -> Iterator[str]:
    for node in run_at_import(ast.parse(path.read_text("utf-8")).body):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def circle(root: Path) -> list[str]:
    """Return modules that import each other in a circle, the first one again at its end; none where none do."""
    paths = modules(root)
    graph = {name: {*imported(path, set(paths))} & set(paths) - {name} for name, path in paths.items()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_of_ours_import_each_other_in_a_circle(tmp_path: Path) -> None:
    assert circle(REPOSITORY) == []
    package = tmp_path / "progress_plugin"
    package.mkdir()
    (package / "mill.py").write_text("if True:\n    from progress_plugin import wheel\n")
    (package / "wheel.py").write_text("def late():\n    from progress_plugin import mill\n")
    assert circle(tmp_path) == []
    (package / "wheel.py").write_text("import progress_plugin.mill\n")
    assert set(circle(tmp_path)) == {"progress_plugin.mill", "progress_plugin.wheel"}
