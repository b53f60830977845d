"""Finished and blocked stories, noticed by comparing plans and logs with what was seen before.

Of an agent's own log, beside a plan, that is only what is about its stories (`_from_log`).
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import pending_events
from progress_plugin.log.entry import AGENTS_LOG, NO_REASON, EntryDraft, text_of
from progress_plugin.model.event import TYPE_OF_STATUS
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.story import Story
from progress_plugin.plans.status_changes import begun, transitions
from progress_plugin.text.bounds import shortened
from progress_plugin.usecases.project_writes import Moved, prepare, take_turn
from progress_plugin.usecases.recording.commit_evidence import Commit, Step, evidence, proof_of, step_of
from progress_plugin.usecases.recording.deduplication import as_entry, deduplicated
from progress_plugin.usecases.recording.log_entry import (
    EntryBatch,
    Logged,
    WrittenEntries,
    drain_waiting,
    renew,
    summed_up,
    under_lock,
    write_all,
)
from progress_plugin.usecases.recording.shared_arrivals import take_in_arrivals
from progress_plugin.usecases.recording.story_lookup import (
    StoryTarget,
    find_target,
    key_of,
    namesakes_of,
    one_of_title,
    words_beside,
)
from progress_plugin.usecases.summarizing.accepted_baselines import finished
from progress_plugin.usecases.summarizing.baselines import Baselines
from progress_plugin.usecases.summarizing.sources import (
    Sources,
    completed,
    read_plans,
    read_to_append,
    with_logs,
)

if TYPE_CHECKING:
    from progress_plugin.authored.reader import AuthoredLog

_LONGEST_NOTE = 1000


class Task(NamedTuple):
    """A task that the client's own list reports finished."""

    subject: object
    client_task: object
    when: datetime
    session: str | None
    details: object = None
    """What the list says of it beside its subject."""


def observe(project: Project, *, now: datetime, session: str | None) -> Logged | None:
    """Append an entry for each story that turned done or blocked since we looked last; None where none did.

    Raises Busy where another process holds the lock, AgentProgressError where the disk refuses.
    """
    if not project.has_directory and not has_news(project, session):
        return None
    prepare(project)
    drain_waiting(project)
    return record_changes(project, now=now, session=session, timeout=DEFAULT_TIMEOUT_S)


class _Reading(NamedTuple):
    """Plans and logs, and what git says of the commits since we looked last."""

    sources: Sources
    seen: Baselines
    step: Step


def record_changes(
    project: Project, *, now: datetime, session: str | None, timeout: float, commits: bool = False
) -> Logged | None:
    """Do what `observe` does; `now` is when the signal came, `timeout` that for the lock, in seconds.

    `commits` says that the session has just run a command that commits.
    Raises Busy also where plans or logs changed all the time, and somebody else has looked at them meanwhile:
    who compares an older reading with what is known from a newer one finds what never happened.
    """
    take_in_arrivals(project, timeout)

    def read() -> _Reading:
        seen = Baselines(project)
        sources = with_logs(read_plans(project, InputSnapshot(project.root)))
        return _Reading(sources, seen, step_of(sources, seen, commits=commits))

    def write(reading: _Reading, last: bool) -> tuple[WrittenEntries | None, _Reading]:
        known = reading.seen.is_current()
        sources = under_lock(reading.sources, last=last and known)
        # Another process may have recorded the same while we read or waited.
        seen = reading.seen if known else Baselines(project)
        if seen.head != reading.seen.head or seen.is_first != reading.seen.is_first:
            raise Moved("another process has just looked at plans and logs; try again")
        drafts = _news(sources, seen, session, reading.step)
        told = [EntryBatch(drafts, now, session)]
        written = write_all(sources, told, now=datetime.now(UTC), seen=seen) if drafts else None
        seen.save()
        return written, reading._replace(sources=sources, seen=seen)

    written, reading = take_turn(project, timeout, read, write)
    sources, seen = reading.sources, reading.seen
    if seen.begun and sources.settings.team_claim_at_work and data_directory.has_team(project.log_directory):
        from progress_plugin.usecases.recording.sync_after_write import have_claimed  # noqa: PLC0415 - opt-in

        have_claimed(project, seen.begun, session)

    def in_step(made_of: Sources) -> Callable[[], None] | None:
        return seen.keep_in_step if made_of.inputs is sources.inputs else None

    if written is not None:
        return summed_up(written, in_step)
    if sources.settings.auto_generate and sources.settings.summary_enabled:
        # What is current may have changed all the same: the status line shows it.
        renew(project, None if sources.was_passed else lambda: completed(sources), in_step)
    return None


