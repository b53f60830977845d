"""Commands that list the newest work: recent, sessions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from progress_plugin.cli.output import (
    emit,
    json_option,
    pass_project,
    progress_note,
)
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ICONS, OTHER_ICON, text_of, time_of, writer_of
from progress_plugin.log.recent_entries import DEFAULT, below_headline, headline
from progress_plugin.log.timestamp import written
from progress_plugin.summary.shown_blockers import Blocked
from progress_plugin.text.bounds import counted, shortened
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recent import RecentWork, recent_of, vanished_of
from progress_plugin.usecases.sessions.listing import SHOWN, ListedSession, session_of, sessions_of

MAX_WRITER_CHARS = 60
MAX_LINE_CHARS = 1000  # `--json` has all of a line
MAX_LINES_BELOW = 20  # lines below one entry
MAX_TIME_CHARS = 20
MAX_REQUEST_CHARS = 100
_MARGIN = " " * len("2026-11-22T00:39:44Z  🔧  ")


@click.command(
    help="Show the newest entries, archived ones included, and every open blocker.",
    epilog="Example: agent-progress recent -n 5",
)
@click.option(
    "-n", "number", type=click.IntRange(min=0), default=DEFAULT, show_default=True, help="How many."
)
@click.option("--sessions", "with_sessions", is_flag=True, help="Show as many of the recorded sessions, too.")
@json_option
@pass_project
def recent(project: Project, /, number: int, with_sessions: bool, as_json: bool) -> None:
    """Show the newest entries."""
    with progress_note("reading log and archive"):
        found = recent_of(project, number, sessions=with_sessions)
        vanished = vanished_of(project)
    notes = [f"Note: {vanished}"] if vanished else []
    data = _recent_object(found) | ({"notes": [vanished]} if vanished else {})
    emit(as_json, data, [*_recent_lines(found), *notes])


def _recent_object(found: RecentWork) -> dict[str, Any]:
    proven = {
        name: {**evidence._asdict(), "words": evidence.words()} for name, evidence in found.evidence.items()
    }
    data = found.recent._asdict() | ({"evidence": proven} if proven else {})
    if found.ended:
        data["resolved"] = {name: {"how": each.how, "by": each.by} for name, each in found.ended.items()}
    if found.sessions is not None:
        data["sessions"] = [each._asdict() for each in found.sessions]
    return data


def _recent_lines(found: RecentWork) -> Iterator[str]:
    yield one_line(found.recent.summary)
    for entry, plan in zip(found.recent.entries, found.plans, strict=True):
        yield from _entry_lines(found, entry, plan)
    if found.blocked:
        yield "Open blockers:"
    for each in found.blocked:
        reason = " - ".join(text for text in (each.title, each.issue) if text)
        by = f" (by {one_line(each.by, MAX_WRITER_CHARS)})" if each.by else ""
        yield f"  {_blocker_source(each)}  {one_line(f'{each.name}: {reason}' if reason else each.name)}{by}"
    if found.sessions is not None:
        yield "Sessions:" if found.sessions else "Sessions: none was read yet"
    for session in found.sessions or ():
        yield f"  {_session_line(session)}"


def _entry_lines(found: RecentWork, entry: dict[str, Any], plan: str | None) -> Iterator[str]:
    """Return an entry's headline, and what belongs below it."""
    icon = ICONS.get(text_of(entry, "type") or "", OTHER_ICON)
    writer = writer_of(entry)
    by = f" (by {one_line(writer, MAX_WRITER_CHARS)})" if writer else ""
    title = f"{_subject(entry, plan)}{one_line(headline(entry), MAX_LINE_CHARS)}"
    yield f"{_entry_time(entry)}  {icon} {title}{by}"
    name = text_of(entry, "id") or ""
    below = [*below_headline(entry), *found.below.get(name, ())]
    yield from (f"{_MARGIN}{one_line(text, MAX_LINE_CHARS)}" for text in below[:MAX_LINES_BELOW])
    if len(below) > MAX_LINES_BELOW:
        yield f"{_MARGIN}{counted(len(below) - MAX_LINES_BELOW, 'more line')}; `recent --json` has all"
    if name in found.evidence:
        yield f"{_MARGIN}{one_line(found.evidence[name].words())}"


def _blocker_source(blocker: Blocked) -> str:
    """Return the ids of the entries that state a blocker, or the place that does."""
    ids = [each.id for each in blocker.blockers if each.id]
    places = [f"{at.source}:{at.line}" if at.line else at.source for at in blocker.origins if at.source]
    return one_line(", ".join(ids) or next(iter(places), "") or "(no id)")


def _entry_time(entry: dict[str, Any]) -> str:
    """Return an entry's time in UTC; a bare day, or text that is not a time, as it is."""
    text = text_of(entry, "timestamp") or "undated"
    when = time_of(entry) if ":" in text else None
    return written(when) if when else one_line(text, MAX_TIME_CHARS)


def _subject(entry: dict[str, Any], plan: str | None) -> str:
    """Return the story with its spec, and its plan if that is not the primary one."""
    spec = text_of(entry, "spec")
    is_named_by_plan = bool(plan and spec) and (spec or "").casefold() in (plan or "").casefold()
    fields = ("task_id",) if is_named_by_plan else ("spec", "task_id")
    names = [name for field in fields if (name := text_of(entry, field))]
    return f"{one_line(' '.join(names) + (f' ({plan})' if plan else ''))}: " if names else ""


@click.command(
    help="List the sessions read from the clients' transcripts, the last one first; with an ID, or its "
    "beginning, or `last`, show one: requests, files, checks, commits, open tasks.",
    epilog="Example: agent-progress sessions -n 3",
)
@click.argument("named", metavar="[ID]", required=False)
@click.option("-n", "number", type=click.IntRange(min=0), default=SHOWN, show_default=True, help="How many.")
@json_option
@pass_project
def sessions(project: Project, /, named: str | None, number: int, as_json: bool) -> None:
    """List sessions, or show one."""
    if named is not None:
        details = session_of(project, named)
        emit(as_json, details.facts, details.lines)
        return
    found = sessions_of(project, number)
    nothing = ["No session was read yet: a client's transcript is read at the session's end."]
    emit(as_json, {"sessions": [each._asdict() for each in found]}, [*map(_session_line, found)] or nothing)


def _session_line(session: ListedSession) -> str:
    files = f"{counted(session.changed, 'file')} changed"
    failing = f", failing: {', '.join(session.failing)}" if session.failing else ""
    when = session.ended[:16].replace("T", " ") or "undated"
    worktree = f", in the worktree {session.worktree}" if session.worktree else ""
    request = shortened(session.request, MAX_REQUEST_CHARS)
    return one_line(f"{when}  {session.short}  {request} ({files}{failing}{worktree})")
