"""Erased entries within a sync: what was erased here is told, what others have erased, known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from progress_plugin.log import known_erasures, team_erasures
from progress_plugin.log.shared_ids import digest_of
from progress_plugin.log.team_erasures import TeamErasures
from progress_plugin.log.team_state import TeamState
from progress_plugin.team import entry_rows
from progress_plugin.team.numbered_rows import TOMBSTONES

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection


class ErasureSync:
    """The steps for erased entries, over one connection."""

    def __init__(self, directory: str, server: Connection, state: TeamState) -> None:
        self._directory, self._server, self._state = directory, server, state
        self._before = team_erasures.kept(directory)
        self._now = self._before

    def tell(self, writer: str) -> None:
        """Tell all others what was erased here."""
        erased = sorted(known_erasures.read(self._directory).own)
        if erased:
            entry_rows.bury(self._server, self._state.project, writer, erased)

    def look(self) -> dict[str, str]:
        """Return the digests of the ids of all erased entries, each with who says so.

        Only what is new is read; all of it anew where the server, or a writer's history there, is another.
        """
        place = (self._state.server, self._state.project)
        before = self._before if self._before.place == place else TeamErasures(place, {}, {}, ())
        heads = TOMBSTONES.heads(self._server, self._state.project, before.known)
        there = {head.writer: head.at_known for head in heads}
        if any(digest_of(there.get(name) or "") != mark for name, (_, mark) in before.known.items()):
            before = TeamErasures(place, {}, {}, ())
        known, digests = dict(before.known), dict(before.digests)
        for head in heads:
            number = known.get(head.writer, (0, ""))[0]
            while number < head.last:
                rows = TOMBSTONES.above(self._server, self._state.project, head.writer, number)
                if not rows:
                    break
                for row in rows:
                    digests.setdefault(row.id, row.writer)
                number = rows[-1].number
                known[head.writer] = (number, digest_of(rows[-1].id))
        self._now = before._replace(known=known, digests=digests)
        return digests

    def keep(self) -> str:
        """Keep what was seen, and return what to do about entries that are here still; empty for none."""
        here = team_erasures.keep(self._directory, self._before, self._now)
        if self._now.digests != self._before.digests:
            known_erasures.remember(self._directory)
        return f"{team_erasures.sentence(here)}; {team_erasures.remedy(here)}" if here else ""
