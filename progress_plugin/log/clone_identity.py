"""Which writer this clone is: the name of its folder in `shared/`, and of its rows on the team's server.

The name is random and kept in the clone's private state, so that no copy of the working directory has it. All
worktrees of a repository are one writer.
"""

from __future__ import annotations

import os
import platform
import re

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.paths import flat_name, make_state_directory, state_file, user_config, user_data
from progress_plugin.log.shared_entries import is_writer

WRITER_FILE = "writer"
RANDOM_BYTES = 3
MAX_HOST_CHARS = 24


def known_writer(directory: str) -> str | None:
    """Return the name of this clone; None if it has none yet. `directory` is the log's."""
    root, data = root_of(directory), user_data()
    places = [state_file(root, WRITER_FILE)]
    if data:  # where versions before schema 7 of the team's server kept it
        places.append(os.path.join(data, "writers", _host(), flat_name(os.path.realpath(root))))
    for path in places:
        words = (read_inside(None, path) or b"").decode("ascii", "replace").split()
        if words and is_writer(words[0]):
            return words[0]
    return None


def writer_of(directory: str) -> str:
    """Return the name of this clone, made now if it has none. The caller holds the project's lock.

    Raises AgentProgressError if there is no home to keep it in, or the disk refuses.
    """
    path = os.path.join(make_state_directory(root_of(directory)), WRITER_FILE)
    known = known_writer(directory)
    if known is None or not os.path.exists(path):
        known = known or _new_name()
        write_atomic(path, f"{known}\n".encode(), private=True)
    return known


def _new_name() -> str:
    return f"{_plain(_chosen_name()) or _host()}-{os.urandom(RANDOM_BYTES).hex()}"


def _chosen_name() -> str:
    """Return the user's name for their clones; a file of a repository cannot set it."""
    from progress_plugin.config.load import load  # noqa: PLC0415 - once in a clone's life

    folder = user_config()
    users = read_inside(None, os.path.join(folder, "config.toml")) if folder else None
    return load(None, {}, users, os.environ).effective.team_name or ""


def _host() -> str:
    return _plain(platform.node().partition(".")[0]) or "host"


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", name.lower())[:MAX_HOST_CHARS].strip("-")
