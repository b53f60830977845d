"""The data that an uninstallation leaves in place, and how to remove it."""

from __future__ import annotations

import os
import shlex
from typing import NamedTuple

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import list_inside, read_inside
from progress_plugin.core.paths import user_cache, user_config, user_data
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.text.decode import decode
from progress_plugin.text.managed_block import find_block
from progress_plugin.usecases.promote import FILE


class Leftover(NamedTuple):
    """Something that is still there."""

    what: str
    remedy: str
    """The command, or the sentence, that removes it."""


def find_leftovers(project: Project | None) -> list[Leftover]:
    """Return what there is of ours in the project, if one is given, and in the user's directories."""
    purposes = (
        (user_data(), "data of all projects"),
        (user_cache(), "a cache, which is made again"),
        (user_config(), "your settings"),
    )
    places: dict[str, list[str]] = {}  # on macOS and Windows data and settings share one directory
    for place, purpose in purposes:
        if place and os.path.isdir(place):
            places.setdefault(place, []).append(purpose)
    return [*(_in_project(project) if project else []), *(_of_user(*each) for each in places.items())]


def _of_user(place: str, purposes: list[str]) -> Leftover:
    names = [name for name in list_inside(None, place) if not _is_empty(os.path.join(place, name))]
    what = f"{place}: {' and '.join(purposes)} ({', '.join(names) or 'empty'})"
    return Leftover(what, f"rm -r {shlex.quote(place)}")


def _is_empty(path: str) -> bool:
    return os.path.isdir(path) and not list_inside(None, path)


def _in_project(project: Project) -> list[Leftover]:
    found = []
    directory = project.log_directory
    if os.path.isdir(directory):
        parent = os.path.dirname(directory)
        is_alone = list_inside(None, parent) == [os.path.basename(directory)]
        what = f"{directory}: the log of this project"
        if list_inside(None, os.path.join(directory, SHARED_FOLDER)):
            what += (
                f", and in {SHARED_FOLDER}/ the team's history, which git carries: a commit without it "
                "removes it for everyone"
            )
        found.append(Leftover(what, f"rm -r {shlex.quote(parent if is_alone else directory)}"))
    path = project.path(FILE)
    try:
        block = find_block(decode(read_inside(project.root, path) or b"", path))
    except AgentProgressError:
        block = None  # its marks were edited by hand
    if block:
        found.append(
            Leftover(f"{path}: a block made by `promote`", "remove it with both comment lines around it")
        )
    return found
