"""What an earlier regeneration left: what of it is ours, and what must not stay (S8.1, S16.3)."""

from __future__ import annotations

import os
from typing import NamedTuple

from progress_plugin.core import own_directory
from progress_plugin.core.fresh_start import CACHE, MAGIC, OURS, SESSIONS, content_digest, read_regular, seal
from progress_plugin.core.freshness import Inputs
from progress_plugin.core.project import Project
from progress_plugin.usecases import answers
from progress_plugin.usecases.changes import place_of
from progress_plugin.usecases.session import OPEN

_ANY_FORMAT = MAGIC.rstrip(b" 0123456789")
_TEMPLATES = OURS[1:] + "/templates/"


class Inherited(NamedTuple):
    """The start cache that stands there, whatever version made it."""

    files: dict[str, bytes]
    """By path, the digest of each input that was read."""

    def wrote(self, path: str, content: bytes) -> bool:
        """Tell whether a file, named as the cache names it, holds what we wrote there last."""
        return self.files.get(path) == content_digest(content)


def inherited(project: Project) -> Inherited:
    """Return what the cache of this project tells; nothing where it was not made here."""
    head = (read_regular(project.root + OURS + CACHE) or b"").partition(b"\n\n")[0]
    first, *records = head.split(b"\n")
    mark = seal(project.root)
    if not first.startswith(_ANY_FORMAT) or mark is None or first.rpartition(b" ")[2] != mark:
        return Inherited({})
    files = {}
    for record in records:
        fields = record.split(b" ", 6)
        if fields[0] == b"file":
            files[place_of(record).path] = fields[5]
    return Inherited(files)


def remove_older(project: Project, inputs: Inputs) -> None:
    """Remove what a version kept that followed links, and printed what templates made as it was.

    `inputs` are those of the present reading. Caller holds the lock.

    What sessions were shown goes in any case. The summaries of other plans, and what was found out about the
    project's logs, go where a template of the project's or a link that leads out had a part in them; what
    they were made from is all there.
    """
    earlier = inherited(project)
    _empty(project, SESSIONS.strip("/"))
    own_template = any(path.startswith(_TEMPLATES) for path in earlier.files)
    followed = earlier.files.keys() & {record.path for record in inputs.records() if record.kind == "link"}
    if own_template or followed:
        _empty(project, "summaries")
        answers.forget(project.root)


def _empty(project: Project, folder: str) -> None:
    for name in own_directory.names(project.directory, folder):
        if not name.endswith(OPEN):
            try:
                os.unlink(os.path.join(project.directory, folder, name))
            except OSError:
                continue  # a folder, or gone meanwhile
