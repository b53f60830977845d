"""What a session start takes as known of plans and logs (S11.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from progress_plugin.plans.baseline import COUNTED
from progress_plugin.plans.transitions import transitions
from progress_plugin.usecases.seen import Seen
from progress_plugin.usecases.sources import Sources

if TYPE_CHECKING:
    from progress_plugin.authored.reader import AuthoredLog


def settle(sources: Sources) -> None:
    """Take as known what is seen for the first time, or came with another HEAD: it is nobody's work here.

    What turned done under the HEAD last seen is left for the next signal to record: another session may have
    finished it a moment ago, and a start is no signal.
    """
    seen = Seen(sources.project)
    moved = seen.head != sources.head
    pending = False
    for plan in sources.plans:
        found, baseline = transitions(seen.plans.get(plan.path), plan, sources.head)
        pending = pending or bool(found)
        if not found:
            seen.plans[plan.path] = baseline
    for log in sources.logs:
        known, now = seen.logs.get(log.source), finished(log)
        new = not moved and known is not None and any(now[key] > known.get(key, 0) for key in now)
        pending = pending or new
        if not new:
            seen.logs[log.source] = now
    if moved:
        seen.head, seen.uncommitted = sources.head, []
    seen.save(in_step=not pending)


def finished(log: AuthoredLog) -> dict[str, int]:
    """Return how many entries of a log finish or block each story, by `status|id or title`."""
    counts: dict[str, int] = {}
    for event in log.events:
        if event.status in COUNTED:
            for name in event.stories or ((event.title,) if event.title else ()):
                key = f"{event.status.value}|{name}"
                counts[key] = counts.get(key, 0) + 1
    return counts
