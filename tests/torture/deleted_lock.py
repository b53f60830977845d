"""Writers at once, while the lock file is deleted again and again."""

from __future__ import annotations

import os
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

from progress_plugin.core.errors import Busy
from progress_plugin.core.project import find_project
from progress_plugin.log import history
from progress_plugin.log.store import LOCK_FILE
from progress_plugin.usecases.recording.log_entry import log_entry

EVERY = 0.03
"""Seconds between two deletions."""


def write_while_it_is_deleted(root: Path, *, writers: int, entries: int) -> tuple[list[str], list[str], int]:
    """Return the ids that writers in processes of their own were told, those stored, and the deletions."""
    (root / ".git").mkdir(parents=True)
    told = root.parent / f"told-{os.getpid()}"
    told.mkdir()
    project = find_project(str(root))
    log_entry(project, "milestone_reached", now=datetime.now(UTC), description="before")
    children = [_writer(root, told / str(number), entries) for number in range(writers)]
    over, deletions = threading.Event(), [0]
    tidy = threading.Thread(target=_delete, args=(Path(project.log_directory, LOCK_FILE), over, deletions))
    tidy.start()
    failed = [child for child in children if os.waitpid(child, 0)[1]]
    over.set()
    tidy.join()
    assert not failed
    acknowledged = [line for path in told.iterdir() for line in path.read_text().split()]
    assert len(acknowledged) >= writers, "hardly a writer was acknowledged: nothing could have been lost"
    assert deletions[0] > 0, "the lock was never deleted"
    return acknowledged, [entry["id"] for entry in history.everything(project.log_directory)], deletions[0]


def _delete(path: Path, over: threading.Event, deletions: list[int]) -> None:
    while not over.wait(EVERY):
        if path.exists():
            path.unlink()
            deletions[0] += 1


def _writer(root: Path, told: Path, entries: int) -> int:
    child = os.fork()
    if child:
        return child
    try:
        project = find_project(str(root))
        with told.open("a") as file:
            for number in range(entries):
                try:
                    logged = log_entry(
                        project, "task_completed", now=datetime.now(UTC),
                        description=f"did {told.name}-{number}", task_id=f"T-{told.name}-{number}",
                    )  # fmt: skip
                except Busy:
                    continue  # said so, wrote nothing
                file.write(logged.entries[0]["id"] + "\n")
                file.flush()
    except BaseException as error:  # noqa: BLE001 - told to the parent by the exit code
        sys.stderr.write(f"{error!r}\n")
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)
