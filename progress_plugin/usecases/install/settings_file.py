"""Read a client's settings file (JSON with comments), and remove entries from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.text import jsonc
from progress_plugin.text.decode import decode, encoded_like


def member(settings: Any, *names: str) -> Any:
    """Return the value below these names, None if it is missing or something on the way is not an object."""
    for name in names:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings


def entries(path: str, section: str) -> list[tuple[str | int, Any]]:
    """Return the names of an object, or the items of a list, in a settings file, each with its key.

    Raises BadInput for a damaged file.
    """
    data = read_inside(None, path) or b"{}"
    try:
        return _entries(decode(data, path), section)
    except ValueError as error:
        raise BadInput(f"{path} cannot be read: {error}; correct it, then try again") from error


def remove_entries(path: str, section: str, is_wanted: Callable[[Any], bool]) -> None:
    """Remove the entries of a section that `is_wanted` accepts, and change nothing else in the file.

    Raises BadInput, and leaves the file as it is, if that cannot be done safely.
    """
    data = read_inside(None, path) or b"{}"
    text = decode(data, path)
    try:
        while keys := [key for key, entry in _entries(text, section) if is_wanted(entry)]:
            text = jsonc.without(text, (section, keys[0]))
    except (ValueError, AgentProgressError) as error:
        raise BadInput(f"{path}: {error}; remove the lines that name agent-progress by hand") from error
    write_atomic(path, encoded_like(text, data))


def _entries(text: str, section: str) -> list[tuple[str | int, Any]]:
    found = member(jsonc.parse(text), section)
    if isinstance(found, dict):
        return [(name, name) for name in found]
    return list(enumerate(found)) if isinstance(found, list) else []
