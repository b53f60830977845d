"""What was last seen of plans and logs, kept between hook events.

What a plan's baseline holds is in `plans.baseline`; what counts as a change since, in `plans.status_changes`,
what a start takes as known, in `usecases.summarizing.accepted_baselines`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from progress_plugin import BASELINE_FORMAT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import Stamp, stamp_of
from progress_plugin.plans.baseline import BASELINE_FILE, Baseline, from_json, kept_baselines

_MOST_WAITING = 100
"""Finished tasks that wait for a commit, the newest."""


class Baselines:
    """Baselines of the plans, finished entries of the agents' logs, and what waits for a commit."""

    def __init__(self, project: Project) -> None:
        self._root = project.root
        self._path = state_file(project.root, BASELINE_FILE)
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
        self._left: Stamp | None = None

    def is_current(self) -> bool:
        """Return whether nobody has written it since it was loaded."""
        return self._look() == self._looks

    def keep_in_step(self) -> None:
        """Make the file the youngest of ours again, if it is as `save` has left it.

        For whoever put a summary in place that was made of what was compared.
        """
        if self._left is not None and stamp_of(self._path) == self._left:
            from contextlib import suppress  # noqa: PLC0415 - a millisecond that most starts do without

            with suppress(OSError):
                os.utime(self._path)

    def wait_for_commit(self, ids: Iterable[str], head: str | None) -> None:
        """Note tasks finished at a commit: the one that follows is evidence of them; the newest are kept."""
        names = {**self.uncommitted, **dict.fromkeys(ids, head)}
        self.uncommitted = dict(list(names.items())[-_MOST_WAITING:])

    def save(self, *, in_step: bool = True) -> None:
        """Write what has changed; a failure costs a signal, not the log, so it is passed over.

        With `in_step` everything there is was compared: the file becomes the youngest of ours, and while it
        is, the ends of turns look no further (`hooks.recording`).
        """
        data = self._bytes()
        path = self._path
        try:
            if data != self._before or self.is_first:
                make_state_directory(self._root)
                write_atomic(path, data, durable=False)
            if in_step:
                os.utime(path)
                self._left = stamp_of(path)
            else:
                os.utime(path, (0, 0))
        except (OSError, AgentProgressError):
            return

    def _look(self) -> Stamp:
        return stamp_of(self._path)

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
        return kept_baselines(self._path)


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
