"""What stands in plans and logs taken as known, at a session start as after an entry (S11.2)."""

from __future__ import annotations

from progress_plugin.authored.reader import AuthoredLog
from progress_plugin.plans.baseline import COUNTED
from progress_plugin.plans.transitions import transitions
from progress_plugin.usecases.seen import Seen
from progress_plugin.usecases.sources import Sources


def settle(sources: Sources) -> None:
    """Take what stands in plans and logs as known: whatever it is, it happened before this session."""
    seen = Seen(sources.project)
    for plan in sources.plans:
        _, seen.plans[plan.path] = transitions(None, plan, sources.head)
    for log in sources.logs:
        seen.logs[log.source] = finished(log)
    seen.head = sources.head
    seen.uncommitted = []
    seen.save()


def finished(log: AuthoredLog) -> dict[str, int]:
    """Return how many entries of a log finish or block each story, by `status|id or title`."""
    counts: dict[str, int] = {}
    for event in log.events:
        if event.status in COUNTED:
            for name in event.stories or ((event.title,) if event.title else ()):
                key = f"{event.status.value}|{name}"
                counts[key] = counts.get(key, 0) + 1
    return counts
