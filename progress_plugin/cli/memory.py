"""Commands that look things up: recent, sessions, extract, memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, TypeVar

import click

from progress_plugin.cli.output import (
    emit,
    example,
    json_option,
    pass_project,
    print_json,
    say_whole,
)
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ICONS, OTHER_ICON
from progress_plugin.log.history import DEFAULT_ENTRIES
from progress_plugin.model.status import SHOWN_WORDS
from progress_plugin.text.bounds import counted, shortened
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.extract import Extract, extract_log
from progress_plugin.usecases.memory import answer_text
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from progress_plugin.usecases.memory.mem_compact import list_compactions, mem_compact, restore_compaction
from progress_plugin.usecases.memory.mem_progress import (
    list_revisions,
    mem_progress,
    read_progress,
    restore_revision,
)
from progress_plugin.usecases.memory.mem_save import import_memory, mem_save
from progress_plugin.usecases.memory.mem_search import mem_search
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


def _number_option(default: int, least: int = 0, most: int | None = None) -> Callable[[_Function], _Function]:
    kind = click.IntRange(least, most)
    return click.option("-n", "number", type=kind, default=default, show_default=True, help="How many.")


@click.command(epilog=example("recent -n 5"))
@_number_option(DEFAULT_ENTRIES)
@click.option("--sessions", "with_sessions", is_flag=True, help="Show as many of the recorded sessions, too.")
@json_option
@pass_project
def recent(project: Project, /, number: int, with_sessions: bool, as_json: bool) -> None:
    """Show the newest entries, archived ones included, and every open blocker."""
    found = recent_of(project, number, sessions=with_sessions)
    emit(as_json, found.as_object(), _recent_lines(found))


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
    """Return an entry's headline, and what belongs below it."""
    icon = ICONS.get(entry.type, OTHER_ICON)
    by = f" (by {entry.writer})" if entry.writer else ""
    plan = f" ({entry.plan})" if entry.plan and entry.story else ""
    subject = f"{entry.story}{plan}: " if entry.story else ""
    yield f"{entry.when or 'undated'}  {icon} {subject}{entry.title}{by}  {entry.id}".rstrip()
    ended = [f"Resolved: {found.ended[entry.id][0]}"] if entry.id in found.ended else []
    below = [*entry.details, *ended]
    yield from (f"{_MARGIN}{text}" for text in below[:MAX_LINES_BELOW])
    if len(below) > MAX_LINES_BELOW:
        yield f"{_MARGIN}{counted(len(below) - MAX_LINES_BELOW, 'more line')}; `recent --json` has all"
    if entry.id in found.evidence:
        yield f"{_MARGIN}{one_line(found.evidence[entry.id].words())}"


@click.command(epilog=example("sessions -n 3"))
@click.argument("named", metavar="[ID]", required=False)
@_number_option(DEFAULT_SESSIONS)
@json_option
@pass_project
def sessions(project: Project, /, named: str | None, number: int, as_json: bool) -> None:
    """List the sessions read from the clients' transcripts, the last one first.

    With an ID, or its beginning, or `last`, show one: requests, files, checks, commits, open tasks.
    """
    if named is not None:
        lines, facts = session_details(project, named)
        emit(as_json, facts, lines)
        return
    found = list_sessions(project, number)
    nothing = ["No session was read yet: a client's transcript is read at the session's end."]
    emit(as_json, {"sessions": [asdict(each) for each in found]}, [*map(_session_line, found)] or nothing)


def _session_line(session: SessionView) -> str:
    files = f"{counted(session.changed, 'file')} changed"
    failing = f", failing: {one_line(', '.join(session.failing))}" if session.failing else ""
    when = session.ended[:16].replace("T", " ") or "undated"
    worktree = f", in the worktree {one_line(session.worktree)}" if session.worktree else ""
    request = one_line(shortened(session.request, MAX_REQUEST_CHARS))
    return f"{when} {session.short} {request} ({files}{failing}{worktree})"


