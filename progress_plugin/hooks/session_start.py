"""Answer a session start: with the cached context if no input has changed, else with a new one."""

import os

from progress_plugin.core.clients import HookEvent, session_start_output
from progress_plugin.core.paths import folders_upward, state_file, variables_change_output
from progress_plugin.core.session_state import load_session, remember_start
from progress_plugin.core.snapshot import FAILURE, REOPENED, load_fresh_cache, older_context, root_with_cache
from progress_plugin.hooks import HookRun

STARTS_WITH_MESSAGE = ("", "startup", "resume", "new")  # other starts show the user no message


def answer(event: HookEvent, run: HookRun) -> bytes:
    """Return the output of a session start in the format of the client."""
    return _output(event, *(_load_ready_context(event) or _make_context(event, run)))


def _make_context(event: HookEvent, run: HookRun) -> tuple[str, str]:
    """Make the context and the user message.

    If that fails or the deadline passes, the last context is printed, marked as older. A cache that is not
    made at the deadline is made by a background process, which also stores the status of each story.
    """
    root = root_with_cache(event.directory) if event.directory else None
    run.fallback = _output(event, older_context(root) if root else "", FAILURE)
    run.directory = event.directory or os.getcwd()
    import gc

    from progress_plugin.core import environment

    def set_fallback(context: str, user_message: str) -> None:
        run.fallback, run.directory = _output(event, context, user_message), ""

    environment.enter()
    gc.disable()  # nearly all objects are needed until the end
    from progress_plugin.usecases.starting import start

    return start(event, set_fallback)


def _load_ready_context(event: HookEvent) -> tuple[str, str] | None:
    """Return the cached context and user message; None if they have to be made."""
    start, source = event.directory, event.text("source")
    if start is None or variables_change_output() or source in ("compact", REOPENED):
        return None
    root = root_with_cache(start)
    if root is None:
        return None if folders_upward(start) else ("", "")  # a home directory is no project
    cache = load_fresh_cache(root)
    if cache is None:
        return None
    if source == "resume":
        return ("", cache.user_message) if load_session(event.session).shown == cache.context else None
    remember_start(event, root, cache.context)
    if os.path.exists(state_file(root, "team/state")):
        from progress_plugin.team import start_if_due

        start_if_due(root)
    return cache.context, cache.user_message


def _output(event: HookEvent, context: str, user_message: str) -> bytes:
    if context and not event.client.has_bin_on_path:
        from progress_plugin.core.environment import command_line

        context += command_line()
    message = user_message if event.text("source") in STARTS_WITH_MESSAGE else ""
    return session_start_output(event.client, context, message)
