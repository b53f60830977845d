"""`agent-progress setup`: build the environment by hand, with a word on every step (S16.5)."""

from __future__ import annotations

import time

import click

from progress_plugin.cli.output import say
from progress_plugin.usecases.setup import build


@click.command(epilog="Example: agent-progress setup")
@click.option("--unattended", is_flag=True, hidden=True, help="Started by a hook: do not wait for others.")
def command(*, unattended: bool) -> None:
    """Build the environment the plugin runs in, or mend it where it no longer works."""
    packages = build(_tell, now=time.time(), patience=5.0 if unattended else 600.0)
    say(f"ready: {packages}")


def _tell(line: str) -> None:
    say(f"agent-progress: {line}", err=True)
