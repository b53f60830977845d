"""Commands that list what was done: recent, sessions, extract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from progress_plugin.cli.output import Answer, command
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ICONS, OTHER_ICON
from progress_plugin.text.bounds import counted, shortened
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.sessions.views import DEFAULT_SESSIONS, list_sessions, session_details
from progress_plugin.usecases.status import Extract, RecentWork, extract_log, recent_of
from progress_plugin.usecases.views import View, describe_blocker

DEFAULT_ENTRIES = 20
MAX_LINES_BELOW = 20  # lines below one entry
MAX_REQUEST_CHARS = 100
_COUNT = click.IntRange(0)
_MARGIN = " " * len("2026-11-22T00:39:44Z  🔧  ")


@command("recent -n 5")
@click.option("-n", "number", type=_COUNT, default=DEFAULT_ENTRIES, show_default=True, help="Entry limit.")
@click.option("--sessions", "with_sessions", is_flag=True, help="Show as many of the recorded sessions, too.")
def recent(project: Project, number: int, with_sessions: bool) -> Answer:
    """Show the newest entries, archived ones included, and every open blocker."""
    found = recent_of(project, number, sessions=with_sessions)
    return Answer(found.data, _recent_lines(found))


def _recent_lines(found: RecentWork) -> Iterator[str]:
    yield one_line(found.data["summary"])
    for entry in found.entries:
        yield from _entry_lines(entry)
    if blocked := found.data["blocked"]:
        yield "Open blockers:"
        yield from (f"  {each['entry'] or each['place']}  {describe_blocker(each)}" for each in blocked)
    if found.recorded:
        yield f"Sessions: {one_line(found.recorded)}"
    if (sessions := found.data.get("sessions")) is not None:
        yield "Sessions:" if sessions else "Sessions: none was read yet"
        yield from (f"  {_session_line(session)}" for session in sessions)
    yield from (f"Note: {one_line(note)}" for note in found.data.get("notes", ()))


def _entry_lines(entry: View) -> Iterator[str]:
    """Yield an entry's headline, and what belongs below it."""
    icon = ICONS.get(entry["type"], OTHER_ICON)
    plan = f" ({entry['plan']})" if entry["plan"] else ""
    subject = f"{entry['story']}{plan}: " if entry["story"] else ""
    by = f" (by {entry['writer']})" if entry["writer"] else ""
    yield f"{entry['when'] or 'undated'}  {icon} {subject}{entry['title']}{by}  {entry['id']}".rstrip()
    below = [*entry["details"], *([f"Resolved: {entry['resolved']}"] if entry["resolved"] else [])]
    yield from (f"{_MARGIN}{text}" for text in below[:MAX_LINES_BELOW])
    if len(below) > MAX_LINES_BELOW:
        yield f"{_MARGIN}{counted(len(below) - MAX_LINES_BELOW, 'more line')}; `recent --json` has all"
    if entry["evidence"]:
        yield f"{_MARGIN}{entry['evidence']}"


@command("sessions -n 3")
@click.argument("named", metavar="[ID]", required=False)
@click.option("-n", "number", type=_COUNT, default=DEFAULT_SESSIONS, show_default=True, help="Session limit.")
def sessions(project: Project, named: str | None, number: int) -> Answer:
    """List the sessions read from the clients' transcripts, the last one first.

    With an ID, or its beginning, or `last`, show one: requests, files, checks, commits, open tasks.
    """
    if named is not None:
        lines, facts = session_details(project, named)
        return Answer(facts, lines)
    found = [asdict(each) for each in list_sessions(project, number)]
    nothing = ["No session was read yet: a client's transcript is read at the session's end."]
    return Answer({"sessions": found}, [*map(_session_line, found)] or nothing)


def _session_line(session: View) -> str:
    failing = f", failing: {one_line(', '.join(session['failing']))}" if session["failing"] else ""
    worktree = f", in the worktree {one_line(session['worktree'])}" if session["worktree"] else ""
    what = f"({counted(session['changed'], 'file')} changed{failing}{worktree})"
    when = session["ended"][:16].replace("T", " ") or "undated"
    request = one_line(shortened(session["request"], MAX_REQUEST_CHARS))
    return f"{when} {session['short']} {request} {what}"


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
    data = found._asdict() | {"learnings": learnings, "recent": [story["id"] for story in found.recent]}
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
