"""Progress documents within a sync: whoever went on alone is followed, two who did are joined.

A clone remembers from which revision of the server its document comes, and what it was then. What both have
changed since stands as it came to the server first; the other words are put beside it, in the document.
"""

from __future__ import annotations

import os
from collections.abc import Container
from datetime import datetime
from typing import TYPE_CHECKING, Any

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.core.files import content_digest
from progress_plugin.log import team_memory
from progress_plugin.log.team_memory import DocumentMark, TeamMemory
from progress_plugin.memory import json_text, progress_document
from progress_plugin.memory.database import Store, reading, writing
from progress_plugin.memory.document_merge import value_identity
from progress_plugin.memory.document_sync_merge import Difference, join, with_other_versions
from progress_plugin.memory.observation import moment_of
from progress_plugin.memory.progress_document import ProgressDocument
from progress_plugin.memory.team_session import session_of
from progress_plugin.memory.write_document import Writing, write
from progress_plugin.team import document_rows
from progress_plugin.team.document_rows import ServerDocument
from progress_plugin.team.numbered_rows import Overtaken
from progress_plugin.text.bounds import some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.team.believable_document import (
    BelievableDocuments,
    BelievedDocument,
    Unsettled,
)

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection
    from progress_plugin.usecases.team.memory_place import MemoryPlace

_TURNS = 5
_LONGEST_KEY = 400
_LONGEST_SHOWN = 60
_UNSETTLED = (
    "the progress document of {} was not synced: more revisions of it there cannot be believed than one sync "
    "looks at; the next one goes on"
)


class _Changed(Exception):
    """The document here was written while it was being joined."""


