"""The command memory: progress documents and observations."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import Answer, command, example_line, named_directory, whole
from progress_plugin.core.errors import BadInput
from progress_plugin.usecases.answers import render_answer
from progress_plugin.usecases.memory import mem_compact, mem_progress, observations
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from progress_plugin.usecases.memory.tool import MemoryTool

_NAMESPACE = click.option("--namespace", help="Use the separate document of a sub-agent.")
_PROJECT = click.option("--project", help='Default: this one; "*" is all.')


@click.group(epilog=example_line("memory progress"))
def memory() -> None:
    """Keep progress documents and observations, as the MCP tools do."""


@command("memory progress", memory, in_project=False)
@click.argument("project", required=False)
@click.option("--content", help="JSON to store; - reads standard input. Without it: read.")
@click.option("--base-revision", type=int, help="The revision that the content was made from.")
@click.option("--revision", type=int, help="Read this revision instead of the live one.")
@click.option("--revisions", "is_list", is_flag=True, help="List the stored revisions.")
@_NAMESPACE
def progress(
    project: str | None, content: str | None, revision: int | None, is_list: bool, **given: Any
) -> Answer:
    """Read or store the progress document of PROJECT (default: this project)."""
    place = _place()
    name = project or place.name
    if name is None:
        raise BadInput("there is no project here; name one: memory progress PROJECT")
    if is_list:
        rows = mem_progress.list_revisions(place, name, given["namespace"])
        return Answer(rows, "memory_rows", values={"rows": rows})
    if revision is not None:
        answer = mem_progress.read_progress(place, name, given["namespace"], revision)
    else:
        values = {"project": name, "content": _read_text(content), **given}
        answer = mem_progress.Progress.check(values).run(place, datetime.now(UTC))
    return _render_answer(answer, "memory_progress", has_found=answer.get("saved") or answer["found"])


@command('memory save --title Gate --type decision --content "Shut at night"', memory, in_project=False)
@click.option("--title", required=True)
@click.option("--content", required=True, help="- reads standard input.")
@click.option("--type", required=True, help="decision, bugfix, pattern, discovery, …")
@click.option("--project", help="Default: this one.")
@click.option("--scope", help="project (default) or personal.")
@click.option("--topic-key", help="The same key again makes the next revision.")
def save(content: str, **given: Any) -> Answer:
    """Keep one observation."""
    return _call(observations.Save.check({"content": _read_text(content), **given}))


@command('memory search "tide gate"', memory, in_project=False)
@click.argument("query")
@_PROJECT
@click.option("--type", help="Only this type.")
@click.option("--limit", type=int, help="1 to 50, default 10.")
def search(**given: Any) -> Answer:
    """Find observations with all the words of QUERY, and passages of the history."""
    answer = _call(observations.Search.check(given))
    return answer._replace(code=0 if answer.data["count"] else 1)


@command("memory compact --older-than-days 90", memory, in_project=False)
@click.option("--older-than-days", type=float, required=True)
@_PROJECT
@click.option("--scope", help="project or personal; default: both.")
@click.option("--ids", "compact_ids", help="JSON array of ids to replace; without it old ones are listed.")
@click.option("--summary-title")
@click.option("--summary-content")
@click.option("--limit", type=int, help="1 to 200, default 50.")
def compact(**given: Any) -> Answer:
    """List old observations, or replace those in --ids by a summary."""
    return _call(mem_compact.Compact.check(given))


@command("memory restore --list", memory, in_project=False)
@click.argument("number", type=int, required=False)
@click.option("--list", "is_list", is_flag=True, help="List the compactions instead.")
@click.option("--progress", "project", help="Restore the progress document of this project instead.")
@click.option("--revision", type=int, help="Which revision of it; needed with --progress.")
@_NAMESPACE
def restore(
    number: int | None, is_list: bool, project: str | None, revision: int | None, namespace: str | None
) -> Answer:
    """Undo the last compaction, or compaction NUMBER; or bring a progress document back."""
    place = _place()
    if is_list:
        rows = mem_compact.list_compactions(place)
        return Answer(rows, "memory_rows", values={"rows": rows})
    if project is None:
        answer = mem_compact.restore_compaction(place, number, now=datetime.now(UTC))
        return _render_answer(answer, "memory_restore")
    if revision is None:
        raise BadInput("--progress needs --revision; `memory progress PROJECT --revisions` lists them")
    answer = mem_progress.restore_revision(place, project, namespace, revision, now=datetime.now(UTC))
    return _render_answer(answer, "memory_progress")


@command("memory import ~/.hoofy/memory.db", memory, name="import", in_project=False)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, resolve_path=True))
def import_(file: str) -> Answer:
    """Copy the observations and documents that Hoofy or engram kept in FILE."""
    return Answer(observations.import_memory(_place(), file, now=datetime.now(UTC)), "memory_import")


def _call(tool: MemoryTool) -> Answer:
    return _render_answer(tool.run(_place(), datetime.now(UTC)), tool.template)


def _place() -> MemoryLocation:
    return memory_location(named_directory())


def _read_text(value: str | None) -> str | None:
    return sys.stdin.buffer.read().decode("utf-8", "replace") if value == "-" else value


def _render_answer(answer: dict[str, Any], template: str, *, has_found: bool = True) -> Answer:
    """Return the answer of a tool; the exit code is 1 if nothing was found."""
    data = {name: value for name, value in answer.items() if name != "text"}
    return Answer(data, text=whole(render_answer(template, answer)), code=0 if has_found else 1)
