"""`watch`: the summary kept current while files change, by notifications of the file system.

Only folders are watched, never files: an editor that replaces a file leaves a watch on the old one.
Of a folder that is not there the nearest one above it is watched, until it appears.
"""

from __future__ import annotations

import logging
import os
import queue
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files.input_records import place_of
from progress_plugin.usecases.watch import first_look, refresh

_IDLE = 30.0
"""Seconds after which to look all the same: network disks do not report what others do."""
_AFTER_A_FAILURE = 5.0
_QUIET = 0.15
"""Seconds without an event that end a burst of them: editors and git write several files."""
_LONGEST_BURST = 2.0
_FOLDERS = ("names", "folder")
"""Kinds of inputs that are folders themselves: what comes or goes in them shows there alone."""
_OF_INTEREST: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    DirCreatedEvent,
    DirMovedEvent,
    DirDeletedEvent,
]
"""Not that a file was opened or read: we read them ourselves."""

Say = Callable[[str], None]
Busy = Callable[[], AbstractContextManager[None]]


def watch(root: str, say: Say, busy: Busy) -> None:
    """Keep the summary of the project at `root` current until interrupted; `say` gets a line per change.

    `busy` is entered while it works, for whoever wants to show that it does.

    Raises KeyboardInterrupt, which is how it ends, and what the first look raises.
    """
    with busy():
        current = first_look(root)
    say(current.told)
    fault = None
    with Folders() as folders:
        while True:
            folders.follow(folders_of(current.records, root))
            # Looked at after the folders are followed: what comes later makes an event. And once they are
            # quiet: whoever answers to our last line at once may be in the middle of a file.
            folders.wait(_QUIET)
            try:
                with busy():
                    found = refresh(root, current.records)
            except AgentProgressError as error:
                if str(error) != fault:
                    fault = str(error)
                    say(f"not renewed: {fault}")
                folders.wait(_AFTER_A_FAILURE)
                continue
            fault = None
            if found is None:
                folders.wait(_IDLE)
                continue
            current = found
            if current.told:
                say(current.told)


class Folders(FileSystemEventHandler):
    """The folders being watched, and the events that came of them."""

    def __init__(self) -> None:
        self._observer = Observer()
        self._watches: dict[str, tuple[ObservedWatch, tuple[int, int]]] = {}
        self._events: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        """One item per event, with the path of what is no longer there."""
        self._gone: set[str] = set()
        # The library reports what it loses while a watch ends; that is no news, and has no place to go.
        logging.getLogger("watchdog").addHandler(logging.NullHandler())

    def __enter__(self) -> Self:
        self._observer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._observer.stop()
        self._observer.join()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take note of an event; called in the observer's thread."""
        gone = event.event_type in ("deleted", "moved")
        self._events.put(os.fsdecode(event.src_path) if gone else None)

    def follow(self, paths: Iterable[str]) -> None:
        """Watch these folders and no others; one that was made anew since is watched anew."""
        wanted = {path: number for path in paths if (number := _identity(path)) is not None}
        gone, self._gone = self._gone, set()
        for path, (known, number) in list(self._watches.items()):
            if path in gone or wanted.get(path) != number:
                self._observer.unschedule(known)
                del self._watches[path]
        for path, number in wanted.items():
            if path not in self._watches:
                try:
                    watched = self._observer.schedule(self, path, event_filter=_OF_INTEREST)
                except OSError:
                    # Removed in this moment, or the system's watches are used up: the next idle look sees it.
                    continue
                self._watches[path] = (watched, number)

    def wait(self, idle: float) -> bool:
        """Return True once events have come and ceased, False after `idle` seconds without any."""
        if not self._take(idle):
            return False
        end = time.monotonic() + _LONGEST_BURST
        while time.monotonic() < end and self._take(_QUIET):
            pass
        return True

    def _take(self, seconds: float) -> bool:
        try:
            path = self._events.get(timeout=seconds)
        except queue.Empty:
            return False
        if path is not None:
            self._gone.add(path)
        return True


def folders_of(records: Iterable[bytes], root: str) -> set[str]:
    """Return the existing folders in which a change of any of these inputs shows, links resolved."""
    found = {_nearest(root)}
    for record in records:
        kind, path = place_of(record)
        absolute = os.path.join(root, path)
        # A link that leads out was not read; its target is not examined here.
        for place in {absolute} if kind == "link" else {absolute, os.path.realpath(absolute)}:
            found.add(_nearest(place if kind in _FOLDERS else os.path.dirname(place)))
    return {os.path.realpath(path) for path in found}


def _nearest(folder: str) -> str:
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
