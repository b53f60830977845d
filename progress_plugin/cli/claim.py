"""`agent-progress claim STORY`: say that you work on it, so that nobody else takes it."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recording.log_entry import session_from_environment
from progress_plugin.usecases.team.claiming import USUAL_SPAN, claim_story, span_of


@click.command(
    help="Claim a story for a while, so that no other agent takes it; exit 1 where another one holds it, and "
    "where it is finished. With a team's server it is a lease there, else an entry of the log.",
    epilog="Example: agent-progress claim US-014 --for 90m",
)
@click.argument("story", metavar="STORY")
@click.option(
    "--for", "span", metavar="TIME", default=USUAL_SPAN, show_default=True, help="Such as 90m, 2h or 1d."
)
@click.option("--force", is_flag=True, help="Also a story that somebody has finished.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, story: str, span: str, force: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    done = claim_story(
        find_project(ctx.obj),
        story,
        span_of(span),
        session=session_from_environment(),
        now=datetime.now(UTC),
        force=force,
    )
    if as_json:
        told = {**done.claim._asdict(), "lease": done.is_lease, "renewed": done.renewed}
        print_json({**told, "notes": list(done.notes)})
        return
    again = f"; this clone has held it since {done.claim.since}" if done.renewed else ""
    say(f"{one_line(done.claim.story)} is claimed until {done.claim.until}{again}.")
    for note in done.notes:
        say(one_line(note), err=True)
