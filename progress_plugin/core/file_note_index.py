"""The index of what is recorded about files: a JSON file in the private state of a project.

A hook looks into it whenever an agent reads or edits a file, so a name that is not in it must cost little.
"""

from __future__ import annotations

from progress_plugin import FILE_INDEX_FORMAT, VERSION
from progress_plugin.core import fast_json
from progress_plugin.core.paths import state_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INDEX_FILE = "file-notes.json"
MAX_TOKENS = 300  # of all that an agent is shown at one use of a tool

# Names without endings that files in many folders have: without a folder they mean the file at the root.
_NAMES_OF_MANY = (
    "__init__ __main__ main index mod lib app apps setup conftest models views urls admin tests utils types "
    "constants config settings styles page layout route loading error +page +layout +server build doc "
    "readme changelog license package package-lock tsconfig pyproject cargo go composer cmakelists pom "
    "makefile dockerfile .gitignore .env claude agents skill"
)


def is_name_of_many(path: str) -> bool:
    """Return whether files in many folders are named like this one."""
    name = path.rpartition("/")[2].lower()
    return (name.rpartition(".")[0] or name) in _NAMES_OF_MANY.split()


class RecordedPath:
    """A path as the log names it, and the ids of the notes about it, the most important first."""

    __slots__ = ("note_ids", "path", "shown", "tokens")

    def __init__(self, path: str, shown: str, tokens: int, note_ids: list[str]) -> None:
        self.path = path
        self.shown = shown  # as an agent is shown it
        self.tokens = tokens  # of `shown`
        self.note_ids = note_ids


class FileNoteIndex:
    """Recorded paths by their base name, and notes by id with their text and its tokens."""

    __slots__ = ("notes", "paths")

    def __init__(self, paths: dict[str, list[RecordedPath]], notes: dict[str, tuple[str, int]]) -> None:
        self.paths = paths
        self.notes = notes

    def to_bytes(self) -> bytes:
        """Return the index as it is written."""
        paths: dict[str, Any] = {
            name: [[each.path, each.shown, each.tokens, each.note_ids] for each in found]
            for name, found in self.paths.items()
        }
        notes = {name: list(note) for name, note in self.notes.items()}
        data = {"version": _version(), "paths": paths, "notes": notes}
        return fast_json.dumps(data).encode("utf-8", "replace")


def load_index(root: str, names: list[str]) -> FileNoteIndex | None:
    """Return the index of the project at `root`; None if it has none of these base names, or is of no use."""
    try:
        with open(state_file(root, INDEX_FILE), "rb") as file:
            data = file.read()
        if not any(fast_json.dumps(name).encode("utf-8", "replace") + b":" in data for name in names):
            return None
        value = fast_json.loads(data.decode())
        if value["version"] != _version():
            return None
        paths = {name: [RecordedPath(*each) for each in value["paths"].get(name, ())] for name in names}
        return FileNoteIndex(paths, value["notes"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _version() -> str:
    return f"{VERSION} {FILE_INDEX_FORMAT}"
