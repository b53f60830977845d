"""Whether a hook's event is any business of ours: asked at every tool call, so nothing else is."""

from progress_plugin.core.clients import CLIENTS, PATH_FIELDS, READING_TOOLS, Client, current_client
from progress_plugin.core.fast.file_note_index import names_of, open_index
from progress_plugin.core.fast.hook_input import field, is_true, session_of, started_in, words
from progress_plugin.core.fast.hook_process import (
    AT_MOST_DETACHED,
    FOR_INPUT,
    FOR_WHAT_IS_SAID_ONCE,
    left,
    read_input,
)
from progress_plugin.core.fast.minimal_os import (
    exists,
    folder_names,
    is_folder,
    modified,
    read_regular,
    upward,
    user_directory,
    value_of,
    variable_names,
)
from progress_plugin.core.fast.shown_sessions import OPEN, session_path
from progress_plugin.core.fast.start_cache import (
    BASELINE_FILE,
    CACHE_FILE,
    DATA_SUFFIX,
    SESSIONS_KIND,
    first_change,
    read_cache,
    root_with_cache,
)
from progress_plugin.core.version import PENDING_EVENT_ENDING

SPOOL = "/spool"
"""Folder of the events that wait for another process to let go of the lock (`log.pending_events`)."""
DETACHED = "Detached"
"""The event we send to ourselves where something takes longer than a client waits (`background`)."""
READING = "DetachedReading"
"""The same for a transcript that takes longer to read."""
HANDED_OVER = "HandedOver"
"""In front of a hook's arguments in a process that another hook has started (`hook_handover`)."""
SAID_ONCE = ("TaskCompleted", "SessionEnd")
"""Events of which no later look would find what they told."""
READ = "Read"
"""In front of an event of which nothing is to be recorded: the session's transcript is read all the same."""
TELL_OF_SESSIONS = ("PreCompact", "SessionEnd")
AT_TOOL = "PostToolUse"
AT_PROMPT = "UserPromptSubmit"
"""A turn begins: of clients without an end of the session, whose sessions are read when a turn ends."""
AT_STOP = "Stop"
"""The end of a turn, the one event of these that may be answered."""
SYNCING = "DetachedSync"
"""What `core.fast.sync_when_due` starts: the same for a sync with the team's server."""
_DETACHED = (DETACHED, READING, SYNCING)
_CONFIG = "/config.toml"
_MOST_WORDS = 40
"""Words of a command that are looked up as files."""


def pass_on(arguments: list[str]) -> tuple[str, bytes] | None:
    """Return the event's name and the client's input if they concern a plan or log, else None."""
    arguments = event_arguments(arguments)
    event = arguments[0] if arguments else ""
    if event in _DETACHED:
        return event, b""
    raw = read_input(FOR_WHAT_IS_SAID_ONCE if event == "TaskCompleted" else FOR_INPUT)
    if value_of("AGENT_PROGRESS_DISABLED") not in ("", "0"):
        return None
    named = arguments[1] if len(arguments) > 1 else None
    if event == AT_PROMPT:
        _note_turn(raw, named)
        return None
    if event == AT_TOOL:
        _tell_of_file(raw, named)
    if concerns_us(event, raw):
        return event, raw
    if tells_of_session(event, named) and session_of(raw):
        return READ + event, raw
    return (READ + event, raw) if may_be_gated(event, raw) else None


def event_arguments(arguments: list[str]) -> list[str]:
    """Return the event and, where the hooks file names it, the client."""
    return arguments[1:] if arguments[:1] == [HANDED_OVER] else arguments


def tells_of_session(event: str, named: str | None) -> bool:
    """Return whether the transcript is read at an event; `named` is the client, if its hooks name it."""
    if event == AT_STOP:
        return named is not None and named in CLIENTS and not CLIENTS[named].reports_session_end
    return event in TELL_OF_SESSIONS


def time_for(first: str) -> float:
    """Return the seconds that recording may take, whether a client waits for it or none does.

    `first` is the first of the hook's arguments.
    """
    return AT_MOST_DETACHED if first in (*_DETACHED, HANDED_OVER) else left()


def may_be_gated(event: str, raw: bytes) -> bool:
    """Return whether the end of a turn may have to be answered: where a configuration speaks of the gate.

    No answer is given to a turn that goes on for an answer.
    """
    if event != AT_STOP or is_true(raw, b"stop_hook_active") or session_of(raw) is None:
        return False
    start = started_in(raw)
    root = root_with_cache(start) if start else None
    users = user_directory("XDG_CONFIG_HOME", ".config", "Library/Application Support")
    if root is None or users is None:
        return root is not None
    return any(b"gate" in (read_regular(at + _CONFIG) or b"") for at in (root + DATA_SUFFIX, users))


