"""What the commands of a team do first: see that psycopg is there, for them and for hooks."""

from __future__ import annotations

import time

from progress_plugin.cli.output import say
from progress_plugin.usecases.team_setup import provide

_PATIENCE = 600.0


def provide_psycopg() -> None:
    """Install psycopg where a Python that syncs lacks it, and say so. Raises as `provide`."""
    for place in provide(_tell, now=time.time(), timeout=_PATIENCE):
        say(f"psycopg is in {place}, where commands and hooks find it", err=True)


def _tell(line: str) -> None:
    say(f"agent-progress: {line}", err=True)
