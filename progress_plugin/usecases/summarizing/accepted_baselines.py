"""What is taken as known of plans and logs when the cache is made anew, so that it is no work.

A start that finds the cache fresh reads no plan, so whoever makes it fresh does this, under the same lock
(`usecases.summarizing.summary_files`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from progress_plugin.log.timestamp import written
from progress_plugin.plans.baseline import LOGGED_STATUSES
from progress_plugin.plans.status_changes import transitions
from progress_plugin.usecases.summarizing.baselines import Baselines
from progress_plugin.usecases.summarizing.sources import Sources

if TYPE_CHECKING:
    from progress_plugin.authored.reader import AuthoredLog


def accept_baselines(sources: Sources) -> Callable[[], None]:
    """Return how to take as known what is seen for the first time, or came with another HEAD.

    That is nobody's work here.

    What turned done under the HEAD last seen, or in commits made here since, is left for the next signal to
    record: another session may have finished it a moment ago, and this is no signal. When it was first
    seen is noted, since what a session finds done when it starts is not its own work.

    Git is asked here, and what is returned asks nobody: it is for a holder of the lock.
    """
    seen, repository = Baselines(sources.project), sources.project.repository
    moved = seen.head != sources.head
    known = moved and not seen.is_first and repository is not None
    committed_here = known and repository is not None and seen.head in repository.earlier_heads()

    def finish() -> None:
        now = seen if seen.is_current() else Baselines(sources.project)
        if now.head == seen.head and now.is_first == seen.is_first:
            _settle(sources, now, committed_here=committed_here)

    return finish


def _settle(sources: Sources, seen: Baselines, *, committed_here: bool) -> None:
    moved = seen.head != sources.head
    silent = moved and not committed_here
    finished_here = {name: at for name, at in seen.uncommitted.items() if at == sources.head}
    pending = committed_here and len(finished_here) < len(seen.uncommitted)
    plans, logs = dict(seen.plans), dict(seen.logs)
    waiting: list[str] = []
    for plan in sources.plans:
        found, baseline = transitions(
            seen.plans.get(plan.path), plan, sources.head, own_commit=committed_here
        )
        pending = pending or bool(found)
        waiting += ["|".join(map(str, transition.key)) for transition in found]
        if not found:
            plans[plan.path] = baseline
    for log in sources.logs:
        before, now = seen.logs.get(log.source), finished(log)
        new = not silent and before is not None and any(now[key] > before.get(key, 0) for key in now)
        pending = pending or new
        if not new:
            logs[log.source] = now
    if waiting or seen.noticed:
        today = written(datetime.now(UTC))
        seen.noticed = {key: seen.noticed.get(key, today) for key in waiting}
    if not (committed_here and pending):
        # Of commits made here the next signal has to see all: the HEAD they began at, every plan as it was.
        seen.plans, seen.logs = plans, logs
        if moved:
            seen.head, seen.uncommitted = sources.head, finished_here
    seen.save(in_step=not pending)


def finished(log: AuthoredLog) -> dict[str, int]:
    """Return how many entries of a log finish or block each story, by `status|id or title`."""
    counts: dict[str, int] = {}
    for event in log.events:
        for name in event.stories or ((event.title,) if event.title else ()):
            status = event.status_of(name)
            if status in LOGGED_STATUSES:
                key = f"{status.value}|{name}"
                counts[key] = counts.get(key, 0) + 1
    return counts
