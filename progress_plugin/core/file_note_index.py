"""The index of notes about files: a JSON file in the private state of a project.

A hook looks into it whenever an agent reads or edits a file, so a file that is not in it must cost little.
"""

from progress_plugin import FILE_INDEX_FORMAT, VERSION
from progress_plugin.core import fast_json
from progress_plugin.core.paths import state_file

INDEX_FILE = "file-notes.json"
MAX_TOKENS = 300  # of all that an agent is shown at one use of a tool

IndexedNote = tuple[str, str, int]
"""The id, the text and the tokens of a note."""


def index_bytes(notes: dict[str, list[IndexedNote]]) -> bytes:
    """Return the index as it is written, of the notes about each file, the most important first.

    A file is named by its path below the root, with forward slashes.
    """
    files = {path: [list(note) for note in found] for path, found in notes.items()}
    return fast_json.dumps({"version": _version(), "files": files}).encode("utf-8", "replace")


def load_notes(root: str, paths: list[str]) -> dict[str, list[IndexedNote]]:
    """Return the notes about those of these files that are in the index of the project at `root`."""
    try:
        with open(state_file(root, INDEX_FILE), "rb") as file:
            data = file.read()
        if not any(fast_json.dumps(path).encode("utf-8", "replace") + b":" in data for path in paths):
            return {}
        value = fast_json.loads(data.decode())
        files = value["files"] if value["version"] == _version() else {}
        return {path: files[path] for path in paths if path in files}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def _version() -> str:
    return f"{VERSION} {FILE_INDEX_FORMAT}"
