"""Read a client's settings file (JSON with comments), and remove values from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.text import jsonc
from progress_plugin.text.decode import decode, encoded_like

Selector = Callable[[Any], jsonc.Path | None]
"""Returns the path of a value that is to be removed from settings, None if there is none."""


def member(settings: Any, *names: str) -> Any:
    """Return the value below these names, None if it is missing or something on the way is not an object."""
    for name in names:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings


def read_settings(path: str) -> Any:
    """Return the content of a settings file, None without one; raises BadInput for a damaged file."""
    data = read_inside(None, path)
    try:
        return None if data is None else jsonc.parse(decode(data, path))
    except ValueError as error:
        raise BadInput(f"{path} cannot be read: {error}; correct it, then try again") from error


def remove_values(path: str, select: Selector) -> None:
    """Remove every value that `select` names and change nothing else in the file.

    Raises BadInput, and leaves the file as it is, if that cannot be done safely.
    """
    data = read_inside(None, path) or b""
    text = decode(data, path)
    try:
        while (selected := select(jsonc.parse(text))) is not None:
            text = jsonc.without(text, selected)
    except (ValueError, AgentProgressError) as error:
        raise BadInput(f"{path}: {error}; remove the lines that name agent-progress by hand") from error
    write_atomic(path, encoded_like(text, data))
