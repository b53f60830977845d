"""The index of what is recorded about files: a JSON file in the private state of a project.

A hook looks into it whenever an agent reads or edits a file, so a file that is not in it must cost little.
"""

from progress_plugin import FILE_INDEX_FORMAT, VERSION
from progress_plugin.core import fast_json
from progress_plugin.core.paths import state_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INDEX_FILE = "file-notes.json"
MAX_TOKENS = 300  # of all that an agent is shown at one use of a tool


class FileNoteIndex:
    """The ids of the notes about each file, the most important first, and each note's text and tokens.

    A file is named by its path below the root, with forward slashes.
    """

    __slots__ = ("files", "notes")

    def __init__(self, files: dict[str, list[str]], notes: dict[str, tuple[str, int]]) -> None:
        self.files = files
        self.notes = notes

    def to_bytes(self) -> bytes:
        """Return the index as it is written."""
        files: dict[str, Any] = dict(self.files)
        notes = {name: list(note) for name, note in self.notes.items()}
        data = {"version": _version(), "files": files, "notes": notes}
        return fast_json.dumps(data).encode("utf-8", "replace")


def load_index(root: str, paths: list[str]) -> FileNoteIndex | None:
    """Return the index of the project at `root`; None if it has none of these files, or is of no use."""
    try:
        with open(state_file(root, INDEX_FILE), "rb") as file:
            data = file.read()
        if not any(fast_json.dumps(path).encode("utf-8", "replace") + b":" in data for path in paths):
            return None
        value = fast_json.loads(data.decode())
        return FileNoteIndex(value["files"], value["notes"]) if value["version"] == _version() else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _version() -> str:
    return f"{VERSION} {FILE_INDEX_FORMAT}"
