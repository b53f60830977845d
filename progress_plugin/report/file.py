"""Write the page of the report, and show it in a browser."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_range, write_atomic
from progress_plugin.core.paths import is_outside
from progress_plugin.core.processes import child_variables
from progress_plugin.core.project import Project
from progress_plugin.usecases.project_writes import prepare

FILE = "report.html"
MAX_HEAD_BYTES = 4096
_GENERATOR = b'<meta name="generator" content="agent-progress">'
"""In the head of every page that `report.html.j2` makes."""


def write_page(project: Project, output: str | None, data: bytes) -> str:
    """Write the page and return its path: in our directory, unless the user names another file.

    Raises BadInput for a file that is not an earlier report.
    """
    if output is None:
        prepare(project)
        path = os.path.join(project.directory, FILE)
        # It quotes what the user asked of sessions, so other users of the machine may not read it.
        write_atomic(path, data, root=project.root, durable=False, private=True)
        return path
    path = os.path.abspath(output)
    has_content = os.path.isfile(path) and os.path.getsize(path) > 0
    if has_content and _GENERATOR not in read_range(None, path, 0, MAX_HEAD_BYTES):
        raise BadInput(f"{path} is no report, and it is not overwritten; name another file, or remove it")
    write_atomic(path, data, durable=False)
    return path


def show_page(project: Project, path: str) -> None:
    """Show a file in a browser from outside the project, whose settings can set variables.

    Of `BROWSER` only programs without arguments count. The browser begins at the top of the file system,
    where no address can be the name of a file.
    """
    variables = child_variables(project.root)
    named = [
        name for name in variables.pop("BROWSER", "").split(os.pathsep) if _may_start(name, project.root)
    ]
    os.environ["PATH"] = variables["PATH"]
    os.environ.pop("BROWSER", None)
    if named:
        os.environ["BROWSER"] = os.pathsep.join(named)
    os.chdir(os.path.abspath(os.sep))
    if not webbrowser.open(Path(path).as_uri()):
        raise AgentProgressError(f"no browser could be started; open {path} yourself")


def _may_start(browser: str, root: str) -> bool:
    name, _, arguments = browser.strip().partition(" ")
    has_folder = os.path.dirname(name) != ""
    return arguments.strip() in {"", "%s"} and (not has_folder or is_outside(name, root))