class DocumentSync:
    """The steps for progress documents, over one connection."""

    def __init__(self, place: MemoryPlace, server: Connection, memory: TeamMemory) -> None:
        self._place, self._server, self._memory = place, server, memory
        self.taken = self.sent = 0
        self.notes: list[str] = []
        self._there = BelievableDocuments(place, server, memory)

    def run(self) -> None:
        """Bring each document of the project to one revision on both sides; what cannot be is noted."""
        own = self._own()
        memory = self._memory
        known = {
            key: self._there.known(key, memory.documents[key].revision if key in memory.documents else 0)
            for key in memory.documents.keys() | memory.passed.keys()
        }
        there: set[str] = set()
        for part in document_rows.heads(self._server, self._place.project, known):
            there |= part.keys() & own.keys()
            self._all_of(
                [key for key, head in part.items() if not self._agrees(key, head, own.get(key))], own
            )
        self._all_of(sorted(own.keys() - there), own)
        self.notes += self._there.notes()

    def _agrees(self, key: str, head: document_rows.Head, mine: ProgressDocument | None) -> bool:
        """Return whether nothing is new on either side."""
        known = self._memory.documents.get(key)
        if known is None:
            return mine is None and self._there.is_seen(key, head, 0)
        if mine is None or mine.id < known.row or head.mark != known.server:
            return False
        return self._there.is_seen(key, head, known.revision) and _digest(mine.text) == known.digest

    def _all_of(self, keys: list[str], own: Container[str]) -> None:
        """Bring documents to one revision on both sides, and keep what is known then; `own` are here."""
        for key in keys:
            if len(key.encode("utf-8", "replace")) > _LONGEST_KEY or "\0" in key:
                self.notes.append(f"not sent, its namespace is too long: {one_line(key, _LONGEST_SHOWN)}")
                continue
            is_here = key in own or key in self._memory.documents
            if not is_here and not self._there.may_look():
                continue
            try:
                self._one(key, is_here=is_here)
            except Unsettled:
                if is_here:
                    self.notes.append(_UNSETTLED.format(one_line(key, _LONGEST_SHOWN) or "the project"))
            except (BadInput, Refused) as error:
                self.notes.append(f"a progress document was not synced: {error}")
        if keys:
            team_memory.save(self._place.directory, self._memory)

    def _one(self, key: str, *, is_here: bool) -> None:
        for _ in range(_TURNS):
            known = self._memory.documents.get(key)
            asked = self._there.known(key, known.revision if known else 0)
            head = document_rows.head(self._server, self._place.project, key, asked)
            mine = self._own().get(key) if is_here else None
            if known is not None and (
                head.mark != known.server or (mine is not None and mine.id < known.row)
            ):
                known = None  # the server, or the database here, was restored from a backup
            theirs = self._there.newest(key, head, known.revision if known else 0, is_here=is_here)
            try:
                self._brought_together(key, head.revision, known, theirs, mine)
            except (Overtaken, _Changed):
                is_here = True
                continue
            return
        self.notes.append("others write a progress document all the time; the next sync goes on")

    def _brought_together(
        self,
        key: str,
        head: int,
        known: DocumentMark | None,
        theirs: BelievedDocument | None,
        mine: ProgressDocument | None,
    ) -> None:
        """Go on with `theirs`, the newest that is news here, and with `mine`; `head` is the last number."""
        is_changed_here = mine is not None and (known is None or _digest(mine.text) != known.digest)
        if theirs is None and mine is not None:
            if is_changed_here:
                self._send(key, head + 1, mine.text, mine.id)
            return
        if theirs is None and known is not None:
            theirs = self._there.at(key, known.revision)  # it was taken away here alone
        if theirs is None:
            return
        if mine is None or not is_changed_here:
            self._follow(key, theirs, theirs.text or "", mine)
        else:
            base = self._there.at(key, known.revision) if known else None
            self._join(key, (theirs, head), mine, base.value if base else None)

    def _join(self, key: str, there: tuple[BelievedDocument, int], mine: ProgressDocument, base: Any) -> None:
        theirs, head = there
        value, differences = join(base, theirs.value, mine.exact)
        value = with_other_versions(value, differences, self._place.writer)
        text = json_text.dump(value)
        if differences:
            self._tell(theirs, mine, differences)
        row = self._follow(key, theirs, text, mine)
        if value_identity(value) != value_identity(theirs.value):
            self._send(key, head + 1, text, row)
        else:
            self._memory.documents[key] = DocumentMark(theirs.revision, theirs.mark, _digest(text), row)

    def _tell(self, theirs: BelievedDocument, mine: ProgressDocument, differences: list[Difference]) -> None:
        names = [one_line(each.field, _LONGEST_SHOWN) or "the whole document" for each in differences]
        fields = some_of(names)
        self.notes.append(
            f"{theirs.writer} wrote the progress document, too: {fields} stands as there, yours beside it; "
            f"settle it and write it again (yours as it was: `memory progress --revision {mine.revision}`)"
        )

    def _follow(self, key: str, theirs: BelievedDocument, text: str, mine: ProgressDocument | None) -> int:
        """Make a text the document here, unless it is, and return its row.

        What it has beyond the server's counts as changed here until it was sent. Raises _Changed where
        somebody has written meanwhile.
        """
        row = mine.id if mine is not None else 0
        if mine is None or mine.text != text:
            with writing(self._place.database) as store:
                now = self._found(store).get(key)
                if (now and now.id) != (mine and mine.id):
                    raise _Changed
                session = session_of(theirs.writer, joined=text != theirs.text)
                row = self._write(store, key, text, (session, self._time_of(theirs, text, mine)))
            self.taken += 1
        self._memory.documents[key] = DocumentMark(
            theirs.revision, theirs.mark, _digest(theirs.text or ""), row
        )
        return row

    def _time_of(self, theirs: BelievedDocument, text: str, mine: ProgressDocument | None) -> datetime:
        """Return how old a document is: a start compares it with what the log says was done since.

        It is not older than the one it takes the place of, or another one of the project's would be shown.
        """
        now = self._place.now
        if text != theirs.text:
            return now
        return max(theirs.arrived, moment_of(mine.updated_at, now)) if mine is not None else theirs.arrived

    def _write(self, store: Store, key: str, text: str, told: tuple[str, datetime]) -> int:
        """Write what a colleague told, as which session and when, and return its row."""
        place, space = self._place, key or None
        line = progress_document.line_to_write(store, place.names[0], space, place.root)
        shown = progress_document.shown(store, place.names, place.root) if not key else None
        if shown is not None:
            # One that no root is named for may be another project's of this name: it stays as it is.
            is_ours = shown[1].root is not None
            line = shown[0] if is_ours else progress_document.line_beside(place.names[0], space, place.root)
        newest = max((one.revision for one in progress_document.history(store, line)), default=None)
        session, when = told
        writing_ = Writing(
            line=line, namespace=space, value=json_text.exact(text), text=text, root=place.root,
            base_revision=newest, session_id=session,
        )  # fmt: skip
        return write(store, writing_, when).id

    def _send(self, key: str, revision: int, text: str, row: int) -> None:
        document = ServerDocument(revision, self._place.writer, text)
        mark = document_rows.add(self._server, self._place.project, key, document)
        self._memory.documents[key] = DocumentMark(revision, mark, _digest(text), row)
        self._memory.passed.pop(key, None)
        self.sent += 1

    def _own(self) -> dict[str, ProgressDocument]:
        if not os.path.exists(self._place.database):
            return {}
        with reading(self._place.database) as store:
            return self._found(store)

    def _found(self, store: Store) -> dict[str, ProgressDocument]:
        return progress_document.bound_to(store, self._place.names, self._place.root)


def _digest(text: str) -> str:
    return content_digest(text.encode("utf-8", "replace")).decode()
