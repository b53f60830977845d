"""Files that look like plans or logs but are at no known place: `init` proposes to read them.

The known places are in `core.known_paths` (`FORMATS`, `LOG_PLACES`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.core import known_paths
from progress_plugin.core.files import LeadsOutside, scan_inside

_DEEPEST = 3
"""Folders on the way to a file."""
_MOST_FOLDERS = 500
"""That are listed in all: a monorepo has tens of thousands."""
_MOST_PROPOSED = 5
"""Of either kind: whoever has more names them better alone."""
_NOT_ENTERED = frozenset({
    "node_modules", "vendor", "third_party", "dist", "build", "target", "out", "coverage", "venv", "env",
    "site-packages", "__pycache__", "examples", "example", "fixtures", "templates",
})  # fmt: skip
"""Folders of what others wrote, and of what is made."""
_OF_THE_PAST = frozenset({"archive", "archives"})
"""Folders of what is over: no plan in one is worth a word, and a folder in it is not entered."""
_LOGS = (
    frozenset(path.rpartition("/")[2].casefold() for path in known_paths.LOGS)
    | {"devlog.md", "session-notes.md", "changelog_agent.md", "handover.md", "notes_for_next_session.md"}
) - {"context.md"}
"""In small letters, besides archived ones. Those that stand here alone are not read unasked: people keep such
files as well."""


class Elsewhere(NamedTuple):
    """Paths relative to the root, nearest first."""

    logs: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()


def unread_files(root: str, read: Iterable[str]) -> Elsewhere:
    """Return what looks like a log or plan at no known place, and is not among what is `read`."""
    return found_elsewhere(root, frozenset((*known_paths.LOGS, *known_paths.PLANS, *read)))


def found_elsewhere(root: str, known: frozenset[str]) -> Elsewhere:
    """Return what looks like a log or plan by its name, besides what is `known`; nothing is opened.

    The look is bounded in depth and number, follows no link and enters no other repository.
    """
    logs: list[str] = []
    plans: list[str] = []
    waiting = [""]
    for folder in waiting:  # grows meanwhile: the nearest come first
        names = _listed(folder, root)
        if folder and ".git" in names:
            continue
        for name in names:
            path = f"{folder}/{name}" if folder else name
            if _is_called_log(folder, name) and _is_new(path, root, known):
                logs.append(path)
            elif _is_of_the_past(folder):
                continue
            elif name.casefold() in known_paths.UNMISTAKABLE_PLANS and _is_new(path, root, known):
                plans.append(path)
            elif len(waiting) < _MOST_FOLDERS and _may_be_entered(path, name, root):
                waiting.append(path)
    return Elsewhere(tuple(logs[:_MOST_PROPOSED]), tuple(plans[:_MOST_PROPOSED]))


def _is_called_log(folder: str, name: str) -> bool:
    if known_paths.is_archived_log(f"{folder}/{name}"):
        return True
    return name.casefold() in _LOGS and not _is_of_the_past(folder)


def _is_of_the_past(folder: str) -> bool:
    return folder.rpartition("/")[2].casefold() in _OF_THE_PAST


def _listed(folder: str, root: str) -> list[str]:
    try:
        return [name for name, is_link in scan_inside(root, folder or ".") if not is_link]
    except LeadsOutside:
        return []


def _is_new(path: str, root: str, known: frozenset[str]) -> bool:
    return path not in known and os.path.isfile(os.path.join(root, path))


def _may_be_entered(path: str, name: str, root: str) -> bool:
    depth = path.count("/") + 1
    if name.startswith(".") or name.casefold() in _NOT_ENTERED or depth > _DEEPEST:
        return False
    return os.path.isdir(os.path.join(root, path))
