"""Note in a snapshot what changes if a plan or log appears: an unchanged start then need not ask git.

A new file changes the time of its folder, a commit or checkout that brings one moves HEAD. Noted are the
folders in which a plan or log can be expected, not every folder of a large project: a first plan in the midst
of the code is noticed with the next commit, or with the next change of any other source.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from progress_plugin.core.git import Repository
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.sources.names import is_vendored, usual_folders
from progress_plugin.sources.project_files import Listing

MAX_FOLDERS = 150


def watch_folders(
    snapshot: InputSnapshot, listing: Listing, paths: Iterable[str], git: Repository | None
) -> None:
    """Have the snapshot compare HEAD and the folders that may get a plan or log."""
    for file in git.state_files() if git else ():
        snapshot.note_for_starts(file)
    for folder in _folders(listing, paths):
        snapshot.note_for_starts(os.path.join(snapshot.root, folder) if folder else snapshot.root)


def _folders(listing: Listing, paths: Iterable[str]) -> list[str]:
    """Return the folders of the paths, the top folders, and all usual and hidden ones."""
    existing = listing.folders()
    usual = {folder for folder in usual_folders() if folder}
    found = {folder for folder in existing if "/" not in folder and not is_vendored(folder)}
    found |= {parent for path in (*paths, *usual) for parent in _parents(path)}
    found |= {folder for folder in existing if folder.startswith(".")}
    found |= {folder for folder in existing if not usual.isdisjoint((folder, *_parents(folder)))}
    return sorted(found & (existing | usual), key=lambda folder: (folder.count("/"), folder))[:MAX_FOLDERS]


def _parents(path: str) -> Iterator[str]:
    while path:
        path = path.rpartition("/")[0]
        yield path
