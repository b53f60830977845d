"""What an earlier version left that must not stay.

The format numbers are in `core.version`.
"""

from __future__ import annotations

import os

from progress_plugin.core import data_directory
from progress_plugin.core.fast.minimal_os import read_regular
from progress_plugin.core.fast.shown_sessions import OPEN, SESSIONS
from progress_plugin.core.fast.start_cache import CACHE_FILE, DATA_SUFFIX, cache_head, seal
from progress_plugin.core.files.input_records import Inputs, place_of
from progress_plugin.core.project import Project
from progress_plugin.usecases.summarizing import learning_cache

_TEMPLATES = DATA_SUFFIX[1:] + "/templates/"


def remove_older(project: Project, inputs: Inputs) -> None:
    """Remove what a version kept that followed links, and printed what templates made as it was.

    `inputs` are those of the present reading. Caller holds the lock.

    What sessions were shown goes in any case. The summaries of other plans, and what was found out about the
    project's logs, go where a template of the project's or a link that leads out had a part in them; what
    they were made from is all there.
    """
    earlier = _read_before(project)
    _empty(project, SESSIONS.strip("/"))
    own_template = any(path.startswith(_TEMPLATES) for path in earlier)
    followed = earlier & {record.path for record in inputs.records() if record.kind == "link"}
    if own_template or followed:
        _empty(project, "summaries")
        learning_cache.forget(project.root)


def _read_before(project: Project) -> set[str]:
    """Return the files that the cache of this project names, whatever version made it; none of another's."""
    head = cache_head(read_regular(project.root + DATA_SUFFIX + CACHE_FILE) or b"")
    if head is None or head.seal != seal(project.root):
        return set()
    return {place_of(record).path for record in head.records if record.startswith(b"file ")}


def _empty(project: Project, folder: str) -> None:
    for name in data_directory.names(project.directory, folder):
        if not name.endswith(OPEN):
            try:
                os.unlink(os.path.join(project.directory, folder, name))
            except OSError:
                continue  # a folder, or gone meanwhile
