"""The copy of the log outside the project, since `git clean -fdx` takes our directory.

There is a folder for each path and project id. After every write `progress.json` in it is the log, and
`earlier.jsonl` gets the lines of the entries that have left the log, for the archive or otherwise: so the two
hold every entry that was ever written. What they hold and log and archive do not is offered by `repair`, if
the copy is of this project.
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
from progress_plugin.core.files import append_line, find_unreadable, list_inside, read_inside, write_atomic
from progress_plugin.core.git import find_repository
from progress_plugin.core.paths import flat_name, make_private, user_data
from progress_plugin.log.archive import month_names, read_month
from progress_plugin.log.document import Log, parse, serialise
from progress_plugin.text.bounds import NAMED

COPY = "progress.json"
EARLIER = "earlier.jsonl"
PROJECT_FILE = "project.json"  # root, and what marks its repository
_MONTHS = "archive"  # of an earlier version
_DAYS_AFTER_PROJECT = 30
_FOLDER_END = r"(?:\.[0-9a-f]{16}|\.\d{8}T\d{6}Z(?:-\d+)?)?"  # an id; a time in earlier versions


def project_id(log: Log) -> str | None:
    """Return the random id that a log was given by its first write."""
    stated = log.metadata.get("project_id")
    return stated if isinstance(stated, str) and re.fullmatch(r"[0-9a-f]{16}", stated) else None


def write(directory: str, log: Log, moved: list[Any], now: datetime) -> None:
    """Copy the log; `moved` are the entries that this write has put into the archive. Caller holds the lock.

    Without a home directory there is no copy. Raises OSError or AgentProgressError if the disk refuses.
    """
    folder = _own_folder(directory, log)
    if folder is None or log.raw is None:
        return
    months = [Log({}, moved)] if moved else []
    if is_new := not os.path.isdir(folder):
        _forget_old(os.path.dirname(folder), now)
        months = [read_month(directory, name) for name in month_names(directory)]
    make_private(folder)
    copy, earlier = os.path.join(folder, COPY), os.path.join(folder, EARLIER)
    left = [line for month in months for line in _lines(serialise(month))]
    vanished = _lines(_read(copy)).keys() - _lines(log.raw).keys() - set(left)
    if vanished:  # seldom: another program has taken them out of the log, perhaps not for the first time
        left += sorted(vanished - set((_read(earlier) or b"").split(b"\n")))
    if left:
        append_line(earlier, b"\n" + b"\n".join(left) + b"\n")  # a kill may have left half a line before
    write_atomic(copy, log.raw, durable=False, private=True)
    if is_new or not _marks_of(folder):  # before the first commit
        described = {"root": os.path.realpath(root_of(directory)), "marks": _repository_marks(directory)}
        path = os.path.join(folder, PROJECT_FILE)
        write_atomic(path, json.dumps(described).encode(), durable=False, private=True)


def newest_good(directory: str, damaged: Log) -> tuple[str, Log] | None:
    """Return the newest copy of a damaged log that can be read, and its path."""
    for folder in reversed(find_folders(directory, damaged)):
        path = os.path.join(folder, COPY)
        log = parse(_read(path))
        if log.raw and not log.damage and not log.read_only:
            return path, log
    return None


def folders() -> list[str]:
    """Return every folder outside, of any project, the newest last."""
    above = os.path.join(user_data() or os.devnull, "logs")
    return sorted((os.path.join(above, name) for name in list_inside(None, above)), key=_time_written)


def folders_of_path(directory: str) -> list[str]:
    """Return every folder outside that is kept for this path, of any project, the newest last."""
    place = re.escape(_place(directory))
    return [folder for folder in folders() if re.fullmatch(place + _FOLDER_END, folder)]


def other_folders(directory: str, log: Log) -> list[str]:
    """Return the folders outside that are of this project and not the log's own: most have none."""
    if not set(folders_of_path(directory)) - {own := _own_folder(directory, log)}:
        return []
    return [folder for folder in find_folders(directory, log) if folder != own]


def find_folders(directory: str, log: Log) -> list[str]:
    """Return the folders outside that are of this project, the newest last: by id, or by repository.

    A copy without marks was made before the first commit, and is of what is at its path.
    """
    found, own = folders_of_path(directory), _own_folder(directory, log)
    here = set(_repository_marks(directory)) if found else set()
    there = {folder: set(_marks_of(folder)) for folder in found}
    return [folder for folder, marks in there.items() if folder == own or here & marks or not marks]


def files_of(folder: str) -> list[str]:
    """Return the paths of the files in a folder outside that hold entries."""
    months = os.path.join(folder, _MONTHS)
    names = [*(os.path.join(_MONTHS, name) for name in list_inside(None, months)), EARLIER, COPY]
    return [path for name in names if os.path.lexists(path := os.path.join(folder, name))]


def read_entries(folder: str) -> list[dict[str, Any]]:
    """Return the entries in a folder outside, those that left the log first."""
    found = []
    for path in files_of(folder):
        data = _read(path)
        found += _read_lines(data) if path.endswith(EARLIER) else parse(data).entries
    return found


def unreadable(directory: str) -> dict[str, str]:
    """Return what is in the place of a copy and cannot be read, a few of many, each with a sentence."""
    paths = [path for folder in folders_of_path(directory) for path in files_of(folder)]
    return dict(list(find_unreadable(None, paths).items())[:NAMED])


def _place(directory: str) -> str:
    """Return the beginning of the paths of this project's folders outside."""
    return os.path.join(user_data() or os.devnull, "logs", flat_name(os.path.realpath(root_of(directory))))


def _own_folder(directory: str, log: Log) -> str | None:
    name = project_id(log)
    return f"{_place(directory)}.{name}" if name and user_data() else None


def _lines(data: bytes | None) -> dict[bytes, None]:
    """Return the lines of the entries in a log as we write it."""
    lines = (data or b"").split(b"\n")
    return dict.fromkeys(line[4:].rstrip(b",") for line in lines if line.startswith(b"    "))


def _read_lines(data: bytes | None) -> list[dict[str, Any]]:
    found = []
    for line in (data or b"").split(b"\n"):
        try:
            item = json.loads(line or b"null")
        except (ValueError, RecursionError):
            continue
        if isinstance(item, dict):
            found.append(item)
    return found


def _read(path: str) -> bytes | None:
    try:
        return read_inside(None, path)
    except BadInput:
        return None


def _repository_marks(directory: str) -> list[str]:
    """Return what tells the repository from others: its first commits."""
    root = root_of(directory)
    repository = find_repository(root)
    output = repository.run(["rev-list", "--max-parents=0", "HEAD"], root) if repository else None
    return (output or b"").decode("ascii", "replace").split()


def _marks_of(folder: str) -> list[str]:
    return [str(mark) for mark in _project_of(folder).get("marks") or ()]


def _project_of(folder: str) -> dict[str, Any]:
    return next(iter(_read_lines(_read(os.path.join(folder, PROJECT_FILE)))), {})


def _time_written(folder: str) -> tuple[float, str]:
    try:
        return os.stat(os.path.join(folder, COPY)).st_mtime, folder
    except OSError:
        return 0.0, folder


def _forget_old(above: str, now: datetime) -> None:
    """Remove the copies of projects that are gone and were not written to for 30 days."""
    oldest = (now - timedelta(days=_DAYS_AFTER_PROJECT)).timestamp()
    for name in list_inside(None, above):
        folder = os.path.join(above, name)
        root = _project_of(folder).get("root")
        if isinstance(root, str) and not os.path.exists(root) and _time_written(folder)[0] < oldest:
            shutil.rmtree(folder, ignore_errors=True)
