"""Which project a client's MCP server serves, where the client does not start it there (S5.1, S14).

Some clients start the server in the plugin's own directory and tell it no more than the session, by a
variable or with each call. So the start of a session, which is told the project, keeps it for the server
(core.session_keeping).
"""

import os

from progress_plugin.core import outside_file
from progress_plugin.core.clients import (
    LOST_SERVER_MARKS,
    PROJECT_VARIABLE,
    SERVER_VARIABLE,
    SESSION_VARIABLES,
)
from progress_plugin.core.directories import user_cache
from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.errors import NoProject
from progress_plugin.core.fresh_start import session_path
from progress_plugin.core.session_keeping import SESSIONS

_LONGEST = 4096
"""Bytes of a path."""


def kept(session: str | None) -> str | None:
    """Return the directory kept for a session; None where there is none, or it is gone."""
    place = _place(session) if session else None
    if place is None:
        return None
    directory = os.fsdecode(outside_file.part(place, None, _LONGEST))
    return directory if directory and os.path.isdir(directory) else None


def served_directory(session: str | None = None) -> str | None:
    """Return the directory of the project to serve; None means the working directory.

    `session` is what a single call names; it goes first, since one server may serve several. Raises
    NoProject where nothing tells the project and the working directory is only the plugin's.
    """
    variables = (os.environ.get(SERVER_VARIABLE), os.environ.get(PROJECT_VARIABLE))
    named = next((place for place in variables if place and os.path.isabs(place)), None)
    sessions = (os.environ.get(name) for name in SESSION_VARIABLES)
    found = kept(session) or named or next((place for one in sessions if (place := kept(one))), None)
    lost = any(name in os.environ for name in LOST_SERVER_MARKS)
    if found is None and lost and os.path.realpath(os.curdir) == os.path.realpath(PLUGIN_ROOT):
        raise NoProject("this client does not tell which project it works in; name its root as project_dir")
    return found


def _place(session: str) -> str | None:
    """Return where a session's directory is kept; None for an id that cannot be a file name."""
    cache = user_cache()
    return cache + SESSIONS + session if cache and session_path("", session) else None
