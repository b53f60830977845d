"""Read a project: `read_log` for settings and log, `read_project` for plans and agent logs too.

The input snapshot notes every file that is read, so that the next start knows whether one has changed.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from progress_plugin.config.settings import Loaded, Settings, load
from progress_plugin.core.data_directory import has_team, stray_links
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import MAX_BYTES, LeadsOutside
from progress_plugin.core.git import ALREADY_MERGED, Repository
from progress_plugin.core.paths import is_read_only, state_file, user_config
from progress_plugin.core.project import Project
from progress_plugin.core.result_cache import ResultCache
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import archive, backup, shared_entries, store
from progress_plugin.log.document import parse
from progress_plugin.log.entry import text_of
from progress_plugin.log.store import LogHistory
from progress_plugin.log.timestamp import format_time
from progress_plugin.memory.documents import DocumentRevision, as_log, read_document
from progress_plugin.model.work import Claim, FoundFile, PlanDocument
from progress_plugin.sources.find import describe_missing, find_sources
from progress_plugin.state.inputs import Inputs, read_inputs, read_redacted
from progress_plugin.summary.own_log import newest_plan, read_own_log
from progress_plugin.summary.project_facts import Facts, note_claims, with_decision
from progress_plugin.team.state import read_claims
from progress_plugin.text.markdown import blocks_of_section
from progress_plugin.text.redact import redact_lines
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.usecases.commits import (
    later_subjects,
    note_planned_commits,
    read_commits,
    records_of_stories,
)
from progress_plugin.usecases.evidence import evidence_by_entry
from progress_plugin.usecases.last_session import read_sessions

CONFIG_FILE = "config.toml"
# caches in the private state, for the Markdown that was read last:
REDACTED_FILE, BLOCKS_FILE = "redacted.json", "sections.json"
MAX_NAME_CHARS = 100
MAX_CHECKED = 60  # newest completions whose evidence is looked for in the sessions
MAX_LOADED_CHARS = 200_000
LOADED_BY_CLIENTS = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")


@dataclass(frozen=True)
class LogReading:
    """The settings and our own log, which decide how an entry is written."""

    project: Project
    inputs: InputSnapshot
    config: Loaded
    log: LogHistory
    branch: str | None
    commit: str | None  # that is checked out
    problems: list[str]  # one sentence each; a caller that finds another adds it
    lost_history: str | None  # a sentence about lost entries that only a copy has

    @property
    def settings(self) -> Settings:
        """The settings for everything that is stored: without this call's environment."""
        return self.config.stored

    @property
    def names(self) -> tuple[str, ...]:
        return project_names(self.project, self.settings)


@dataclass(frozen=True)
class Reading(LogReading):
    """All that is read of a project."""

    facts: Facts
    paths: Collection[str]  # of the project's files, as far as they are listed
    sessions: tuple[SessionRecord, ...] = ()  # from the clients' transcripts, the last session at the end
    document: DocumentRevision | None = None  # of the memory tools, from the database that this call uses

    @property
    def is_empty(self) -> bool:
        """Whether there is neither log nor plan nor progress document."""
        has_log = bool(self.log.log.items or self.log.months)
        return self.document is None and not (self.facts.inputs.plans or self.facts.inputs.logs or has_log)


_Reading = TypeVar("_Reading", bound=LogReading)


def project_names(project: Project, settings: Settings) -> tuple[str, ...]:
    """Return the names of a project: the configured one if there is one, then that of its repository."""
    name = one_line(settings.project or project.repository_name(), MAX_NAME_CHARS) or "project"
    return tuple(dict.fromkeys((name, project.repository_name())))


def read_log(
    project: Project, inputs: InputSnapshot | None = None, environ: Mapping[str, str] | None = None
) -> LogReading:
    """Read settings and our own log. An unreadable file counts as empty and is named in `problems`."""
    inputs = inputs or InputSnapshot(project.root)
    for path in project.repository.state_files() if project.repository else ():
        inputs.note(path)
    branch, commit = project.head()
    problems = _describe_links(project)
    config = read_settings(project, inputs, environ)
    problems += config.faults
    log = _read_own_log(project, inputs, problems)
    lost = backup.describe_lost(project.log_directory, log.log)
    if lost:
        problems.insert(0, lost)
    if config.stored.share:
        list(shared_entries.list_files(project.directory, inputs))  # a start depends on these folders
    return LogReading(project, inputs, config, log, branch, commit, problems, lost)


def read_project(
    project: Project, inputs: InputSnapshot | None = None, environ: Mapping[str, str] | None = None
) -> Reading:
    """Read everything of a project. A plan may bring settings; the project's own are stronger."""
    own = read_log(project, inputs, environ)
    problems = list(own.problems)
    sessions = read_sessions(project, own.inputs)
    logged = newest_plan(own.log.effective_entries)
    found = find_sources(
        own.inputs, project.repository, branch=own.branch, logged=logged, settings=own.settings
    )
    redacted = ResultCache(redact_lines, state_file(project.root, REDACTED_FILE))
    blocks = ResultCache(blocks_of_section, state_file(project.root, BLOCKS_FILE))
    faults: dict[str, str] = {}
    read_text = partial(read_redacted, own.inputs, faults, redact_section=redacted)
    documents = read_inputs(found.files, read_text, blocks)
    # agents also write the progress document under the name that a start shows, which may be the plan's
    names = (*own.names, *(plan.name for plan in documents.plans[:1]))
    document = read_document(project, own.inputs, names, problems)
    if document:
        documents = documents._replace(logs=(*documents.logs, as_log(document)))
    loaded = [text[:MAX_LOADED_CHARS] for path in LOADED_BY_CLIENTS if (text := read_text(path))]
    if not is_read_only():
        redacted.keep()
        blocks.keep()
    unread = [f"{file.path}: {file.reason}" for file in found.files if file.is_unreadable]
    problems += [*documents.problems, *faults.values(), *unread, *own.inputs.problems]
    problems += describe_missing(own.inputs, own.settings)
    problems = list(dict.fromkeys(problems))
    facts = _decide(own, found.files, documents, sessions)
    shown = tuple(text for text in problems if text != own.lost_history)  # a summary shows that by itself
    config = read_settings(project, own.inputs, environ, documents.plans[:1])
    return Reading(
        **{**vars(own), "config": config, "problems": problems},
        paths=found.paths,
        facts=replace(facts, shown_by_client=tuple(loaded), problems=shown),
        sessions=sessions,
        document=document,
    )


