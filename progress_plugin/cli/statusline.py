"""`agent-progress statusline`: one line for Claude Code's status line (B9)."""

from __future__ import annotations

import sys

import click

from progress_plugin.core.fast.kept_status_line import line


@click.command(
    help="Print one line, such as `US-013 12/14 ▓▓▓▓▓▓░░ !1`, for the session that Claude Code's JSON on "
    "standard input names. It comes from the last summary; `init --statusline` shows how to switch it on.",
    epilog="Example: agent-progress statusline < /dev/null",
)
def command() -> None:
    """Do what the entry point `hooks/statusline.py` does, where there is no `sh` to start it."""
    sys.stdout.buffer.write(line())
    sys.stdout.buffer.flush()
