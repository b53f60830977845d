"""What was last seen of plans and logs, kept between hook events.

What a plan's baseline holds is in `plans.baseline`; what counts as a change since, in `plans.status_changes`,
what a start takes as known, in `usecases.summarizing.accepted_baselines`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.core.fast.start_cache import BASELINE_FILE, DATA_SUFFIX
from progress_plugin.core.files import write_atomic
from progress_plugin.core.files.input_records import FileStamp, file_stamp
from progress_plugin.core.paths import make_private, user_cache
from progress_plugin.core.project import Project
from progress_plugin.core.version import BASELINE_FORMAT
from progress_plugin.plans.baseline import Baseline, from_json, kept_baselines

_MOST_WAITING = 100
"""Finished tasks that wait for a commit, the newest."""


class Baselines:
    """Baselines of the plans, finished entries of the agents' logs, and what waits for a commit.

    It is in our directory, or in the user's cache for as long as a project has no such directory: a
    plan alone makes us write nothing into the project.
    """

    def __init__(self, project: Project) -> None:
        self._own = project.root + DATA_SUFFIX + BASELINE_FILE
        self._outside = outside(project.root)
        self._root = project.root
        self._looks = self._look()
        value = self._load()
        plans = value.get("plans")
        self.plans: dict[str, Baseline] = {}
        for path, known in plans.items() if isinstance(plans, dict) else ():
            baseline = from_json(known)
            if baseline is not None:
                self.plans[path] = baseline
        logs = value.get("logs")
        self.logs: dict[str, dict[str, int]] = _counts(logs) if isinstance(logs, dict) else {}
        self.head: str | None = value.get("head") if isinstance(value.get("head"), str) else None
        self.uncommitted: dict[str, str | None] = _waiting(value.get("uncommitted"), self.head)
        """Ids of finished tasks that no commit of their session has followed yet, and the commit that was
        checked out then."""
        noticed = value.get("noticed")
        self.noticed: dict[str, str] = (
            {key: when for key, when in noticed.items() if isinstance(when, str)}
            if isinstance(noticed, dict)
            else {}
        )
        """When a start first saw what no signal has recorded yet, by its key: it was done before that."""
        self.begun: list[str] = []
        """Stories that are in progress since this look; of the moment, and not kept."""
        self.is_first = not value
        self._before = self._bytes()
        self._left: FileStamp = None

    def is_current(self) -> bool:
        """Return whether nobody has written it since it was loaded."""
        return self._look() == self._looks

    def keep_in_step(self) -> None:
        """Make the file the youngest of ours again, if it is as `save` has left it.

        For whoever put a summary in place that was made of what was compared.
        """
        if self._left is not None and file_stamp(self._own) == self._left:
            from contextlib import suppress  # noqa: PLC0415 - a millisecond that most starts do without

            with suppress(OSError):
                os.utime(self._own)

    def wait_for_commit(self, ids: Iterable[str], head: str | None) -> None:
        """Note tasks finished at a commit: the one that follows is evidence of them; the newest are kept."""
        names = {**self.uncommitted, **dict.fromkeys(ids, head)}
        self.uncommitted = dict(list(names.items())[-_MOST_WAITING:])

    def save(self, *, in_step: bool = True) -> None:
        """Write what has changed; a failure costs a signal, not the log, so it is passed over.

        With `in_step` everything there is was compared: the file becomes the youngest of ours, and while it
        is, the ends of turns look no further (`core.fast.hook_filter`).
        """
        data = self._bytes()
        own = os.path.isdir(os.path.dirname(self._own))
        path = self._own if own else self._outside
        if path is None:
            return
        try:
            if data != self._before or self.is_first:
                make_private(os.path.dirname(path))
                write_atomic(path, data, root=self._root if own else None, durable=False)
            if in_step:
                os.utime(path)
                self._left = file_stamp(path)
            else:
                os.utime(path, (0, 0))
        except (OSError, AgentProgressError):
            return

    def _look(self) -> list[FileStamp]:
        return [file_stamp(path) for path in (self._own, self._outside) if path is not None]

    def _bytes(self) -> bytes:
        plans = {path: baseline.to_json() for path, baseline in self.plans.items()}
        value: dict[str, Any] = {
            "format": BASELINE_FORMAT,
            "head": self.head,
            "plans": plans,
            "logs": self.logs,
            "uncommitted": self.uncommitted,
        }
        if self.noticed:
            value["noticed"] = self.noticed
        return json.dumps(value, sort_keys=True).encode()

    def _load(self) -> dict[str, Any]:
        return kept_baselines(((self._own, self._root), (self._outside, None)))


def _waiting(value: object, head: str | None) -> dict[str, str | None]:
    """Return what waits for a commit; an earlier version kept the ids alone, in a list."""
    if isinstance(value, list):
        return {name: head for name in value if isinstance(name, str)}
    if not isinstance(value, dict):
        return {}
    return {name: at if isinstance(at, str) else None for name, at in value.items()}


def _counts(value: dict[str, Any]) -> dict[str, dict[str, int]]:
    return {
        path: {key: number for key, number in counts.items() if isinstance(number, int)}
        for path, counts in value.items()
        if isinstance(counts, dict)
    }


def outside(root: str) -> str | None:
    """Return where they stand for as long as a project has no directory of ours; None without a home."""
    directory = user_cache()
    if directory is None:
        return None
    name = content_digest(os.fsencode(root)).decode()
    return os.path.join(directory, "baselines", f"{name}.json")
