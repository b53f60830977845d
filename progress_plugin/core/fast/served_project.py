"""Which project a client's MCP server serves, where the client does not start it there.

Some clients start the server in the plugin's own directory and name no more than the session, by a
variable or with each call. So the start of a session, which knows the project, keeps it for the server
(core.fast.session_directory). The server asks, before `os` is loaded.

A directory that a call itself names goes before it: `usecases.memory.location`.
"""

from progress_plugin.core.clients import (
    PLUGIN_CWD_VARIABLES,
    PROJECT_VARIABLE,
    SERVER_VARIABLE,
    SESSION_VARIABLES,
)
from progress_plugin.core.errors import NoProject
from progress_plugin.core.fast.minimal_os import (
    is_absolute,
    is_folder,
    read_regular,
    same_directory,
    value_of,
    variable_names,
)
from progress_plugin.core.fast.session_directory import place_of

_LONGEST = 4096
"""Bytes of a path."""
_PLUGIN = __file__.replace("\\", "/").rsplit("/", 4)[0] or "/"


def kept_directory(session: str | None) -> str | None:
    """Return the directory kept for a session; None where there is none, or it is gone."""
    place = place_of(session) if session else None
    told = read_regular(place) if place is not None else None
    if not told or len(told) > _LONGEST:
        return None
    directory = told.decode("utf-8", "surrogateescape")
    return directory if is_folder(directory) else None


def served_directory(session: str | None = None) -> str | None:
    """Return the directory of the project to serve; None means the working directory.

    `session` is what a single call names; it goes first, since one server may serve several. Raises
    NoProject where nothing names the project and the working directory is only the plugin's.
    """
    variables = (value_of(SERVER_VARIABLE), value_of(PROJECT_VARIABLE))
    named = next((place for place in variables if is_absolute(place)), None)
    sessions = (value_of(name) for name in SESSION_VARIABLES)
    found = (
        kept_directory(session)
        or named
        or next((place for one in sessions if (place := kept_directory(one))), None)
    )
    if found is None and variable_names().intersection(PLUGIN_CWD_VARIABLES) and same_directory(".", _PLUGIN):
        raise NoProject("this client does not tell which project it works in; name its root as project_dir")
    return found
