"""View the team of a project as this clone knows it: its writers, their last work and their blockers.

It comes from the local log, which has the entries of others by git or by the last sync: no server is asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.log import shared_entries
from progress_plugin.log.entry import text_of, time_of, writer_of
from progress_plugin.log.merge import effective
from progress_plugin.log.progress_md import headline, type_words
from progress_plugin.log.store import read_all_entries
from progress_plugin.log.timestamp import written
from progress_plugin.model.work import Claim
from progress_plugin.team.state import load_with_waiting
from progress_plugin.usecases import views
from progress_plugin.usecases.sharing import read_current

DAYS = 14  # for which finished stories are counted by day, today included


def team_view(project: Project, now: datetime) -> views.View:
    """Return the work of all clones as of `now`, in UTC, as docs/commands.md describes it.

    Blockers on branches of other clones are shown too.
    """
    reading = read_current(project)
    facts, directory = reading.facts, project.log_directory
    standing = load_with_waiting(project)
    entries = effective(read_all_entries(directory), reading.log.retracted_ids)
    known = views.entries_by_id(entries)
    blockers = views.view_blockers(facts)
    shown = {each["entry"] for each in blockers} | views.describe_ends(facts, known).keys()
    elsewhere = [
        entry for entry in reading.log.blockers() if writer_of(entry) and text_of(entry, "id") not in shown
    ]
    days = tuple(written(now - timedelta(days=back))[:10] for back in range(DAYS - 1, -1, -1))
    return {
        "project": facts.name,
        "days": days,
        "writers": _view_writers(entries, facts.claims, shared_entries.known_writer(directory) or "", days),
        "blockers": [*blockers, *map(views.view_logged_blocker, elsewhere)],
        "claims": [claim._asdict() for claim in facts.claims],
        "through_git": reading.settings.share,
        "through_server": standing is not None,
        "synced": standing.done if standing else "",
        "outage": standing.line() if standing else "",
    }


def _view_writers(
    entries: Iterable[dict[str, Any]], claims: Iterable[Claim], own: str, days: Sequence[str]
) -> list[views.View]:
    """Return the clones, this one always, those seen last first."""
    written_by: dict[str, list[dict[str, Any]]] = defaultdict(list, {"": []})
    for entry in sorted(entries, key=_time):
        written_by[writer_of(entry) or ""].append(entry)
    claimed: dict[str, list[Claim]] = defaultdict(list)
    for claim in sorted(claims, key=lambda each: each.since):
        claimed[claim.writer or ""].append(claim)
    found = [
        _view_writer(name, own, written_by[name], claimed[name], days) for name in {**written_by, **claimed}
    ]
    return sorted(found, key=itemgetter("last_seen", "here", "writer"), reverse=True)


def _view_writer(
    name: str, own: str, entries: Sequence[dict[str, Any]], claims: Sequence[Claim], days: Sequence[str]
) -> views.View:
    """Return a clone: its newest entry, its stories by day for as many as `days`, and its claims."""
    newest = entries[-1] if entries else {}
    finished = {
        (text_of(entry, "spec"), text_of(entry, "task_id") or text_of(entry, "id")): _time(entry)[:10]
        for entry in entries
        if entry.get("type") == "task_completed"
    }
    per_day = Counter(finished.values())
    story, text = text_of(newest, "task_id"), headline(newest) if newest else ""
    return {
        "writer": views.as_line(name or own, views.MAX_TITLE_CHARS),
        "here": not name,
        "last_seen": max([*map(_time, entries), *(claim.since for claim in claims)], default=""),
        "branch": views.as_line(text_of(newest, "branch"), views.MAX_TITLE_CHARS),
        "did": views.as_line(type_words(newest), views.MAX_TITLE_CHARS) if newest else "",
        "text": views.as_line(f"{story}: {text}" if story and story != text else text, views.MAX_TITLE_CHARS),
        "finished": {day: per_day[day] for day in days if per_day[day]},
        "claims": [views.as_line(each.story, views.MAX_TITLE_CHARS) for each in claims],
    }


def _time(entry: dict[str, Any]) -> str:
    moment = time_of(entry)
    return written(moment) if moment else ""
