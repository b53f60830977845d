"""Which folders of `shared/` have been taken in, with their times: a start finds new entries by a stat each.

If it is lost, everything is looked at again: entries that are in the log already are known by their ids.
"""

from __future__ import annotations

import json
import os

from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.files import write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.shared_entries import SHARED_FOLDER

STATE_FILE = "shared.json"
MAX_FOLDERS_AT_START = 250  # the newest months; all are compared when entries are taken in


def load(directory: str) -> InputSnapshot:
    """Return the folders as they were taken in; an empty snapshot if that is not known."""
    root = root_of(directory)
    try:
        with open(state_file(root, STATE_FILE), encoding="utf-8") as file:
            return InputSnapshot.from_data(json.load(file))
    except (OSError, ValueError, KeyError, TypeError):
        return InputSnapshot(root)


def save(directory: str, folders: InputSnapshot) -> None:
    """Keep the folders, the newest months first. Caller holds the lock. Raises as `write_atomic`."""
    newest_first = sorted(folders.files.items(), key=lambda item: os.path.basename(item[0]), reverse=True)
    folders.files = dict(sorted(newest_first, key=lambda item: item[0].count(os.sep)))
    path = os.path.join(make_state_directory(root_of(directory)), STATE_FILE)
    write_atomic(path, json.dumps(folders.to_data()).encode(), durable=False)


def note_for_start(directory: str, inputs: InputSnapshot) -> None:
    """Add the folders that were taken in to the inputs of a start."""
    known = load(directory)
    top = path_of(directory)
    if not data_directory.has_shared(directory):
        inputs.note(top)
    elif not known.files:
        inputs.mark_changed(top)
    for path in list(known.files)[:MAX_FOLDERS_AT_START]:
        inputs.adopt(path, known)


def is_current(directory: str) -> bool:
    """Return whether everything in `shared/` has been taken in."""
    known = load(directory)
    return bool(known.files) and known.first_change() is None


def path_of(directory: str, *parts: str) -> str:
    """Return the path of a folder of `shared/` relative to the root."""
    return os.path.relpath(os.path.join(directory, SHARED_FOLDER, *parts), root_of(directory))
