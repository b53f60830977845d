"""The command report: the state of the work as a page for people."""

from __future__ import annotations

import os
import webbrowser
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from progress_plugin.cli.output import pass_project, print_json, progress_note, say
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_range, write_atomic
from progress_plugin.core.paths import is_outside
from progress_plugin.core.processes import child_variables
from progress_plugin.core.project import Project
from progress_plugin.report.page import render
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.report import report as report_of

FILE = "report.html"
_MADE_HERE = b'<meta name="generator" content="agent-progress">'
"""In the head of every page that `report.html.j2` makes."""
_HEAD = 4096
_HELP = """Write one HTML file that shows the state of the work.

Stories over time, what is blocked and since when, what was learnt and where, the history. The file
needs nothing beside it, loads nothing, and follows the reader's light or dark setting.

Example: agent-progress report --open
"""


@click.command(help=_HELP)
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write here instead.")
@click.option("--team", is_flag=True, help="Add everybody's work, as this clone knows it.")
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
@click.option("--json", "as_json", is_flag=True, help="Print the data as one JSON object; write nothing.")
@pass_project
def report(project: Project, /, output: str | None, team: bool, show: bool, as_json: bool) -> None:
    """Write the page, or print its data."""
    with progress_note("reading the logs"):
        data = report_of(project, now=datetime.now(UTC), team=team)
    if as_json:
        print_json(asdict(data))
        return
    path = _write(project, output, render(data).encode("utf-8", "replace"))
    say(f"Written: {path}")
    if show and not _show(project, path):
        raise AgentProgressError(f"no browser could be started; open {path} yourself")


def _show(project: Project, path: str) -> bool:
    """Show a file by a browser that is found outside the project: its settings can set variables.

    Of what `BROWSER` names a program alone counts, without words of its own. It begins at the top of the file
    system, where no address can be the name of a file.
    """
    variables = child_variables(project.root)
    named = [
        each for each in variables.pop("BROWSER", "").split(os.pathsep) if _may_start(each, project.root)
    ]
    os.environ["PATH"] = variables["PATH"]
    os.environ.pop("BROWSER", None)
    if named:
        os.environ["BROWSER"] = os.pathsep.join(named)
    os.chdir(os.path.abspath(os.sep))
    return webbrowser.open(Path(path).as_uri())


def _may_start(browser: str, root: str) -> bool:
    name, _, rest = browser.strip().partition(" ")
    has_folder = os.path.dirname(name) != ""
    return rest.strip() in {"", "%s"} and (not has_folder or is_outside(name, root))


def _write(project: Project, output: str | None, data: bytes) -> str:
    """Write the page and return where: into our directory, unless the user names another place."""
    if output is None:
        prepare(project)
        path = os.path.join(project.directory, FILE)
        # It quotes what the user asked of sessions; who passes it on decides who may read it.
        write_atomic(path, data, root=project.root, durable=False, private=True)
        return path
    path = os.path.abspath(output)
    if not _may_replace(path):
        raise BadInput(f"{path} is no report, and it is not overwritten; name another file, or remove it")
    write_atomic(path, data, durable=False)
    return path


def _may_replace(path: str) -> bool:
    """Return whether nothing is lost: there is no such file, an empty one, or an earlier report."""
    if not os.path.isfile(path) or not os.path.getsize(path):
        return True
    return _MADE_HERE in read_range(None, path, 0, _HEAD)
