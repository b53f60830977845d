"""The variables that a client goes by, for its process and for our edits of its files alike.

A project steers variables. So a client is given none that leads into the project, which it would then write
its settings into or take code from, and none that puts code into the programs it starts; and we look for its
settings where it does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from progress_plugin.core import untrusted_paths
from progress_plugin.core.clients import HOME_VARIABLES

_LOADING = ("GIT_", "LD_", "DYLD_", "BUN_")
_LOADING_NAMES = ("NODE_OPTIONS", "NODE_PATH")
_BETWEEN_PATHS = re.compile(r"[\s\"'`=,;:()\[\]{}]+")
"""What may be around a path in a value that is more than one."""


def variables() -> dict[str, str]:
    """Return the variables for a client's process: without what leads into the project or loads code."""
    given = untrusted_paths.variables()
    paths = {name: _paths(value) for name, value in given.items()}
    inside = untrusted_paths.inside(path for found in paths.values() for path in found)
    return {
        name: value
        for name, value in given.items()
        if not _loads_code(name)
        and not paths[name] & inside
        and (name not in HOME_VARIABLES or os.path.isabs(value))
    }


def folder(variable: str, usual: str) -> str:
    """Return the folder of a client's settings, as the client itself is given it."""
    return variables().get(variable) or os.path.expanduser(usual)


def not_followed(names: Iterable[str]) -> tuple[str, ...]:
    """Return a line for each of these variables that is set and that the client is not given."""
    given = variables()
    return tuple(
        f"{name}={os.environ[name]} is not used: it is no full path outside the project; run this in "
        "another directory to use it"
        for name in names
        if os.environ.get(name) and name not in given
    )


def _loads_code(name: str) -> bool:
    return name.upper().startswith(_LOADING) or name.upper() in _LOADING_NAMES


def _paths(value: str) -> set[str]:
    """Return the absolute paths in a value: the whole of it, the items of a list, words of a command."""
    found = {value, *value.split(os.pathsep), *_BETWEEN_PATHS.split(value)}
    return {path for path in found if os.path.isabs(path)}
