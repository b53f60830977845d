"""Everything that one project's plans, logs and settings say, read once and recorded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.config.load import Loaded, load
from progress_plugin.config.settings import Settings
from progress_plugin.core import known_paths
from progress_plugin.core.data_directory import SUMMARY_FILE, stray_links
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import MAX_BYTES, LeadsOutside, find_unreadable
from progress_plugin.core.known_paths import beside_plan, is_state_document
from progress_plugin.core.memo import Memo
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import archive_index, earlier_versions, history, shared_state, store
from progress_plugin.log.archive_index import Index
from progress_plugin.log.document import parse
from progress_plugin.log.entry import text_of
from progress_plugin.log.events import event, planned_as
from progress_plugin.log.history import LogHistory
from progress_plugin.model.story import Plan
from progress_plugin.plans import leading_plan as leading
from progress_plugin.plans.plan_and_story_identity import normalised
from progress_plugin.plans.reader import read_plan, without_copies
from progress_plugin.usecases.last_session import read_sessions
from progress_plugin.usecases.summarizing import learning_cache
from progress_plugin.usecases.summarizing.progress_document_input import read_documents
from progress_plugin.usecases.summarizing.project_name import project_names

if TYPE_CHECKING:
    from progress_plugin.authored.reader import AuthoredLog
    from progress_plugin.memory.progress_document import ProgressDocument
    from progress_plugin.transcripts.record import SessionRecord

CONFIG = "config.toml"
_MANY = 100
"""Entries from which what they say is not found out again by every process."""


class Sources(NamedTuple):
    """What was read; nothing is derived from it yet but the leading plan and the settings."""

    project: Project
    inputs: InputSnapshot
    branch: str | None
    head: str | None
    main_head: str | None
    """What is checked out where our log is: in a linked worktree that is another place."""
    config: Loaded
    plans: tuple[Plan, ...]
    lead: Plan | None
    log: LogHistory
    problems: list[str]
    """One sentence each; whoever finds another adds it."""
    logs: tuple[AuthoredLog, ...] = ()
    foreign: tuple[str, ...] = ()
    """Paths of files that have a plan's name and hold none."""
    broken: tuple[str, ...] = ()
    """Paths of plans that cannot be read: what is left to do is in them."""
    has_logs: bool = False
    """Whether the agents' logs were read."""
    document: ProgressDocument | None = None
    """The progress document that starts in this root show, from the database that this call means."""
    stored_document: ProgressDocument | None = None
    """That of the usual database: what is stored knows no variables."""
    vanished: str | None = None
    """A line about a history that only copies hold."""
    was_passed: bool = False
    """Whether others have written to our own log since all the rest was read."""
    sessions: tuple[SessionRecord, ...] = ()
    """What the clients' transcripts tell of this project, the last session at the end."""
    answers: Memo | None = None
    """What was found out about agents' logs, a long log of ours and the archive; None where none is."""

    @property
    def settings(self) -> Settings:
        """The settings for what is stored: without this call's environment."""
        return self.config.stored

    @property
    def is_empty(self) -> bool:
        """Whether there is neither log nor plan nor progress document."""
        return self.document is None and not (
            self.plans or self.logs or self.log.log.items or self.log.index.records
        )


def read_sources(
    project: Project, inputs: InputSnapshot, environ: Mapping[str, str] | None = None
) -> Sources:
    """Read everything of a project; what cannot be read is named in `problems`, the rest counts."""
    return completed(read_plans(project, inputs, environ))


def with_logs(sources: Sources) -> Sources:
    """Return the sources with the agents' logs, read unless they were."""
    if sources.has_logs:
        return sources
    files = list(authored_files(sources))
    sources = _with_answers(sources, has_files=bool(files))
    return sources._replace(logs=tuple(_authored(sources, files)), has_logs=True)


def read_to_append(project: Project) -> Sources:
    """Read what decides how an entry is written, and what was found out about our own log."""
    return _with_answers(read_plans(project, InputSnapshot(project.root)))


