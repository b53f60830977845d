"""List the files of a project: by git, and by a bounded walk where git does not list them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.files import LeadsOutside, list_inside, scan_inside
from progress_plugin.core.git import Repository
from progress_plugin.sources.names import is_vendored, usual_folders

MAX_LIST_BYTES = 32 << 20  # about 300,000 files
MAX_WALKED = 20_000  # files and folders
MAX_WALK_DEPTH = 6
MAX_IN_USUAL_FOLDER = 300
HIDDEN_DEPTH = 2  # levels of subfolders in `.ralph` and the like

_FOLDERS = ("docs", "ralph", "scripts/ralph")  # besides those of the table
_FILE_MODES = ("100644", "100755", "120000")  # not submodules


@dataclass(frozen=True, slots=True)
class Listing:
    """The paths of a project's files, relative to the root, with git's id of the content if tracked."""

    object_ids: dict[str, str]
    is_complete: bool = True

    def folders(self) -> set[str]:
        """Return every folder that holds one of the files, and its parents; the root is the empty text."""
        found = {""}
        for path in self.object_ids:
            folder = path.rpartition("/")[0]
            while folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return found


def list_files(root: str, repository: Repository | None) -> Listing:
    """Return tracked files, untracked ones that are not ignored, and all in the usual folders of plans.

    Many people have git ignore their plans and logs. So the folders of the table of names and the hidden
    folders of tools are searched in any case.
    """
    listed = _list_by_git(root, repository) if repository else None
    if listed is None:
        walked = list(_walk(root, "", MAX_WALK_DEPTH, MAX_WALKED))
        return Listing(dict.fromkeys(walked, ""), len(walked) < MAX_WALKED)
    hidden = {name: HIDDEN_DEPTH for name in list_inside(root, ".") if name.startswith(".")}
    for folder, depth in {**usual_folders(), **dict.fromkeys(_FOLDERS, 0), **hidden}.items():
        if folder == "" or (os.path.isdir(os.path.join(root, folder)) and _is_own_folder(root, folder)):
            for path in _walk(root, folder, depth, MAX_IN_USUAL_FOLDER):
                listed.setdefault(path, "")
    return Listing(listed)


def _list_by_git(root: str, repository: Repository) -> dict[str, str] | None:
    """Return the paths that git lists below the root; None if it cannot.

    Raw output: `H 100644 <object id> 0<tab>path` if tracked, `? path` if not.
    """
    words = ["ls-files", "-t", "-s", "-c", "-o", "--exclude-standard", "-z"]
    data = repository.run(words, root, max_bytes=MAX_LIST_BYTES)
    if data is None:
        return None
    found: dict[str, str] = {}
    for line in os.fsdecode(data).split("\0"):
        if line.startswith("? "):
            path, object_id = line[2:], ""
        else:
            fields, _, path = line.partition("\t")
            mode, object_id = fields[2:8], fields[9:].partition(" ")[0]
            if mode not in _FILE_MODES:
                continue
        if path and not path.endswith("/") and not path.startswith(f"{DATA_DIRECTORY}/"):
            found[path] = "" if path in found else object_id  # a path that is in conflict is listed again
    return found


def _walk(root: str, top: str, depth: int, limit: int) -> Iterator[str]:
    """Yield the paths of files in a folder and its subfolders, the higher ones first."""
    waiting = [(top, depth)]
    count = 0
    for folder, levels in waiting:
        try:
            names = scan_inside(root, folder or ".")
        except LeadsOutside:
            continue
        for name, is_link in names:
            path = f"{folder}/{name}" if folder else name
            if (count := count + 1) > limit:
                return
            if is_link or not os.path.isdir(os.path.join(root, path)):
                yield path
            elif levels and _is_own_folder(root, path):
                waiting.append((path, levels - 1))


def _is_own_folder(root: str, path: str) -> bool:
    """Return whether a folder is the project's own: not vendored, not ours, not another repository."""
    if is_vendored(path.rpartition("/")[2]) or path == DATA_DIRECTORY:
        return False
    return not os.path.lexists(os.path.join(root, path, ".git"))
