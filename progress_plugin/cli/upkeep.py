"""Commands that keep the log in order: archive, verify, repair, retract, erase, mute, promote."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime

import click

from progress_plugin.cli.output import Answer, command
from progress_plugin.config.settings import MIN_MENTIONS
from progress_plugin.core.project import Project
from progress_plugin.usecases import promote as promoting
from progress_plugin.usecases.correcting import erase as erasing
from progress_plugin.usecases.correcting import retract as retracting
from progress_plugin.usecases.sharing import read_current
from progress_plugin.usecases.upkeep import archive_old, check_completions, find_faults, repair_log

_COUNT = click.IntRange(min=0)


@command("archive --days 90")
@click.option("--days", type=_COUNT, help="Entries older than this; default: the setting.")
@click.option("--at-least", type=_COUNT, help="Only if the log has so many entries; default: the setting.")
def archive(project: Project, days: int | None, at_least: int | None) -> Answer:
    """Move old entries to archive/YYYY-MM.json. When it is due, writing an entry does it as well."""
    return Answer(archive_old(project, datetime.now(UTC), days=days, at_least=at_least), "archive")


@command("verify --claims")
@click.option("--claims", "as_claims", is_flag=True, help="List completions without evidence.")
def verify(project: Project, as_claims: bool) -> Answer:
    """Check the log and its archive, and say what to do. It changes nothing. Exit 1 if something is found.

    With --claims it lists completed tasks without a passing check after their last edit, according to the
    clients' transcripts.
    """
    if as_claims:
        found = check_completions(project)
        return Answer(found, "claims", code=0 if found["ok"] else 1)
    faults = find_faults(project, datetime.now(UTC))
    data = {"ok": not faults, "findings": [fault._asdict() for fault in faults]}
    return Answer(data, "verify", code=1 if faults else 0)


@command("repair")
def repair(project: Project) -> Answer:
    """Repair the faults that `verify` finds. Damaged originals are kept next to their replacements."""
    return Answer({"repaired": repair_log(project, datetime.now(UTC))}, "repair")


@command('retract entry-20260301-100000-a1b2c3 --reason "logged twice"')
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", metavar="TEXT", help="Why, for readers of the log.")
def retract(project: Project, ids: tuple[str, ...], reason: str | None) -> Answer:
    """Take back entries: they stay in the log, but no longer count. To remove a secret: `erase`."""
    done = retracting.retract(project, ids, reason=reason, now=datetime.now(UTC))
    return Answer(done._asdict(), "retract", done.notes)


@command('erase "hunter2-the-password" --yes')
@click.argument("named", metavar="ID|TEXT")
@click.option("--yes", "apply", is_flag=True, help="Do it.")
def erase(project: Project, named: str, apply: bool) -> Answer:
    """Remove an entry or a text, such as a leaked secret, from log, archive, memory and all their copies.

    Without --yes it only shows what it would change. It cannot be undone. It never changes plans, agents'
    logs and git's history, but names those that you must edit. Exit 1 unless all of it is gone.
    """
    done = erasing.erase(project, named, apply=apply)
    is_left = done.remaining or not done.applied or not done.found
    return Answer(asdict(done), "erase", code=1 if is_left else 0)


@command('mute "locks at noon"')
@click.argument("named", metavar="TEXT|ID", required=False)
@click.option("--all", "every", is_flag=True, help="Every learning that says TEXT, if there are several.")
@click.option("--list", "listing", is_flag=True, help="List what is muted, and by which entry.")
def mute(project: Project, named: str | None, every: bool, listing: bool) -> Answer:
    """Hide a learning from summaries. `retract` with the id that is printed shows it again.

    TEXT is a part of the learning; an entry's ID means all learnings of that entry.
    """
    if listing == (named is not None) or (listing and every):
        raise click.UsageError("give TEXT, or an entry's ID, or --list alone")
    if named is None:
        found = retracting.muted_by_entries(project)
        return Answer({"muted": [{"id": id_, "texts": texts} for id_, texts in found]}, "mute")
    done = retracting.mute(project, named, every=every, now=datetime.now(UTC))
    muted = [{"id": entry["id"], "texts": entry["data"]["mutes"]} for entry in done.entries]
    return Answer(done._asdict(), "mute", done.notes, values={"muted": muted})


@command("promote --all --apply")
@click.option("--all", "every", is_flag=True, help="Gotchas and dependencies, too.")
@click.option("--apply", is_flag=True, help=f"Write {promoting.FILE}; if none are shown, remove our block.")
def promote(project: Project, every: bool, apply: bool) -> Answer:
    """Write learnings that were recorded often into AGENTS.md.

    These are the patterns that were recorded three times or more. Without --apply they are only shown. The
    rest of the file stays as it is. With `promote.auto` in your settings every new summary does it.
    """
    data = promoting.promote(project, read_current(project).facts.learnings, every=every, apply=apply)
    values = data | {"promoted": MIN_MENTIONS, "every": every}
    return Answer(data, "promote", values=values)