def _with_answers(sources: Sources, *, has_files: bool = False) -> Sources:
    """Return the sources with what was found out about logs, recalled unless it was."""
    if sources.answers is not None or not (has_files or _is_long(sources.log)):
        return sources
    return sources._replace(answers=learning_cache.recall(sources.project.root))


def _is_long(log: LogHistory) -> bool:
    """Return whether it is worth remembering what the entries of our own log say."""
    return bool(log.index.records) or len(log.entries) >= _MANY


def of_others(sources: Sources, paths: Iterable[str]) -> list[str]:
    """Return which of these inputs are not our own log and archive: those are read again under the lock."""
    ours = sources.project.log_directory
    own = (*_our_files(sources.project), os.path.join(ours, archive_index.ARCHIVE_FOLDER, ""))
    return [path for path in paths if not os.path.join(sources.project.root, path).startswith(own)]


def current(sources: Sources) -> Sources:
    """Return the sources with our own log as it is, read again if need be. Caller holds the lock."""
    directory = sources.project.log_directory
    if history.state_of(directory) == sources.log.state:
        return sources
    log = history.load(directory)
    lead = _lead(sources.plans, log, sources.settings.plan, sources.branch)
    return sources._replace(log=log, lead=lead, was_passed=True)


def appended(sources: Sources, state: store.DirectoryState) -> Sources | None:
    """Return the sources with our own log as an append has left it. Caller holds the lock.

    What we have not written is not read again: a change by others in between makes the coming record stale,
    not wrong. None where all is to be read, since others have written, too, or the entries have another plan
    lead, or the log is in trouble: then other things matter now, and that is rare.
    """
    if sources.was_passed:
        return None
    log_file, index_file = _our_files(sources.project)
    root = sources.project.main_root
    is_ours = sources.inputs.read_again(log_file, root) == state.log.raw
    if not sources.inputs.is_unchanged(index_file):  # it is written where entries move
        sources.inputs.read_again(index_file, root)
    log = LogHistory(*state, history.state_of(sources.project.log_directory))
    _note_months(sources.inputs, log)
    if sources.config.stored.share:
        _note_shared(sources.project, sources.inputs)
    lead = _lead(sources.plans, log, sources.settings.plan, sources.branch)
    if not is_ours or lead is not sources.lead or [*sources.log.problems(), *log.problems()]:
        return None
    return sources._replace(log=log)


def completed(sources: Sources) -> Sources:
    """Return everything of a project of which plans and our own log were read."""
    return _completed(with_logs(sources))


def _completed(sources: Sources) -> Sources:
    problems = sources.problems
    read = read_documents(sources.project, sources.inputs, project_names(sources), problems)
    problems.extend(fault for fault in sources.inputs.problems if fault not in problems)
    sessions = read_sessions(sources.project, sources.inputs)
    return sources._replace(document=read.shown, stored_document=read.stored, sessions=sessions)


def read_plans(project: Project, inputs: InputSnapshot, environ: Mapping[str, str] | None = None) -> Sources:
    """Read plans, settings and our own log: what decides which plan leads and what the project is called."""
    for path in project.repository.state_files() if project.repository else ():
        inputs.note(path)
    branch, head = project.head()
    problems = _left_out(project, inputs)
    files = _configuration(project, inputs)
    first = load(files[0], {}, files[1], {})
    plans, foreign, broken = _plans(inputs, first.stored.plan, problems)
    problems += missing_plan(inputs, first.stored.plan)
    problems += missing_logs(inputs, first.stored.log_files)
    log = _our_log(project, inputs, problems)
    vanished = earlier_versions.vanished(project.log_directory, log.log)
    problems[:0] = [vanished] if vanished else []  # what a clone brings must not hide it
    lead = _lead(plans, log, first.stored.plan, branch)
    config = load(
        files[0],
        (lead.settings if lead else None) or {},
        files[1],
        environ or {},
        plan_path=lead.path if lead else "",
    )
    problems.extend(config.faults)
    if config.stored.share:
        _note_shared(project, inputs)
    return Sources(
        project=project,
        inputs=inputs,
        branch=branch,
        head=head,
        main_head=project.main_head(head),
        config=config,
        plans=plans,
        lead=lead,
        log=log,
        problems=problems,
        vanished=vanished,
        foreign=foreign,
        broken=broken,
    )


