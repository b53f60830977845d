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
from progress_plugin.core.paths import make_state_directory, state_file, user_config
from progress_plugin.log.shared_entries import is_writer

WRITER_FILE = "writer"
RANDOM_BYTES = 3
MAX_HOST_CHARS = 24


def known_writer(directory: str) -> str | None:
    """Return the name of this clone; None if it has none yet. `directory` is the log's."""
    data = read_inside(None, state_file(root_of(directory), WRITER_FILE)) or b""
    name = data.decode("ascii", "replace").strip()
    return name if is_writer(name) else None


def writer_of(directory: str) -> str:
    """Return the name of this clone, made now if it has none. The caller holds the project's lock.

    Raises AgentProgressError if there is no home to keep it in, or the disk refuses.
    """
    known = known_writer(directory)
    if known is not None:
        return known
    host = platform.node().partition(".")[0]
    name = f"{_plain(_chosen_name()) or _plain(host) or 'host'}-{os.urandom(RANDOM_BYTES).hex()}"
    path = os.path.join(make_state_directory(root_of(directory)), WRITER_FILE)
    write_atomic(path, f"{name}\n".encode(), private=True)
    return name


def _chosen_name() -> str:
    """Return the user's name for their clones; a file of a repository cannot set it."""
    from progress_plugin.config.load import load  # noqa: PLC0415 - once in a clone's life

    folder = user_config()
    users = read_inside(None, os.path.join(folder, "config.toml")) if folder else None
    return load(None, {}, users, os.environ).effective.team_name or ""


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", name.lower())[:MAX_HOST_CHARS].strip("-")