def concerns_us(event: str, raw: bytes) -> bool:
    """Return whether an event can have changed a plan or log, by a quick look at its bytes.

    Tool calls: an edit of a file with the name of a plan or log, or a command that commits. The ends of
    turns: only where an input of the summary differs from what the start cache recorded.
    """
    if event in (AT_TOOL, "AfterTool"):
        return _touches_a_source(raw)
    start = started_in(raw)
    if event == "TaskCompleted":
        return start is not None and not _nothing(start)
    root = root_with_cache(start) if start else None
    if event == "SessionEnd":
        if root is not None and (_has_entries(root, session_of(raw)) or _is_waiting(root)):
            return True
        if current_client(None, variable_names()).reports_turn_end:
            return False
    if root is None:
        return start is not None and not _nothing(start)
    cache = read_cache(root)
    if cache is None:
        return True
    # A session that works has a transcript that nobody has read: nothing is finished by that.
    inputs = [record for record in cache.records if not record.startswith(SESSIONS_KIND)]
    if first_change(inputs, root) is not None:
        return True
    return _is_behind(root) or _is_waiting(root)


def commits(event: str, raw: bytes) -> bool:
    """Return whether an event that concerns us is a command that commits."""
    return event in (AT_TOOL, "AfterTool") and _path_of(raw) is None


def _touches_a_source(raw: bytes) -> bool:
    path = _path_of(raw)
    if path is not None:
        if field(raw, b"tool_name") in READING_TOOLS:
            return False
        from progress_plugin.core.known_paths import FILE_NAMES  # noqa: PLC0415 - a command does not need them

        return path.replace("\\", "/").rpartition("/")[2] in FILE_NAMES
    # `git -c a=b commit` and `cd x && git commit` are commits, too: the words are looked for, not the form.
    return b"git" in raw and b"commit" in raw


def _path_of(raw: bytes) -> str | None:
    """Return the path that a tool was given."""
    return next((path for name in PATH_FIELDS if (path := field(raw, name.encode()))), None)


def _note_turn(raw: bytes, named: str | None) -> None:
    """Note that a session is at work again: it may be killed before its turn ends."""
    client, start, session = current_client(named, variable_names()), started_in(raw), session_of(raw)
    if client.has_shared_transcripts and start and session:
        from progress_plugin.core.fast.begun_sessions import note_begun  # noqa: PLC0415 - once in a turn, of one client

        note_begun(start, client.name, session, field(raw, b"transcript_path"))


def _tell_of_file(raw: bytes, named: str | None) -> None:
    """Print what is recorded about the file that a tool has read or edited; nearly always nothing."""
    client = current_client(named, variable_names())
    paths = _paths_of(raw, client) if client.takes_tool_context else []
    start = started_in(raw) if paths else None
    root = (root_with_cache(start) or _root_of_main_worktree(start)) if start else None
    index = open_index(root) if root else None
    if root is None or start is None or index is None:
        return
    try:
        at = field(raw, b"cwd") or start
        leading = [path for named_so in paths for path in names_of(named_so, at)]
        found = [(path, rows) for path in leading if (rows := index.rows(path.rpartition("/")[2]))]
        if found:
            from progress_plugin.core.fast.file_hook import tell  # noqa: PLC0415 - hardly a file is recorded

            tell(root, index, client, raw, found)
    finally:
        index.close()


def _root_of_main_worktree(start: str) -> str | None:
    """Return the root in the main worktree whose log a linked one uses that has had no start yet."""
    top = next((place for place in upward(start) if exists(place + "/.git")), None)
    if top is None or is_folder(top + "/.git"):
        return None
    from progress_plugin.core.fast.file_matching import main_worktree  # noqa: PLC0415 - hardly anybody works there

    main = main_worktree(start)
    return root_with_cache(main) if main else None


def _paths_of(raw: bytes, client: Client) -> list[str]:
    """Return the paths that a tool's use may be about; where agents work by a shell, words of the command."""
    path = _path_of(raw)
    if path is not None or not client.edits_by_shell:
        return [path] if path else []
    return [word for word in words(raw, b"command") if _may_be_path(word)][:_MOST_WORDS]


def _may_be_path(word: str) -> bool:
    """Return whether a word of a command looks like a file: `ops/begin`, `lamp.ts`, `.env`, `Dockerfile`."""
    return "." in word[:-1] or "/" in word[:-1] or word[:1].isupper() or word.endswith("file")


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
    """Return whether this session wrote an entry: its end is then worth one, too."""
    marker = session_path(root, session)
    return marker is not None and exists(marker + OPEN)
