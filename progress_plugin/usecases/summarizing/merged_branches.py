"""What was logged on a branch holds here, too, once that branch was merged.

Which branches were merged is read from git's reflog. A merge that was made elsewhere, and came by a pull, is
not known: then the plan has to say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from progress_plugin.log.timestamp import written
from progress_plugin.model.event import Event
from progress_plugin.usecases.summarizing.sources import Sources


def with_merged(sources: Sources, events: Sequence[Event]) -> list[Event]:
    """Return events, those of merged branches as if they had been said here as well.

    Only what was said before the merge: the branch may have gone on.
    """
    branch, repository = sources.branch, sources.project.repository
    if branch is None or repository is None or not any(event.is_elsewhere(branch) for event in events):
        return list(events)
    merged = {
        name: written(datetime.fromtimestamp(seconds, UTC))
        for name, seconds in repository.merged_branches(branch).items()
    }
    return [_said_here(event, branch) if _is_merged(event, merged, branch) else event for event in events]


def _is_merged(event: Event, merged: dict[str, str], branch: str) -> bool:
    if not (merged and event.when and event.is_elsewhere(branch)):
        return False
    return any(event.when <= merged[name] for name in (event.branch, *event.also_on) if name in merged)


def _said_here(event: Event, branch: str) -> Event:
    return event._replace(also_on=(*event.also_on, branch))
