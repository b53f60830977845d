"""Whether a hook's event is any business of ours: asked at every tool call, so nothing else is (S11.6)."""

from progress_plugin.core.clients import PATH_FIELDS, current_client
from progress_plugin.core.fast.hook_input import field, session_of, started_in
from progress_plugin.core.fast.hook_process import read_input
from progress_plugin.core.fast.minimal_os import exists, folder_names, modified, value_of, variable_names
from progress_plugin.core.fast.shown_sessions import OPEN, session_path
from progress_plugin.core.fast.start_cache import (
    BASELINE_FILE,
    CACHE_FILE,
    DATA_SUFFIX,
    first_change,
    read_cache,
    root_with_cache,
)
from progress_plugin.core.version import PENDING_EVENT_ENDING

SPOOL = "/spool"
"""Folder of the events that wait for another process to let go of the lock (`log.pending_events`)."""
DETACHED = "Detached"
"""The event we send to ourselves where something takes longer than a client waits (`background`)."""
_AT_MOST = 18.0
"""Seconds of the 20 that hooks.json gives a hook: what hangs longer is ended, and noted."""
AT_MOST_DETACHED = 300.0
"""The same for what nobody waits for."""


def pass_on(arguments: list[str]) -> tuple[str, bytes] | None:
    """Return the event's name and the client's input if they concern a plan or log, else None."""
    event = arguments[0] if arguments else ""
    if event == DETACHED:
        return event, b""
    raw = read_input()
    if value_of("AGENT_PROGRESS_DISABLED") not in ("", "0") or not concerns_us(event, raw):
        return None
    return event, raw


def time_for(event: str) -> float:
    """Return the seconds that recording an event may take, whether a client waits for it or none does."""
    return AT_MOST_DETACHED if event == DETACHED else _AT_MOST


def concerns_us(event: str, raw: bytes) -> bool:
    """Return whether an event can have changed a plan or log, by a quick look at its bytes.

    Tool calls: an edit of a file with the name of a plan or log, or a command that commits. The ends of
    turns: only where an input of the summary differs from what the start cache recorded.
    """
    if event in ("PostToolUse", "AfterTool"):
        return _touches_a_source(raw)
    start = started_in(raw)
    if event == "TaskCompleted":
        return start is not None and not _nothing(start)
    root = root_with_cache(start) if start else None
    if event == "SessionEnd":
        if root is not None and (_has_entries(root, session_of(raw)) or _is_waiting(root)):
            return True
        if current_client(None, variable_names()).tells_of_turns:
            return False
    if root is None:
        return start is not None and not _nothing(start)
    cache = read_cache(root)
    if cache is None or first_change(cache.records, root) is not None:
        return True
    return _is_behind(root) or _is_waiting(root)


def _touches_a_source(raw: bytes) -> bool:
    path = next((path for name in PATH_FIELDS if (path := field(raw, name))), None)
    if path is not None:
        from progress_plugin.core.known_paths import FILE_NAMES  # noqa: PLC0415 - a command does not need them

        return path.replace("\\", "/").rpartition("/")[2] in FILE_NAMES
    # `git -c a=b commit` and `cd x && git commit` are commits, too: the words are looked for, not the form.
    return b"git" in raw and b"commit" in raw


def _nothing(start: str) -> bool:
    from progress_plugin.core.fast.unused_project import nothing_here  # noqa: PLC0415

    return nothing_here(start)


def _is_behind(root: str) -> bool:
    """Return whether the cache was renewed, by a start or a watcher, without comparing what was finished."""
    baseline, cache = modified(root + DATA_SUFFIX + BASELINE_FILE), modified(root + DATA_SUFFIX + CACHE_FILE)
    return baseline is None or cache is None or baseline < cache


def _is_waiting(root: str) -> bool:
    """Return whether events wait that nobody has recorded: whoever was at it may have been killed."""
    return any(name.endswith(PENDING_EVENT_ENDING) for name in folder_names(root + DATA_SUFFIX + SPOOL))


def _has_entries(root: str, session: str | None) -> bool:
    """Return whether this session wrote an entry: its end is then worth one, too (S11.5)."""
    marker = session_path(root, session)
    return marker is not None and exists(marker + OPEN)
