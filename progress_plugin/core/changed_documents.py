"""Whether plans or agents' logs have changed since a hook last compared them."""

from __future__ import annotations

import os

from progress_plugin.core import fast_json
from progress_plugin.core.paths import state_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.snapshot import InputSnapshot

LAST_SEEN_FILE = "last-seen.json"  # in the private state
DOCUMENTS = (".md", ".txt", ".json", ".jsonl", ".yaml", ".yml")  # files that can hold a plan or log


def has_changed(root: str, *, with_folders: bool) -> bool:
    """Return whether a plan or log of the project at `root` may have changed since hooks compared them.

    `with_folders`: also whether a folder that may get a plan has a new document.
    """
    from progress_plugin.core.snapshot import InputSnapshot  # noqa: PLC0415 - most hooks find no project

    try:
        with open(state_file(root, LAST_SEEN_FILE), "rb") as file:
            data = fast_json.loads(file.read().decode("utf-8", "surrogateescape"))["inputs"]
        inputs = InputSnapshot.from_data(data)
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return True
    return inputs.first_change(at_start=False) is not None or (with_folders and _has_new_document(inputs))


def _has_new_document(inputs: InputSnapshot) -> bool:
    from progress_plugin.core.snapshot import stamp_of  # noqa: PLC0415 - as above

    changed = [path for path, stamp in inputs.start_files.items() if stamp_of(path) != stamp]
    return any(_is_newer(path, inputs.recorded_ns) for folder in changed for path in _documents(folder))


def _documents(folder: str) -> list[str]:
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(DOCUMENTS)]
    except OSError:  # it is gone, or a file
        return []


def _is_newer(path: str, recorded_ns: int) -> bool:
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return max(status.st_mtime_ns, status.st_ctime_ns) > recorded_ns - 2_000_000_000  # FAT counts in 2 s
