"""The project that the MCP server works for.

Most clients start the server in the project or name the project in a variable. Some start it in the plugin's
own directory and name only the session; for those SessionStart has recorded the project.
"""

from __future__ import annotations

import os

from progress_plugin.core import clients
from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.errors import NoProject
from progress_plugin.core.paths import working_directory
from progress_plugin.core.session_state import load_session


def served_directory(session: str | None = None) -> str | None:
    """Return the directory of the project to serve, or None for the working directory.

    `session` is the session that a call names. It wins, because one server may serve several sessions.
    Raises NoProject if nothing names the project and a client has started us in the plugin's directory.
    """
    named = [os.environ.get(variable, "") for variable in (clients.SERVER_VARIABLE, clients.PROJECT_VARIABLE)]
    sessions = [os.environ.get(variable) for variable in clients.SESSION_VARIABLES]
    recorded = [load_session(each).project for each in (session, *sessions)]
    known = [path if os.path.isdir(path) else "" for path in recorded]
    directory = next(filter(None, (known[0], *filter(os.path.isabs, named), *known[1:])), None)
    is_in_plugin = os.path.realpath(working_directory() or os.sep) == os.path.realpath(PLUGIN_ROOT)
    starts_elsewhere = any(mark in os.environ for mark in clients.PLUGIN_CWD_VARIABLES)
    if directory is None and is_in_plugin and starts_elsewhere:
        raise NoProject("this client does not tell which project it works in; name its root as project_dir")
    return directory
