"""The command memory: the tools of the MCP server by hand."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import print_json, say, say_whole
from progress_plugin.core.errors import BadInput
from progress_plugin.usecases.memory import answer_text
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from progress_plugin.usecases.memory.mem_compact import mem_compact
from progress_plugin.usecases.memory.mem_progress import (
    list_revisions,
    mem_progress,
    read_progress,
    restore_revision,
)
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.memory.mem_search import mem_search
from progress_plugin.usecases.memory.restore_compaction import list_compactions, restore_compaction

_JSON = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
_NAMESPACE = click.option("--namespace", help="A sub-agent's own part.")
_SESSION = click.option("--session-id", help="Default: manual-save.")
_PROJECT = click.option("--project", help='Default: this one; "*" is all.')


@click.group(epilog="Example: agent-progress memory progress")
def memory() -> None:
    """Progress documents and observations, as the MCP tools keep them."""


@memory.command(epilog="Example: agent-progress memory progress")
@click.argument("project", required=False)
@click.option("--content", help="JSON to store; - reads standard input. Without it: read.")
@click.option("--base-revision", type=int, help="The revision that the content was made from.")
@click.option("--revision", type=int, help="Read this revision instead of the live one.")
@click.option("--revisions", is_flag=True, help="List what is stored of the document.")
@_NAMESPACE
@_SESSION
@_JSON
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
        answer = mem_progress(place, name, _text(given.pop("content")), **given, now=_now())
    _print(answer, answer_text.progress_text(answer), as_json)
    return 0 if answer.get("saved") or answer["found"] else 1


@memory.command(
    epilog='Example: agent-progress memory save --title "Tide gate" --type decision --content "Shut at night"'
)
@click.option("--title", required=True)
@click.option("--content", required=True, help="- reads standard input.")
@click.option("--type", "kind", required=True, help="decision, bugfix, pattern, discovery, …")
@click.option("--project", help="Default: this one.")
@click.option("--scope", help="project (default) or personal.")
@click.option("--topic-key", help="The same key again makes the next revision.")
@_NAMESPACE
@_SESSION
@_JSON
@click.pass_obj
def save(directory: str | None, /, content: str, as_json: bool, **given: Any) -> int:
    """Keep one observation."""
    place = memory_location(directory)
    answer = mem_save(place, given.pop("title"), _text(content), given.pop("kind"), **given, now=_now())
    return _print(answer, answer_text.save_text(answer), as_json)


@memory.command(epilog='Example: agent-progress memory search "tide gate"')
@click.argument("query")
@_PROJECT
@click.option("--type", "kind", help="Only this type.")
@click.option("--limit", type=int, help="1 to 50, default 10.")
@_JSON
@click.pass_obj
def search(directory: str | None, /, query: str, as_json: bool, **given: Any) -> int:
    """Find observations that have all the words of QUERY."""
    answer = mem_search(memory_location(directory), query, **given)
    _print(answer, answer_text.search_text(answer), as_json)
    return 0 if answer["count"] else 1


@memory.command(epilog="Example: agent-progress memory compact --older-than-days 90")
@click.option("--older-than-days", type=float, required=True)
@_PROJECT
@click.option("--scope")
@click.option("--ids", "compact_ids", help="JSON array of the ids to take; without it candidates are listed.")
@click.option("--summary-title")
@click.option("--summary-content")
@click.option("--limit", type=int, help="1 to 200, default 50.")
@_NAMESPACE
@_SESSION
@_JSON
@click.pass_obj
def compact(directory: str | None, /, older_than_days: float, as_json: bool, **given: Any) -> int:
    """List old observations, or take those named by --ids and leave a summary."""
    answer = mem_compact(memory_location(directory), older_than_days, **given, now=_now())
    return _print(answer, answer_text.compact_text(answer), as_json)


@memory.command(epilog="Example: agent-progress memory restore --list")
@click.argument("number", type=int, required=False)
@click.option("--list", "listed", is_flag=True, help="List the compactions instead.")
@click.option("--progress", "project", help="Restore the progress document of this project instead.")
@click.option("--revision", type=int, help="Which revision of it; needed with --progress.")
@_NAMESPACE
@_JSON
@click.pass_obj
def restore(directory: str | None, /, as_json: bool, **given: Any) -> int:
    """Undo the last compaction, or compaction NUMBER; or bring a progress document back."""
    place = memory_location(directory)
    if given["listed"]:
        return _print_list(list_compactions(place), as_json)
    if given["project"] is None:
        answer = restore_compaction(place, given["number"], now=_now())
        return _print(answer, answer_text.restore_text(answer), as_json)
    if given["revision"] is None:
        raise BadInput("--progress needs --revision; `memory progress PROJECT --revisions` lists them")
    answer = restore_revision(place, given["project"], given["namespace"], given["revision"], now=_now())
    return _print(answer, answer_text.progress_text(answer), as_json)


def _text(value: str | None) -> str | None:
    return sys.stdin.buffer.read().decode("utf-8", "replace") if value == "-" else value


def _now() -> datetime:
    return datetime.now(UTC)


def _name(place: MemoryLocation, project: str | None) -> str:
    name = project or place.name
    if name is None:
        raise BadInput("there is no project here; name one: memory progress PROJECT")
    return name


def _print(answer: dict[str, Any], text: str, as_json: bool) -> int:
    if as_json:
        print_json({name: value for name, value in answer.items() if name != "text"})
    else:
        say_whole(text)
    return 0


def _print_list(rows: list[dict[str, Any]], as_json: bool) -> int:
    if as_json:
        print_json(rows)
        return 0
    for row in rows:
        told = (f"{name} {value}" for name, value in row.items() if value is not None)
        say("  ".join(told))
    return 0
