"""Commands that list the newest work: recent, sessions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from progress_plugin.cli.output import (
    emit,
    json_option,
    pass_project,
    progress_note,
)
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ICONS, OTHER_ICON
from progress_plugin.log.recent import DEFAULT_ENTRIES
from progress_plugin.text.bounds import counted, shortened
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recent import RecentWork, recent_of, vanished_of
from progress_plugin.usecases.sessions.views import (
    DEFAULT_SESSIONS,
    ListedSession,
    list_sessions,
    session_details,
)
from progress_plugin.usecases.views import EntryView, describe_blocker

MAX_LINES_BELOW = 20  # lines below one entry
MAX_REQUEST_CHARS = 100
_MARGIN = " " * len("2026-11-22T00:39:44Z  🔧  ")


@click.command(
    help="Show the newest entries, archived ones included, and every open blocker.",
    epilog="Example: agent-progress recent -n 5",
)
@click.option(
    "-n", "number", type=click.IntRange(min=0), default=DEFAULT_ENTRIES, show_default=True, help="How many."
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
    data = found.recent._asdict() | {"blocked": [asdict(each) for each in found.blocked]}
    if proven:
        data["evidence"] = proven
    if found.ended:
        data["resolved"] = {name: {"how": how, "by": by} for name, (how, by) in found.ended.items()}
    if found.sessions is not None:
        data["sessions"] = [each._asdict() for each in found.sessions]
    return data


def _recent_lines(found: RecentWork) -> Iterator[str]:
    yield one_line(found.recent.summary)
    for entry in found.entries:
        yield from _entry_lines(found, entry)
    if found.blocked:
        yield "Open blockers:"
    for each in found.blocked:
        yield f"  {each.entry or each.place}  {describe_blocker(each)}"
    if found.recorded:
        yield f"Sessions: {found.recorded}"
    if found.sessions is not None:
        yield "Sessions:" if found.sessions else "Sessions: none was read yet"
    for session in found.sessions or ():
        yield f"  {_session_line(session)}"


def _entry_lines(found: RecentWork, entry: EntryView) -> Iterator[str]:
    """Return an entry's headline, and what belongs below it."""
    icon = ICONS.get(entry.type, OTHER_ICON)
    by = f" (by {entry.writer})" if entry.writer else ""
    plan = f" ({entry.plan})" if entry.plan and entry.story else ""
    subject = f"{entry.story}{plan}: " if entry.story else ""
    yield f"{entry.when or 'undated'}  {icon} {subject}{entry.title}{by}"
    ended = [f"Resolved: {found.ended[entry.id][0]}"] if entry.id in found.ended else []
    below = [*entry.details, *ended]
    yield from (f"{_MARGIN}{text}" for text in below[:MAX_LINES_BELOW])
    if len(below) > MAX_LINES_BELOW:
        yield f"{_MARGIN}{counted(len(below) - MAX_LINES_BELOW, 'more line')}; `recent --json` has all"
    if entry.id in found.evidence:
        yield f"{_MARGIN}{one_line(found.evidence[entry.id].words())}"


@click.command(
    help="List the sessions read from the clients' transcripts, the last one first; with an ID, or its "
    "beginning, or `last`, show one: requests, files, checks, commits, open tasks.",
    epilog="Example: agent-progress sessions -n 3",
)
@click.argument("named", metavar="[ID]", required=False)
@click.option(
    "-n", "number", type=click.IntRange(min=0), default=DEFAULT_SESSIONS, show_default=True, help="How many."
)
@json_option
@pass_project
def sessions(project: Project, /, named: str | None, number: int, as_json: bool) -> None:
    """List sessions, or show one."""
    if named is not None:
        details = session_details(project, named)
        emit(as_json, details.facts, details.lines)
        return
    found = list_sessions(project, number)
    nothing = ["No session was read yet: a client's transcript is read at the session's end."]
    emit(as_json, {"sessions": [each._asdict() for each in found]}, [*map(_session_line, found)] or nothing)


def _session_line(session: ListedSession) -> str:
    files = f"{counted(session.changed, 'file')} changed"
    failing = f", failing: {', '.join(session.failing)}" if session.failing else ""
    when = session.ended[:16].replace("T", " ") or "undated"
    worktree = f", in the worktree {session.worktree}" if session.worktree else ""
    request = shortened(session.request, MAX_REQUEST_CHARS)
    return one_line(f"{when}  {session.short}  {request} ({files}{failing}{worktree})")
