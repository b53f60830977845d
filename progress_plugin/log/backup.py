"""The copy of the log outside the project, since `git clean -fdx` removes our directory.

Each log has a copy folder, named after the project's path and the log's id. After every write, the folder's
`progress.json` equals the log, and its `earlier.jsonl` gets the entries that were archived or removed. So the
two files hold every entry except erased ones. `repair` restores entries that only a copy of this project has.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import append_line, list_inside, read_inside, write_atomic
from progress_plugin.core.git import find_repository
from progress_plugin.core.paths import flat_name, has_home, make_private, user_data
from progress_plugin.log.archive import read_months
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.log.entry import canonical, entry_identity, text_of, writer_of
from progress_plugin.log.shared_entries import is_erased, read_erasures
from progress_plugin.text.bounds import counted
from progress_plugin.text.decode import json_or_none

_COPY_FILE = "progress.json"
_EARLIER_FILE = "earlier.jsonl"
FILES = (_EARLIER_FILE, _COPY_FILE)
PROJECT_FILE = "project.json"  # root, and the first commits of its repository
_ID = "[0-9a-f]{16}"


def project_id(log: Log) -> str | None:
    """Return the random id that a log was given by its first write."""
    stated = log.metadata.get("project_id")
    return stated if isinstance(stated, str) and re.fullmatch(_ID, stated) else None


def write(directory: str, log: Log, moved: list[Any], now: datetime) -> None:
    """Copy the log; `moved` are the entries that this write has put into the archive. Caller holds the lock.

    Without a home directory there is no copy. Raises OSError or AgentProgressError if the disk refuses.
    """
    folder = own_folder(directory, log)
    if folder is None or log.raw is None:
        return
    archived = moved
    if is_new := not os.path.isdir(folder):
        _forget_old(os.path.dirname(folder), now)
        archived = [item for month in read_months(directory).values() for item in month.items]
    make_private(folder)
    copy, earlier = os.path.join(folder, _COPY_FILE), os.path.join(folder, _EARLIER_FILE)
    left = [*_lines(serialise(Log({}, archived)))]
    vanished = _lines(_read(copy)).keys() - _lines(log.raw).keys() - set(left)
    if vanished:  # rare: another program removed entries from the log; `earlier` may have some of them
        left += sorted(vanished - set((_read(earlier) or b"").split(b"\n")))
    if left:
        append_line(earlier, b"\n" + b"\n".join(left) + b"\n")  # a killed process may have left half a line
    write_atomic(copy, log.raw, durable=False, private=True)
    if is_new or not _kept_first_commits(folder):  # there was no commit yet
        described = {"root": os.path.realpath(root_of(directory)), "marks": _first_commits(directory)}
        path = os.path.join(folder, PROJECT_FILE)
        write_atomic(path, json.dumps(described).encode(), durable=False, private=True)


def add_copied_entries(directory: str, log: Log) -> None:
    """Add the entries of the newest readable copy to a damaged log; if an entry differs, keep both forms."""
    for folder in reversed(find_folders(directory, log)):
        path = os.path.join(folder, _COPY_FILE)
        good = parse(_read(path))
        if good.raw and not good.damage and not good.read_only:
            known = {canonical(item) for item in good.items}
            items = good.items + [item for item in log.items if canonical(item) not in known]
            if (gained := len(items) - len(log.items)) > 0:
                log.problems.append(f"{counted(gained, 'entry')} more came from {path}")
            log.items, log.document = items, {**good.document, **log.document}
            return


def folders() -> list[str]:
    """Return the copy folders of all projects, the newest last."""
    above = _logs()
    return sorted((os.path.join(above, name) for name in list_inside(None, above)), key=_time_written)


def folders_of_path(directory: str) -> list[str]:
    """Return the copy folders of this path, with any project id, the newest last."""
    place, ending = _place(directory), re.compile(rf"\.{_ID}")
    return [
        folder for folder in folders() if folder.startswith(place) and ending.fullmatch(folder[len(place) :])
    ]


def find_folders(directory: str, log: Log) -> list[str]:
    """Return those copy folders of this path that have the project's id or first commits, the newest last.

    A folder that names no commit was made before the first one, or without git. It counts as this project's.
    """
    found, own = folders_of_path(directory), own_folder(directory, log)
    if not set(found) - {own}:
        return found
    first = set(_first_commits(directory))
    kept = {folder: set(_kept_first_commits(folder)) for folder in found}
    return [folder for folder, commits in kept.items() if folder == own or first & commits or not commits]


def own_folder(directory: str, log: Log) -> str | None:
    """Return the copy folder of this log; None before its first write and without a home directory."""
    name = project_id(log)
    return f"{_place(directory)}.{name}" if name and has_home() else None


def find_missing(directory: str, log: Log, folders: list[str] | None = None) -> dict[str, list[Any]]:
    """Map copy folders to those of their entries that log, archive and newer folders lack.

    Erased entries are left out. `folders`, the newest last, defaults to all copy folders of this project.
    """
    folders = find_folders(directory, log) if folders is None else folders
    erasures = read_erasures(directory)
    logs = [log, *read_months(directory).values()] if folders else []
    known = {entry_identity(item) for each in logs for item in each.items}
    found: dict[str, list[Any]] = {}
    for folder in reversed(folders):
        for entry in read_entries(folder):
            is_gone = is_erased(erasures, text_of(entry, "id"), writer_of(entry))
            if entry_identity(entry) not in known and not is_gone:
                known.add(entry_identity(entry))
                found.setdefault(folder, []).append(entry)
    return found


def describe_lost(directory: str, log: Log) -> str | None:
    """Return a line about entries of earlier logs at this path that are only in copies; None without any."""
    own = own_folder(directory, log)
    others = [folder for folder in find_folders(directory, log) if folder != own]
    gone = find_missing(directory, log, others) if others and not (log.damage or log.read_only) else {}
    if not gone:
        return None
    number = counted(sum(map(len, gone.values())), "entry")
    what = f"an earlier log at this path, perhaps of another clone or folder, had {number} more"
    return f"{what}; `agent-progress repair` restores what is missing"


def files_of(folder: str) -> list[str]:
    return [path for name in FILES if os.path.lexists(path := os.path.join(folder, name))]


def read_entries(folder: str) -> list[dict[str, Any]]:
    """Return the entries in a copy folder, first those that are no longer in the log."""
    left, log = (_read(os.path.join(folder, name)) for name in FILES)
    return [*_read_lines(left), *parse(log).entries]


def _logs() -> str:
    return os.path.join(user_data(), "logs")


def _place(directory: str) -> str:
    return os.path.join(_logs(), flat_name(os.path.realpath(root_of(directory))))


def _lines(data: bytes | None) -> dict[bytes, None]:
    """Return each entry of a log as its line of JSON; `data` are bytes that `serialise` wrote."""
    lines = (data or b"").split(b"\n")
    return dict.fromkeys(line[4:].rstrip(b",") for line in lines if line.startswith(b"    "))


def _read_lines(data: bytes | None) -> list[dict[str, Any]]:
    return [value for value in map(json_or_none, (data or b"").split(b"\n")) if isinstance(value, dict)]


def _read(path: str) -> bytes | None:
    try:
        return read_inside(None, path)
    except BadInput:
        return None


def _first_commits(directory: str) -> list[str]:
    """Return the ids of the repository's first commits, which identify it."""
    root = root_of(directory)
    repository = find_repository(root)
    output = repository.run(["rev-list", "--max-parents=0", "HEAD"], root) if repository else None
    return (output or b"").decode("ascii", "replace").split()


def _kept_first_commits(folder: str) -> list[str]:
    return [str(commit) for commit in _project_of(folder).get("marks") or ()]


def _project_of(folder: str) -> dict[str, Any]:
    return next(iter(_read_lines(_read(os.path.join(folder, PROJECT_FILE)))), {})


def _time_written(folder: str) -> tuple[float, str]:
    try:
        return os.stat(os.path.join(folder, _COPY_FILE)).st_mtime, folder
    except OSError:
        return 0.0, folder


def _forget_old(above: str, now: datetime) -> None:
    """Remove the copies of projects that no longer exist, if they are older than 30 days."""
    oldest = (now - timedelta(days=30)).timestamp()
    for name in list_inside(None, above):
        folder = os.path.join(above, name)
        root = _project_of(folder).get("root")
        if isinstance(root, str) and not os.path.exists(root) and _time_written(folder)[0] < oldest:
            shutil.rmtree(folder, ignore_errors=True)
