"""What an agent is told about a file that a tool of it has read or edited (S18.8).

Loaded only where a file of that name is recorded. What is recorded is decided in
`usecases.summarizing.file_notes`, which file a recorded path means, in `core.fast.named_files`.
"""

from progress_plugin.core.clients import Client, tool_output
from progress_plugin.core.fast.file_index import FileIndex, Reference, Row
from progress_plugin.core.fast.hook_input import field, session_of
from progress_plugin.core.fast.hook_process import say
from progress_plugin.core.fast.minimal_os import value_of
from progress_plugin.core.fast.named_files import best_of, main_worktree, opened_file
from progress_plugin.core.fast.start_cache import first_change, is_any_lost, read_cache, seal
from progress_plugin.core.fast.told_notes import MOST_TOLD, count, hold, told_at_start, told_before

MOST_TOKENS = 300
"""Estimated tokens of all that is told at one use of a tool."""
_CONFIG = b"/config.toml"
_MOST_NAMED = 3
"""Files that the sentence before the notes names: a command of a shell may read several."""
_FRAME_TOKENS = 16
"""What the sentence before the notes costs, without the path."""
_LINE_TOKENS = 2
"""What the mark before a note and the end of its line cost."""


def tell(root: str, index: FileIndex, client: Client, raw: bytes, found: list[tuple[str, list[Row]]]) -> None:
    """Print what is recorded about the file, as far as this session was not told.

    `found` are the paths that lead to it, and the rows of their base names. Raises OSError where it cannot
    be printed.
    """
    session = session_of(raw)
    if client.tool_event not in ("", field(raw, b"hook_event_name")):
        return
    if session is None or index.seal != seal(root):
        return
    rows = _about(root, found)
    if not rows or not _still_holds(root):
        return
    agent = field(raw, b"agent_id")
    at_start = [] if agent else told_at_start(root, session)
    if (main := main_worktree(root)) is not None:  # the session may have begun there
        at_start += told_before(main, session, agent)
    if value_of("AGENT_PROGRESS_READ_ONLY") not in ("", "0"):
        _say(index, client, rows, _chosen(rows, at_start, MOST_TOLD))
        return
    told = hold(root, session, agent)
    if told is None:
        return  # it would be told again and again
    try:
        chosen = _chosen(rows, [*at_start, *told.ids], MOST_TOLD - len(told.ids))
        ids = [note.id for note in chosen]
        if ids:
            told.add(ids)
            count(root, ids)
        _say(index, client, rows, chosen)
    finally:
        told.close()


def _still_holds(root: str) -> bool:
    """Return whether the settings are those that the index was made under, and no source of it is gone.

    It may be switched off by now, and what stood in a log that was deleted is not recorded any more.
    """
    cache = read_cache(root)
    if cache is None or is_any_lost(cache.records, root):
        return False
    return first_change([each for each in cache.records if each.endswith(_CONFIG)], root) is None


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


def _say(index: FileIndex, client: Client, rows: list[Row], chosen: list[Reference]) -> None:
    if not chosen:
        return
    told = {note.id for note in chosen}
    named = [row.shown for row in rows[:_MOST_NAMED] if told.intersection(note.id for note in row.notes)]
    about = b", ".join(dict.fromkeys(named)) or rows[0].shown
    lines = [b"agent-progress: recorded in this project about %s:" % about]
    lines += [b"- " + index.note(note) for note in chosen]
    say(tool_output(client, b'"' + b"\\n".join(lines) + b'\\n"'))
