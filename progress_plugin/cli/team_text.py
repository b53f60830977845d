"""Text of `status --team`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.team_view import DAYS, TeamBlocker, TeamView, TeamWriter

_MINUTE = len("2026-11-23T10:02")


def team_lines(view: TeamView, now: datetime) -> list[str]:
    """Return the view in lines: who, where, what is blocked, what was finished on which day."""
    return [*_heading(view), "", *_people(view), *_stuck(view), *_per_day(view, now)]


def _heading(view: TeamView) -> Iterator[str]:
    yield f"{view.project}: {counted(len(view.writers), 'clone')}"
    if view.through_server:
        yield f"Last sync with the team's server: {_minute(view.synced) or 'none yet'}"
        yield from [f"Team: {view.outage}"] if view.outage else []
    elif view.through_git:
        yield "Shared through git: as of the last pull"
    else:
        yield "Not shared: this is what was written here. docs/many-machines.md says how a team shares it"


def _people(view: TeamView) -> Iterator[str]:
    names = [_name(each) for each in view.writers]
    width = max(map(len, names), default=0)
    for name, each in zip(names, view.writers, strict=True):
        yield f"{name:<{width}}  {_seen(each)}"
        story = f"{each.story}: {each.said}" if each.story and each.said != each.story else each.said
        if each.claims:
            yield f"{'':<{width}}  claims {some_of(each.claims)}"
        if story:
            yield f"{'':<{width}}  last {story}{_of_then(each)}"


def _seen(each: TeamWriter) -> str:
    if not each.did:
        return "nothing logged yet"
    where = f", on {each.branch}" if each.branch else ""
    return f"{_minute(each.last_seen) or 'without a time'}{where}: {each.did}"


def _of_then(each: TeamWriter) -> str:
    """Return what and when that was, where it is not the moment that the clone was last seen."""
    if (each.story_when, each.story_did) == (each.last_seen, each.did):
        return ""
    return f" ({', '.join(filter(None, (each.story_did, _minute(each.story_when))))})"


def _stuck(view: TeamView) -> Iterator[str]:
    if not view.blockers:
        yield from ("", "Blocked: nobody")
        return
    yield from ("", "Blocked:")
    for each in view.blockers:
        yield f"- {_said(each)}"


def _said(each: TeamBlocker) -> str:
    said = f"{each.story} - {each.issue}" if each.issue and each.issue != each.story else each.story
    who = f"by {each.writer}" if each.writer else ""
    told = ", ".join(filter(None, (who, f"since {_minute(each.since)}" if each.since else "")))
    return f"{one_line(said)} ({told})" if told else one_line(said)


def _per_day(view: TeamView, now: datetime) -> Iterator[str]:
    days = [day for day in view.days if any(day in each.finished for each in view.writers)]
    if not days:
        yield from ("", f"Finished in {DAYS} days: nothing")
        return
    yield from ("", f"Finished in {DAYS} days:")
    today = now.date().isoformat()
    for day in days:
        by = [f"{_name(each)} {each.finished[day]}" for each in view.writers if day in each.finished]
        total = sum(each.finished.get(day, 0) for each in view.writers)
        yield f"- {'today     ' if day == today else day}  {total}: {', '.join(by)}"


def _name(each: TeamWriter) -> str:
    return f"{each.writer} (this clone)" if each.here and each.writer else each.writer or "this clone"


def _minute(when: str) -> str:
    return f"{when[:_MINUTE].replace('T', ' ')} UTC" if when else ""
