"""The folder in the user's state directory in which one project's private state is kept.

What is shown or believed without a further check is kept there and not in the project: a repository that was
cloned cannot bring any of it, and a project that was moved or copied makes its caches anew.
"""

from __future__ import annotations

import os

from progress_plugin.core.paths import make_private, user_state

_MAX_NAME_CHARS = 40


def state_directory(root: str) -> str | None:
    """Return the folder for the project at `root`, which may not exist yet; None without a home directory."""
    state = user_state()
    if state is None:
        return None
    real = os.path.realpath(root)
    name = "".join(letter if letter.isalnum() else "-" for letter in os.path.basename(real))
    return os.path.join(state, "projects", f"{name[:_MAX_NAME_CHARS] or 'root'}-{_hash(real):016x}")


def make_state_directory(root: str) -> str:
    """Make the folder for the project at `root`, readable by the user alone, and return it.

    Raises AgentProgressError without a home directory, DiskRefused if it cannot be made.
    """
    from progress_plugin.core.errors import AgentProgressError, DiskRefused  # noqa: PLC0415 - only to write

    folder = state_directory(root)
    if folder is None:
        raise AgentProgressError("there is no home directory to keep the state of this project in; set HOME")
    try:
        make_private(folder)
    except OSError as error:
        raise DiskRefused(f"cannot make {folder}", error) from error
    return folder


def state_file(root: str, name: str) -> str:
    """Return the path of a file in the folder of the project at `root`, which may not exist yet.

    Without a home directory it is a path at which there is nothing and nothing can be made.
    """
    return os.path.join(state_directory(root) or os.devnull, name)


def _hash(text: str) -> int:
    """Return the 64-bit FNV-1a hash of a path; `hashlib` takes a tenth of a hook's time to import."""
    number = 0xCBF29CE484222325
    for byte in os.fsencode(text):
        number = (number ^ byte) * 0x100000001B3 % (1 << 64)
    return number