def _decide(
    own: LogReading, files: Sequence[FoundFile], documents: Inputs, sessions: Sequence[SessionRecord]
) -> Facts:
    """Decide the state of the work. A story that another clone claims is not offered as next."""
    repository = own.project.repository
    named = (plan for plan in documents.plans[:1] if plan.path.endswith(".json") and plan.name != plan.path)
    plan_name = next((plan.name for plan in named), "")  # the title of a Markdown plan names only that plan
    claimed = _read_claims(own)
    note_claims(documents.plans, claimed)
    if repository:
        note_planned_commits(documents.plans, repository)
    log = own.log
    merge_times = _merge_times(repository, own.branch, log.effective_entries)
    checked = evidence_by_entry(log, sessions, MAX_CHECKED)
    commits = read_commits(repository) if repository and own.commit else []
    own_log = read_own_log(log.effective_entries, merge_times, log.muted())
    logged_s = max((record.time_s for record in own_log.records), default=0)
    facts = Facts(
        name=one_line(own.settings.project or plan_name or own.names[0], MAX_NAME_CHARS),
        branch=own.branch,
        files=tuple(files),
        inputs=documents,
        own=own_log,
        claims=tuple(claimed),
        commits=tuple(records_of_stories(commits, documents.plans, repository)) if repository else (),
        later_commits=later_subjects(commits, files, logged_s),
        evidence={name: each.words() for name, each in checked.items()},
    )
    facts = with_decision(facts, dt.datetime.now().astimezone().date())
    archived = log.archived_count + len(log.entries) - len(log.effective_entries)  # unread or withdrawn
    return replace(facts, state=facts.state._replace(entries=facts.state.entries + max(0, archived)))


def _merge_times(
    repository: Repository | None, branch: str | None, entries: Sequence[dict[str, Any]]
) -> Mapping[str, int] | None:
    """Return by branch the time up to which HEAD contains its work; None if there is no current branch."""
    if repository is None or branch is None:
        return None
    named = {name for entry in entries if (name := text_of(entry, "branch")) and name != branch}
    return {**repository.merge_times(sorted(named)), branch: ALREADY_MERGED}


def changed_sources(reading: LogReading) -> list[str]:
    """Return the inputs that have changed since they were read, other than our own log and archive."""
    folder = reading.project.log_directory
    ours = os.path.join(folder, store.LOG_FILE), os.path.join(folder, archive.ARCHIVE_FOLDER, "")
    paths = reading.inputs.changes()
    return [path for path in paths if not reading.project.path(path).startswith(ours)]


def with_current_log(reading: _Reading) -> _Reading:
    """Return the reading with our log as it is on the disk now. The caller holds the lock.

    Its `facts` stay as they are: they were decided with the earlier log.
    """
    directory = reading.project.log_directory
    if store.log_stamps(directory) == reading.log.stamps:
        return reading
    return replace(reading, log=store.load_history(directory))


def read_settings(
    project: Project,
    inputs: InputSnapshot | None = None,
    environ: Mapping[str, str] | None = None,
    leading: Sequence[PlanDocument] = (),
) -> Loaded:
    """Read the settings of project and user, and those of plan and environment if they are passed."""
    inputs = inputs or InputSnapshot(project.root)
    own = inputs.read(os.path.join(project.directory, CONFIG_FILE))
    named = inputs.read(os.path.join(user_config(), CONFIG_FILE), None)
    settings = leading[0].settings if leading else {}
    return load(own, settings, named, environ or {}, plan_path=leading[0].path if leading else "")


def _read_claims(own: LogReading) -> list[Claim]:
    """Return the claims of the team that hold now, as the last sync saw them: ours first, then the oldest."""
    if not has_team(own.project.log_directory):
        return []
    now = format_time(dt.datetime.now(dt.UTC))
    return [claim for claim in read_claims(own.project, own.inputs) if claim.until > now]


def _describe_links(project: Project) -> list[str]:
    links = [link for place in {project.directory, project.log_directory} for link in stray_links(place)]
    if project.repository is None and os.path.islink(project.path(".git")):
        links.append(".git")
    return [f"{link} is a link out of the project; not read" for link in sorted(links)]


def _read_own_log(project: Project, inputs: InputSnapshot, problems: list[str]) -> LogHistory:
    """Read our log and the archive's index; a log that cannot be read is named, and counts as empty."""
    folder = os.path.join(project.log_directory, archive.ARCHIVE_FOLDER)
    inputs.read(os.path.join(project.log_directory, store.LOG_FILE), project.main_root, MAX_BYTES)
    try:
        log = store.load_history(project.log_directory)
    except (BadInput, LeadsOutside) as error:
        if isinstance(error, BadInput):  # the snapshot reports LeadsOutside
            problems.append(str(error))
        return LogHistory(project.log_directory, parse(None))
    problems.extend(log.problems())
    for name in log.months:
        inputs.note(os.path.join(folder, name))
    return log
