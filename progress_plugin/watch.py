"""Keep the summary current while files change, by notifications of the file system.

Folders are watched and not files, because editors replace files. For a missing folder the nearest existing
one above it is watched.
"""

from __future__ import annotations

import logging
import os
import queue
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, closing

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.usecases.watch import first_look, refresh

IDLE_S = 30.0  # network disks do not report what others do
RETRY_S = 5.0  # after a failure
QUIET_S = 0.15  # without an event; editors and git write several files at once
MAX_BURST_S = 2.0
_REMOVALS = ("deleted", "moved")


def watch(root: str, say: Callable[[str], None], busy: Callable[[], AbstractContextManager[None]]) -> None:
    """Keep the summary of the project at `root` current until interrupted; `say` gets a line per change.

    `busy` is entered during the work, to show it. Raises KeyboardInterrupt, and what the first look raises.
    """
    with busy():
        current = first_look(root)
    say(current.line)
    fault = ""
    with closing(Folders()) as folders:
        while True:
            folders.follow(folders_of(current.inputs))
            # Look only now: a change before `follow` makes no event. Wait for the end of a burst first.
            folders.wait(QUIET_S)
            try:
                with busy():
                    found = refresh(root, current.inputs)
            except AgentProgressError as error:
                if str(error) != fault:
                    fault = str(error)
                    say(f"not renewed: {fault}")
                folders.wait(RETRY_S)
                continue
            fault = ""
            if found is None:
                folders.wait(IDLE_S)
                continue
            current = found
            if current.line:
                say(current.line)


class Folders(FileSystemEventHandler):
    """The watched folders and their events."""

    def __init__(self) -> None:
        logging.getLogger("watchdog").addHandler(logging.NullHandler())  # it reports the end of a watch
        self._observer = Observer()
        self._watched: dict[str, tuple[int, int]] = {}  # device and inode by path
        self._events: queue.SimpleQueue[bool] = queue.SimpleQueue()  # whether a folder was removed
        self._is_folder_removed = False
        self._observer.start()

    def close(self) -> None:
        """Stop watching."""
        self._observer.stop()
        self._observer.join()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Queue a change; called in the observer's thread. Files opened or read are no change."""
        if event.event_type in _REMOVALS:
            self._events.put(event.is_directory)
        elif event.event_type == "created" or (event.event_type == "modified" and not event.is_directory):
            self._events.put(False)

    def follow(self, paths: Iterable[str]) -> None:
        """Watch these folders and no others; a folder that was replaced is watched anew."""
        wanted = {path: identity for path in paths if (identity := _identity(path))}
        if wanted == self._watched and not self._is_folder_removed:
            return
        self._observer.unschedule_all()
        self._is_folder_removed = False
        self._watched = {}
        for path, identity in wanted.items():
            try:
                self._observer.schedule(self, path)
            except OSError:
                continue  # removed just now, or no watches are left: the next idle look sees its changes
            self._watched[path] = identity

    def wait(self, seconds: float) -> bool:
        """Return True when a burst of events is over, False after `seconds` without any."""
        if not self._take(seconds):
            return False
        end = time.monotonic() + MAX_BURST_S
        while time.monotonic() < end and self._take(QUIET_S):
            pass
        return True

    def _take(self, seconds: float) -> bool:
        try:
            self._is_folder_removed |= self._events.get(timeout=seconds)
        except queue.Empty:
            return False
        return True


def folders_of(inputs: InputSnapshot) -> set[str]:
    """Return the existing folders in which a change of an input shows; none outside the project by a link."""
    found, inside = {_nearest(inputs.root)}, os.path.realpath(inputs.root) + os.sep
    for path in inputs.files:
        absolute = os.path.join(inputs.root, path)
        target = os.path.realpath(absolute)
        for place in (absolute, target if target.startswith(inside) else absolute):
            found.add(_nearest(place if os.path.isdir(place) else os.path.dirname(place)))
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
