"""Commands that correct the record: retract, erase, mute, promote."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime

import click

from progress_plugin.cli.output import emit, json_option, pass_project, print_notes, progress_note
from progress_plugin.config.settings import PROMOTED
from progress_plugin.core.clients import session_from_environment
from progress_plugin.core.project import Project
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases import promote as promoting
from progress_plugin.usecases.correcting import erase as erasing
from progress_plugin.usecases.correcting import mute as muting
from progress_plugin.usecases.correcting import retract as retracting
from progress_plugin.usecases.correcting.erasable_files import REPORT
from progress_plugin.usecases.sharing import take_in_latest

MAX_LINES = 40  # printed lines of one kind: one for each file that holds the text


@click.command(
    help="Take back entries: they stay in the log, but no longer count. To remove a secret: `erase`.",
    epilog='Example: agent-progress retract entry-20260301-100000-a1b2c3 --reason "logged twice"',
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", metavar="TEXT", help="Why, for readers of the log.")
@json_option
@pass_project
def retract(project: Project, /, ids: tuple[str, ...], reason: str | None, as_json: bool) -> None:
    """Take back entries."""
    now, session = datetime.now(UTC), session_from_environment()
    done = retracting.retract(project, ids, reason=reason, now=now, session=session)
    entry = done.entries[0]
    lines = (
        f"{one_line(name)} no longer counts ({entry['id']} says so)" for name in entry["data"]["retracts"]
    )
    emit(as_json, {"entries": done.entries, "notes": done.notes}, lines)
    if not as_json:
        print_notes(done.notes)


@click.command(
    help="Take an entry, or a text wherever it stands, out of the log, its archive and every copy of them, "
    "and a text out of the memory database: for a secret that leaked. Without --yes nothing is changed, and "
    "what would be is shown. It cannot be undone. Plans, logs of agents and git's history are named or "
    "left to you.",
    epilog='Example: agent-progress erase "hunter2-the-password" --yes',
)
@click.argument("named", metavar="ID|TEXT")
@click.option("--yes", "apply", is_flag=True, help="Do it.")
@json_option
@pass_project
def erase(project: Project, /, named: str, apply: bool, as_json: bool) -> int:
    """Erase an entry or a text. The exit code is 1 unless all of it is gone."""
    with progress_note("looking through every copy"):
        done = erasing.erase(project, named, apply=apply)
    emit(as_json, asdict(done), map(one_line, _erase_lines(done)))
    return 1 if done.remaining or not done.applied or not done.found else 0


def _first(lines: list[str]) -> list[str]:
    """Return the first lines, and how many more there are."""
    rest = len(lines) - MAX_LINES
    return lines if rest <= 0 else [*lines[:MAX_LINES], f"{rest:,} more of these; --json names all"]


def _erase_lines(done: erasing.Erased) -> list[str]:
    verb = "erased" if done.applied else "would be erased"
    what = {"entry": "entry", "text": "place"}[done.kind]
    lines = _first([f"{path}: {counted(count, what)} {verb}" for path, count in done.found.items()])
    if done.removed:
        removed = counted(len(done.removed), "file made from the log was", "files made from the log were")
        lines.append(f"{removed} removed, and made anew where they can be")
        reports = [path for path in done.removed if os.path.basename(path) == REPORT]
        lines += [f"{path} was one: `agent-progress report` writes a new one" for path in reports]
    lines += [*_first(done.notes), *_first(done.remaining)]
    if not done.found:
        lines.append("No copy of the log holds it; nothing was rewritten.")
    elif not done.applied:
        lines.append("Nothing was changed; repeat with --yes to do it. It cannot be undone.")
    return lines


@click.command(
    help="Show a learning no more, or what is left open, in whichever words a log has it. TEXT is a part "
    "of it; an entry's ID means all learnings of that entry. `retract` of the entry this appends shows "
    "them again; --list names it later.",
    epilog='Example: agent-progress mute "locks at noon"',
)
@click.argument("named", metavar="TEXT|ID", required=False)
@click.option("--all", "every", is_flag=True, help="Every learning that says TEXT, where there are several.")
@click.option("--list", "listing", is_flag=True, help="What is muted, and by which entry, instead.")
@json_option
@pass_project
def mute(project: Project, /, named: str | None, every: bool, listing: bool, as_json: bool) -> None:
    """Hide a learning, or list what is hidden."""
    if listing == (named is not None) or (listing and every):
        raise click.UsageError("give TEXT, or an entry's ID, or --list alone: that names what is muted")
    if named is None:
        found = muting.muted_by_entries(project)
        listed = [line for id_, texts in found for line in _muted_lines(id_, texts)]
        muted = [{"id": id_, "texts": texts} for id_, texts in found]
        emit(as_json, {"muted": muted}, listed or ["Nothing is muted."])
        return
    now, session = datetime.now(UTC), session_from_environment()
    done = muting.mute(project, named, every=every, now=now, session=session)
    entry = done.entries[0]
    lines = _muted_lines(entry["id"], entry["data"]["mutes"])
    emit(as_json, {"entries": done.entries, "notes": done.notes}, lines)
    if not as_json:
        print_notes(done.notes)


def _muted_lines(entry_id: str, texts: list[str]) -> Iterator[str]:
    yield from (f"muted: {one_line(text)}" for text in texts)
    yield f"To show it again: agent-progress retract {one_line(entry_id)}"


@click.command(
    help=f"Show the patterns recorded {PROMOTED} times or more; with --apply write them into a block of "
    f"{promoting.FILE}, touching nothing around it. `promote.auto` in your settings does that at every "
    "new summary.",
    epilog="Example: agent-progress promote --all --apply",
)
@click.option("--all", "every", is_flag=True, help="Gotchas and dependencies, too.")
@click.option(
    "--apply", is_flag=True, help=f"Write {promoting.FILE}; where no pattern is left, remove the block."
)
@json_option
@pass_project
def promote(project: Project, /, every: bool, apply: bool, as_json: bool) -> None:
    """Show or write the learnings that proved themselves."""
    take_in_latest(project)
    done = promoting.promote(project, every=every, apply=apply)
    found = [(each.mentions, each.statement.kind.value, each.statement.text) for each in done.learnings]
    learnings = [{"kind": kind, "text": text, "mentions": mentions} for mentions, kind, text in found]
    is_applied = apply and done.is_change
    data = {"path": done.path, "changes": done.is_change, "applied": is_applied, "learnings": learnings}
    lines = [f"{mentions}x  {kind:<10}  {one_line(text)}" for mentions, kind, text in found]
    emit(as_json, data, [*lines, one_line(_outcome(done, is_applied=is_applied))])


def _outcome(done: promoting.Promotion, *, is_applied: bool) -> str:
    if is_applied and not done.text:
        return f"Removed: {done.path} held nothing but the block, which has no learning any more"
    if is_applied:
        return f"Written: {done.path}"
    if done.is_change:
        return f"{done.path} was not changed; --apply writes it"
    if done.learnings:
        return f"{done.path} says so already"
    return f"No learning was recorded {PROMOTED} times or more; there is nothing to write"
