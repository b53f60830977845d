"""What an agent is told about a file that a tool of it has read or edited.

Loaded only where a file of that name is recorded.
"""

from progress_plugin.core.clients import Client, tool_output
from progress_plugin.core.fast.file_matching import best_of, main_worktree, opened_file
from progress_plugin.core.fast.file_note_index import FileIndex, Reference, Row
from progress_plugin.core.fast.minimal_os import value_of
from progress_plugin.core.hook_event import HookEvent
from progress_plugin.core.session_state import (
    MAX_FILE_IDS,
    SessionState,
    is_session_id,
    load_session,
    update_session,
)
from progress_plugin.core.start_cache import load_start_cache

MOST_TOKENS = 300
"""Estimated tokens of all that is told at one use of a tool."""
_MOST_NAMED = 3
"""Files that the sentence before the notes names: a command of a shell may read several."""
_FRAME_TOKENS = 16
"""What the sentence before the notes costs, without the path."""
_LINE_TOKENS = 2
"""What the mark before a note and the end of its line cost."""


def tell(root: str, index: FileIndex, event: HookEvent, found: list[tuple[str, list[Row]]]) -> bytes:
    """Return what is recorded about the file, as far as this session was not told.

    `found` are the paths that lead to it, and the rows of their base names.
    """
    session, client = event.session, event.client
    if client.tool_context_event not in ("", event.text("hook_event_name")):
        return b""
    if session is None or not is_session_id(session):
        return b""
    rows = _about(root, found)
    if not rows:
        return b""
    only_looks = value_of("AGENT_PROGRESS_READ_ONLY") not in ("", "0")
    if not still_holds(root):
        if not only_looks:
            from progress_plugin.core.fast.summary_request import request  # noqa: PLC0415 - after a pull

            request(root, main_worktree(root) or root)
        return b""
    if not index.is_in_place(root):
        return b""  # it was opened before another took its place, which is put there before the cache
    agent = event.text("agent_id") or None
    at_start = [] if agent else load_session(session).start_ids
    chosen: list[Reference] = []

    def choose(state: SessionState) -> None:
        known = [*at_start, *state.file_ids]
        chosen.extend(_chosen(rows, [name.encode() for name in known], MAX_FILE_IDS - len(state.file_ids)))
        state.project = state.project or root
        state.file_ids += [note.id.decode() for note in chosen]

    if only_looks:
        choose(load_session(session, agent))
    elif not update_session(session, choose, agent):
        return b""  # it would be told again and again
    return _say(index, client, rows, chosen)


def still_holds(root: str) -> bool:
    """Return whether what the index was made of is as it was: logs, plans, settings.

    A sentence may have been changed since by a pull or an editor, of which no hook hears, its log deleted, or
    all of this switched off.
    """
    cache = load_start_cache(root)
    return cache is not None and cache.snapshot.first_change(at_start=False) is None


def _about(root: str, found: list[tuple[str, list[Row]]]) -> list[Row]:
    """Return the rows that mean the file, the surest first."""
    sure: list[tuple[int, Row]] = []
    for path, rows in found:
        file = opened_file(root, path)
        if file is not None:
            sure += zip(best_of([row.path for row in rows], file), rows, strict=True)
    return [row for degree, row in sorted(sure, key=lambda pair: -pair[0]) if degree]


def _chosen(rows: list[Row], known: list[bytes], most: int) -> list[Reference]:
    """Return the notes to tell: those of the surest path first, as many as may be told, none twice."""
    known = list(known)
    room = MOST_TOKENS - _FRAME_TOKENS - sum({row.shown: row.tokens for row in rows[:_MOST_NAMED]}.values())
    chosen: list[Reference] = []
    for note in (note for row in rows for note in row.notes):
        if note.id not in known and note.tokens + _LINE_TOKENS <= room and len(chosen) < most:
            known.append(note.id)
            chosen.append(note)
            room -= note.tokens + _LINE_TOKENS
    return chosen


def _say(index: FileIndex, client: Client, rows: list[Row], chosen: list[Reference]) -> bytes:
    if not chosen:
        return b""
    told = {note.id for note in chosen}
    named = [row.shown for row in rows[:_MOST_NAMED] if told.intersection(note.id for note in row.notes)]
    about = b", ".join(dict.fromkeys(named)) or rows[0].shown
    lines = [b"agent-progress: recorded in this project about %s:" % about]
    lines += [b"- " + index.note(note) for note in chosen]
    return tool_output(client, b'"' + b"\\n".join(lines) + b'\\n"')
