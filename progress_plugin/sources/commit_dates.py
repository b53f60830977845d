"""When files were changed last: the time of the last commit, and git's id of a content to compare with."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence

from progress_plugin.core.git import Repository

MAX_COMMITS = 500
MAX_PATHS = 40
MAX_OUTPUT_BYTES = 16 << 20

_SHA1_CHARS = 40
_COMMIT = "\x01"


def has_object_id(data: bytes, object_id: str) -> bool:
    """Return whether git gives an id to a content; git may have changed the line ends of the file."""
    make = hashlib.sha1 if len(object_id) == _SHA1_CHARS else hashlib.sha256
    contents = {data, data.replace(b"\r\n", b"\n")}
    ids = (make(b"blob %d\0" % len(each) + each, usedforsecurity=False) for each in contents)
    return any(each.hexdigest() == object_id for each in ids)


def commit_times(root: str, repository: Repository, paths: Sequence[str]) -> dict[str, int]:
    """Return the time of the last commit of each path in seconds since 1970; the first paths matter most.

    git compares each commit with each path that it is asked for. So the first paths are looked for in the
    whole history, and for the others the last commits are listed with all their files.
    """
    found = _log(root, repository, ("--", *paths[:MAX_PATHS])) if paths else {}
    if len(paths) > MAX_PATHS:
        found = _log(root, repository, (f"--max-count={MAX_COMMITS}", "--")) | found
    return found


def _log(root: str, repository: Repository, options: Sequence[str]) -> dict[str, int]:
    words = ["log", f"--format={_COMMIT}%ct", "--name-only", "--no-renames", "--relative", "-z", *options]
    data = repository.run(words, root, max_bytes=MAX_OUTPUT_BYTES)
    found: dict[str, int] = {}
    time = 0
    for word in os.fsdecode(data or b"").split("\0"):
        if word.startswith(_COMMIT):
            stamp, _, first = word.removeprefix(_COMMIT).partition("\n")
            time = int(stamp)
            found.setdefault(first.strip("\n"), time)
        elif word:
            found.setdefault(word.removeprefix("\n"), time)
    return found
