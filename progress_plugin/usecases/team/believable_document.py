"""The newest revision of a progress document on the server that can be believed.

Anybody of a team may add a revision, so the newest one may be no document. Then the one before counts: what
another one wrote there must not be lost to it. What was passed over is remembered, and not read again.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.log.foreign_entry import is_writer
from progress_plugin.log.team_memory import PassedRevisions, TeamMemory
from progress_plugin.memory import json_text
from progress_plugin.memory.observation import moment_of
from progress_plugin.team import document_rows
from progress_plugin.team.document_rows import Head, KnownRevisions, ServerDocument
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.redact import redact_value
from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection
    from progress_plugin.usecases.team.memory_place import MemoryPlace

MOST_PASSED = 1000
"""Revisions that one sync passes over: of each document that is here, and of all others together."""
_MOST_BYTES = 32 * 1024 * 1024
"""Bytes of them."""
_SECONDS = len("2026-11-25 10:00:00")
_LONGEST_SHOWN = 60


class BelievedDocument(NamedTuple):
    """A revision on the server, as far as it can be believed."""

    revision: int
    writer: str
    value: Any
    text: str | None
    """None where it cannot be believed."""
    arrived: datetime
    """When the server got it, by its clock."""
    mark: str
    """The server's digest of it."""


class Unsettled(Exception):
    """More revisions cannot be believed than one sync looks at; the next one goes on."""


class _Budget:
    """How much of what cannot be believed is looked at yet."""

    def __init__(self) -> None:
        self._rows, self._bytes = MOST_PASSED, _MOST_BYTES

    def spend(self, row: ServerDocument) -> None:
        self._rows -= 1
        self._bytes -= row.size

    def is_spent(self) -> bool:
        return self._rows <= 0 or self._bytes <= 0


class BelievableDocuments:
    """A project's documents on the server, over one connection."""

    def __init__(self, place: MemoryPlace, server: Connection, memory: TeamMemory) -> None:
        self._place, self._server, self._memory = place, server, memory
        self._strangers = _Budget()
        self._passed = self._left = 0
        self._writers: set[str] = set()

    def is_seen(self, key: str, head: Head, agreed: int) -> bool:
        """Return whether nothing stands above the revision that was agreed on but what was passed over."""
        if head.revision == agreed:
            return True
        seen = self._seen(key, head)
        return seen is not None and seen.highest == head.revision and seen.lowest <= agreed + 1

    def may_look(self) -> bool:
        """Return whether this sync looks at one more document that is not here."""
        if self._strangers.is_spent():
            self._left += 1
            return False
        return True

    def known(self, key: str, agreed: int) -> KnownRevisions:
        """Return what the server is asked for of a document."""
        seen = self._memory.passed.get(key)
        return KnownRevisions(agreed, seen.highest if seen else 0)

    def at(self, key: str, revision: int) -> BelievedDocument | None:
        """Return one revision; None where the server has none of this number, or it cannot be believed."""
        for row in document_rows.down_from(self._server, self._place.project, key, revision, revision - 1):
            found = self._believed(row)
            return None if found.text is None else found
        return None

    def newest(self, key: str, head: Head, agreed: int, *, is_here: bool) -> BelievedDocument | None:
        """Return the newest revision above the one that was agreed on; None where none can be believed.

        Raises Unsettled.
        """
        budget = _Budget() if is_here else self._strangers
        seen = self._seen(key, head)
        place, arrived, found = head.revision, "", None
        while found is None and place > agreed:
            if seen is not None and seen.lowest <= place <= seen.highest:
                place, arrived = seen.lowest - 1, arrived or seen.arrived
                continue
            rows = document_rows.down_from(self._server, self._place.project, key, place, agreed)
            for row in rows:
                found = self._believed(row)
                if found.text is not None:
                    break
                arrived, place, found = arrived or row.arrived, row.revision - 1, None
                self._pass(row, budget)
            if not rows:
                break
            if found is None and budget.is_spent():
                self._keep(key, place + 1, head.revision, arrived)
                raise Unsettled
        self._keep(key, place + 1, head.revision, arrived)
        return found

    def notes(self) -> list[str]:
        """Return what a person should know of what was passed over, each once."""
        notes = []
        if self._passed:
            number = counted(self._passed, "revision")
            who = some_of(sorted(self._writers))
            notes.append(f"{number} of progress documents there cannot be believed (by {who}); passed over")
        if self._left:
            notes.append(
                f"{counted(self._left, 'progress document')} there wait for the next sync: too many that "
                "cannot be believed stand before them"
            )
        return notes

    def _seen(self, key: str, head: Head) -> PassedRevisions | None:
        seen = self._memory.passed.get(key)
        return seen if seen is not None and seen.arrived == head.passed else None

    def _keep(self, key: str, lowest: int, highest: int, arrived: str) -> None:
        if lowest <= highest:
            self._memory.passed[key] = PassedRevisions(lowest, highest, arrived)
        else:
            self._memory.passed.pop(key, None)

    def _pass(self, row: ServerDocument, budget: _Budget) -> None:
        budget.spend(row)
        if row.mark:  # one that was blanked was erased
            self._passed += 1
            self._writers.add(one_line(row.writer, _LONGEST_SHOWN))

    def _believed(self, row: ServerDocument) -> BelievedDocument:
        arrived = moment_of(row.arrived[:_SECONDS], self._place.now)
        none = BelievedDocument(row.revision, row.writer, None, None, arrived, row.mark)
        if row.text is None or not is_writer(row.writer):
            return none
        try:
            value, text = json_text.parse(row.text)
        except BadInput:
            return none
        clean, count = redact_value(value)
        return none._replace(value=clean, text=json_text.dump(clean) if count else text)
