"""One sync of a project with its team's server: what is new there taken in, what it lacks sent.

Nothing waits in a queue of its own: what is to be sent is what the server does not have. So a kill at any
instant, a server that goes away and a partition of a week come to the same: the next sync does the rest.
A server that was restored from a backup, and knows less than it did, is asked from the beginning
(`_forget_replaced`).
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import (
    begun_stories,
    claims,
    foreign_entry,
    team_double_ids,
    team_erasures,
    team_state,
    writer_identity,
)
from progress_plugin.log.entry import data_of, text_of, time_of
from progress_plugin.log.shared_ids import digest_of
from progress_plugin.log.team_double_ids import DoubleId
from progress_plugin.log.team_state import TeamState
from progress_plugin.model.status import TYPE_OF_STATUS, Status
from progress_plugin.team import claim_rows, connection, entry_rows, migrations, writer_rights
from progress_plugin.team.numbered_rows import ENTRIES, Head, Overtaken, Row, batches, portions
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.usecases.project_writes import lock_of, prepare, take_turn
from progress_plugin.usecases.reading import read_settings
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.recording.entries_of_others import Arrivals, put_into_log
from progress_plugin.usecases.team.erasure_sync import ErasureSync
from progress_plugin.usecases.team.logged_claims import lease_logged
from progress_plugin.usecases.team.team_memory_sync import sync_memory
from progress_plugin.usecases.team.team_server import agreed_key, project_key, required_url
from progress_plugin.usecases.team.unsent_entries import said_by, unsent

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

_AT_ONCE = 500
"""Entries that are sent in one transaction."""
_AT_WORK = timedelta(hours=2)
"""For how long a story is claimed that a hook saw begun."""
_TURNS = 3
"""How often a push begins again because another process has added entries as this writer."""


class Synced(NamedTuple):
    """What one sync did."""

    project: str
    """What the project is called on the server."""
    writer: str
    taken: int
    sent: int
    memory_taken: int
    """Observations, their ends, and revisions of progress documents that others have written."""
    memory_sent: int
    notes: tuple[str, ...]
    """What a person should know, one sentence each."""


def sync(
    project: Project, *, joins: bool, named: str | None = None, patience: float = DEFAULT_TIMEOUT_S
) -> Synced | None:
    """Take in what others have added, send what the server lacks, and look who claims what.

    With `joins` the clone takes part from now on; without, None where it does not. `named` is what the
    project is called on the server from now on, in this clone. `patience` is for another sync of this clone,
    in seconds. Raises BadInput where no team is configured, Busy while another sync runs,
    TeamServerFault where the server cannot be reached or refuses, AgentProgressError where the disk does.
    """
    directory = project.log_directory
    if not joins and team_state.load(directory) is None:
        return None
    url = required_url()
    prepare(project)
    with team_state.sync_lock(directory, patience):
        state = team_state.load(directory)
        if state is None and not joins:
            return None  # it has left meanwhile
        team_state.begin(directory)
        try:
            state = _entered(project, state, named, joins=joins)
            with connection.connected(url) as server:
                migrations.refuse_other(server)
                seen = _seen(state, entry_rows.server_id(server))
                done = _Sync(project, server, seen).run()
            team_state.succeeded(directory, seen)
        except AgentProgressError as error:
            if team_state.load(directory) is not None:
                team_state.note_fault(directory, str(error))
            raise
    return done


def _entered(project: Project, state: TeamState | None, named: str | None, *, joins: bool) -> TeamState:
    """Return what is known under the name that the project has, which is kept: this clone takes part.

    It does so from now on also if the server cannot be reached today. A name that the user gave to this clone
    stands before all others.
    """
    if named is None and state is not None and state.named:
        return state
    key = named if named is not None else _key(project, state, joins=joins)
    if state is not None and (state.project, state.named) == (key, named is not None):
        return state
    fresh = TeamState(project=key, named=named is not None)
    if state is None or named is not None:
        team_state.save(project.log_directory, fresh)
    return fresh


def _key(project: Project, state: TeamState | None, *, joins: bool) -> str:
    """Return what the project is called; it changes only where somebody is there to see it."""
    return project_key(project) if joins or state is None else agreed_key(project, state)


def _seen(state: TeamState, server: str) -> TeamState:
    """Return what is known of this project on this server; of another one nothing is."""
    return state if state.server == server else TeamState(server, state.project, named=state.named)


class _Sync:
    """The steps of one sync, over one connection."""

    def __init__(self, project: Project, server: "Connection", state: TeamState) -> None:
        self._project = project
        self._directory = project.log_directory
        self._server = server
        self._state = state
        self._notes: list[str] = []
        self._odd: set[tuple[str, int]] = set()
        self._double: list[DoubleId] = []
        self._finished: dict[str, datetime | None] = {}
        """By story in small letters, when it was finished: of what this sync has sent."""
        with lock_of(project, DEFAULT_TIMEOUT_S):
            self._former = writer_identity.former(self._directory)
            self._writer = writer_identity.writer_of(self._directory)

    def run(self) -> Synced:
        """Do all of it, and return what was done."""
        self._take_another_name()
        is_new = self._go_on_as_member()
        erasures = ErasureSync(self._directory, self._server, self._state)
        erasures.tell(self._writer)
        taken = self._pulled(erasures.look())
        if here := erasures.keep():
            self._notes.append(here)
        sent = self._push()
        self._name_double_ids()
        changed = self._look_at_claims()
        memory = sync_memory(self._project, self._server, self._state, self._writer)
        if taken or changed or memory.taken or is_new:
            self._renew()
        if self._odd:
            number = counted(len(self._odd), "row")
            self._notes.append(f"{number} of the server hold no entry that can be believed; passed over")
        notes = (*self._notes, *memory.notes)
        return Synced(self._state.project, self._writer, taken, sent, memory.taken, memory.sent, notes)

    def _take_another_name(self) -> None:
        """Become another writer where our name belongs to somebody else, who wrote under it first."""
        if not writer_rights.is_ours(self._server, self._state.project, self._writer):
            self._begin_anew("{} belongs to another role of the team's server, which wrote under it first")

    def _go_on_as_member(self) -> bool:
        """Note that this clone takes part, and go on with the claims of the one before it at its path.

        Returns whether that is new. A clone that was restored or made anew has another name, and nobody else
        would free those claims.
        """
        before, is_new = self._former, not writer_identity.took_part(self._directory)
        if before is not None and writer_rights.is_ours(self._server, self._state.project, before):
            told = claim_rows.take_over(self._server, self._state.project, (before, self._writer))
            claimed = f", and claims what that did: {some_of(told)}" if told else ""
            self._notes.append(
                f"this clone was {before}; restored or made anew, it is {self._writer}{claimed}"
            )
        if is_new or before is not None:
            self._notes += lease_logged(self._project, self._server, self._state.project, self._writer)
            with lock_of(self._project, DEFAULT_TIMEOUT_S):
                writer_identity.note_membership(self._directory, is_member=True)
        return is_new or before is not None

    def _begin_anew(self, why: str) -> None:
        """Become another writer."""
        before = self._writer
        with lock_of(self._project, DEFAULT_TIMEOUT_S):
            self._writer = writer_identity.begin_anew(self._directory)
        writer_rights.take(self._server, self._state.project, self._writer)
        self._notes.append(f"{why.format(before)}; this one is {self._writer} from now on")

    def _name_double_ids(self) -> None:
        new = team_double_ids.keep(self._directory, self._double)
        if new:
            more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
            self._notes.append(f"{new[0].sentence()}{more}; `agent-progress verify` names it")

    def _pulled(self, buried: Mapping[str, str]) -> int:
        """Pull; own work goes out where that fails, too, as far as there is a server."""
        try:
            return self._pull(buried)
        except (connection.server_error(), AgentProgressError):
            if not self._server.closed:
                self._push()
            raise

    def _pull(self, buried: Mapping[str, str]) -> int:
        heads = ENTRIES.heads(self._server, self._state.project, self._state.known)
        self._forget_replaced(heads)
        self._look_for_a_twin(heads)
        taken = 0
        withheld: set[str] = set()
        for rows in batches(self._news(heads)):
            found = [row for row in rows if digest_of(row.id) not in buried] if buried else rows
            withheld |= {row.id for row in rows if row.body is not None} - {row.id for row in found}
            taken += take_turn(
                self._project,
                DEFAULT_TIMEOUT_S,
                lambda found=found: self._arrivals(found),  # type: ignore[misc]
                lambda arrivals, _: put_into_log(self._project, arrivals),
            )
            # The log first: a kill in between has the same rows asked for again, and known by their ids.
            self._state.known |= {row.writer: (row.number, digest_of(row.id)) for row in rows}
            team_state.save(self._directory, self._state)
        team_state.save(self._directory, self._state)
        if withheld:
            says = team_erasures.who(buried[digest_of(name)] for name in withheld)
            self._notes.append(
                f"{counted(len(withheld), 'entry')} of others not taken in: erased by the team "
                f"({says} says so): {some_of(sorted(withheld))}"
            )
        return taken

    def _forget_replaced(self, heads: list[Head]) -> None:
        """Ask anew for the whole history of a writer where the server's is another than it was.

        It was restored from a backup: numbers were lost, or given out again.
        """
        there = {head.writer: head for head in heads}
        for writer, (_, mark) in list(self._state.known.items()):
            found = there[writer].at_known if writer in there else None
            if found is None or digest_of(found) != mark:
                del self._state.known[writer]
                self._state.months.clear()
                self._state.elsewhere.clear()

    def _look_for_a_twin(self, heads: list[Head]) -> None:
        """Become another writer where somebody else writes under our name: numbers we did not give.

        What is above the last number we know, and in our log, was sent by a process that was killed.
        """
        known = self._state.known.get(self._writer, (0, ""))[0]
        if not known:
            return  # the state is new: what is there under our name is our own past
        last = next((head.last for head in heads if head.writer == self._writer), 0)
        while known < last:
            rows = ENTRIES.above(self._server, self._state.project, self._writer, known)
            arrivals = self._arrivals(rows)
            if arrivals.entries:
                before = self._writer
                self._begin_anew(
                    "another clone writes as {}: a backup of this one, or a copy of this machine"
                )
                own = claims.of_this_clone(self._directory)
                claim_rows.hand_over(self._server, self._state.project, own, (before, self._writer))
                return
            if not rows:
                return
            known = rows[-1].number
            self._state.known[self._writer] = (known, digest_of(rows[-1].id))

    def _news(self, heads: list[Head]) -> Iterator[list[Row]]:
        for head in heads:
            known = self._state.known.get(head.writer, (0, ""))[0]
            while known < head.last:
                rows = ENTRIES.above(self._server, self._state.project, head.writer, known)
                if not rows:
                    break  # a server of ours has no gaps
                known = rows[-1].number
                yield rows

    def _arrivals(self, rows: list[Row]) -> Arrivals:
        """Return what of these rows is an entry, and new to our log. No lock is held."""
        arrivals = Arrivals(self._project)
        for row in rows:
            if row.body is None:
                continue  # blanked
            entry = foreign_entry.entry_of(entry_rows.line_in(row.body), dated=False)
            if isinstance(entry, str) or entry["id"] != row.id or not foreign_entry.is_writer(row.writer):
                self._odd.add((row.writer, row.number))
            else:
                arrivals.add(entry, row.writer)
        arrivals.settle()
        self._double += [
            DoubleId(each.entry["id"], each.writer, said_by(each.entry)) for each in arrivals.differing()
        ]
        return arrivals

    def _push(self) -> int:
        for _ in range(_TURNS):
            try:
                return self._sent()
            except Overtaken:
                heads = ENTRIES.heads(self._server, self._state.project, self._state.known)
                self._forget_replaced(heads)
                self._look_for_a_twin(heads)
        raise AgentProgressError("other processes write as this clone all the time; the next sync goes on")

    def _sent(self) -> int:
        waiting = unsent(self._directory, self._server, self._state, self._writer)
        self._double += waiting.double
        if waiting.left:
            note = f"not sent, too large or without an id that fits: {some_of(waiting.left)}"
            self._notes = [*(each for each in self._notes if each != note), note]
        for batch in portions(waiting.entries, lambda entry: len(waiting.lines[entry["id"]]), _AT_ONCE):
            told = {entry["id"]: waiting.lines[entry["id"]] for entry in batch}
            last = self._state.known.get(self._writer, (0, ""))[0]
            with self._server.transaction():  # no kill leaves a story held that is told to be finished
                number = entry_rows.add(self._server, self._state.project, self._writer, last, told)
                self._release_finished(batch)
            self._state.known[self._writer] = (number, digest_of(batch[-1]["id"]))
            team_state.save(self._directory, self._state)
        self._state.months = waiting.months
        team_state.save(self._directory, self._state)
        return len(waiting.entries)

    def _release_finished(self, entries: Sequence[dict[str, Any]]) -> None:
        """Let go of what these entries finish: of our own claims alone, those of others end by themselves."""
        done = {name.casefold(): entry for entry in entries if (name := _finished_story(entry))}
        if done:
            claim_rows.finish(self._server, self._state.project, list(done), self._writer)
            self._finished |= {key: time_of(entry) for key, entry in done.items()}

    def _claim_begun(self) -> None:
        waiting = begun_stories.waiting_stories(self._directory)
        for begun in waiting:
            left = begun.when + _AT_WORK.total_seconds() - time.time()
            if not 0 < left <= _AT_WORK.total_seconds():
                continue  # it was begun long ago, while nothing could be sent
            done = self._finished.get(begun.story.casefold())
            if done is not None and done.timestamp() >= begun.when:
                continue
            holder, span = claim_rows.Holder(self._writer, begun.session), timedelta(seconds=int(left) + 1)
            held = claim_rows.claim(self._server, self._state.project, begun.story, holder, span)
            if not held.is_ours and held.claim.writer is not None:
                self._notes.append(
                    f"{held.claim.writer} claims {begun.story} until {held.claim.until}; it was begun here"
                )
        if waiting:
            begun_stories.forget(self._directory, waiting)

    def _look_at_claims(self) -> bool:
        self._claim_begun()
        found = claim_rows.current(self._server, self._state.project, self._writer)
        return claims.keep(self._directory, found)

    def _renew(self) -> None:
        settings = read_settings(self._project).stored
        if settings.auto_generate and settings.summary_enabled:
            self._notes += renew(self._project)


def _finished_story(entry: dict[str, Any]) -> str | None:
    """Return the story that an entry finishes, not what only adds to such an entry."""
    if entry.get("type") != TYPE_OF_STATUS[Status.DONE] or "supplements" in data_of(entry):
        return None
    return text_of(entry, "task_id")
