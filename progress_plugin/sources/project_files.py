"""The files of a project, the time of their last change, and the folders in which new ones may appear."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence

from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.files import list_inside, scan_inside
from progress_plugin.core.git import Repository
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.sources.names import is_vendored, usual_folders

MAX_LIST_BYTES = 32 << 20  # about 300,000 files
MAX_WALKED = 20_000  # files and folders
MAX_WALK_DEPTH = 6
MAX_IN_USUAL_FOLDER = 300
HIDDEN_DEPTH = 2  # levels of subfolders in `.ralph` and the like
MAX_COMMITS = 500
MAX_PATHS = 40  # whose last commits are looked for in the whole history
MAX_LOG_BYTES = 16 << 20  # of the output of `git log`
MAX_FOLDERS = 150  # that are watched

_FOLDERS = ("docs", "ralph", "scripts/ralph")  # also searched, though names.tsv does not name them
_SHA1_CHARS = 40
_COMMIT = "\x01"  # before the time of each commit
_FILE_MODES = ("100644", "100755", "120000")  # files and links; git also lists submodules


def list_files(root: str, repository: Repository | None) -> dict[str, str]:
    """Return tracked files, untracked ones that git does not ignore, and all in usual folders of plans.

    The keys are paths relative to the root, the values git's ids of their contents; empty if not tracked.
    Many people let git ignore their plans and logs. So the folders that `names.tsv` names and hidden folders
    such as `.ralph` are searched without git, too. If git cannot list files, all folders are searched. These
    searches have limits.
    """
    listed = _list_by_git(root, repository) if repository else None
    if listed is None:
        return dict.fromkeys(_walk(root, "", MAX_WALK_DEPTH, MAX_WALKED), "")
    hidden = {name: HIDDEN_DEPTH for name in list_inside(root, ".") if name.startswith(".")}
    for folder, depth in {**usual_folders(), **dict.fromkeys(_FOLDERS, 0), **hidden}.items():
        if folder == "" or (os.path.isdir(os.path.join(root, folder)) and _is_own_folder(root, folder)):
            for path in _walk(root, folder, depth, MAX_IN_USUAL_FOLDER):
                listed.setdefault(path, "")
    return listed


def _list_by_git(root: str, repository: Repository) -> dict[str, str] | None:
    """Return the paths that git lists below the root; None if git fails.

    git prints `H 100644 <object id> 0<tab>path` for a tracked file, and `? path` for another.
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
            found[path] = "" if path in found else object_id  # a path with a merge conflict comes twice
    return found


def _walk(root: str, top: str, depth: int, limit: int) -> Iterator[str]:
    """Yield the paths of the files and links in a folder, then in its subfolders, level by level."""
    waiting = [(top, depth)]
    count = 0
    for folder, levels in waiting:
        for name, is_link in scan_inside(root, folder or "."):
            path = f"{folder}/{name}" if folder else name
            if (count := count + 1) > limit:
                return
            if is_link or not os.path.isdir(os.path.join(root, path)):
                yield path
            elif levels and _is_own_folder(root, path):
                waiting.append((path, levels - 1))


def _is_own_folder(root: str, path: str) -> bool:
    """Return whether a folder is not vendored, not our data directory and not another repository."""
    if is_vendored(path.rpartition("/")[2]) or path == DATA_DIRECTORY:
        return False
    return not os.path.lexists(os.path.join(root, path, ".git"))


def has_object_id(data: bytes, object_id: str) -> bool:
    """Return whether git gives this content the id, as it is or with line ends of Unix."""
    make = hashlib.sha1 if len(object_id) == _SHA1_CHARS else hashlib.sha256
    contents = {data, data.replace(b"\r\n", b"\n")}
    ids = (make(b"blob %d\0" % len(each) + each, usedforsecurity=False) for each in contents)
    return any(each.hexdigest() == object_id for each in ids)


def commit_times(root: str, repository: Repository, paths: Sequence[str]) -> dict[str, int]:
    """Return the time of the last commit of each path in seconds since 1970; the first paths matter most.

    git compares each commit with each path that it is asked about. So it is asked about the first 40 paths
    only. The other paths are looked up in a list of all files of the last 500 commits.
    """
    found = _read_commit_times(root, repository, ("--", *paths[:MAX_PATHS])) if paths else {}
    if len(paths) > MAX_PATHS:
        found = _read_commit_times(root, repository, (f"--max-count={MAX_COMMITS}", "--")) | found
    return found


def _read_commit_times(root: str, repository: Repository, options: Sequence[str]) -> dict[str, int]:
    words = ["log", f"--format={_COMMIT}%ct", "--name-only", "--no-renames", "--relative", "-z", *options]
    data = repository.run(words, root, max_bytes=MAX_LOG_BYTES)
    found: dict[str, int] = {}
    time = 0
    for word in os.fsdecode(data or b"").split("\0"):
        if word.startswith(_COMMIT):
            stamp, _, first = word.removeprefix(_COMMIT).partition("\n")
            time = int(stamp or 0)  # a forged commit may have none
            found.setdefault(first.strip("\n"), time)
        elif word:
            found.setdefault(word.removeprefix("\n"), time)
    return found


def watch_folders(
    snapshot: InputSnapshot, listed: Iterable[str], paths: Iterable[str], git: Repository | None
) -> None:
    """Note HEAD and the folders in which a plan or log may appear, so that a change makes the summary stale.

    `listed` are all files of the project, `paths` those that are named like plans and logs.
    """
    for file in git.state_files() if git else ():
        snapshot.note_for_starts(file)
    for folder in _folders_to_watch(listed, paths):
        snapshot.note_for_starts(os.path.join(snapshot.root, folder) if folder else snapshot.root)


def _folders_to_watch(listed: Iterable[str], paths: Iterable[str]) -> list[str]:
    """Return the top folders, the folders of plans and logs, and the usual and hidden folders."""
    folders = {path.rpartition("/")[0] for path in listed}
    existing = {"", *(parent for folder in folders for parent in _parents(f"{folder}/"))}
    usual = {folder for folder in usual_folders() if folder}
    found = {folder for folder in existing if "/" not in folder and not is_vendored(folder)}
    found |= {parent for path in (*paths, *usual) for parent in _parents(path)}
    found |= {folder for folder in existing if folder.startswith(".")}
    found |= {folder for folder in existing if not usual.isdisjoint(_parents(f"{folder}/"))}
    return sorted(found & (existing | usual), key=lambda folder: (folder.count("/"), folder))[:MAX_FOLDERS]


def _parents(path: str) -> Iterator[str]:
    while path:
        path = path.rpartition("/")[0]
        yield path
