"""Who works on a project, where each is, and what all are stuck on, as this clone knows it.

It comes from the local log, which others' entries are in by git or by the last sync: no server is asked.
What lies in `shared/` since the last pull is taken in first, as `recent` does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import writer_identity
from progress_plugin.log.entry import is_claim, text_of, time_of, writer_of
from progress_plugin.log.history import everything
from progress_plugin.log.recent_entries import CLAIMED, headline, type_words
from progress_plugin.log.supplements import effective
from progress_plugin.log.team_standing import team_standing
from progress_plugin.log.timestamp import written
from progress_plugin.model.claim import Claim
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.shown_blockers import blocked
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest
from progress_plugin.usecases.status import shown_blockers
from progress_plugin.usecases.summarizing.gather import gather
from progress_plugin.usecases.summarizing.sources import read_sources

DAYS = 14
"""Days of which is counted what was finished, today among them."""
_LONGEST = 120
_LONGEST_ISSUE = 1000
"""Characters of what blocks somebody, and of a line of anything else: strangers wrote both."""
_DONE = "task_completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamWriter:
    """This clone, or one that an entry or a claim came from."""

    writer: str
    """Its name; empty for this clone where it has none yet."""
    here: bool
    """Whether it is this clone."""
    last_seen: str
    """When its newest entry was written, or its newest claim made, ISO 8601 in UTC; empty without a time."""
    branch: str
    """Of that entry; empty where it was a claim on the server."""
    did: str
    """What kind that entry is, in words: `task completed`; empty where it has logged and claimed nothing."""
    story: str
    """Id of the newest story it wrote about, beside claims; empty for none."""
    said: str
    """What the newest entry on that story says, in one line."""
    story_did: str
    """What kind of entry that was, in words."""
    story_when: str
    """When that was, as `last_seen`."""
    finished: dict[str, int]
    """Stories it finished by day, `YYYY-MM-DD` in UTC, of the last `DAYS` days; days without are left out."""
    finished_in_all: int
    entries: int
    claims: tuple[str, ...]
    """Stories that it claims now, the oldest claim first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamBlocker:
    """What blocks somebody's work: harmless text, each a line."""

    story: str
    issue: str
    since: str
    writer: str
    """Who said so; empty for this clone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamView:
    """What is known of everybody's work."""

    project: str
    days: tuple[str, ...]
    """The last `DAYS` days, oldest first."""
    writers: tuple[TeamWriter, ...]
    """Those seen last come first."""
    blockers: tuple[TeamBlocker, ...]
    """Oldest first."""
    claims: tuple[dict[str, Any], ...]
    """As in `status`: story, writer (None for this clone), since, until."""
    through_git: bool
    through_server: bool
    synced: str
    """When the last sync with the server that succeeded ended; empty where there was none."""
    outage: str
    """Since when no sync succeeds, what waits and why, in a line; empty while they do."""


def team_view(project: Project, now: datetime) -> TeamView:
    """Return the view of everybody as of `now`, which carries its zone. Raises what reading a log does.

    What a pull has brought is taken into the log first, where that may be written.
    """
    take_in_latest(project)
    sources = read_sources(project, InputSnapshot(project.root), os.environ)
    facts = gather(sources)
    directory = project.log_directory
    standing = team_standing(project)
    entries = effective(everything(directory), sources.log.index.hidden)
    days = tuple(written(now - timedelta(days=back))[:10] for back in range(DAYS - 1, -1, -1))
    by_id = {text_of(entry, "id"): writer_of(entry) or "" for entry in entries}
    open_blockers = shown_blockers(facts, blocked(read_history(facts)))
    return TeamView(
        project=facts.name,
        days=days,
        writers=_writers(entries, facts.claims, writer_identity.known_writer(directory) or "", days),
        blockers=tuple(
            TeamBlocker(
                story=one_line(each.label, _LONGEST),
                issue=one_line(each.issue, _LONGEST_ISSUE),
                since=each.when or "",
                writer=one_line(by_id.get(each.id, ""), _LONGEST),
            )
            for each in open_blockers
        ),
        claims=tuple(claim._asdict() for claim in facts.claims),
        through_git=sources.settings.share,
        through_server=standing is not None,
        synced=standing.synced if standing else "",
        outage=standing.line() if standing else "",
    )


def _writers(
    entries: Iterable[dict[str, Any]], claims: Iterable[Claim], own: str, days: Sequence[str]
) -> tuple[TeamWriter, ...]:
    written_by: dict[str, list[dict[str, Any]]] = {"": []}
    for entry in entries:
        written_by.setdefault(writer_of(entry) or "", []).append(entry)
    claimed: dict[str, list[Claim]] = {}
    for claim in sorted(claims, key=lambda each: each.since):
        claimed.setdefault(claim.writer or "", []).append(claim)
    seen = [
        _writer(name, own, written_by.get(name, ()), claimed.get(name, ()), days)
        for name in written_by | claimed
    ]
    return tuple(sorted(seen, key=lambda each: (each.last_seen, each.here, each.writer), reverse=True))


def _writer(
    name: str, own: str, entries: Sequence[dict[str, Any]], claims: Sequence[Claim], days: Sequence[str]
) -> TeamWriter:
    """Return one clone; of each moment that is told, what is said is of that very moment."""
    ordered = sorted(entries, key=_when)
    newest = ordered[-1] if ordered else {}
    telling = [entry for entry in ordered if not is_claim(entry)] or ordered
    on_story = next(
        (entry for entry in reversed(telling) if text_of(entry, "task_id")), (telling or [{}])[-1]
    )
    finished = {
        (text_of(entry, "spec"), text_of(entry, "task_id") or text_of(entry, "id")): _when(entry)[:10]
        for entry in ordered
        if entry.get("type") == _DONE
    }
    per_day = Counter(day for day in finished.values() if day in days)
    claimed = claims[-1].since if claims else ""
    is_claim_newer = claimed > _when(newest)
    return TeamWriter(
        writer=one_line(name or own, _LONGEST),
        here=not name,
        last_seen=claimed if is_claim_newer else _when(newest),
        branch="" if is_claim_newer else one_line(text_of(newest, "branch") or "", _LONGEST),
        did=CLAIMED if is_claim_newer else _kind(newest),
        story=one_line(text_of(on_story, "task_id") or "", _LONGEST),
        said=one_line(headline(on_story), _LONGEST) if on_story else "",
        story_did=_kind(on_story),
        story_when=_when(on_story),
        finished={day: per_day[day] for day in days if per_day[day]},
        finished_in_all=len(finished),
        entries=len(ordered),
        claims=tuple(one_line(each.story, _LONGEST) for each in claims),
    )


def _kind(entry: dict[str, Any]) -> str:
    return one_line(type_words(entry), _LONGEST) if entry else ""


def _when(entry: dict[str, Any]) -> str:
    moment = time_of(entry)
    return written(moment) if moment else ""
