"""What was last seen of plans and agents' logs, kept between hook events in the private state.

Changes are the difference between this and what the files state now, decided without our own log.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from progress_plugin import LAST_SEEN_FORMAT
from progress_plugin.core.changed_documents import LAST_SEEN_FILE
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import write_atomic
from progress_plugin.core.paths import make_state_directory, state_file
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.status import Status
from progress_plugin.model.work import AgentLog
from progress_plugin.state.decide import decide
from progress_plugin.state.state import State
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recording.plan_snapshot import PlanSnapshot, compare_plan

MAX_UNCOMMITTED = 100  # finished stories that wait for a commit


@dataclass(slots=True)
class LastSeen:
    """Plans and logs as they were seen, and the finished stories that no commit has followed yet."""

    head: str | None = None  # the commit that was checked out
    plans: dict[str, PlanSnapshot] = field(default_factory=dict)
    logs: dict[str, dict[str, int]] = field(default_factory=dict)  # by path: `count_finished`
    uncommitted: dict[str, str | None] = field(default_factory=dict)  # id of entry -> HEAD at that time
    inputs: dict[str, Any] | None = None  # snapshot of the files that were compared
    is_first: bool = True
    stored: bytes = b""  # as it was loaded

    def note_uncommitted(self, ids: list[str], head: str | None) -> None:
        """Note entries of finished stories: the next commit is evidence for them."""
        known = {**self.uncommitted, **dict.fromkeys(ids, head)}
        self.uncommitted = dict(list(known.items())[-MAX_UNCOMMITTED:])


def load_last_seen(project: Project) -> LastSeen:
    """Return what was last seen of a project; an empty state if none is kept or it cannot be read."""
    stored = _read(project)
    try:
        value = json.loads(stored)
        if value["format"] != LAST_SEEN_FORMAT:
            return LastSeen(stored=stored)
        plans = {path: PlanSnapshot.from_data(plan) for path, plan in value["plans"].items()}
        return LastSeen(
            value["head"], plans, value["logs"], value["uncommitted"], value["inputs"], False, stored
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return LastSeen(stored=stored)


def is_current(last_seen: LastSeen, project: Project) -> bool:
    """Return whether no other process has written it since it was loaded."""
    return _read(project) == last_seen.stored


def save_last_seen(last_seen: LastSeen, project: Project, compared: InputSnapshot | None = None) -> None:
    """Write it. A failure costs a signal, not an entry, so it is passed over.

    `compared` are the inputs of a reading of which every change is recorded: until one of them changes again,
    no hook looks any further.
    """
    if compared is not None:
        last_seen.inputs = _plans_and_logs(compared, project).to_data()
    value = {
        "format": LAST_SEEN_FORMAT,
        "head": last_seen.head,
        "plans": {path: plan.to_data() for path, plan in last_seen.plans.items()},
        "logs": last_seen.logs,
        "uncommitted": last_seen.uncommitted,
        "inputs": last_seen.inputs,
    }
    data = json.dumps(value).encode()
    try:
        make_state_directory(project.root)
        write_atomic(state_file(project.root, LAST_SEEN_FILE), data, durable=False, private=True)
    except (OSError, AgentProgressError):
        return
    last_seen.stored = data


def accept_as_seen(reading: Reading) -> Callable[[], None]:
    """Return how to take as known what is seen for the first time, or came with another HEAD.

    That is no work of this checkout. What turned done under the HEAD last seen, or in commits made here
    since, is left for the next hook to record. Git is asked here; what is returned is for a holder of the
    lock.
    """
    project, last_seen = reading.project, load_last_seen(reading.project)
    stated, head = state_of_files(reading), project.head()[1]
    is_moved = not last_seen.is_first and last_seen.head != head
    repository = project.repository
    is_committed_here = is_moved and repository is not None and last_seen.head in repository.earlier_heads()
    is_silent = is_moved and not is_committed_here

    def finish() -> None:
        if not is_current(last_seen, project):
            return
        plans, logs = dict(last_seen.plans), dict(last_seen.logs)
        is_pending = False
        for plan in stated.plans:
            changes, seen = compare_plan(plan, last_seen.plans.get(plan.plan.path), is_silent=is_silent)
            is_pending = is_pending or bool(changes)
            plans[plan.plan.path] = seen
        for log in reading.facts.inputs.logs:
            before, now = last_seen.logs.get(log.path), count_finished(log)
            is_new = before is not None and any(count > before.get(key, 0) for key, count in now.items())
            is_pending = is_pending or (is_new and not is_silent)
            logs[log.path] = now
        if is_pending:
            return
        last_seen.plans, last_seen.logs, last_seen.head = plans, logs, head
        if is_silent:  # after a checkout no commit proves what was finished before it
            last_seen.uncommitted = {}
        save_last_seen(last_seen, project, reading.inputs)

    return finish


def state_of_files(reading: Reading) -> State:
    """Return what plans and agents' logs state by themselves, without our own log."""
    inputs = reading.facts.inputs
    return decide(inputs.plans, inputs.logs, (), dt.datetime.now().astimezone().date())


def count_finished(log: AgentLog) -> dict[str, int]:
    """Return how many entries of a log finish or block each story, by `status|id or title`."""
    counts: dict[str, int] = {}
    for entry in log.entries:
        for name in entry.ids or ((entry.title,) if entry.title else ()):
            if entry.status in {Status.DONE, Status.BLOCKED}:
                key = f"{entry.status}|{name}"
                counts[key] = counts.get(key, 0) + 1
    return counts


def _plans_and_logs(inputs: InputSnapshot, project: Project) -> InputSnapshot:
    """Return what hooks compare of a snapshot: folders and files of the project, without ours."""
    kept = InputSnapshot(inputs.root)
    ours = f"{project.directory}/", f"{project.log_directory}/"
    files = {project.path(path): path for path in inputs.files}
    kept.files = {path: inputs.files[path] for full, path in files.items() if not full.startswith(ours)}
    folder = f"{project.root.rstrip('/')}/"
    kept.start_files = {
        path: stamp
        for path, stamp in inputs.start_files.items()
        if path == project.root or (path.startswith(folder) and not path.startswith(ours))
    }
    return kept


def _read(project: Project) -> bytes:
    try:
        with open(state_file(project.root, LAST_SEEN_FILE), "rb") as file:
            return file.read()
    except OSError:
        return b""
