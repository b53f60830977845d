"""The directory that clients are given: the checkout itself, or a copy of what a package brought.

A package is wherever its installer puts it, and is gone when a cache is emptied or a Python replaced; clients
remember a path. So they are given a copy in the user data directory, which outlives that.
"""

from __future__ import annotations

import json
import os
import shutil

from progress_plugin.core.directories import user_data
from progress_plugin.core.errors import AgentProgressError, DiskRefused
from progress_plugin.core.files import safe_read
from progress_plugin.core.packages import environment

NAME = "plugin"
_MANIFEST = "plugin.json"


def directory() -> str:
    """Return where the directory is, or will be, once it is laid down.

    Raises AgentProgressError where there is no home to keep a copy in.
    """
    if environment.installed_in() is None:
        return environment.PLUGIN_ROOT
    data = user_data()
    if data is None:
        raise AgentProgressError("no place for the plugin directory: HOME names none; set it")
    return os.path.join(data, NAME)


def write_copy() -> bool:
    """Put this version into that directory; return whether it had to be. Raises AgentProgressError."""
    place = directory()
    if place == environment.PLUGIN_ROOT or same(environment.PLUGIN_ROOT, place):
        return False
    if os.path.lexists(place) and not _is_our_copy(place):
        raise AgentProgressError(f"{place} is not a copy of this plugin; move it away, then try again")
    fresh = f"{place}.{os.getpid()}"
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(environment.PLUGIN_ROOT, fresh, ignore=shutil.ignore_patterns("__pycache__"))
        _remove(place)
        os.rename(fresh, place)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise DiskRefused(f"cannot write {place}", error) from error
    return True


def remove_copy() -> str | None:
    """Remove the copy, and return where it was; None where there is none, and for a checkout."""
    data = user_data()
    place = os.path.join(data, NAME) if data else None
    if place is None or not _is_our_copy(place):
        return None
    _remove(place)
    return place


def _remove(place: str) -> None:
    if os.path.lexists(place):
        aside = f"{place}.old-{os.getpid()}"
        os.rename(place, aside)  # at once: a client that starts meanwhile finds all of it or nothing
        shutil.rmtree(aside, ignore_errors=True)


def _is_our_copy(place: str) -> bool:
    return is_ours(place) and not os.path.islink(place)


def is_ours(place: str) -> bool:
    """Return whether a directory is this plugin, whatever its version and however it came there.

    A relative name is none: settings of clients name packages, too, and those are nowhere in the working
    directory.
    """
    place = os.path.expanduser(place)
    if not os.path.isabs(place):
        return False
    try:
        told = json.loads(safe_read.read(os.path.join(place, _MANIFEST), None) or b"null")
    except (AgentProgressError, ValueError, RecursionError):
        return False
    is_named_so = isinstance(told, dict) and told.get("name") == "progress"
    return is_named_so and os.path.isfile(os.path.join(place, "bin", "agent-progress"))


def same(one: str, other: str) -> bool:
    """Return whether what a client runs is the same in both: the code, and the files that it is named in."""
    parts = ("progress_plugin", "hooks", "bin", "skills", "commands", "templates", "opencode")
    files = (
        "plugin.json",
        "requirements.lock",
        "requirements-team.lock",
        ".mcp.json",
        "gemini-extension.json",
    )
    names = {part: _files(os.path.join(one, part)) for part in parts}
    if any(_files(os.path.join(other, part)) != found for part, found in names.items()):
        return False
    every = [*files, *(os.path.join(part, name) for part, found in names.items() for name in found)]
    return all(_bytes(one, name) == _bytes(other, name) for name in every)


def _files(folder: str) -> set[str]:
    return {name for name, _ in safe_read.below(folder) if "__pycache__" not in name.split(os.sep)}


def _bytes(place: str, name: str) -> bytes | None:
    try:
        return safe_read.read(os.path.join(place, name), None)
    except AgentProgressError:
        return None