def _configuration(project: Project, inputs: InputSnapshot) -> tuple[bytes | None, bytes | None]:
    own = os.path.join(project.directory, CONFIG)
    users = user_config()
    return inputs.read(own), inputs.read_users(os.path.join(users, CONFIG)) if users else None


def _left_out(project: Project, inputs: InputSnapshot) -> list[str]:
    """Name what nobody else does: links out of the project, and what is no file, in our directory; `.git`."""
    links = [link for place in {project.directory, project.log_directory} for link in stray_links(place)]
    if project.repository is None and os.path.islink(project.path(".git")):
        links.append(".git")
    own = os.path.relpath(os.path.join(project.directory, SUMMARY_FILE), project.root)
    odd = find_unreadable(project.root, [own]) | earlier_versions.unreadable(project.log_directory)
    for path in odd:
        inputs.note(path)  # once it is gone it is told of no more
    return [*(f"{link} is a link out of the project; not read" for link in sorted(links)), *odd.values()]


def stored_settings(project: Project) -> Settings:
    """Return the settings without a plan's: for what must be known before anything else is read."""
    own, users = _configuration(project, InputSnapshot(project.root))
    return load(own, {}, users, {}).stored


def plan_paths(inputs: InputSnapshot, configured: str | None) -> list[str]:
    """Return where plans may be, relative to the root, the configured one first."""
    paths = [configured] if configured else []
    paths += known_paths.PLANS
    for folder, names in known_paths.NESTED:
        paths += [f"{folder}/{inner}/{name}" for inner in inputs.list_folder(folder) for name in names]
    return list(dict.fromkeys(paths))


def missing_plan(inputs: InputSnapshot, configured: str | None) -> list[str]:
    """Return a sentence where the plan that somebody set is not there: then another one leads, or none."""
    remedy = "write it, or set another: `agent-progress config set plan PATH`"
    return _missing(inputs, [configured] if configured is not None else [], "plan", "plan", remedy)


def missing_logs(inputs: InputSnapshot, configured: Sequence[str]) -> list[str]:
    """Return a sentence for each log that somebody set and that is not there: nothing of it is told."""
    remedy = "write it, or set others: `agent-progress config set log_files PATH`"
    return _missing(inputs, configured, "log", "log_files", remedy)


def _missing(inputs: InputSnapshot, paths: Iterable[str], what: str, setting: str, remedy: str) -> list[str]:
    """Return a sentence for each path that is not there; one that is there and not read is told already."""
    return [
        f"{path}: the {what} that is set (`{setting}`) is not there; {remedy}"
        for path in paths
        if inputs.read(path) is None and not any(path in fault for fault in inputs.problems)
    ]


def foreign_notes(sources: Sources) -> list[str]:
    """Return a sentence for each file that has a plan's name and holds none.

    For whoever asks about the state of the work; session starts leave it out, since it may be intended.
    """
    return [
        f"{path}: no stories recognised in it; docs/formats-plans.md says what a plan holds"
        for path in sources.foreign
    ]


