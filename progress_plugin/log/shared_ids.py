"""Ids of the shared history: what waits for its file, what must not come again (S20.1).

When an entry of others is taken in, and one of ours gets its file, is decided in
`usecases.recording.shared_history` (`take_in`, `publish`), that an erased one does not come again, in
`usecases.recording.entries_of_others`.
"""

from __future__ import annotations

import json

from progress_plugin.core.errors import BadInput
from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.core.files import data_directory

UNSHARED = "unshared.json"
"""Entries that go into the log, until each has its file: a kill in between leaves them to the next write."""
ERASED = "erased.json"
"""Entries that were erased whole, by digests of their ids: a branch or another clone may still bring them."""


def unshared_ids(directory: str) -> list[str]:
    """Return the ids of entries that may have no file yet."""
    return _ids(directory, UNSHARED)


def erased_digests(directory: str) -> list[str]:
    """Return the digests of the ids of entries that were erased whole."""
    return _ids(directory, ERASED)


def digest_of(name: str) -> str:
    """Return what stands for an erased id, which itself is to stand nowhere."""
    return content_digest(name.encode("utf-8", "replace")).decode()


def _ids(directory: str, name: str) -> list[str]:
    try:
        ids = json.loads(data_directory.read(directory, name) or b"[]")
    except (BadInput, ValueError, RecursionError):
        return []
    return [each for each in ids if isinstance(each, str)] if isinstance(ids, list) else []
