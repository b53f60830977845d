"""Ids of the shared history: what waits for its file, and what stands for one that was erased."""

from __future__ import annotations

import json

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import content_digest, read_inside
from progress_plugin.core.paths import state_file

UNSHARED = "unshared.json"
"""Entries that go into the log, until each has its file: a kill in between leaves them to the next write."""


def unshared_ids(directory: str) -> list[str]:
    """Return the ids of entries that may have no file yet."""
    try:
        ids = json.loads(read_inside(None, path_of(directory)) or b"[]")
    except (BadInput, ValueError, RecursionError):
        return []
    return [each for each in ids if isinstance(each, str)] if isinstance(ids, list) else []


def path_of(directory: str) -> str:
    """Return the path of the list, of which `directory` is the log's."""
    return state_file(root_of(directory), UNSHARED)


def digest_of(name: str) -> str:
    """Return what stands for an erased id, which itself is to stand nowhere."""
    return content_digest(name.encode("utf-8", "replace")).decode()
