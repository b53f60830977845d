"""What of the recorded inputs is no longer as it was read, in words.

For `status why` and `watch` alike.
"""

import os
from collections.abc import Iterable, Mapping

from progress_plugin.core.fast.start_cache import first_change, record_parts
from progress_plugin.core.files.input_records import place_of

_Content = tuple[str, bytes]
"""Kind and digest of a record."""
_AT_WORK = b"?"
"""The digest of transcripts one of which may still grow (`summarizing.last_session.note_folder`)."""
_OF_GIT = "worktrees"
"""Git's folder for linked worktrees, recorded as transcripts are: what sessions did there is told."""
_NO_FOLDER = b"-"
"""The digest of a folder that is not there."""


def changed(records: Iterable[bytes], root: str) -> list[bytes]:
    """Return every record that no longer holds, in the order of reading."""
    return [record for record in records if first_change([record], root) is not None]


def in_words(record: bytes, root: str) -> str:
    """Return what has happened to an input whose record no longer holds: `prd.json changed`."""
    kind, path = place_of(record)
    # Something that is no regular file stands there as well as nothing: it cannot be read either.
    place = os.path.join(root, path)
    gone = not os.path.isfile(place) if kind == "file" else kind == "other" and not os.path.lexists(place)
    new = kind == "names" and _is_no_folder(record)
    if kind == "sessions" and record_parts(record)[5] == _AT_WORK:
        return "a session has not said that it ended: it is at work, or was killed within the hour"
    if kind == "sessions" and os.path.basename(path) == _OF_GIT:
        return "a linked worktree was added or removed"
    return _sentence(path, "gone" if gone else "absent" if new else kind, root)


def differences(before: Iterable[bytes], after: Iterable[bytes], root: str) -> dict[str, str]:
    """Return what differs between two readings, in words by absolute path; a file only touched does not.

    Inputs that only one of the two has read are left out: whether they are read follows from others.
    """
    then = dict(_content(record, root) for record in before)
    now = dict(_content(record, root) for record in after)
    found = {}
    for place in dict.fromkeys([*now, *then]):
        read_now = now.get(place) or _in_no_folder(place, now, root)
        read_then = then.get(place) or _in_no_folder(place, then, root)
        if read_now is None or read_then is None or read_now == read_then:
            continue
        gone = read_now[0] == "absent" and read_then[0] in ("file", "other")
        found[place] = _sentence(place, "gone" if gone else read_then[0], root)
    return found


def _is_no_folder(record: bytes) -> bool:
    return record.split(b" ", 6)[5] == _NO_FOLDER


def _in_no_folder(place: str, then: Mapping[str, _Content], root: str) -> _Content | None:
    """Return what was known of a file by its folder, which was not there; None where that says nothing."""
    folder = os.path.dirname(place)
    while len(folder) > len(root):
        if then.get(folder) == ("names", _NO_FOLDER):
            return "absent", _NO_FOLDER
        folder = os.path.dirname(folder)
    return None


def _content(record: bytes, root: str) -> tuple[str, _Content]:
    kind, path = place_of(record)
    return os.path.join(root, path), (kind, record_parts(record)[5])


def _sentence(path: str, kind: str, root: str) -> str:
    words = {
        "absent": "is new",
        "names": "has other files in it",
        "folder": "has other files in it",
        "gone": "is gone",
        "variable": "names another database",
        "sessions-beside": "was not there when the summary was made, or another one beside it",
        "sessions": "has transcripts that were not read to their end",
    }
    inside = path.startswith(os.path.join(root, ""))
    shown = os.path.relpath(path, root) if inside else path
    return f"{shown} {words.get(kind, 'changed')}"
