"""`agent-progress release STORY`: let go of a story that was claimed."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recording.log_entry import session_from_environment
from progress_plugin.usecases.team.claiming import release_story


@click.command(
    help="Let go of a story that this clone claims; exit 1 where it claims no such story.",
    epilog="Example: agent-progress release US-014",
)
@click.argument("story", metavar="STORY")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, story: str, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    project = find_project(ctx.obj)
    done = release_story(project, story, session=session_from_environment(), now=datetime.now(UTC))
    if as_json:
        print_json({"released": done.story, "notes": list(done.notes)})
        return
    say(f"{one_line(done.story)} is free.")
    for note in done.notes:
        say(one_line(note), err=True)
