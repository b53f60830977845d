"""`agent-progress hook EVENT`: what the clients' hooks call, through the same doors."""

from __future__ import annotations

import click

from progress_plugin.core import door, event_gate, fresh_start
from progress_plugin.usecases.hook_event import handle
from progress_plugin.usecases.start import start_slowly


@click.command(
    help="Answer a client's hook: its JSON on standard input, the answer on standard output.",
    epilog="Example: agent-progress hook SessionStart < /dev/null",
)
@click.argument("event")
@click.argument("client", required=False)
def command(event: str, client: str | None) -> None:
    """Go the way of the door that belongs to the event."""
    arguments = [event, client] if client else [event]

    def start() -> None:
        rest = fresh_start.answer(arguments)
        if rest is not None:
            start_slowly(*rest)

    def record() -> None:
        ours = event_gate.pass_on(arguments)
        if ours is not None:
            handle(*ours)

    door.attempt(event, start if event == "SessionStart" else record)
