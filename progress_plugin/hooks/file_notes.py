"""Tell what is recorded about a file that a tool has read or edited."""

from __future__ import annotations

from progress_plugin.core.fast.file_note_index import names_of, open_index
from progress_plugin.core.fast.minimal_os import exists, is_folder, upward
from progress_plugin.core.start_cache import root_with_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.hook_event import HookEvent

MAX_WORDS = 40  # words of a command that are looked up as files
SHELL_SIGNS = "'`\"()<>|&;=$,:!?*{}"


def answer(event: HookEvent) -> bytes:
    """Return the notes that the agent is shown after a tool's use; mostly none."""
    paths = _paths(event) if event.client.takes_tool_context else []
    start = event.start if paths else None
    root = (root_with_cache(start) or _root_of_main_worktree(start)) if start else None
    index = open_index(root) if root else None
    if root is None or start is None or index is None:
        return b""
    try:
        leading = [path for named in paths for path in names_of(named, event.cwd or start)]
        found = [(path, rows) for path in leading if (rows := index.rows(path.rpartition("/")[2]))]
        if not found:
            return b""
        from progress_plugin.core.fast.file_hook import tell

        return tell(root, index, event, found)
    finally:
        index.close()


def _paths(event: HookEvent) -> list[str]:
    """Return the paths that a tool's use may be about: of a shell command, its words that look like files."""
    if event.path or not event.client.edits_by_shell:
        return [event.path] if event.path else []
    words = event.command.translate({ord(sign): " " for sign in SHELL_SIGNS}).split()
    return [word for word in words if _may_be_path(word)][:MAX_WORDS]


def _may_be_path(word: str) -> bool:
    """Return whether a word looks like a file: `ops/begin`, `lamp.ts`, `.env`, `Dockerfile`."""
    return "." in word[:-1] or "/" in word[:-1] or word[:1].isupper() or word.endswith("file")


def _root_of_main_worktree(start: str) -> str | None:
    """Return the root in the main worktree whose log a linked one uses that has had no start yet."""
    top = next((place for place in upward(start) if exists(place + "/.git")), None)
    if top is None or is_folder(top + "/.git"):
        return None
    from progress_plugin.core.fast.file_matching import main_worktree

    main = main_worktree(start)
    return root_with_cache(main) if main else None
