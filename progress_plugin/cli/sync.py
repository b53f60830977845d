"""`agent-progress sync`: take in what the team has logged, and send what its server lacks."""

from __future__ import annotations

import time

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.cli.team_packages import provide_psycopg
from progress_plugin.core.errors import Busy
from progress_plugin.core.project import Project, find_project
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.team.sync import Synced, sync
from progress_plugin.usecases.team.team_server import required_url


@click.command(
    help="Sync with the team's PostgreSQL server: take in what others have logged, send what it lacks. The "
    "first call in a clone has it take part; from then on starts and writes sync in the background.",
    epilog="Example: agent-progress sync --watch --every 10",
)
@click.option("--watch", "is_lasting", is_flag=True, help="Go on until Ctrl-C.")
@click.option(
    "--every",
    metavar="SECONDS",
    type=click.IntRange(1, 86400),
    default=10,
    show_default=True,
    help="How long --watch waits in between.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each sync.")
@click.pass_context
def command(ctx: click.Context, is_lasting: bool, every: int, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    project = find_project(ctx.obj)
    try:
        join(project, None, as_json=as_json)
        while is_lasting:
            time.sleep(every)
            try:
                _once(project, as_json, quiet=True)
            except (Busy, TeamServerFault) as error:
                say(str(error), err=True)  # it may come back; what waits goes then
    except KeyboardInterrupt:
        say("Ended.")


def join(project: Project, key: str | None, *, as_json: bool) -> None:
    """Have a clone take part, under a name of the user's own if there is a key, and say what that did."""
    required_url()
    provide_psycopg()
    _once(project, as_json, key=key)


def _once(project: Project, as_json: bool, *, key: str | None = None, quiet: bool = False) -> None:
    with progress_note("syncing with the team's server"):
        done = sync(project, joins=True, named=key)
    if done is None:
        return
    news = (done.taken, done.sent, done.memory_taken, done.memory_sent, done.notes)
    if quiet and not any(news):
        return
    if as_json:
        print_json(done._asdict())
    else:
        _tell(done)


def _tell(done: Synced) -> None:
    moved = f"{counted(done.taken, 'entry')} taken in, {counted(done.sent, 'entry')} sent"
    if not (done.taken or done.sent):
        moved = "nothing new on either side"  # often a sync in the background was first
    say(f"{one_line(done.project)}: {moved}, as {done.writer}")
    if done.memory_taken or done.memory_sent:
        taken, sent = counted(done.memory_taken, "change"), counted(done.memory_sent, "change")
        say(f"Memory: {taken} taken in, {sent} sent")
    for note in done.notes:
        say(one_line(note), err=True)
