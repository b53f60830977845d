"""Which sessions have begun whose transcripts stand in no folder of the project's own.

Claude Code keeps the transcripts of a project together; the other clients keep those of all projects in one
place, which no start may search. So the start of a session notes where its transcript is, and its end takes
the note away: what is left was killed, or is at work. Who reads the notes is `transcripts.begun_transcripts`.

Like `core.fast.start_hook` it does without `os`.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.minimal_os import (
    exists,
    flat_name,
    is_folder,
    upward,
    user_data_directory,
)
from progress_plugin.core.fast.shown_sessions import session_path
from progress_plugin.core.fast.start_cache import DATA_SUFFIX

_FOLDER = "/begun"


def folder_of_begun(root: str) -> str | None:
    """Return the folder of a project's notes; None without a home."""
    data = user_data_directory()
    return f"{data}/sessions/{flat_name(root)}{_FOLDER}" if data else None


def _root_of(start: str) -> str | None:
    """Return the root of the project that a directory is in, as `core.project` finds it, if any."""
    chain, top = [], None
    for current in upward(start):
        chain.append(current)
        if exists(current + "/.git"):
            top = current
            break
    is_linked = top is not None and not is_folder(top + "/.git")
    for current in chain:
        if (_is_linked_root if is_linked else _is_ours)(current):
            return current
    from progress_plugin.core.fast.unused_project import has_sources  # noqa: PLC0415 - only where nothing is of ours

    for current in chain:
        if has_sources(current):
            return current
    return top or (chain[0] if chain else None)


def _is_ours(directory: str) -> bool:
    return exists(directory + DATA_SUFFIX)


def _is_linked_root(directory: str) -> bool:
    """Return whether our directory is here, or in the same place of the main worktree."""
    from progress_plugin.core.fast.file_matching import main_worktree  # noqa: PLC0415 - hardly anybody works there

    return _is_ours(directory) or bool((main := main_worktree(directory)) and _is_ours(main))


def _make(folder: str) -> None:
    """Make a folder, and what is missing above it, readable by its owner alone."""
    if not exists(folder):
        _make(folder.rpartition("/")[0])
        system.mkdir(folder, 0o700)


def note_begun(start: str, client: str, session: str, transcript: str | None) -> None:
    """Note that a session of a client has begun in a directory; silent where that cannot be, as hooks are."""
    root = _root_of(start)
    folder = folder_of_begun(root) if root is not None and session_path("", session) else None
    place = f"{folder}/{client}.{session}"
    if folder is None or exists(place):
        return
    try:
        _make(folder)
        new = system.open(place, system.O_WRONLY | system.O_CREAT | system.O_EXCL, 0o600)
        try:
            system.write(new, (transcript or "").encode("utf-8", "surrogateescape"))
        finally:
            system.close(new)
    except OSError:
        return
