"""Check log and archive of a project, or what its completions are proven by; change nothing."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import known_erasures, team_double_ids, team_erasures, verify
from progress_plugin.log.entry import text_of
from progress_plugin.log.history import everything
from progress_plugin.log.recent_entries import headline
from progress_plugin.log.team_double_ids import DoubleId
from progress_plugin.log.verify import Fault
from progress_plugin.usecases.evidence import completions, evidence_by_entry
from progress_plugin.usecases.last_session import OFF, reads_transcripts
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest
from progress_plugin.usecases.shared_faults import shared_faults
from progress_plugin.usecases.summarizing.sources import read_sources


class Claim(NamedTuple):
    """A task that was called done without a check that proves it."""

    id: str
    """Of the entry."""
    timestamp: str
    task: str
    """Story id, or what the entry says."""
    state: str
    """As in `Evidence`."""
    words: str
    """`claimed, pytest failed`."""
    files: tuple[str, ...]
    """What was written for it, as far as the transcript shows it."""


class Claims(NamedTuple):
    """What sessions prove of the completions in log and archive's index."""

    unproven: list[Claim]
    """Oldest first."""
    proven: int
    unknown: int
    """Completions of sessions that were not read: nothing is said of them."""


def findings(project: Project, now: datetime) -> list[Fault]:
    """Return what is wrong, each with its remedy. `now` carries its zone. Raises BadInput as loading does."""
    here = known_erasures.still_here(project.log_directory)
    erased = [Fault(team_erasures.sentence(here), team_erasures.remedy(here))] if here else []
    double = [Fault(each.sentence(), team_double_ids.REMEDY) for each in _double_ids(project.log_directory)]
    in_copies = verify.erased_in_copies(project.log_directory)
    return [
        *verify.verify(project.log_directory, now),
        *shared_faults(project),
        *erased,
        *in_copies,
        *double,
    ]


def _double_ids(directory: str) -> list[DoubleId]:
    """Return the entries of the server under ids of this log, as long as those are here."""
    found = team_double_ids.kept(directory)
    here = {text_of(entry, "id") for entry in everything(directory)} if found else set()
    return [each for each in found if each.id in here]


def claims(project: Project) -> Claims:
    """Return which completions no check proves. Raises BadInput where transcripts are switched off."""
    if not reads_transcripts(project):
        raise BadInput(OFF)
    take_in_latest(project)
    sources = read_sources(project, InputSnapshot(project.root))
    known = evidence_by_entry(sources.log, sources.sessions)
    done = {name: entry for entry in completions(sources.log) if (name := text_of(entry, "id"))}
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