@click.command(epilog=example("extract progress.md --prd prd.json --json"))
@click.argument("file", type=click.Path())
@click.option("--prd", metavar="FILE", type=click.Path(), help="The plan, for titles and stories not begun.")
@json_option
def extract(file: str, prd: str | None, as_json: bool) -> None:
    """Show the stories and learnings of one Markdown log, with line numbers."""
    found = extract_log(file, prd)
    emit(as_json, _extract_object(found), _extract_lines(found, one_line(file)))


def _extract_object(found: Extract) -> dict[str, Any]:
    return {
        "stories": [
            {"id": row.id, "title": row.title, "status": _status_word(row.status), "line": row.line}
            for row in found.stories
        ],
        "learnings": [
            {
                "kind": learning.kind.value,
                "text": learning.text,
                "line": learning.source.line,
                "story": learning.story,
                "files": list(paths_in(learning.text)),
            }
            for learning in found.learnings
        ],
        "recent": list(found.recent),
    }


def _extract_lines(found: Extract, file: str) -> Iterator[str]:
    yield f"Stories of {file}:" if found.stories else "No stories found."
    for row in found.stories:
        place = f"line {row.line}" if row.line else "plan"
        title = one_line(row.title or "")
        yield f"  {place:<9}  {one_line(row.id or '–')}  {title} ({_status_word(row.status)})"
    yield "Learnings:" if found.learnings else "No learnings found."
    for learning in found.learnings:
        story = f"{one_line(learning.story)}: " if learning.story else ""
        place, kind = f"line {learning.source.line}", learning.kind.value
        yield f"  {place:<9}  {kind}  {story}{one_line(learning.text)}"
    titles = [row.title for row in found.stories if row.line][-len(found.recent) :]
    recent = [one_line(id_ or title or "–") for id_, title in zip(found.recent, titles, strict=False)]
    yield f"Recent, oldest first: {', '.join(recent) or 'none'}"


def _status_word(status: Any) -> str:
    return SHOWN_WORDS[status].replace(" ", "_")


_NAMESPACE = click.option("--namespace", help="A sub-agent's own part.")
_SESSION = click.option("--session-id", help="Default: manual-save.")
_PROJECT = click.option("--project", help='Default: this one; "*" is all.')


@click.group(epilog=example("memory progress"))
def memory() -> None:
    """Progress documents and observations, as the MCP tools keep them."""


@memory.command(epilog=example("memory progress"))
@click.argument("project", required=False)
@click.option("--content", help="JSON to store; - reads standard input. Without it: read.")
@click.option("--base-revision", type=int, help="The revision that the content was made from.")
@click.option("--revision", type=int, help="Read this revision instead of the live one.")
@click.option("--revisions", is_flag=True, help="List what is stored of the document.")
@_NAMESPACE
@_SESSION
@json_option
@click.pass_obj
def progress(directory: str | None, /, project: str | None, as_json: bool, **given: Any) -> int:
    """Read or store the progress document of PROJECT (default: this project)."""
    place = memory_location(directory)
    name = _name(place, project)
    revision, every = given.pop("revision"), given.pop("revisions")
    if every:
        return _print_list(list_revisions(place, name, given["namespace"]), as_json)
    if revision is not None:
        answer = read_progress(place, name, given["namespace"], revision)
    else:
        answer = mem_progress(place, name, _read_text(given.pop("content")), **given, now=_now())
    has_found = answer.get("saved") or answer["found"]
    return _print_answer(answer, answer_text.progress_text, as_json, has_found=has_found)


@memory.command(epilog=example('memory save --title "Tide gate" --type decision --content "Shut at night"'))
@click.option("--title", required=True)
@click.option("--content", required=True, help="- reads standard input.")
@click.option("--type", "kind", required=True, help="decision, bugfix, pattern, discovery, …")
@click.option("--project", help="Default: this one.")
@click.option("--scope", help="project (default) or personal.")
@click.option("--topic-key", help="The same key again makes the next revision.")
@_NAMESPACE
@_SESSION
@json_option
@click.pass_obj
def save(directory: str | None, /, content: str, as_json: bool, **given: Any) -> int:
    """Keep one observation."""
    place = memory_location(directory)
    answer = mem_save(place, given.pop("title"), _read_text(content), given.pop("kind"), **given, now=_now())
    return _print_answer(answer, answer_text.save_text, as_json)


