"""Observations within a sync: those of others put into the memory, ours and their ends sent.

An observation is called by one random name on every machine. Its end (deleted, compacted, replaced by the
next revision of its topic) is a row of its own, so both are only ever added.
"""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.log import team_memory
from progress_plugin.log.shared_ids import digest_of
from progress_plugin.log.team_memory import SharedRow, TeamMemory
from progress_plugin.memory import travelling_observation
from progress_plugin.memory.database import Store, reading, writing
from progress_plugin.memory.observation import soft_delete
from progress_plugin.memory.travelling_observation import StoredObservation
from progress_plugin.team.numbered_rows import OBSERVATIONS, Head, NewRow, Overtaken, Row, batches, portions
from progress_plugin.text.bounds import counted

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection
    from progress_plugin.usecases.team.memory_place import MemoryPlace

_BORN, _GONE = "obs-", "gone-"
_TURNS = 3
_AT_ONCE = 100
"""Rows that are sent in one transaction; each may have a MiB."""
_LARGEST = 8 * 1024 * 1024
"""Bytes of one, as the server's table has it."""


class ObservationSync:
    """The steps for observations, over one connection."""

    def __init__(self, place: MemoryPlace, server: Connection, memory: TeamMemory) -> None:
        self._place, self._server, self._memory = place, server, memory
        self.taken = self.sent = 0
        self.notes: list[str] = []
        self._odd = 0
        self._standing: Counter[int] = Counter()
        """How many observations that have not ended stand in each row."""

    def run(self) -> None:
        """Take in, then send; again where another process has sent as this writer meanwhile."""
        self._forget_replaced()
        for _ in range(_TURNS):
            self._pull()
            try:
                self._push()
            except Overtaken:
                continue
            if self._odd:
                number = counted(self._odd, "observation")
                self.notes.append(f"{number} of the server cannot be believed; passed over")
            return
        raise AgentProgressError("other processes write as this clone all the time; the next sync goes on")

    def _forget_replaced(self) -> None:
        """Compare everything anew where the database is another one: a backup, or new after a loss."""
        created = {shared.row: shared.created for shared in self._memory.shared.values()}
        path, found = self._place.database, {}
        if created and os.path.exists(path):
            with reading(path) as store:
                found = travelling_observation.stamps(store, created)
        if found != created:
            self._memory.forget()

    def _pull(self) -> None:
        known, project = self._memory.known, self._place.project
        heads = OBSERVATIONS.heads(self._server, project, known)
        for lost in set(known) - {head.writer for head in heads}:
            del known[lost]
            self._send_all_again()
        for rows in batches(self._rows_above(heads)):
            self._take_in(rows)
            # The database first: a kill in between has the same rows asked for again, and found there.
            known |= {row.writer: (row.number, digest_of(row.id)) for row in rows}
            team_memory.save(self._place.directory, self._memory)

    def _rows_above(self, heads: list[Head]) -> Iterator[list[Row]]:
        for head in heads:
            number, mark = self._memory.known.get(head.writer, (0, ""))
            if number and (head.at_known is None or digest_of(head.at_known) != mark):
                number = 0
                self._send_all_again()
            while number < head.last:
                rows = OBSERVATIONS.above(self._server, self._place.project, head.writer, number)
                if not rows:
                    break
                number = rows[-1].number
                yield rows

    def _send_all_again(self) -> None:
        """Have sent what a server may have lost that was restored from a backup; what it has is not sent."""
        memory = self._memory
        memory.pending |= {name for name, shared in memory.shared.items() if shared.is_ours} | memory.gone

    def _take_in(self, rows: list[Row]) -> None:
        memory = self._memory
        self._standing = Counter(
            shared.row for name, shared in memory.shared.items() if name not in memory.gone
        )
        with writing(self._place.database) as store:
            for row in rows:
                name = row.id.removeprefix(_BORN).removeprefix(_GONE)
                if row.id.startswith(_GONE):
                    self._end(store, name)
                elif (
                    name not in self._memory.shared and name not in self._memory.gone and row.body is not None
                ):
                    self._begin(store, name, row)

    def _end(self, store: Store, name: str) -> None:
        if name in self._memory.gone:
            return
        self._memory.gone.add(name)
        ended = self._memory.shared.get(name)
        if ended is None:
            return
        self._standing[ended.row] -= 1
        if not ended.was_here and not self._standing[ended.row]:
            self.taken += soft_delete(store, [ended.row], self._place.now)

    def _begin(self, store: Store, name: str, row: Row) -> None:
        found = travelling_observation.believed(row.body or "")
        if found is None:
            self._odd += 1
            return
        place = self._place
        twin = travelling_observation.twin(store, found, place.names)
        number = twin
        if number is None:
            whose = (place.names[0], place.root, None if row.writer == place.writer else row.writer)
            number = travelling_observation.put(store, found, whose, place.now)
            self.taken += 1
        kept = travelling_observation.stored(store, number, place.names)
        if kept is None:
            raise RuntimeError("an observation that was just put into the memory is not there")
        is_ours = row.writer == place.writer
        was_here = twin is not None and not is_ours and not self._standing[number]
        self._standing[number] += 1
        self._memory.shared[name] = SharedRow(number, kept.digest, kept.told.created_at, is_ours, was_here)

    def _push(self) -> None:
        texts = self._news()
        memory, directory = self._memory, self._place.directory
        # What it will be called stands before it is sent: nothing is sent under two names after a kill.
        team_memory.save(directory, memory)
        # What ends goes first: a changed text is a new observation that may say the same as the one before.
        rows = [NewRow(f"{_GONE}{name}", None) for name in sorted(memory.pending & memory.gone)]
        rows += [NewRow(f"{_BORN}{name}", text) for name, text in texts.items()]
        lacking = OBSERVATIONS.lacking(self._server, self._place.project, [row.id for row in rows])
        waiting = [row for row in rows if row.id in lacking]
        for part in portions(waiting, lambda row: len(row.body or ""), _AT_ONCE):
            self._send(part)
        memory.pending.clear()
        team_memory.save(directory, memory)
        done = {shared.row for shared in memory.shared.values()}
        team_memory.forget_saved(directory, self._place.database, done)

    def _send(self, rows: list[NewRow]) -> None:
        place, known = self._place, self._memory.known
        last = known.get(place.writer, (0, ""))[0]
        OBSERVATIONS.add(self._server, place.project, place.writer, last, rows)
        known[place.writer] = (last + len(rows), digest_of(rows[-1].id))
        self.sent += len(rows)

    def _news(self) -> dict[str, str]:
        """Note what began and ended here, and return by their names the texts that the server may lack."""
        path, memory = self._place.database, self._memory
        noted = team_memory.saved(self._place.directory, path)
        live: dict[int, list[str]] = {row: [] for row in noted}
        for name, shared in memory.shared.items():
            live.setdefault(shared.row, []).extend(() if name in memory.gone else (name,))
        given = {shared.row for shared in memory.shared.values() if not shared.was_here}
        """Rows the team has had: what ended there and lives here was brought back by `memory restore`."""
        texts: dict[str, str] = {}
        if not live or not os.path.exists(path):
            return texts
        with reading(path) as store:
            for row, names in live.items():
                found = travelling_observation.stored(store, row, self._place.names)
                text = self._sent_text(found, is_known=bool(names), noted=noted.get(row))
                kept = self._without_ended(names, found)
                if found is None or text is None:
                    continue
                said_here = any(memory.shared[name].is_ours for name in kept)
                if not said_here and (row in noted or (not kept and row in given)):
                    name = secrets.token_hex(16)
                    memory.shared[name] = SharedRow(row, found.digest, found.told.created_at, True, False)
                    memory.pending.add(name)
                    kept.append(name)
                texts |= {name: text for name in kept if name in memory.pending}
        return texts

    def _sent_text(self, found: StoredObservation | None, *, is_known: bool, noted: str | None) -> str | None:
        """Return the text that may be sent of a row; None for one that ended, or is not the one noted."""
        if found is None or not found.live or (not is_known and noted is not None and noted != found.digest):
            return None
        return found.told.text if self._fits(found.told.text) else None

    def _without_ended(self, names: list[str], found: StoredObservation | None) -> list[str]:
        """Return the names that still stand for a row, and note that the others have ended."""
        memory = self._memory
        digest = found.digest if found is not None and found.live else None
        ended = {name for name in names if memory.shared[name].digest != digest}
        memory.gone |= ended
        memory.pending |= ended
        return [name for name in names if name not in ended]

    def _fits(self, text: str) -> bool:
        if len(text) > _LARGEST:
            self.notes.append("an observation is too large to be sent")
        return len(text) <= _LARGEST
