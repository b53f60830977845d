"""What an uninstallation leaves alone because it may be wanted: data of the user's, and how to remove it."""

from __future__ import annotations

import os
import shlex
from typing import NamedTuple

from progress_plugin.core import outside_file
from progress_plugin.core.directories import user_cache, user_config, user_data
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.project import Project
from progress_plugin.text.decode import decode
from progress_plugin.text.owned_block import find_block
from progress_plugin.usecases.promote import FILE


class Remains(NamedTuple):
    """One thing that is still there."""

    what: str
    remedy: str
    """The command, or the sentence, that ends it."""


def remains(project: Project | None) -> list[Remains]:
    """Return what there is of ours in the project, None for no project, and in the user's directories."""
    found = _in_project(project) if project else []
    places = (
        (user_data(), "environments, and the memory database of all projects"),
        (user_cache(), "what can be made again"),
        (user_config(), "your settings"),
    )
    found += [Remains(f"{place}: {what}", f"rm -r {shlex.quote(place)}") for place, what in places
              if place and os.path.isdir(place)]  # fmt: skip
    return found


def _in_project(project: Project) -> list[Remains]:
    found = []
    directory = project.log_directory
    if os.path.isdir(directory):
        above = os.path.dirname(directory)
        alone = outside_file.names(above, None) == [os.path.basename(directory)]
        place = above if alone else directory
        found.append(Remains(f"{directory}: the log of this project", f"rm -r {shlex.quote(place)}"))
    path = project.path(FILE)
    try:
        block = find_block(decode(outside_file.read(path, project.root) or b"", path))
    except AgentProgressError:
        block = None  # whoever took it apart knows of it
    if block:
        found.append(
            Remains(f"{path}: a block made by `promote`", "remove it with both comment lines around it")
        )
    return found
