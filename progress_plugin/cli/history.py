"""Commands that list what was done: recent, sessions, extract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TypeVar

import click

from progress_plugin.cli.output import Answer, command
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ICONS, OTHER_ICON
from progress_plugin.log.history import DEFAULT_ENTRIES
from progress_plugin.text.bounds import counted, shortened
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.extract import Extract, extract_log
from progress_plugin.usecases.recent import RecentWork, recent_of
from progress_plugin.usecases.sessions.views import (
    DEFAULT_SESSIONS,
    SessionView,
    list_sessions,
    session_details,
)
from progress_plugin.usecases.views import EntryView, describe_blocker

MAX_LINES_BELOW = 20  # lines below one entry
MAX_REQUEST_CHARS = 100
_Function = TypeVar("_Function", bound=Callable[..., Any])
_MARGIN = " " * len("2026-11-22T00:39:44Z  🔧  ")


def _number_option(default: int) -> Callable[[_Function], _Function]:
    kind = click.IntRange(0)
    return click.option("-n", "number", type=kind, default=default, show_default=True, help="How many.")


@command("recent -n 5")
@_number_option(DEFAULT_ENTRIES)
@click.option("--sessions", "with_sessions", is_flag=True, help="Show as many of the recorded sessions, too.")
def recent(project: Project, number: int, with_sessions: bool) -> Answer:
    """Show the newest entries, archived ones included, and every open blocker."""
    found = recent_of(project, number, sessions=with_sessions)
    return Answer(found.as_object(), _recent_lines(found))


def _recent_lines(found: RecentWork) -> Iterator[str]:
    yield one_line(found.recent.summary)
    for entry in found.entries:
        yield from _entry_lines(found, entry)
    if found.blocked:
        yield "Open blockers:"
    for each in found.blocked:
        yield f"  {each.entry or each.place}  {describe_blocker(each)}"
    if found.recorded:
        yield f"Sessions: {one_line(found.recorded)}"
    if found.sessions is not None:
        yield "Sessions:" if found.sessions else "Sessions: none was read yet"
    for session in found.sessions or ():
        yield f"  {_session_line(session)}"
    if found.vanished:
        yield f"Note: {one_line(found.vanished)}"


def _entry_lines(found: RecentWork, entry: EntryView) -> Iterator[str]:
    """Yield an entry's headline, and what belongs below it."""
    icon = ICONS.get(entry.type, OTHER_ICON)
    by = f" (by {entry.writer})" if entry.writer else ""
    plan = f" ({entry.plan})" if entry.plan else ""
    subject = f"{entry.story}{plan}: " if entry.story else ""
    yield f"{entry.when or 'undated'}  {icon} {subject}{entry.title}{by}  {entry.id}".rstrip()
    ended = [f"Resolved: {found.ended[entry.id][0]}"] if entry.id in found.ended else []
    below = [*entry.details, *ended]
    yield from (f"{_MARGIN}{text}" for text in below[:MAX_LINES_BELOW])
    if len(below) > MAX_LINES_BELOW:
        yield f"{_MARGIN}{counted(len(below) - MAX_LINES_BELOW, 'more line')}; `recent --json` has all"
    if entry.id in found.evidence:
        yield f"{_MARGIN}{one_line(found.evidence[entry.id].words())}"


@command("sessions -n 3")
@click.argument("named", metavar="[ID]", required=False)
@_number_option(DEFAULT_SESSIONS)
def sessions(project: Project, named: str | None, number: int) -> Answer:
    """List the sessions read from the clients' transcripts, the last one first.

    With an ID, or its beginning, or `last`, show one: requests, files, checks, commits, open tasks.
    """
    if named is not None:
        lines, facts = session_details(project, named)
        return Answer(facts, lines)
    found = list_sessions(project, number)
    nothing = ["No session was read yet: a client's transcript is read at the session's end."]
    return Answer({"sessions": [asdict(each) for each in found]}, [*map(_session_line, found)] or nothing)


def _session_line(session: SessionView) -> str:
    files = f"{counted(session.changed, 'file')} changed"
    failing = f", failing: {one_line(', '.join(session.failing))}" if session.failing else ""
    when = session.ended[:16].replace("T", " ") or "undated"
    worktree = f", in the worktree {one_line(session.worktree)}" if session.worktree else ""
    request = one_line(shortened(session.request, MAX_REQUEST_CHARS))
    return f"{when} {session.short} {request} ({files}{failing}{worktree})"


@command("extract progress.md --prd prd.json --json", in_project=False)
@click.argument("file", type=click.Path())
@click.option("--prd", metavar="FILE", type=click.Path(), help="The plan, for titles and stories not begun.")
def extract(file: str, prd: str | None) -> Answer:
    """Show the stories and learnings of one Markdown log, with line numbers."""
    found = extract_log(file, prd)
    learnings = [
        {
            "kind": each.kind,
            "text": each.text,
            "line": each.source.line,
            "story": each.story,
            "files": list(paths_in(each.text)),
        }
        for each in found.learnings
    ]
    data = {
        "stories": found.stories,
        "learnings": learnings,
        "recent": [story["id"] for story in found.recent],
    }
    return Answer(data, _extract_lines(found, file))


def _extract_lines(found: Extract, file: str) -> Iterator[str]:
    yield f"Stories of {one_line(file)}:" if found.stories else "No stories found."
    for story in found.stories:
        place = f"line {story['line']}" if story["line"] else "plan"
        name, title = one_line(story["id"] or "–"), one_line(story["title"] or "")
        yield f"  {place:<9}  {name}  {title} ({story['status']})"
    yield "Learnings:" if found.learnings else "No learnings found."
    for learning in found.learnings:
        subject = f"{one_line(learning.story)}: " if learning.story else ""
        yield f"  line {learning.source.line:<4}  {learning.kind}  {subject}{one_line(learning.text)}"
    recent = [one_line(story["id"] or story["title"] or "–") for story in found.recent]
    yield f"Recent, oldest first: {', '.join(recent) or 'none'}"
