"""What is taken out of a client's file where the client has no command for it; nothing else in it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import atomic_file, safe_read
from progress_plugin.text import jsonc
from progress_plugin.text.decode import decode, encoded_like


def value(path: str) -> Any:
    """Return what a file of settings holds, None where there is none; raises BadInput for a damaged one."""
    data = safe_read.read(path, None)
    if data is None:
        return None
    try:
        return jsonc.parse(decode(data, path))
    except ValueError as error:
        raise BadInput(f"{path} cannot be read: {error}; mend it, then try again") from error


def member(found: Any, *names: str) -> Any:
    """Return what is below these names; None where anything on the way is missing or no object."""
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def items(found: Any, name: str, path: str) -> list[Any]:
    """Return the list of that name in settings, empty where none is; raises BadInput for another value."""
    listed = member(found, name)
    if listed is None or isinstance(listed, list):
        return listed or []
    raise BadInput(f'{path}: "{name}" is no list, which the client expects; mend it, then try again')


def take_out(path: str, choose: Callable[[Any], jsonc.Path | None]) -> None:
    """Take out what `choose` names, as often as it names something.

    Raises BadInput, and leaves the file as it is, where that cannot be done safely.
    """
    data = safe_read.read(path, None)
    if data is None:
        return
    text = whole = decode(data, path)
    try:
        while (wanted := choose(jsonc.parse(text))) is not None:
            text = jsonc.without(text, wanted)
    except (ValueError, AgentProgressError) as error:
        raise BadInput(f"{path}: {error}; take the lines that name agent-progress out by hand") from error
    if text != whole:
        atomic_file.replace(path, encoded_like(text, data))
