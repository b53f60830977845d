"""The drawings of the packages show the layers that import-linter enforces."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise

from tests.conftest import REPOSITORY

_PAGE = (REPOSITORY / "docs/architecture.md").read_text("utf-8")
_CONTRACTS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "contracts"
]
_DRAWING = re.compile(r"```mermaid\nflowchart TD\n    %% ([^\n]+)\n(.*?)```", re.DOTALL)
_BOX = re.compile(r'(\w+)(?:\["([^"]+)"\])?')

Layers = list[set[str]]


def enforced() -> dict[str, Layers]:
    """Return the layers of each contract by its name, from the top, without what all names begin with."""
    return {
        contract["name"]: [_names(layer) for layer in contract["layers"]]
        for contract in _CONTRACTS
        if contract["type"] == "layers"
    }


def drawn(page: str) -> dict[str, Layers]:
    """Return the boxes of each drawing that names a contract, in the order of its arrows."""
    return {name: _chain(text) for name, text in _DRAWING.findall(page)}


def _names(layer: str) -> set[str]:
    return {part.strip(" ()").removeprefix("progress_plugin.") for part in layer.split("|")}


def _chain(text: str) -> Layers:
    labels: dict[str, str] = {}
    below: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        boxes = [_BOX.fullmatch(part.strip()) for part in line.split("-->")]
        assert all(boxes), line
        names = [box[1] for box in boxes if box]
        labels |= {box[1]: box[2] for box in boxes if box and box[2]}
        for upper, lower in pairwise(names):
            assert upper not in below, f"two arrows lead from {upper}"
            below[upper] = lower
    (top,) = set(below) - set(below.values())
    chain = [top]
    while chain[-1] in below:
        chain.append(below[chain[-1]])
    return [_names(labels[name]) for name in chain]


def test_each_contract_of_layers_is_drawn_as_it_is_enforced() -> None:
    assert len(enforced()) == 3
    assert drawn(_PAGE) == enforced()


def test_a_drawing_that_differs_is_noticed() -> None:
    swapped = _PAGE.replace('worth["worth"]', 'worth["x"]', 1).replace(
        'passages["passages"]', 'passages["worth"]', 1
    )
    assert drawn(swapped) != enforced()
    missing = _PAGE.replace("log | plans | authored", "log | plans", 1)
    assert drawn(missing) != enforced()


def test_every_package_of_the_plugin_is_in_a_layer() -> None:
    drawn_names = set().union(*enforced()["Imports point down only"])
    there = {
        path.name.removesuffix(".py")
        for path in (REPOSITORY / "progress_plugin").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert there - drawn_names - {"__init__"} == {"mcp_requests"}