def _plans(
    inputs: InputSnapshot, configured: str | None, problems: list[str]
) -> tuple[tuple[Plan, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the plans, newest first, the paths of files that only look like plans, and of broken ones."""
    paths = plan_paths(inputs, configured)
    present = [path for path in paths if inputs.read(path) is not None]
    plans: list[Plan] = []
    foreign: list[str] = []
    broken: list[str] = []
    for path in without_copies(present):
        try:
            plan = read_plan(path, inputs.read(path) or b"", inputs.read)
        except BadInput as error:
            problems.append(str(error))
            broken.append(path)
            continue
        if plan is None:
            foreign.append(path)
        else:
            plans.append(plan)
            problems += plan.problems
    newest_first = sorted(plans, key=lambda plan: -inputs.modified_ns(plan.path))
    return tuple(newest_first), tuple(foreign), tuple(broken)


def _authored(sources: Sources, files: Sequence[tuple[str, bytes]]) -> list[AuthoredLog]:
    if not files:
        return []
    from progress_plugin.text.document_text import document_text  # noqa: PLC0415 - where agents keep a log

    titles = story_titles(sources)
    logs = []
    for path, data in files:
        text, fault = document_text(data, path)
        logs.append(read_authored(text, path, titles, sources.answers))
        if fault:
            sources.problems.append(fault)
    return logs


def story_titles(sources: Sources) -> dict[str, str]:
    """Return what the plans call their stories, by id: nothing where they call one id by several names."""
    titles: dict[str, str] = {}
    for story in (story for plan in sources.plans for story in plan.stories if story.title):
        known = titles.setdefault(story.id, story.title)
        titles[story.id] = known if normalised(known) == normalised(story.title) else ""
    return titles


def authored_files(sources: Sources) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each log that agents keep, equal ones once."""
    near = [path for plan in sources.plans for path in beside_plan(plan.path)]
    read: set[bytes] = set()
    for path in dict.fromkeys((*sources.settings.log_files, *known_paths.LOGS, *near)):
        data = sources.inputs.read(path)
        if data is not None and data not in read:  # the same under another name, or where names ignore case
            read.add(data)
            yield path, data


def read_authored(text: str, path: str, titles: Mapping[str, str], memo: Memo | None = None) -> AuthoredLog:
    """Return the log that an agent keeps at `path`; `titles` are by the ids of stories.

    `memo` as for `read_log`.
    """
    from progress_plugin.authored.reader import read_log  # noqa: PLC0415 - 2 ms, where agents keep a log

    log = read_log(text, path, titles, memo)
    # A heading with a date, or a list of changes, makes no entries of a document that is rewritten.
    return log._replace(events=(), spans=(), apart=()) if is_state_document(path) else log


def _our_log(project: Project, inputs: InputSnapshot, problems: list[str]) -> LogHistory:
    """Read our log and the archive's index; a log in no readable state is named, and counts as empty."""
    for path in _our_files(project):
        inputs.read(path, project.main_root, MAX_BYTES)
    try:
        log = history.load(project.log_directory)
    except LeadsOutside:
        return LogHistory(parse(None), Index(project.log_directory, {}, ()))  # `inputs` has named it
    except BadInput as error:
        problems.append(str(error))
        return LogHistory(parse(None), Index(project.log_directory, {}, ()))
    problems.extend(log.problems())
    _note_months(inputs, log)
    return log


def _note_months(inputs: InputSnapshot, log: LogHistory) -> None:
    """Note the archive's months, which are not read: one that is damaged must not go unnoticed."""
    for name in log.index.records:
        inputs.note(os.path.join(log.index.directory, archive_index.ARCHIVE_FOLDER, name))


def _our_files(project: Project) -> tuple[str, str]:
    """Return the paths of our log and of the archive's index."""
    directory = project.log_directory
    return os.path.join(directory, store.LOG_FILE), os.path.join(
        directory, archive_index.ARCHIVE_FOLDER, archive_index.INDEX_FILE
    )


def _note_shared(project: Project, inputs: InputSnapshot) -> None:
    shared_state.note_for_start(project.directory, inputs)


def _lead(plans: Sequence[Plan], log: LogHistory, configured: str | None, branch: str | None) -> Plan | None:
    told = _newest_pointer(plans, log, branch) if len(plans) > 1 else leading.NOTHING
    return leading.choose_leading_plan(plans, configured=configured, branch=branch, told=told)


def _newest_pointer(plans: Sequence[Plan], log: LogHistory, branch: str | None) -> leading.Pointer:
    """Return what the newest entry says that points at one plan, one of this branch if there is any."""
    newest: leading.Pointer | None = None
    entry: dict[str, Any]
    for entry in reversed(log.stories_logged()):
        spec, task = text_of(entry, "spec"), text_of(entry, "task_id")
        if not (spec or task):
            continue
        planned = planned_as(entry)
        said = leading.Pointer(planned.path if planned else None, spec, (task,) if task else ())
        if leading.points_at_some(plans, said):
            if not event(entry, "", 0).is_elsewhere(branch):
                return said
            newest = newest or said
    return newest or leading.NOTHING
