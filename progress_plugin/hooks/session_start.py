"""Answer the start of a session: from the start cache, or by making the start context."""

from __future__ import annotations

from progress_plugin.core.fast.start_hook import ready_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.hook_event import HookEvent
    from progress_plugin.hooks.entry import HookRun


def answer(event: HookEvent, run: HookRun) -> bytes:
    """Return what a session is shown at its start, in the form of its client."""
    ready = ready_answer(event)
    if ready is not None:
        return ready
    run.raise_at_deadline()
    from progress_plugin.core import environment

    environment.enter()
    from progress_plugin.usecases.starting.start import failed_answer, start_slowly

    run.fallback = failed_answer(event.client)
    return start_slowly(event, run.cancel_deadline)
