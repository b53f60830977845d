"""`agent-progress watch`: keep the summary current while files change."""

from __future__ import annotations

from datetime import datetime

import click

from progress_plugin.cli.output import say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line

_HELP = """Keep the summary current while files change; one line per change, Ctrl-C ends it.

It looks at what a session start looks at: plans, logs, settings, the branch, the progress document.
Nothing is recorded: entries come from an agent's own session, or from `agent-progress log`.

Example: agent-progress -C ~/harbour watch
"""


@click.command(help=_HELP)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Print a line per change until interrupted, which is the way to end it, so no failure."""
    project = find_project(ctx.obj)
    from progress_plugin.watched_folders import watch  # noqa: PLC0415 - watchdog takes 49 ms, for this command only

    say(f"Watching {project.root}; Ctrl-C ends it.")
    try:
        watch(project.root, _say, lambda: progress_note("making the summary"))
    except KeyboardInterrupt:
        say("Ended.")


def _say(line: str) -> None:
    say(f"{datetime.now().astimezone():%H:%M:%S}  {one_line(line)}")
