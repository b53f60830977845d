"""The state of the plugin in a client, and what is done to change that."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

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
