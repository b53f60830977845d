"""Commands of people who work together: claim, release, sync, team."""

from __future__ import annotations

import time
from collections.abc import Iterator

import click

from progress_plugin.cli.output import Answer, command, example_line, say, whole
from progress_plugin.config.settings import SETTINGS
from progress_plugin.core.errors import Busy, notify
from progress_plugin.core.project import Project
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.team.server import tables_sql
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.config import parse_value
from progress_plugin.usecases.team import sync as syncing
from progress_plugin.usecases.team.claiming import USUAL_DURATION, claim_story, parse_duration, release_story
from progress_plugin.usecases.team.setup import prepare_server, project_key

_FORMAT = "Such as 90m, 2h or 1d."


@command("claim US-014 --for 90m")
@click.argument("story")
@click.option("--for", "duration", metavar="TIME", default=USUAL_DURATION, show_default=True, help=_FORMAT)
@click.option("--force", is_flag=True, help="Also a story that is finished, or that no plan or log knows.")
def claim(project: Project, story: str, duration: str, force: bool) -> Answer:
    """Claim a story for a while, so that no other agent takes it.

    The exit code is 1 if another agent holds it, or if it is finished or unknown.
    """
    done = claim_story(project, story, parse_duration(duration), force=force)
    return Answer(done, "claim", done["notes"])


@command("release US-014")
@click.argument("story")
def release(project: Project, story: str) -> Answer:
    """Release a story that this clone claims. Exit 1 if it claims no such story."""
    done = release_story(project, story)
    return Answer(done, "release", done["notes"])


@command("sync --watch --every 10", json_help="Print one JSON object for each sync.")
@click.option("--watch", "is_lasting", is_flag=True, help="Go on until Ctrl-C.")
@click.option(
    "--every", "interval_s", metavar="SECONDS", type=click.IntRange(1, 86400), default=10, show_default=True,
    help="How long --watch waits in between.",
)  # fmt: skip
def sync(project: Project, is_lasting: bool, interval_s: int) -> Iterator[Answer]:
    """Sync with the team's PostgreSQL server: fetch the entries of other clones and send ours.

    The first call in a clone joins the team. Then session starts and new entries sync in the background.
    """
    try:
        yield _join(project, None)
        while is_lasting:
            time.sleep(interval_s)
            try:
                done = syncing.sync(project, joins=False)
            except (Busy, TeamServerFault) as error:
                say(one_line(str(error)), err=True)  # the unsent entries are sent when the server is back
                continue
            if done is None:
                say("This clone has left the team's server meanwhile.", err=True)
                return
            if any((done.taken, done.sent, done.memory_taken, done.memory_sent, done.notes)):
                yield Answer(done._asdict(), "sync", done.notes)
    except KeyboardInterrupt:
        say("Ended.")


def _join(project: Project, key: str | None) -> Answer:
    """Join the team with this clone, and sync. `key` is the project's name on the server, if given."""
    done = syncing.sync(project, joins=True, named=key)
    return Answer(done._asdict(), "sync", done.notes) if done else Answer(None)


@click.group(epilog=example_line("team init --sql"))
def team() -> None:
    """Set up, join or leave the team's PostgreSQL server."""


_SQL_HELP = "Print the SQL instead, for the person who runs the server."


@command("team init --sql", team, in_project=False)
@click.option("--sql", "as_sql", is_flag=True, help=_SQL_HELP)
def init(as_sql: bool) -> Answer:
    """Make the tables on the team's server unless it has them."""
    if as_sql:
        sql = f"begin;\n{tables_sql()}commit;\n"
        return Answer({"sql": sql}, text=whole(sql))
    return Answer(prepare_server(notify), "team_init")


@command("team join --key acme/harbour", team)
@click.option("--key", metavar="NAME", help="The project's name there; default: its remote's host and path.")
def join(project: Project, key: str | None) -> Answer:
    """Join the team's server with this clone, as the first `agent-progress sync` does.

    With --key you choose the project's name there; give the same name in each of its clones.
    """
    named = parse_value(SETTINGS["team_project_key"], key) if key is not None else project_key(project)
    return _join(project, named)


@command("team leave", team)
def leave(project: Project) -> Answer:
    """Disconnect this clone from the team's server, and release its claims there.

    Sent entries stay on the server, and imported entries stay in this log.
    """
    left = syncing.leave(project)
    return Answer(left, "team_leave", left["notes"])
