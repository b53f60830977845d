"""What a file defines, by its syntax tree: the names that a document may say are in it."""

from __future__ import annotations

import ast
import re
from pathlib import Path


def defined(path: Path) -> set[str]:
    """Return the functions, classes, methods and constants of a module, the members of a JSON file, else lines."""
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        return set(re.findall(r'"(\w+)":', text))
    if path.suffix != ".py":
        return set(re.findall(r"^(?:#+ )?([\w &()]+?)\s*(?:\(\) [({])?$", text, re.MULTILINE))
    found: set[str] = set()
    for node in ast.parse(text).body:
        found |= _names(node)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}" for inner in node.body for name in _names(inner)}
            found |= {f"{node.name}.{slot}" for slot in _slots(node)}
    return found


def _names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.AnnAssign):
        return {node.target.id} if isinstance(node.target, ast.Name) else set()
    if isinstance(node, ast.Assign):
        targets = [
            part for each in node.targets for part in (each.elts if isinstance(each, ast.Tuple) else [each])
        ]
        return {target.id for target in targets if isinstance(target, ast.Name)}
    return set()


def _slots(node: ast.ClassDef) -> set[str]:
    """Return the attributes that a class lists as its slots."""
    for inner in node.body:
        if isinstance(inner, ast.Assign) and _names(inner) == {"__slots__"}:
            return {str(name) for name in ast.literal_eval(inner.value)}
    return set()
