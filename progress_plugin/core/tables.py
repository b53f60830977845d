"""Read the data files next to a module: JSON objects, word lists in them, and tab-separated tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any


@cache
def read_json_table(module: str, name: str) -> dict[str, Any]:
    """Return the object in the JSON file `name` beside a module; `module` is the module's `__file__`.

    All callers share the object: do not change it.
    """
    table: dict[str, Any] = json.loads(Path(module).with_name(name).read_text(encoding="utf-8"))
    return table


@cache
def word_set(module: str, table: str, name: str) -> frozenset[str]:
    """Return the words under a key of a JSON table; they are a list, or one text with blanks between them."""
    words = read_json_table(module, table)[name]
    return frozenset(words.split() if isinstance(words, str) else words)


def read_rows(module: str, name: str) -> Iterator[list[str]]:
    """Yield the columns of each row of a tab-separated file; lines that begin with `#` are comments."""
    for line in Path(module).with_name(name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
