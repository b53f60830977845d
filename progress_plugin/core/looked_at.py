"""Whether plans or agents' logs have changed since a hook last compared them."""

from __future__ import annotations

from progress_plugin.core import fast_json
from progress_plugin.core.paths import state_file

BASELINE_FILE = "last-seen.json"  # in the private state


def has_changed(root: str, *, with_folders: bool) -> bool:
    """Return whether a plan or log of the project at `root` may have changed since hooks compared them.

    `with_folders`: also whether a folder that may get a plan has changed.
    """
    from progress_plugin.core.snapshot import InputSnapshot  # noqa: PLC0415 - most hooks find no project

    try:
        with open(state_file(root, BASELINE_FILE), "rb") as file:
            data = fast_json.loads(file.read().decode("utf-8", "surrogateescape"))["inputs"]
        return InputSnapshot.from_data(data).first_change(at_start=with_folders) is not None
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return True
