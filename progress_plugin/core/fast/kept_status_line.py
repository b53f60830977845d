"""Claude Code's status line, from what the last regeneration kept: nothing is computed here.

It is asked for several times a minute, so an older line beats a slow one: whether the cache is fresh is not
looked at.

Its entry in a client's settings is printed by `cli.init` and taken out by
`usecases.install.registrars`.
"""

from progress_plugin.core.clients import PROJECT_VARIABLE
from progress_plugin.core.fast.hook_input import field
from progress_plugin.core.fast.hook_process import read_input
from progress_plugin.core.fast.minimal_os import physical, value_of
from progress_plugin.core.fast.start_cache import read_cache, root_with_cache

_PLACES = (b"project_dir", b"current_dir", b"cwd")
"""Members of the client's JSON that name a directory, the one that the session belongs to first."""


def line() -> bytes:
    """Return the line for the session that standard input names, with its end; empty without a cache."""
    raw = read_input()
    named = (field(raw, place) for place in _PLACES)
    start = next((place for place in named if place), None) or value_of(PROJECT_VARIABLE) or value_of("PWD")
    root = root_with_cache(physical(start)) if start else None
    cache = read_cache(root) if root is not None else None
    return cache.status_line + b"\n" if cache is not None and cache.status_line else b""