def tasks_completed(project: Project, tasks: Sequence[Task], timeout: float) -> Logged | None:
    """Append an entry for each of these tasks that is not known yet; `timeout` as for `record_changes`."""

    def write(sources: Sources, last: bool) -> WrittenEntries | None:
        return _write_tasks(under_lock(sources, last=last), tasks)

    written = take_turn(project, timeout, lambda: read_to_append(project), write)
    return summed_up(written) if written is not None else None


def _write_tasks(sources: Sources, tasks: Sequence[Task]) -> WrittenEntries | None:
    from progress_plugin.text.redact import redact  # noqa: PLC0415 - patterns only where something is written

    seen = Baselines(sources.project)
    told = []
    for task in tasks:
        if not isinstance(task.subject, str) or not redact(task.subject)[0].strip():
            continue  # it may have been private as a whole
        drafts = deduplicated([_task_draft(sources, seen, task, task.subject)], sources, task.session)
        # They are written together, so the next one has to be compared with this one, too.
        sources.log.entries += [as_entry(draft, task.session) for draft in drafts]
        told.append(EntryBatch(drafts, task.when, task.session))
    if not any(each.drafts for each in told):
        return None
    written = write_all(sources, [each for each in told if each.drafts], now=datetime.now(UTC), seen=seen)
    seen.save()
    return written


def _task_draft(sources: Sources, seen: Baselines, task: Task, subject: str) -> EntryDraft:
    target = find_target(sources, seen, subject, None, Status.DONE, task.session)
    details = _details(task, subject)
    if target is not None:
        namesakes = namesakes_of(target, subject)
        entry = None
        if namesakes:
            target, entry = one_of_title(namesakes, sources, task.session, task.client_task) or (target, None)
        return _story_draft(target, task, subject, details, is_one_of_many=bool(namesakes), known=entry)
    own_key = f"{task.session}|{task.client_task}|{subject}"
    data = {"description": subject, "key": own_key, "client_task": task.client_task}
    data |= {"notes": details} if details else {}
    return EntryDraft("task_completed", data, signal="task list")


def _story_draft(  # noqa: PLR0913 - all that a task says
    target: StoryTarget, task: Task, subject: str, details: str, *, is_one_of_many: bool, known: str | None
) -> EntryDraft:
    """Return the draft for a story that a task is; `known` is an entry to which it only adds itself.

    Which task finished a story is kept where other stories have its title: the next task is one of those.
    """
    draft = _draft(target, Status.DONE, target.key(Status.DONE), None)._replace(signal="task list")
    notes = "\n".join(filter(None, (details, draft.data.get("notes"))))
    data = draft.data | ({"notes": notes} if notes else {})
    if is_one_of_many:
        data |= {"client_task": task.client_task}
    if known is not None:
        return draft._replace(data=_of_task(data) | {"supplements": known})
    from progress_plugin.text.redact import redact  # noqa: PLC0415 - patterns only where something is written

    words = words_beside(target.story, redact(subject)[0])  # of private words nothing is to be left
    return (
        draft._replace(data=data | {"description": words}, signal=None)
        if words
        else draft._replace(data=data)
    )


def _of_task(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in ("key", "client_task", "notes") if name in data}


def _details(task: Task, subject: str) -> str:
    """Return what the list says of a task, unless that only repeats its subject."""
    from progress_plugin.text.redact import redact  # noqa: PLC0415 - patterns only where something is written

    # What is private is known by where it begins and ends, so it goes before anything is cut.
    said = redact(task.details)[0].strip() if isinstance(task.details, str) else ""
    return "" if said == subject.strip() else shortened(said, _LONGEST_NOTE, "…")


def has_news(project: Project, session: str | None) -> bool:
    """Return whether anything is to be recorded in a project without our directory; else keep what was seen.

    No lock is needed for that: it is kept in the user's cache.
    """
    seen = Baselines(project)
    sources = with_logs(read_plans(project, InputSnapshot(project.root)))
    if _news(sources, seen, session, step_of(sources, seen)):
        return True
    seen.save()
    return False