@memory.command(epilog=example('memory search "tide gate"'))
@click.argument("query")
@_PROJECT
@click.option("--type", "kind", help="Only this type.")
@click.option("--limit", type=int, help="1 to 50, default 10.")
@json_option
@click.pass_obj
def search(directory: str | None, /, query: str, as_json: bool, **given: Any) -> int:
    """Find observations that have all the words of QUERY."""
    answer = mem_search(memory_location(directory), query, **given)
    return _print_answer(answer, answer_text.search_text, as_json, has_found=answer["count"] > 0)


@memory.command(epilog=example("memory compact --older-than-days 90"))
@click.option("--older-than-days", type=float, required=True)
@_PROJECT
@click.option("--scope")
@click.option("--ids", "compact_ids", help="JSON array of the ids to take; without it candidates are listed.")
@click.option("--summary-title")
@click.option("--summary-content")
@click.option("--limit", type=int, help="1 to 200, default 50.")
@_NAMESPACE
@_SESSION
@json_option
@click.pass_obj
def compact(directory: str | None, /, older_than_days: float, as_json: bool, **given: Any) -> int:
    """List old observations, or take those named by --ids and leave a summary."""
    answer = mem_compact(memory_location(directory), older_than_days, **given, now=_now())
    return _print_answer(answer, answer_text.compact_text, as_json)


@memory.command(epilog=example("memory restore --list"))
@click.argument("number", type=int, required=False)
@click.option("--list", "listed", is_flag=True, help="List the compactions instead.")
@click.option("--progress", "project", help="Restore the progress document of this project instead.")
@click.option("--revision", type=int, help="Which revision of it; needed with --progress.")
@_NAMESPACE
@json_option
@click.pass_obj
def restore(directory: str | None, /, as_json: bool, **given: Any) -> int:
    """Undo the last compaction, or compaction NUMBER; or bring a progress document back."""
    place = memory_location(directory)
    if given["listed"]:
        return _print_list(list_compactions(place), as_json)
    if given["project"] is None:
        answer = restore_compaction(place, given["number"], now=_now())
        return _print_answer(answer, answer_text.restore_text, as_json)
    if given["revision"] is None:
        raise BadInput("--progress needs --revision; `memory progress PROJECT --revisions` lists them")
    answer = restore_revision(place, given["project"], given["namespace"], given["revision"], now=_now())
    return _print_answer(answer, answer_text.progress_text, as_json)


@memory.command("import", epilog=example("memory import ~/.hoofy/memory.db"))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, resolve_path=True))
@json_option
@click.pass_obj
def import_(directory: str | None, /, file: str, as_json: bool) -> int:
    """Copy the observations and documents that Hoofy or engram kept in FILE."""
    answer = import_memory(memory_location(directory), file, now=_now())
    return _print_answer(answer, answer_text.import_text, as_json)


def _read_text(value: str | None) -> str | None:
    return sys.stdin.buffer.read().decode("utf-8", "replace") if value == "-" else value


def _now() -> datetime:
    return datetime.now(UTC)


def _name(place: MemoryLocation, project: str | None) -> str:
    name = project or place.name
    if name is None:
        raise BadInput("there is no project here; name one: memory progress PROJECT")
    return name


def _print_answer(
    answer: dict[str, Any], text: Callable[[dict[str, Any]], str], as_json: bool, *, has_found: bool = True
) -> int:
    """Print an answer; the exit code is 1 if nothing was found."""
    if as_json:
        print_json({name: value for name, value in answer.items() if name != "text"})
    else:
        say_whole(text(answer))
    return 0 if has_found else 1


def _print_list(rows: list[dict[str, Any]], as_json: bool) -> int:
    lines = (
        "  ".join(f"{name} {one_line(str(value))}" for name, value in row.items() if value is not None)
        for row in rows
    )
    emit(as_json, rows, lines)
    return 0
