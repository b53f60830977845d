"""`agent-progress recent`: the newest entries and the open blockers."""

from __future__ import annotations

from typing import Any

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.cli.sessions import session_line
from progress_plugin.core.project import find_project
from progress_plugin.log.entry import ICONS, OTHER_ICON, text_of, time_of, writer_of
from progress_plugin.log.recent_entries import DEFAULT, below_headline, headline
from progress_plugin.log.timestamp import written
from progress_plugin.summary.shown_blockers import Blocked
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recent import RecentWork, recent_of, vanished_of

_LONGEST_WRITER = 60
_LONGEST_LINE = 1000
"""Characters of one line; `--json` has all, for texts that somebody generated."""
_MOST_BELOW = 20
"""Lines below an entry: whoever adds to it, again and again, makes another."""
_LONGEST_TIME = 20
_MARGIN = " " * len("2026-11-22T00:39:44Z  🔧  ")


@click.command(
    help="Show the newest entries, archived ones included, and every open blocker.",
    epilog="Example: agent-progress recent -n 5",
)
@click.option(
    "-n", "number", type=click.IntRange(min=0), default=DEFAULT, show_default=True, help="How many."
)
@click.option("--sessions", is_flag=True, help="Show as many of the recorded sessions, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, number: int, sessions: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    project = find_project(ctx.obj)
    with progress_note("reading log and archive"):
        told = recent_of(project, number, sessions=sessions)
        vanished = vanished_of(project)
    if as_json:
        print_json(_as_object(told) | ({"notes": [vanished]} if vanished else {}))
        return
    _print(told)
    if vanished:
        say(f"Note: {vanished}")


def _as_object(told: RecentWork) -> dict[str, Any]:
    proven = {name: {**found._asdict(), "words": found.words()} for name, found in told.evidence.items()}
    shown = told.recent._asdict() | ({"evidence": proven} if proven else {})
    if told.ended:
        shown["resolved"] = {name: {"how": each.how, "by": each.by} for name, each in told.ended.items()}
    if told.sessions is not None:
        shown["sessions"] = [each._asdict() for each in told.sessions]
    return shown


def _print(told: RecentWork) -> None:
    say(one_line(told.recent.summary))
    for entry, plan in zip(told.recent.entries, told.plans, strict=True):
        say(f"{_when(entry)}  {_icon(entry)} {_about(entry, plan)}{_line(headline(entry))}{_by(entry)}")
        below = [*below_headline(entry), *told.below.get(text_of(entry, "id") or "", ())]
        for text in below[:_MOST_BELOW]:
            say(f"{_MARGIN}{_line(text)}")
        if len(below) > _MOST_BELOW:
            say(f"{_MARGIN}{counted(len(below) - _MOST_BELOW, 'more line')}; `recent --json` has all")
        proven = told.evidence.get(text_of(entry, "id") or "")
        if proven is not None:
            say(f"{_MARGIN}{one_line(proven.words())}")
    if told.blocked:
        say("Open blockers:")
    for each in told.blocked:
        reason = " - ".join(text for text in (each.title, each.issue) if text)
        by = f" (by {one_line(each.by, _LONGEST_WRITER)})" if each.by else ""
        say(f"  {_where(each)}  {one_line(f'{each.name}: {reason}' if reason else each.name)}{by}")
    if told.sessions is not None:
        say("Sessions:" if told.sessions else "Sessions: none was read yet")
    for session in told.sessions or ():
        say(f"  {session_line(session)}")


def _line(text: str) -> str:
    return one_line(text, _LONGEST_LINE)


def _where(each: Blocked) -> str:
    """Return the ids of the entries that say so, else the place that does."""
    ids = [blocker.id for blocker in each.blockers if blocker.id]
    places = [f"{at.source}:{at.line}" if at.line else at.source for at in each.origins if at.source]
    return one_line(", ".join(ids) or next(iter(places), "") or "(no id)")


def _when(entry: dict[str, Any]) -> str:
    """Return the time of an entry in UTC, whatever its zone; a bare day and what is no time as they are."""
    told = text_of(entry, "timestamp") or "undated"
    when = time_of(entry) if ":" in told else None
    return written(when) if when else one_line(told, _LONGEST_TIME)


def _icon(entry: dict[str, Any]) -> str:
    return ICONS.get(text_of(entry, "type") or "", OTHER_ICON)


def _by(entry: dict[str, Any]) -> str:
    writer = writer_of(entry)
    return f" (by {one_line(writer, _LONGEST_WRITER)})" if writer else ""


def _about(entry: dict[str, Any], plan: str | None) -> str:
    """Return the story with its spec, and the plan where it is not the leading one's."""
    fields = ("task_id",) if _names(plan, text_of(entry, "spec")) else ("spec", "task_id")
    names = [name for field in fields if (name := text_of(entry, field))]
    of_plan = f" ({plan})" if plan else ""
    return f"{one_line(' '.join(names) + of_plan)}: " if names else ""


def _names(plan: str | None, spec: str | None) -> bool:
    """Return whether a plan's name has the spec in it, so that it need not stand twice."""
    return bool(plan and spec) and (spec or "").casefold() in (plan or "").casefold()
