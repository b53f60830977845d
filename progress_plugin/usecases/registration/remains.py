"""What an uninstallation leaves alone because it may be wanted: data of the user's, and how to remove it."""

from __future__ import annotations

import os
import shlex
from typing import NamedTuple

from progress_plugin.core.directories import user_cache, user_config, user_data
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import safe_read
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.text.decode import decode
from progress_plugin.text.managed_block import find_block
from progress_plugin.usecases.promote import FILE
from progress_plugin.usecases.registration import plugin_directory

_OF_A_TEAM = (
    f", and in {SHARED_FOLDER}/ the team's history, which git carries: a commit without it takes it from all"
)


class Remains(NamedTuple):
    """One thing that is still there."""

    what: str
    remedy: str
    """The command, or the sentence, that ends it."""


def remains(project: Project | None) -> list[Remains]:
    """Return what there is of ours in the project, None for no project, and in the user's directories."""
    found = _in_project(project) if project else []
    data = user_data()
    places = (
        (data, _in_user_data(data) if data else ""),
        (user_cache(), "what can be made again"),
        (user_config(), "your settings"),
    )
    found += [Remains(f"{place}: {what}", f"rm -r {shlex.quote(place)}") for place, what in places
              if place and os.path.isdir(place)]  # fmt: skip
    return found


def _in_user_data(data: str) -> str:
    """Return in words what is there: the sentence precedes the command that removes it."""
    parts = {
        "env": "environments",
        "memory.db": "the memory database of all projects",
        "logs": "copies of the logs of all projects",
        "sessions": "records of sessions in projects without our folder",
        "writers": "the names under which projects share their history",
        plugin_directory.NAME: "the directory that clients are given",
        "python": "the path of the Python that was found",
    }
    names = [name for name in safe_read.names(data, None) if _holds_something(os.path.join(data, name))]
    kinds = [name.partition("-")[0] for name in names]  # a database has files beside it
    known = [what for name, what in parts.items() if name in kinds]
    others = [name for name, kind in zip(names, kinds, strict=True) if kind not in parts]
    return ", ".join([*known, *others]) or "empty folders"


def _holds_something(path: str) -> bool:
    return not os.path.isdir(path) or bool(safe_read.names(path, None))


def _holds_a_team(directory: str) -> bool:
    return bool(safe_read.names(os.path.join(directory, SHARED_FOLDER), None))


def _in_project(project: Project) -> list[Remains]:
    found = []
    directory = project.log_directory
    if os.path.isdir(directory):
        above = os.path.dirname(directory)
        alone = safe_read.names(above, None) == [os.path.basename(directory)]
        place = above if alone else directory
        what = "the log of this project" + (_OF_A_TEAM if _holds_a_team(directory) else "")
        found.append(Remains(f"{directory}: {what}", f"rm -r {shlex.quote(place)}"))
    path = project.path(FILE)
    try:
        block = find_block(decode(safe_read.read(path, project.root) or b"", path))
    except AgentProgressError:
        block = None  # whoever took it apart knows of it
    if block:
        found.append(
            Remains(f"{path}: a block made by `promote`", "remove it with both comment lines around it")
        )
    return found
