"""The plugin directory that clients are given: the checkout, or a copy if the plugin was installed by pip.

An installed package disappears when its environment is replaced, but clients remember a path. So they get a
copy in the user's data directory.
"""

from __future__ import annotations

import json
import os
import shutil

from progress_plugin.core import environment
from progress_plugin.core.errors import AgentProgressError, DiskRefused
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import user_data

_NAME = "plugin"


def plugin_directory() -> str:
    """Return the directory to register; raises AgentProgressError if there is no home for a copy."""
    if not environment.IS_INSTALLED:
        return environment.PLUGIN_ROOT
    data = user_data()
    if data is None:
        raise AgentProgressError("no place for the plugin directory: HOME names none; set it")
    return os.path.join(data, _NAME)


def write_copy() -> None:
    """Copy an installed plugin to its directory. Raises AgentProgressError."""
    if not environment.IS_INSTALLED:
        return
    place = plugin_directory()
    temporary = f"{place}.{os.getpid()}"
    package = os.path.join(temporary, "progress_plugin")
    try:
        shutil.copytree(environment.PLUGIN_ROOT, temporary)
        skipped = shutil.ignore_patterns("__pycache__", _NAME)
        shutil.copytree(environment.PACKAGE, package, ignore=skipped)
        if os.path.lexists(place) and not remove_copy():
            raise AgentProgressError(f"{place} is not a copy of this plugin; move it away, then try again")
        os.rename(temporary, place)
    except OSError as error:
        raise DiskRefused(f"cannot write {place}", error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def remove_copy() -> str | None:
    """Remove the copy and return its path, None if there is none."""
    data = user_data()
    place = os.path.join(data, _NAME) if data else ""
    if os.path.islink(place) or not is_plugin(place):
        return None
    # A client that starts meanwhile finds the whole copy or none.
    temporary = f"{place}.old-{os.getpid()}"
    os.rename(place, temporary)
    shutil.rmtree(temporary, ignore_errors=True)
    return place


def is_plugin(directory: str) -> bool:
    """Return whether a directory, named by its full path, holds this plugin in any version."""
    if not os.path.isabs(directory):
        return False  # the settings of clients name packages, too
    try:
        manifest = json.loads(read_inside(None, os.path.join(directory, "plugin.json")) or b"null")
    except (AgentProgressError, ValueError, RecursionError):
        return False
    is_named_progress = isinstance(manifest, dict) and manifest.get("name") == "progress"
    return is_named_progress and os.path.isfile(os.path.join(directory, "bin", "agent-progress"))
