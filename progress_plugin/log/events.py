"""Our entries as events of the one history that all sources are merged into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from progress_plugin.log.entry import (
    data_of,
    is_claim,
    is_signal,
    text_of,
    texts_of,
    time_of,
    writer_of,
)
from progress_plugin.log.history import LogHistory, earlier_and_newest
from progress_plugin.log.recent_entries import (
    headline_field,
    headline_of,
    scope_change,
    value_words,
    with_name,
    words_of_type,
)
from progress_plugin.log.supplements import ALSO_ON, EARLIER, EARLIER_NOTES
from progress_plugin.log.timestamp import written
from progress_plugin.model.event import SCOPE_CHANGE, STATUS_OF_TYPE, TYPE_OF_STATUS, Event, PlannedAs
from progress_plugin.model.status import Status
from progress_plugin.text.escape_stored import stored_line
from progress_plugin.text.safe_output import points, sentences

_DONE_IN_ITSELF = ("debug_resolved", "milestone_reached")
"""Of a task they say no more than that somebody is at it: a fixed bug does not finish a story."""
_TOLD_ELSEWHERE = {
    "learnings", "duration_minutes", "session_id", "started_at", "files_modified", "files", "resolves",
    "retracts", "supplements", "completed_at", "key", "plan", "client_task", "commit", EARLIER,
    EARLIER_NOTES,
}  # fmt: skip
_BLOCKER = TYPE_OF_STATUS[Status.BLOCKED]
_TROUBLE = ("issue", "suggested_resolution")
_SAID_IN_FIELDS = ("session_started",)
"""Types whose own fields say what somebody did; a bug's cause and its cure are learnings."""
_IN_ONE = ("description", "requested_tasks", "reason")
"""Fields of a change of scope that are one statement."""
_NAMELESS = ("description", "notes")
"""Fields whose words speak for themselves; others are shown with their name."""


_Facts = tuple[
    tuple[str, ...], str | None, str, str | None, str | None, tuple[str, ...], int, tuple[str, ...],
    str | None, str | None, str | None, tuple[Any, ...] | None, tuple[str, ...], bool, bool, tuple[str, ...],
]  # fmt: skip
"""What an event says, as plain values: see `_facts`."""


def events(history: LogHistory, source: str) -> list[Event]:
    """Return an event per entry that counts, oldest first, those of the archive before those of the log.

    `source` is the log's path relative to the project root. Of archived entries the newest are whole; of
    older ones the last word on each task counts, as the index holds it.
    """
    entries = event_entries(history)
    return [_event(_facts(entry), source, position) for position, entry in enumerate(entries, start=1)]


def event_entries(history: LogHistory) -> list[dict[str, Any]]:
    """Return the entries that `events` is made of, in the order of their positions.

    Of archived entries these are the newest and the last words on tasks (`history.earlier_and_newest`); the
    others are no events, so neither summary nor report tells them. Nor do they tell who claimed what and
    let go of it: the claims that hold now are told by themselves (`log.claims`).
    """
    archived = earlier_and_newest(history) if history.index.records else []
    return [*(entry for entry in archived if not is_claim(entry)), *live_event_entries(history)]


def live_event_entries(history: LogHistory) -> list[dict[str, Any]]:
    """Return those of `event_entries` that are in the log itself, which come last."""
    return [entry for entry in history.entries if not is_claim(entry)]


def event(entry: dict[str, Any], source: str, position: int) -> Event:
    """Return one entry as an event at this position, counted from 1."""
    return _event(_facts(entry), source, position)


def _event(facts: _Facts, source: str, position: int) -> Event:
    (
        stories, title, kind, when, spec, details, said, files, entry, branch, writer, planned, trouble,
        names, committed, also_on,
    ) = facts  # fmt: skip
    return Event(
        stories=stories,
        title=title,
        status=_status(kind, stories),
        type=kind,
        source=source,
        position=position,
        when=when,
        spec=spec,
        details=details,
        said=said,
        files=files,
        entry=entry,
        branch=branch,
        writer=writer,
        planned=PlannedAs(*planned) if planned else None,
        trouble=trouble,
        is_name=names,
        is_committed=committed,
        also_on=also_on,
    )


def _facts(entry: dict[str, Any]) -> _Facts:
    """Return what an entry says by itself, as `_event` takes it apart."""
    data = data_of(entry)
    task = text_of(entry, "task_id")
    when = time_of(entry)
    kind = text_of(entry, "type") or "other"
    planned = planned_as(entry)
    field = headline_field(entry)
    title = planned.title if planned and planned.title else headline_of(entry, field)
    made_up = text_of(data, "description") if is_signal(entry) else None
    said = [stored_line(point) for text in _sentences(data) if text != made_up for point in sentences(text)]
    if kind in _SAID_IN_FIELDS:
        said += words_of_type(kind, data, field)
    if kind == SCOPE_CHANGE:
        earlier = (point for text in texts_of(data, EARLIER) for point in sentences(text))
        said = [text for text in (scope_change(data, task), *map(stored_line, earlier)) if text]
        data = {name: value for name, value in data.items() if name not in _IN_ONE}
    return (
        (stored_line(task),) if task else (),
        title,
        kind,
        written(when) if when else None,
        text_of(entry, "spec"),
        tuple(dict.fromkeys([*said, *_details(data)])),
        len(dict.fromkeys(said)),
        tuple(dict.fromkeys([*texts_of(data, "files_modified"), *texts_of(data, "files")])),
        text_of(entry, "id"),
        text_of(entry, "branch"),
        writer_of(entry),
        tuple(planned) if planned else None,
        tuple(with_name(data, name) for name in _TROUBLE if text_of(data, name)),
        bool(planned and planned.title) or (field == "description" and kind != _BLOCKER),
        bool(text_of(data, "commit")),
        tuple(texts_of(entry, ALSO_ON)),
    )


def _status(kind: str, stories: tuple[str, ...]) -> Status:
    if kind in _DONE_IN_ITSELF and not stories:
        return Status.DONE
    return STATUS_OF_TYPE.get(kind, Status.ACTIVE)


def planned_as(entry: dict[str, Any]) -> PlannedAs | None:
    """Return which story of which plan an entry was about when it was written, None where it does not say.

    Entries of older versions that a signal wrote name the plan's path, and have the title for a description.
    """
    story = entry.get("story")
    if isinstance(story, dict):
        path, plan_id = text_of(story, "plan"), text_of(story, "plan_id")
        title, branch = text_of(story, "title"), text_of(story, "branch")
        return PlannedAs(
            path or "", plan_id or "", branch, stored_line(title or ""), _near(story.get("near"))
        )
    data = data_of(entry)
    if is_signal(entry) and (path := text_of(data, "plan")):
        return PlannedAs(path, "", None, stored_line(text_of(data, "description") or ""))
    return None


def _near(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        return ()
    return tuple((name, mark) for name, mark in value.items() if isinstance(mark, str))


def _sentences(data: dict[str, Any]) -> list[str]:
    """Return what somebody said it is, newest first."""
    return [text for text in (text_of(data, "description"), *texts_of(data, EARLIER)) if text]


def _details(data: dict[str, Any]) -> Iterator[str]:
    """Write every other fact that has no place of its own in an event, one line each."""
    for notes in (data.get("notes"), *texts_of(data, EARLIER_NOTES)):
        if notes:
            yield from map(stored_line, points(value_words(notes)))
    for name, value in data.items():
        if name not in _TOLD_ELSEWHERE and name not in _NAMELESS and name not in _TROUBLE:
            if not value and value in (None, "", [], {}):
                continue
            yield with_name(data, name)
