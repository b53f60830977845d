"""The data that an uninstallation leaves in place, and how to remove it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from typing import NamedTuple

from progress_plugin.core.clients import CLAUDE_CONFIG_DIR
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import user_cache, user_config, user_data, user_state
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.usecases.install.client_program import settings_path
from progress_plugin.usecases.promote import FILE


class Leftover(NamedTuple):
    """Something that is still there."""

    what: str
    remedy: str
    """The command, or the sentence, that removes it."""


def find_leftovers(project: Project | None) -> Iterator[Leftover]:
    """Yield what there is of ours in the project, if one is given, and in the user's directories."""
    if project is not None:
        yield from _find_in_project(project)
    settings = os.path.join(settings_path(CLAUDE_CONFIG_DIR, "~/.claude"), "settings.json")
    if _has(settings, b"agent-progress"):
        yield Leftover(f"{settings}: it names agent-progress", "remove those lines, such as the status line")
    for place in dict.fromkeys((user_data(), user_state(), user_config(), user_cache())):
        if place and os.path.isdir(place):
            what = f"{place}: settings and data of all projects ({', '.join(sorted(os.listdir(place)))})"
            yield Leftover(what, f"rm -r {shlex.quote(place)}")


def _find_in_project(project: Project) -> Iterator[Leftover]:
    directory = project.log_directory
    if os.path.isdir(directory):
        what = f"{directory}: the log of this project"
        if os.path.isdir(os.path.join(directory, SHARED_FOLDER)):
            what += f"; {SHARED_FOLDER}/ is in git: a commit without it removes it for everyone"
        yield Leftover(what, f"rm -r {shlex.quote(directory)}")
    path = project.path(FILE)
    if _has(path, b"<!-- agent-progress:"):
        remedy = "remove it with both comment lines around it"
        yield Leftover(f"{path}: a block made by `promote`", remedy)


def _has(path: str, text: bytes) -> bool:
    try:
        return text in (read_inside(None, path) or b"")
    except AgentProgressError:
        return False  # not a regular file
