"""`watch`: keep the summary current while files change.

It makes summary and cache anew and records nothing: an entry belongs to the session that did the work, and
only that session's hooks know it.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import find_project
from progress_plugin.core.snapshot import MISSING, InputSnapshot
from progress_plugin.summary.head_lines import describe_count
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.composing import compose
from progress_plugin.usecases.explain_context import describe_change
from progress_plugin.usecases.project_writes import prepare, summary_path
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.sharing import import_shared_entries
from progress_plugin.usecases.summaries import write_summary

IDLE_S = 5.0  # network disks do not report changes by other machines
QUIET_S = 0.15  # editors and git write several files at once
NO_CHANGES = ("opened", "closed_no_write")
MAX_NAMED_CHANGES = 3


def watch(root: str) -> Iterator[str]:
    """Keep the summary of the project at `root` current until interrupted, and yield a line per change.

    The first write may raise. A later error is reported once; after a change or `IDLE_S` it tries again.
    """
    logging.getLogger("watchdog").addHandler(logging.NullHandler())  # it reports the end of a watch
    inputs, line = write_current_summary(root)
    yield line
    observer, changes, fault = Observer(), Changes(), ""
    observer.start()
    try:
        while True:
            time.sleep(QUIET_S)
            watch_folders(observer, changes, inputs)
            if not inputs.changes() and not inputs.has_start_changes():
                changes.wait()
                continue
            try:
                inputs, line = write_current_summary(root, inputs)
                fault = ""
            except AgentProgressError as error:
                line = "" if str(error) == fault else f"not renewed: {error}"
                fault = str(error)
                changes.wait()
            if line:
                yield line
    finally:
        observer.stop()
        observer.join()


class Changes(FileSystemEventHandler):
    """Collects the events of watched folders and wakes the loop that waits for them."""

    def __init__(self) -> None:
        self._happened = threading.Event()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Remember that something happened; called in the observer's thread."""
        if event.event_type not in NO_CHANGES:
            self._happened.set()

    def wait(self) -> None:
        """Return when something has happened, or after a while: a change may make no event."""
        self._happened.wait(IDLE_S)
        self._happened.clear()


def watch_folders(observer: BaseObserver, changes: Changes, inputs: InputSnapshot) -> None:
    """Watch the folders of these inputs only. Files are not watched, since editors replace them."""
    observer.unschedule_all()
    for place in {inputs.root, *(os.path.dirname(os.path.join(inputs.root, path)) for path in inputs.files)}:
        with suppress(OSError):  # the folder is gone, or there are too many: the idle check sees changes
            observer.schedule(changes, place)


def write_current_summary(root: str, before: InputSnapshot | None = None) -> tuple[InputSnapshot, str]:
    """Update the summary. Return its inputs and a line about the changes since `before`.

    The line is empty if no file has changed. Raises BadInput if the root is gone.
    """
    project = find_project(root)
    reading = read_project(project)
    if reading.is_empty and not project.has_directory:
        compose(reading, reading.settings)  # adds the other inputs of a summary
        return reading.inputs, "no log and no plan here" if before is None else ""
    prepare(project)
    if import_shared_entries(project, DEFAULT_TIMEOUT_S):
        reading = read_project(project)
    composed = write_summary(project, DEFAULT_TIMEOUT_S, reading)
    inputs, problems = composed.reading.inputs, len(composed.reading.problems)
    note = f"; {counted(problems, 'problem')}, see: agent-progress status" if problems else ""
    tokens = f"{composed.tokens_after:,} tokens of {composed.tokens_before:,}"
    line = f"{describe_count(composed.reading.facts.state)}, {tokens}{note}"
    if before is None:
        return inputs, line
    changed = _describe_changes(before, inputs, summary_path(project))
    return inputs, f"{changed}: {line}" if changed else ""


def _describe_changes(before: InputSnapshot, after: InputSnapshot, summary: str) -> str:
    """Describe the inputs that changed between two snapshots; a folder is described by its files."""
    words = []
    for path in {**before.files, **after.files}:
        place = os.path.join(after.root, path)
        stamps = [snapshot.files.get(path, [MISSING, 0]) for snapshot in (before, after)]
        if stamps[0] != stamps[1] and place != summary and not os.path.isdir(place):
            words.append(describe_change(before, path))
    return some_of([*dict.fromkeys(words)], MAX_NAMED_CHANGES)
