"""What recorded sessions say, as passages of the history: what nobody wrote down is found by it.

Everything in a record is redacted and harmless already. Of the clients' transcripts nothing is read for it: a
running session would make the index old with every line.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from progress_plugin.core.files import content_digest
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.recall.index import SESSION, IndexedPassage, IndexedSource
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.passes_in_later_sessions import note_later_passes
from progress_plugin.transcripts.record_items import by_worth
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import reads_transcripts

if TYPE_CHECKING:
    from progress_plugin.transcripts.record import SessionRecord
    from progress_plugin.usecases.recalling.history_passages import Read, Texts

_FILES = 12
"""Files in one passage."""
_TITLE = 120
_SAID, _LISTED = 0.25, 0.1
"""How probably a reader needs it, beside statements that somebody found worth writing down."""


def sessions_of(project: Project, inputs: InputSnapshot) -> Iterator[tuple[IndexedSource, Read]]:
    """Yield each recorded session as a source, the last one first; none where that is switched off."""
    if not reads_transcripts(project, inputs):
        return
    store = SessionStore(project)
    inputs.note(store.folder)
    records = store.records()
    note_later_passes(records)
    for later, record in enumerate(reversed(records)):
        passages = list(_passages(record))
        state = content_digest(repr(passages).encode("utf-8", "replace"))
        source = IndexedSource(f"{SESSION} {record.session}", state, 1, later)
        yield source, partial(_as_they_are, passages)


def _as_they_are(passages: list[IndexedPassage], _texts: Texts) -> Iterator[IndexedPassage]:
    return iter(passages)


def _passages(record: SessionRecord) -> Iterator[IndexedPassage]:
    requests = [each for each in record.requests if each.is_of_work]
    title = one_line(requests[0].text, _TITLE) if requests else ""
    for each in requests:
        yield _passage(f"Asked: {each.text}", each.when or record.ended, "", _SAID)
    files = [each.path for each in by_worth(record.files.values())]
    for first in range(0, len(files), _FILES):
        told = ", ".join(f"`{path}`" for path in files[first : first + _FILES])
        yield _passage(f"Changed: {told}", record.ended, title, _LISTED)
    for run in record.failing:
        says = f": {run.says}" if run.says else ""
        yield _passage(f"Failing at its end: `{run.name}`{says}", run.when or record.ended, title, _SAID)
    for task in record.tasks.values():
        if task.is_open:
            yield _passage(f"Left open: {task.text}", record.ended, title, _SAID)
    if record.closing:
        yield _passage(f"The agent's last words: {record.closing}", record.ended, title, _SAID)


def _passage(text: str, when: str, about: str, worth: float) -> IndexedPassage:
    return IndexedPassage(
        text=one_line(text),
        line=0,
        last=0,
        entry=1,
        stories=(),
        when=when,
        kind=SESSION,
        worth=worth,
        about=" ".join(filter(None, (about, when[:10]))),
    )
