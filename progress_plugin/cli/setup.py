"""`agent-progress setup`: build the environment by hand, with a word on every step."""

from __future__ import annotations

import time

import click

from progress_plugin.cli.output import say
from progress_plugin.usecases.setup import build
from progress_plugin.usecases.team.team_server import team_url
from progress_plugin.usecases.team_setup import provide


@click.command(epilog="Example: agent-progress setup --wheelhouse /media/stick/wheels")
@click.option(
    "--wheelhouse", metavar="DIR", help="Take the packages from this directory of wheels, no index."
)
@click.option("--unattended", is_flag=True, hidden=True, help="Started by a hook: do not wait for others.")
def command(*, wheelhouse: str | None, unattended: bool) -> None:
    """Build the environment the plugin runs in, or mend it where it no longer works."""
    timeout = 5.0 if unattended else 600.0
    now = time.time()
    packages = build(_tell, now=now, timeout=timeout, wheelhouse=wheelhouse)
    if team_url() is not None:
        provide(_tell, now=now, timeout=timeout, is_asked=not unattended, wheelhouse=wheelhouse)
    say(f"ready: {packages}")


def _tell(line: str) -> None:
    say(f"agent-progress: {line}", err=True)
