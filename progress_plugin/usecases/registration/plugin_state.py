"""The state of the plugin in a client, whether it is current, and what is done to change it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from progress_plugin.core.packages import environment
from progress_plugin.usecases.registration import plugin_directory

PLUGIN, MARKET = "progress", "agent-progress"
ID = f"{PLUGIN}@{MARKET}"


class ClientState(NamedTuple):
    """What a client says of the plugin."""

    source: str | None = None
    """The directory or address that it was registered from; None where it is not registered."""
    copy: str | None = None
    """Where the client keeps a copy of its own, if it runs that."""
    is_enabled: bool = True


class Command(NamedTuple):
    """A command of the client's program."""

    words: tuple[str, ...]
    may_fail: bool = False
    """Whether it only makes sure of something, and its failure means that there was nothing to do."""


class Edit(NamedTuple):
    """A change of a file, where the client has no command for it."""

    what: str
    """What is done, in words."""
    make: Callable[[], None]


Step = Command | Edit


def is_current(state: ClientState, directory: str) -> bool:
    """Return whether this directory is registered, and a copy that the client keeps holds this version.

    Then `install` says "registered already"; else it removes what is there and registers the plugin afresh.
    """
    try:
        if state.source is None or os.path.realpath(state.source) != os.path.realpath(directory):
            return False
    except ValueError:
        return False  # a NUL in it: no place can be called so
    return state.copy is None or plugin_directory.same(environment.PLUGIN_ROOT, state.copy)
