"""The burn-up of a project: how many stories were known and how many finished, over time.

When a story was finished is decided here (`finished_at`), whether it is, in `summary.merged_story_status`.

Drawn in `report.timeline`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime

from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.event import STORY_TYPES
from progress_plugin.model.status import Status
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState

_FIRST_YEAR, _YEAR_AFTER = 1990, 2100


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What held from this moment on."""

    when: str
    """ISO 8601, UTC."""
    finished: int
    known: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BurnUp:
    """The points in the order of time; empty where no story has a date."""

    points: tuple[Point, ...]
    undated: int
    """Finished stories without a date: they count from the first point on."""


def burn_up(history: StoryHistory, started: str | None) -> BurnUp:
    """Return the curve of all stories but skipped ones.

    A planned story is known from the start, one that only a log has from its first entry. The first
    point is `started`, ISO 8601, or the first date in the data where that is earlier.
    """
    stories = [story for story in history.named if story.status is not Status.SKIPPED]
    done = [finished_at(story) for story in stories if story.status is Status.DONE]
    finished = sorted(when for when in done if when)
    known = sorted(when for when in map(_known_since, stories) if when)
    ends = (dated(started), max(filter(None, map(_last_date, stories)), default=None))
    earlier = dict(history.earlier)
    undated = done.count(None) + earlier.get(Status.DONE, 0)
    from_start = len(stories) - len(known) + sum(earlier.values())
    points = tuple(
        Point(
            when=written(now),
            finished=undated + bisect_right(finished, now),
            known=from_start + bisect_right(known, now),
        )
        for now in sorted({*finished, *known, *filter(None, ends)})
    )
    return BurnUp(points=points, undated=undated)


def dated(text: str | None) -> datetime | None:
    """Return a date as UTC; None for none, and for one so far off that a chart would show nothing else."""
    when = moment(text)
    return when if when and _FIRST_YEAR <= when.year < _YEAR_AFTER else None


def finished_at(story: StoryState) -> datetime | None:
    """Return when a story was finished for good, in UTC; None where it is not, or that is unknown."""
    if story.status is not Status.DONE:
        return None
    if story.planned is not None and (stated := dated(story.planned.completed_at)):
        return stated
    since = None
    for event in reversed(story.events):
        if event.type not in STORY_TYPES:
            continue
        if event.status is not Status.DONE:
            break
        since = dated(event.when) or since
    return since or _last_date(story)


def _known_since(story: StoryState) -> datetime | None:
    if story.planned is not None:
        return None
    return next((when for event in story.events if (when := dated(event.when))), None)


def _last_date(story: StoryState) -> datetime | None:
    return next((when for event in reversed(story.events) if (when := dated(event.when))), None)
