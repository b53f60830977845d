"""The commands `archive`, `verify` and `repair`: move old entries, check log and archive, mend them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import archive, known_erasures, store, verify
from progress_plugin.log.archive import limits_of
from progress_plugin.log.entry import text_of
from progress_plugin.log.headline import headline
from progress_plugin.log.verify import Fault
from progress_plugin.usecases.evidence import completions, evidence_by_entry
from progress_plugin.usecases.last_session import OFF, read_sessions, reads_transcripts
from progress_plugin.usecases.project_writes import lock_of, prepare
from progress_plugin.usecases.reading import read_log
from progress_plugin.usecases.recording.append import renew
from progress_plugin.usecases.recording.record_events import drain
from progress_plugin.usecases.sharing import share_again, shared_faults, take_in_latest


class Archived(NamedTuple):
    """What an archiving did."""

    moved: int
    left: int  # entries that are in the log now
    notes: list[str]


class Claim(NamedTuple):
    """A completion that no check proves."""

    id: str  # of the entry
    timestamp: str
    task: str  # id of the story, else the headline of the entry
    state: str  # as in `Evidence`
    words: str  # `claimed, pytest failed`
    files: tuple[str, ...]  # written for it, as far as the transcript shows


class Claims(NamedTuple):
    """What sessions prove of the completions in log and index of the archive."""

    unproven: list[Claim]  # oldest first
    proven: int
    unknown: int  # completions of sessions that were not read


def archive_old(
    project: Project, now: datetime, *, days: int | None = None, at_least: int | None = None
) -> Archived:
    """Move what is due by the settings, or by `days` and `at_least` entries if they are given.

    `now` carries its zone. Nothing due: nothing is written. Raises BadInput for a log that may not be
    written, Busy if another process holds the lock, AgentProgressError if the disk refuses.
    """
    directory = project.log_directory
    if store.load(directory).raw is None:
        return Archived(0, 0, [])
    prepare(project)
    reading = read_log(project)
    limits = limits_of(reading.settings)
    given = {"days": days, "entries": at_least}
    limits = limits._replace(**{name: value for name, value in given.items() if value is not None})
    with lock_of(project, DEFAULT_TIMEOUT_S):
        log = store.load(directory)
        before = len(log.items)
        if not archive.due(log.items, limits, now):
            return Archived(0, before, [])
        notes = store.save(directory, log, now=now, project_name=reading.name, limits=limits)
    return Archived(before - len(log.items), len(log.items), notes + renew(project))


def findings(project: Project, now: datetime) -> list[Fault]:
    """Return every fault with its remedy. `now` carries its zone. Raises BadInput as loading does."""
    here = known_erasures.erased_by_others(project.log_directory)
    erased = [Fault(known_erasures.sentence(here), known_erasures.commands(here))] if here else []
    return [*verify.verify(project.log_directory, now), *shared_faults(project), *erased]


def claims(project: Project) -> Claims:
    """Return which completions no check proves. Raises BadInput if transcripts are switched off."""
    if not reads_transcripts(project):
        raise BadInput(OFF)
    take_in_latest(project)
    reading = read_log(project, InputSnapshot(project.root))
    known = evidence_by_entry(reading.log, read_sessions(project, reading.inputs))
    done = {name: entry for entry in completions(reading.log) if (name := text_of(entry, "id"))}
    unproven = [
        Claim(
            id=name,
            timestamp=text_of(entry, "timestamp") or "",
            task=text_of(entry, "task_id") or headline(entry),
            state=known[name].state,
            words=known[name].words(),
            files=known[name].files,
        )
        for name, entry in done.items()
        if name in known and not known[name].is_proof
    ]
    return Claims(unproven, len(known) - len(unproven), len(done) - len(known))


def repair_log(project: Project, now: datetime) -> list[str]:
    """Return what was mended, one sentence each; nothing wrong is an empty list, and nothing is written.

    `now` carries its zone. Raises as `archive_old`.
    """
    directory = project.log_directory
    done = share_again(project)
    found = verify.find_mendable(directory, now)
    if found:
        prepare(project)
        reading = read_log(project)
        limits, name = limits_of(reading.settings), reading.name
        with lock_of(project, DEFAULT_TIMEOUT_S):
            notes = verify.repair(directory, now=now, project_name=name, limits=limits)
        drain(project, DEFAULT_TIMEOUT_S)
        left = verify.find_mendable(directory, now)
        done += notes or [f"mended: {fault.what}" for fault in found if fault not in left]
    return done + renew(project) if done else done
