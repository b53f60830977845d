"""`agent-progress hook EVENT`: what the clients' hooks call, through the same entry points."""

from __future__ import annotations

import click

from progress_plugin.core.fast import hook_filter, hook_process, start_hook
from progress_plugin.usecases.recording.hook_event import handle
from progress_plugin.usecases.starting.start import start_slowly


@click.command(
    help="Answer a client's hook: its JSON on standard input, the answer on standard output.",
    epilog="Example: agent-progress hook SessionStart < /dev/null",
)
@click.argument("event")
@click.argument("client", required=False)
def command(event: str, client: str | None) -> None:
    """Run the entry point that belongs to the event."""
    arguments = [event, client] if client else [event]

    def start() -> None:
        rest = start_hook.answer_start(arguments)
        if rest is not None:
            start_slowly(*rest)

    def record() -> None:
        ours = hook_filter.pass_on(arguments)
        if ours is not None:
            handle(*ours, client=client)

    hook_process.attempt(event, start if event == "SessionStart" else record)
