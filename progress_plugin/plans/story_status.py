"""The status of each story of a plan: what it says of itself, then what its dependencies do to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from progress_plugin.model.status import FINISHED, OPEN, Status, parse_box, parse_mark
from progress_plugin.model.story import Story
from progress_plugin.plans.json_fields import JsonRecord, flag, line, number, text
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.status_legend import Legend

FLAGS = ("passes", "passed", "completed", "complete", "isComplete", "is_complete", "done", "finished")
_AT_WORK = ("inProgress", "in_progress")
BEGUN_FLAGS = (*_AT_WORK, "started")
"""What was started may be finished by now; what is in progress is not."""
STATUS_FIELDS = ("status", "state")
_DELETED = frozenset({"tombstone", "deleted"})
_STUCK = frozenset({Status.BLOCKED, Status.FAILED})
_BEGUN = (Status.DONE, Status.ACTIVE)
_NOT_DONE = frozenset({"open", "offen"})
"""Words that only say that a story is not done: whoever writes `pending` says that nobody is at it."""


def is_deleted(record: JsonRecord) -> bool:
    """Return whether the record only marks the place of a story that is gone."""
    return line(record, *STATUS_FIELDS).casefold() in _DELETED


def is_blocked(record: JsonRecord) -> bool:
    """Return whether a ``blocked`` field says so, by yes or by the reason."""
    says = flag(record, "blocked")
    return bool(text(record, "blocked")) if says is None else says


def says_pending(record: JsonRecord, legend: Legend) -> bool:
    """Return whether a status word says that nobody is at the story, and not only that it is not done."""
    word = line(record, *STATUS_FIELDS)
    return bool(word) and legend.status(word) is Status.PENDING and word.strip().casefold() not in _NOT_DONE


def recorded_status(  # noqa: PLR0913, PLR0917 - what a status is read from
    record: JsonRecord,
    story: str,
    parts: Sequence[Story],
    criteria: Iterable[object],
    legend: Legend,
    findings: PlanProblems,
) -> Status:
    """Return the status a record claims for ``story``: by passes flag, else status word, else its parts.

    One that is open, and not expressly waiting, is active once a part is begun or one of its ``criteria`` is
    met. Contradictions between them and words nobody knows go to ``findings``.
    """
    passes, word = flag(record, *FLAGS), line(record, *STATUS_FIELDS)
    said = legend.status(word) if word else None
    begun = any(part.status in _BEGUN for part in parts) or any(_is_met(each, legend) for each in criteria)
    if word and said is None:
        findings.problem("status word not known, taken as pending", f"{story} ({word})")
    if passes:
        _contradict_passing(record, story, said, findings)
        status = Status.DONE
    elif passes is False and said is Status.DONE:
        findings.contradiction("status says done, the passes flag says no", story)
        status = _open(record, Status.PENDING, begun=begun)
    else:
        # A status word counts; that all parts are done makes a story done only where there is none.
        silent = of_parts(parts, may_be_done=passes is None)
        status = _open(
            record,
            said or (Status.PENDING if word else silent),
            begun=begun and not says_pending(record, legend),
        )
    contradict_parts(story, status, parts, findings, begun=begun)
    return status


def of_parts(parts: Sequence[Story], *, may_be_done: bool) -> Status:
    """Return the status of a story that says nothing: active once a part is begun, done with the last."""
    if may_be_done and parts and all(part.status in FINISHED for part in parts):
        return Status.DONE
    return Status.ACTIVE if any(part.status in _BEGUN for part in parts) else Status.PENDING


def contradict_parts(
    story: str, status: Status, parts: Sequence[Story], findings: PlanProblems, *, begun: bool
) -> None:
    """Note parts that disagree with their story: open ones of a done story, begun ones of a pending one."""
    if status is Status.DONE and any(part.status not in FINISHED for part in parts):
        findings.contradiction("done, though parts of it are open", story)
    if status is Status.PENDING and begun:
        findings.contradiction("pending, though parts of it are begun", story)


def _contradict_passing(record: JsonRecord, story: str, said: Status | None, findings: PlanProblems) -> None:
    if said not in (None, Status.DONE):
        findings.contradiction(f"the passes flag says yes, status says {said}", story)
    elif flag(record, *_AT_WORK):
        findings.contradiction("the passes flag says yes, inProgress too", story)
    elif is_blocked(record):
        findings.contradiction("the passes flag says yes, blocked too", story)


def _is_met(criterion: object, legend: Legend) -> bool:
    """Return whether a criterion says that it is met: by a flag, a status word, or a checked box."""
    if isinstance(criterion, dict):
        word = line(criterion, *STATUS_FIELDS)
        met = flag(criterion, *FLAGS, "checked", "met")
        return bool(met) or (bool(word) and legend.status(word) is Status.DONE)
    if not isinstance(criterion, str):
        return False
    said = criterion.lstrip(" \t-*+")
    box = parse_box(said[1]) if said[:1] == "[" and said[2:3] == "]" else None
    return (box or parse_mark(said)) is Status.DONE


def _open(record: JsonRecord, status: Status, *, begun: bool) -> Status:
    if status is Status.PENDING:
        if is_blocked(record):
            return Status.BLOCKED
        if begun or flag(record, *BEGUN_FLAGS) or number(record, "attempts"):
            return Status.ACTIVE
    return status


def apply_dependencies(
    stories: Sequence[Story], findings: PlanProblems, gone: frozenset[str] = frozenset()
) -> tuple[Story, ...]:
    """Return the stories with what their dependencies make of them: blocked, or waiting.

    ``gone`` are ids of deleted stories, which nobody waits for. Linear in stories and dependencies.
    """
    stories = [_not_on_itself(story, findings) for story in stories]
    statuses = _statuses(stories)
    for story in stories:
        for name in story.depends_on:
            if name not in statuses and name not in gone:
                findings.problem("depends on what is not in the plan", f"{story.id} → {name}")
    return _propagated(stories, statuses)


def with_blockers(stories: Sequence[Story], issues: Mapping[str, str]) -> tuple[Story, ...]:
    """Return the stories with those blocked that the log has an open blocker for, and what depends on them.

    ``issues`` gives the text of the blocker by story id. A story that is done, failed or skipped stays so.
    """
    halted = tuple(
        story._replace(status=Status.BLOCKED, issue=issues[story.id], waits_for=())
        if story.id in issues and story.status in (Status.PENDING, Status.ACTIVE, Status.BLOCKED)
        else story
        for story in stories
    )
    return _propagated(halted, _statuses(halted))


def _not_on_itself(story: Story, findings: PlanProblems) -> Story:
    if story.id not in story.depends_on:
        return story
    findings.problem("depends on itself", story.id)
    return story._replace(depends_on=tuple(name for name in story.depends_on if name != story.id))


def _statuses(stories: Sequence[Story]) -> dict[str, Status]:
    """Return statuses by id, those of subtasks too, since a dependency may name a subtask."""
    of_subtasks = {part.id: part.status for story in stories for part in story.subtasks}
    return of_subtasks | {story.id: story.status for story in stories}


def _propagated(stories: Sequence[Story], statuses: dict[str, Status]) -> tuple[Story, ...]:
    dependents: dict[str, list[Story]] = {}
    for story in stories:
        for name in story.depends_on:
            dependents.setdefault(name, []).append(story)
    stuck = deque(name for name, status in statuses.items() if status in _STUCK)
    while stuck:
        for story in dependents.get(stuck.popleft(), ()):
            if statuses[story.id] is Status.PENDING:
                statuses[story.id] = Status.BLOCKED
                stuck.append(story.id)
    return tuple(_settled(story, statuses) for story in stories)


def _settled(story: Story, statuses: dict[str, Status]) -> Story:
    if story.status is not Status.PENDING:
        return story
    blocked = statuses[story.id] is Status.BLOCKED
    holds_up = _STUCK if blocked else OPEN
    waits_for = tuple(name for name in story.depends_on if statuses.get(name, Status.DONE) in holds_up)
    return story._replace(status=statuses[story.id], waits_for=waits_for)
