"""Commands that correct the log: retract, erase, mute, promote, archive, verify, repair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime

import click

from progress_plugin.cli.output import emit, example, json_option, pass_project
from progress_plugin.config.settings import PROMOTED
from progress_plugin.core.clients import session_from_environment
from progress_plugin.core.project import Project
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases import promote as promoting
from progress_plugin.usecases.correcting import erase as erasing
from progress_plugin.usecases.correcting import retract as retracting
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.upkeep import archive_old, findings, repair_log
from progress_plugin.usecases.upkeep import claims as claims_of

MAX_LINES = 40  # printed lines of one kind: one for each file that holds the text


@click.command(epilog=example('retract entry-20260301-100000-a1b2c3 --reason "logged twice"'))
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", metavar="TEXT", help="Why, for readers of the log.")
@json_option
@pass_project
def retract(project: Project, /, ids: tuple[str, ...], reason: str | None, as_json: bool) -> None:
    """Take back entries: they stay in the log, but no longer count. To remove a secret: `erase`."""
    now, session = datetime.now(UTC), session_from_environment()
    done = retracting.retract(project, ids, reason=reason, now=now, session=session)
    entry = done.entries[0]
    taken_back = entry["data"]["retracts"]
    lines = (f"{one_line(name)} no longer counts ({entry['id']} says so)" for name in taken_back)
    emit(as_json, {"entries": done.entries, "notes": done.notes}, lines, done.notes)


@click.command(epilog=example('erase "hunter2-the-password" --yes'))
@click.argument("named", metavar="ID|TEXT")
@click.option("--yes", "apply", is_flag=True, help="Do it.")
@json_option
@pass_project
def erase(project: Project, /, named: str, apply: bool, as_json: bool) -> int:
    """Take an entry or a text out of the log, its archive, the memory and every copy: for a leaked secret.

    Without --yes nothing is changed, and what would be is shown. It cannot be undone. Plans, logs of agents
    and git's history are named and left to you. The exit code is 1 unless all of it is gone.
    """
    done = erasing.erase(project, named, apply=apply)
    emit(as_json, asdict(done), map(one_line, _erase_lines(done)))
    return 1 if done.remaining or not done.applied or not done.found else 0


def _erase_lines(done: erasing.Erased) -> list[str]:
    verb = "erased" if done.applied else "would be erased"
    what = {"entry": "entry", "text": "place"}[done.kind]
    lines = _first([f"{path}: {counted(count, what)} {verb}" for path, count in done.found.items()])
    if done.removed:
        removed = counted(len(done.removed), "file made from the log was", "files made from the log were")
        lines.append(f"{removed} removed; they are made anew, a report by `agent-progress report`")
    lines += [*_first(done.notes), *_first(done.remaining)]
    if not done.found:
        lines.append("No copy of the log holds it; nothing was rewritten.")
    elif not done.applied:
        lines.append("Nothing was changed; repeat with --yes to do it. It cannot be undone.")
    return lines


def _first(lines: list[str]) -> list[str]:
    """Return the first lines, and how many more there are."""
    rest = len(lines) - MAX_LINES
    return lines if rest <= 0 else [*lines[:MAX_LINES], f"{rest:,} more of these; --json names all"]


@click.command(epilog=example('mute "locks at noon"'))
@click.argument("named", metavar="TEXT|ID", required=False)
@click.option("--all", "every", is_flag=True, help="Every learning that says TEXT, if there are several.")
@click.option("--list", "listing", is_flag=True, help="List what is muted, and by which entry.")
@json_option
@pass_project
def mute(project: Project, /, named: str | None, every: bool, listing: bool, as_json: bool) -> None:
    """Hide a learning or a left-open item from summaries; undo it with `retract` and the id that is printed.

    TEXT is a part of the learning; an entry's ID means all learnings of that entry.
    """
    if listing == (named is not None) or (listing and every):
        raise click.UsageError("give TEXT, or an entry's ID, or --list alone: that names what is muted")
    if named is None:
        found = retracting.muted_by_entries(project)
        lines = [line for id_, texts in found for line in _muted_lines(id_, texts)]
        muted = [{"id": id_, "texts": texts} for id_, texts in found]
        emit(as_json, {"muted": muted}, lines or ["Nothing is muted."])
        return
    now, session = datetime.now(UTC), session_from_environment()
    done = retracting.mute(project, named, every=every, now=now, session=session)
    entry = done.entries[0]
    lines = [*_muted_lines(entry["id"], entry["data"]["mutes"])]
    emit(as_json, {"entries": done.entries, "notes": done.notes}, lines, done.notes)


def _muted_lines(entry_id: str, texts: list[str]) -> Iterator[str]:
    yield from (f"muted: {one_line(text)}" for text in texts)
    yield f"To show it again: agent-progress retract {one_line(entry_id)}"


@click.command(
    help=f"Show the patterns recorded {PROMOTED} times or more; with --apply write them into a block of "
    f"{promoting.FILE}, touching nothing around it. `promote.auto` in your settings does that at every "
    "new summary.",
    epilog=example("promote --all --apply"),
)
@click.option("--all", "every", is_flag=True, help="Gotchas and dependencies, too.")
@click.option(
    "--apply", is_flag=True, help=f"Write {promoting.FILE}; if no pattern is left, remove the block."
)
@json_option
@pass_project
def promote(project: Project, /, every: bool, apply: bool, as_json: bool) -> None:
    """Show or write the learnings that proved themselves."""
    take_in_latest(project)
    done = promoting.promote(project, every=every, apply=apply)
    is_applied = apply and done.is_change
    learnings = [
        {"kind": each.statement.kind.value, "text": each.statement.text, "mentions": each.mentions}
        for each in done.learnings
    ]
    data = {"path": done.path, "changes": done.is_change, "applied": is_applied, "learnings": learnings}
    lines = [f"{each['mentions']}x  {each['kind']:<10}  {one_line(str(each['text']))}" for each in learnings]
    emit(as_json, data, [*lines, _outcome(done, is_applied=is_applied)])


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


@click.command(epilog=example("archive --days 90"))
@click.option("--days", type=click.IntRange(min=0), help="Entries older than this; default: the setting.")
@click.option(
    "--at-least", type=click.IntRange(min=0), help="Only from so many entries on; default: the setting."
)
@json_option
@pass_project
def archive(project: Project, /, days: int | None, at_least: int | None, as_json: bool) -> None:
    """Move old entries to archive/YYYY-MM.json. Appending does it by itself when it is due."""
    done = archive_old(project, datetime.now(UTC), days=days, at_least=at_least)
    nothing = f"Nothing is due: {counted(done.left, 'entry stays', 'entries stay')} in the log."
    emit(as_json, done._asdict(), [*([] if done.moved else [nothing]), *map(one_line, done.notes)])


@click.command(epilog=example("verify --claims"))
@click.option("--claims", "as_claims", is_flag=True, help="List completions without evidence.")
@json_option
@pass_project
def verify(project: Project, /, as_claims: bool, as_json: bool) -> int:
    """Check the log and its archive, and say what to do; exit 1 if something is found. It changes nothing.

    With --claims list instead the tasks that were called done though no check passed after their last edit,
    as far as the clients' transcripts tell.
    """
    if as_claims:
        return _verify_claims(project, as_json)
    found = findings(project, datetime.now(UTC))
    lines = [one_line(f"{finding.what}; {finding.remedy}") for finding in found]
    data = {"ok": not found, "findings": [finding._asdict() for finding in found]}
    emit(as_json, data, lines or ["Log and archive are in order."])
    return 1 if found else 0


def _verify_claims(project: Project, as_json: bool) -> int:
    found = claims_of(project)
    lines = [
        f"{one_line(each.timestamp)}  {one_line(f'{each.task}: {each.words}')} ({one_line(each.id)})"
        for each in found.unproven
    ]
    if not lines:
        verified = f"{counted(found.proven, 'completion')} verified."
        lines.append(verified if found.unknown else f"No claim without evidence; {verified}")
    if found.unknown:
        unread = counted(found.unknown, "completion")
        lines.append(f"Not checked: {unread} of sessions whose transcript was not read.")
    unproven = [claim._asdict() for claim in found.unproven]
    data = {"ok": not unproven, "claims": unproven, "proven": found.proven, "unknown": found.unknown}
    emit(as_json, data, lines)
    return 1 if unproven else 0


@click.command(epilog=example("repair"))
@json_option
@pass_project
def repair(project: Project, /, as_json: bool) -> None:
    """Mend what `verify` finds. Damaged originals are kept beside what replaces them."""
    done = repair_log(project, datetime.now(UTC))
    emit(as_json, {"repaired": done}, map(one_line, done or ["There is nothing to repair."]))
