"""Check log and archive of a project, or what its completions are proven by; change nothing."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import lost_entries, team_erasures, verify
from progress_plugin.log.entry import text_of
from progress_plugin.log.headline import headline
from progress_plugin.log.verify import Fault
from progress_plugin.usecases.evidence import completions, evidence_by_entry
from progress_plugin.usecases.last_session import OFF, read_sessions, reads_transcripts
from progress_plugin.usecases.reading import read_log
from progress_plugin.usecases.shared_faults import shared_faults
from progress_plugin.usecases.sharing import take_in_latest


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


def findings(project: Project, now: datetime) -> list[Fault]:
    """Return every fault with its remedy. `now` carries its zone. Raises BadInput as loading does."""
    here = lost_entries.erased_by_others(project.log_directory)
    erased = [Fault(team_erasures.sentence(here), team_erasures.remedy(here))] if here else []
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