def begin(project: Project, session: str | None) -> None:
    """Make our directory where there is anything to record, and leave that in the spool."""
    if has_news(project, session):
        prepare(project)
        pending_events.put(
            project.log_directory,
            pending_events.PendingEvent("look", project.root, session, datetime.now(UTC), {}),
        )


def _news(sources: Sources, seen: Baselines, session: str | None, step: Step) -> list[EntryDraft]:
    """Return a draft per transition, and bring `seen` up to date."""
    silent = seen.is_first or (step.moved and step.commit is None)
    drafts = list(_from_plans(sources, seen, step))
    drafts += _from_logs(sources, seen, step, silent=silent)
    drafts += evidence(sources, seen, session, step)
    seen.head = sources.head
    noticed, seen.noticed = seen.noticed, {}
    return [_dated(draft, noticed) for draft in deduplicated(drafts, sources, session)]


def _dated(draft: EntryDraft, noticed: dict[str, str]) -> EntryDraft:
    """Return a draft with the time by which it was done, where a start had seen that before this signal."""
    by = noticed.get(text_of(draft.data, "key") or "")
    return draft._replace(data={**draft.data, "completed_at": by}) if by is not None else draft


def _from_plans(sources: Sources, seen: Baselines, step: Step) -> Iterable[EntryDraft]:
    for plan in sources.plans:
        old = seen.plans.get(plan.path)
        made_here = step.commit is not None
        found, baseline = transitions(old, plan, sources.head, own_commit=made_here)
        stories = begun(old, plan, sources.head, own_commit=made_here)
        seen.begun += [story.id for story in stories if story.id and not story.positional]
        seen.plans[plan.path] = baseline
        for transition in found:
            target = StoryTarget(plan, transition.story, baseline)
            proof = proof_of(step, sources, plan.path, transition.story.id)
            yield _draft(target, transition.to, key_of(transition), proof)


def _from_logs(sources: Sources, seen: Baselines, step: Step, *, silent: bool) -> Iterable[EntryDraft]:
    """Yield a draft per entry that an agent added to its own log; with a plan only for its stories."""
    for log in sources.logs:
        before, after = seen.logs.get(log.source), finished(log)
        seen.logs[log.source] = after
        if before is None or silent:
            continue
        for key, number in after.items():
            if number > before.get(key, 0):
                proof = proof_of(step, sources, log.source, key.partition("|")[2])
                draft = _from_log(sources, seen, log, key, number, proof)
                if draft is not None:
                    yield draft._replace(signal=AGENTS_LOG)


def _from_log(  # noqa: PLR0913, PLR0917 - what one entry needs
    sources: Sources, seen: Baselines, log: "AuthoredLog", key: str, number: int, commit: Commit | None
) -> EntryDraft | None:
    word, _, name = key.partition("|")
    status = Status(word)
    event = next(e for e in reversed(log.events) if e.status is status and name in (*e.stories, e.title))
    reason = "\n".join(event.trouble)
    if sources.lead is not None:
        target = find_target(sources, seen, name)
        if target is None or (status is Status.BLOCKED and target.story.status in FINISHED):
            return None  # what the plan calls finished is not blocked by a remark
        draft = _draft(target, status, target.key(status), commit)
        return (
            draft._replace(data={**draft.data, "issue": reason})
            if reason and not target.story.issue
            else draft
        )
    story = Story(
        id=name, title=event.title or name, status=status, position=0, positional=not event.stories,
        issue=reason or None,
    )  # fmt: skip
    told = _data(story, status, f"{log.source}|{name}|{status}|{number}", commit)
    return EntryDraft(TYPE_OF_STATUS[status], told, task_id=None if story.positional else story.id)


def _draft(target: StoryTarget, to: Status, key: str, commit: Commit | None) -> EntryDraft:
    data = _data(target.story, to, key, commit) | {"plan": target.plan.path}
    return EntryDraft(
        TYPE_OF_STATUS[to],
        data,
        spec=target.spec,
        task_id=target.task_id,
        story=target.reference(),
        signal="plan",
    )


def _data(story: Story, to: Status, key: str, commit: Commit | None) -> dict[str, Any]:
    data: dict[str, Any] = {"description": story.title or story.description or story.id, "key": key}
    if story.notes:
        data["notes"] = shortened(story.notes, _LONGEST_NOTE)
    if to is Status.BLOCKED:
        data["issue"] = story.issue or story.notes or NO_REASON
    if commit is not None:
        data |= {"commit": commit.id, "files_modified": commit.files}
    return data
