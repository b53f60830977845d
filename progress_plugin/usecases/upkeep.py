"""The commands `archive`, `verify` and `repair`: move old entries, check log and archive, mend them.

`verify` changes nothing, but with `--claims` it imports shared entries. `repair` keeps damaged originals.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from progress_plugin import PENDING_EVENTS
from progress_plugin.core.data_directory import stray_links
from progress_plugin.core.errors import BadInput
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log import archive, backup, pending_events, store
from progress_plugin.log.archive import ARCHIVED, REPAIR, find_loss
from progress_plugin.log.document import Fault, Log, parse
from progress_plugin.log.entry import canonical, in_order, text_of
from progress_plugin.log.progress_md import headline
from progress_plugin.text.bounds import counted
from progress_plugin.usecases import sharing
from progress_plugin.usecases.evidence import VERIFIED, completions, evidence_by_entry
from progress_plugin.usecases.last_session import OFF_REASON, read_sessions, reads_transcripts
from progress_plugin.usecases.project_writes import lock_of, save_log
from progress_plugin.usecases.reading import read_log, read_settings
from progress_plugin.usecases.recording.record import record_waiting
from progress_plugin.usecases.recording.writing import try_write_summary

RECORDING_TIME = timedelta(minutes=1)  # a younger event may be being recorded right now


def archive_old(
    project: Project, now: datetime, *, days: int | None = None, at_least: int | None = None
) -> dict[str, Any]:
    """Archive the entries that are due by the settings, or by `days` and `at_least` if given.

    Return how many entries were `moved` and how many are `left` in the log, and `notes`.
    """
    directory = project.log_directory
    given: dict[str, Any] = {"archive_days": days, "archive_entries": at_least}
    given = {name: value for name, value in given.items() if value is not None}
    settings = replace(read_settings(project).stored, **given)
    log = store.load(directory)
    if not archive.find_due(log.items, settings, now):
        return {"moved": 0, "left": len(log.items), "notes": []}
    with lock_of(project, DEFAULT_TIMEOUT_S):
        log = store.load(directory)
        before = len(log.items)
        notes = save_log(project, log, now, settings)
    notes += try_write_summary(project)
    return {"moved": before - len(log.items), "left": len(log.items), "notes": notes}


def check_completions(project: Project) -> dict[str, Any]:
    """Return the completions that no check proves, oldest first, as the object in `docs/commands.md`.

    `unknown` counts those of sessions that were not read. Raises BadInput if transcripts are switched off.
    """
    if not reads_transcripts(project):
        raise BadInput(OFF_REASON)
    sharing.import_shared_entries(project)
    reading = read_log(project)
    known = evidence_by_entry(reading.log, read_sessions(project, reading.inputs))
    done = {name: entry for entry in completions(reading.log) if (name := text_of(entry, "id"))}
    unproven = [
        {
            "id": name,
            "timestamp": text_of(entry, "timestamp") or "",
            "task": text_of(entry, "task_id") or headline(entry),
            "state": known[name].state,
            "words": known[name].words(),
            "files": known[name].files,
        }
        for name, entry in done.items()
        if name in known and known[name].state != VERIFIED
    ]
    proven, unknown = len(known) - len(unproven), len(done) - len(known)
    return {"ok": not unproven, "claims": unproven, "proven": proven, "unknown": unknown}


def find_faults(project: Project, now: datetime) -> list[Fault]:
    """Return the faults of log, archive, copies and shared files. Raises as `store.read_bytes`."""
    directory = project.log_directory
    links = stray_links(directory)
    return [
        *_find_mendable(directory, now),
        *(Fault(f"{link} is a link out of the project, not read", "remove it") for link in links),
        *sharing.find_shared_faults(project),
        *sharing.describe_remote_erasures(directory),
    ]


def repair_log(project: Project, now: datetime) -> list[str]:
    """Repair log and archive, and add new shared entries. Describe the repairs, one sentence each."""
    directory = project.log_directory
    done = sharing.repair_shared_files(project)
    if found := _find_mendable(directory, now):
        with lock_of(project, DEFAULT_TIMEOUT_S):
            notes = _repair(project, now)
        record_waiting(project, DEFAULT_TIMEOUT_S)
        left, named = _find_mendable(directory, now), {fault.what for fault in found}
        done += [f"mended: {fault.what}" for fault in found if fault not in left]
        done += [note for note in notes if note not in named]
    return done + try_write_summary(project) if done else done


def _find_mendable(directory: str, now: datetime) -> list[Fault]:
    """Return the faults that `repair` or a person can mend."""
    log = parse(store.read_bytes(directory))
    months = archive.read_months(directory)
    found = [fault for each in (log, *months.values()) for fault in _faults_of(each)]
    found += find_loss(log, sum(len(month.items) for month in months.values()))
    contents = [canonical(item) for each in (log, *months.values()) for item in each.items]
    if duplicates := len(contents) - len(set(contents)):
        number = counted(duplicates, "entry is", "entries are")
        found.append(Fault(f"{number} in log and archive twice", REPAIR))
    for path, items in backup.find_missing(directory, log).items():
        number = counted(len(items), "entry that is", "entries that are")
        remedy = f"{REPAIR} to bring back what is missing"
        found.append(Fault(f"{path} holds {number} in neither log nor archive", remedy))
    waiting = pending_events.read_waiting(directory).values()
    if old := sum(event is None or now - event.when > RECORDING_TIME for event in waiting):
        number = counted(old, "event waits", "events wait")
        remedy = f"the next hook or `agent-progress log` records them, or {REPAIR}"
        found.append(Fault(f"{number} in {PENDING_EVENTS}/ to be recorded", remedy))
    return found


def _repair(project: Project, now: datetime) -> list[str]:
    """Repair the faults of `_find_mendable` but waiting events. Return notes. The caller holds the lock."""
    directory = project.log_directory
    log = store.load(directory)
    log.refuse_if_read_only()
    for items in backup.find_missing(directory, log).values():
        log.items = in_order(log.items, items)
    notes: list[str] = []
    archived: set[str] = set()
    for name, month in archive.read_months(directory).items():
        known = set(map(canonical, month.items))
        archived |= known
        if month.damage or len(known) < len(month.items):
            archive.add_to_month(directory, name, [], now, notes)
    once = {canonical(item): item for item in log.items}
    log.items = [item for key, item in once.items() if key not in archived]
    log.metadata.pop(ARCHIVED, None)
    notes += save_log(project, log, now)
    return notes


def _faults_of(log: Log) -> list[Fault]:
    remedy = REPAIR if log.damage else "it is kept as it is: mend it by hand, or leave it"
    return [log.read_only] if log.read_only else [Fault(problem, remedy) for problem in log.problems]
