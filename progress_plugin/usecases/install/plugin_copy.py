"""The plugin directory that clients are given: the checkout, or a copy if the plugin was installed by pip.

An installed package disappears when its environment is replaced, but clients remember a path. So they get a
copy in the user's data directory.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil

from progress_plugin.core import environment
from progress_plugin.core.errors import AgentProgressError, DiskRefused
from progress_plugin.core.files import read_inside, walk_inside
from progress_plugin.core.paths import user_data

NAME = "plugin"
_MANIFEST = "plugin.json"
_PARTS = ("progress_plugin", "hooks", "bin", "skills", "commands", "templates", "opencode")
_FILES = (
    _MANIFEST,
    "requirements.lock",
    "requirements-team.lock",
    ".mcp.json",
    "gemini-extension.json",
)


def plugin_directory() -> str:
    """Return the directory to register; raises AgentProgressError if there is no home for a copy."""
    if not environment.IS_INSTALLED:
        return environment.PLUGIN_ROOT
    data = user_data()
    if data is None:
        raise AgentProgressError("no place for the plugin directory: HOME names none; set it")
    return os.path.join(data, NAME)


def write_copy() -> None:
    """Copy the installed plugin to its directory if that has another content. Raises AgentProgressError."""
    place = plugin_directory()
    if place == environment.PLUGIN_ROOT:
        return
    if os.path.lexists(place) and not _is_our_copy(place):
        raise AgentProgressError(f"{place} is not a copy of this plugin; move it away, then try again")
    temporary = f"{place}.{os.getpid()}"
    package = os.path.join(temporary, "progress_plugin")
    try:
        shutil.copytree(environment.PLUGIN_ROOT, temporary)
        skipped = shutil.ignore_patterns("__pycache__", "plugin")
        shutil.copytree(environment.PACKAGE, package, ignore=skipped)
        if not has_same_content(temporary, place):
            _remove(place)
            os.rename(temporary, place)
    except OSError as error:
        raise DiskRefused(f"cannot write {place}", error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def remove_copy() -> str | None:
    """Remove the copy and return its path, None if there is none."""
    data = user_data()
    place = os.path.join(data, NAME) if data else None
    if place is None or not _is_our_copy(place):
        return None
    _remove(place)
    return place


def is_plugin(directory: str) -> bool:
    """Return whether a directory, named by its full path, holds this plugin in any version."""
    directory = os.path.expanduser(directory)
    if not os.path.isabs(directory):
        return False  # the settings of clients name packages, too
    try:
        manifest = json.loads(read_inside(None, os.path.join(directory, _MANIFEST)) or b"null")
    except (AgentProgressError, ValueError, RecursionError):
        return False
    is_named_progress = isinstance(manifest, dict) and manifest.get("name") == "progress"
    return is_named_progress and os.path.isfile(os.path.join(directory, "bin", "agent-progress"))


def has_same_content(first: str, second: str) -> bool:
    """Return whether two plugin directories hold the same code and manifests."""
    return _digests(first) == _digests(second)


def _digests(root: str) -> dict[str, str]:
    """Return the digest of each file that a client uses, by its path in the plugin directory."""
    paths = [
        *_FILES,
        *(os.path.join(part, name) for part in _PARTS for name, _ in walk_inside(os.path.join(root, part))),
    ]
    found = {}
    for path in paths:
        if "__pycache__" in path.split(os.sep):
            continue
        try:
            data = read_inside(None, os.path.join(root, path))
        except AgentProgressError:
            continue
        if data is not None:
            found[path] = hashlib.sha256(data).hexdigest()
    return found


def _is_our_copy(place: str) -> bool:
    return is_plugin(place) and not os.path.islink(place)


def _remove(place: str) -> None:
    """Remove a directory in one step: a client that starts meanwhile finds all of it or nothing."""
    if os.path.lexists(place):
        temporary = f"{place}.old-{os.getpid()}"
        os.rename(place, temporary)
        shutil.rmtree(temporary, ignore_errors=True)
