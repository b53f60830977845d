"""Which blockers are open, and which story each is about: our own log's, beside what the plans say."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import partial
from typing import Any

from progress_plugin.log.entry import AGENTS_LOG, NO_REASON, data_of, is_signal, text_of, writer_of
from progress_plugin.log.events import event, event_entries, events, planned_as
from progress_plugin.log.logged_blockers import blocker_ends, is_on_finished_story
from progress_plugin.log.recent_entries import headline, headline_field, type_words
from progress_plugin.model.event import STORY_TYPES, TYPE_OF_STATUS, Event, PlannedAs
from progress_plugin.model.origin import DOCUMENT, Cited
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.attribution import EARLIER_PLAN, Attribution
from progress_plugin.plans.baseline import identity_of, own_status
from progress_plugin.plans.plan_and_story_identity import names_plan, normalised
from progress_plugin.summary.summary_input import EndedBlocker, OpenBlocker, WorkDocument
from progress_plugin.text.safe_output import sentences
from progress_plugin.usecases.summarizing.sources import Sources

_BLOCKER = TYPE_OF_STATUS[Status.BLOCKED]


def attribution_of(sources: Sources, history: Sequence[Event] | None = None) -> Attribution | None:
    """Return what finds the stories of the leading plan; None without a plan that has stories.

    `history` are the events of all logs; without them those of our own log are looked at.
    """
    if sources.lead is None or not sources.lead.stories:
        return None
    told = events(sources.log, "") if history is None else history
    identity = partial(identity_of, sources.project.root, sources.lead)
    return Attribution(sources.lead, sources.plans, told, sources.branch, identity)


def open_blockers(sources: Sources, attribution: Attribution | None) -> list[OpenBlocker]:
    """Return the blockers of our log that are open, the oldest first.

    Beside what the log resolves those are over whose story the plan calls finished or skipped, and those
    that only repeat the word of a plan, or of an agent's log, once it says otherwise.
    """
    found: list[OpenBlocker | None] = []
    repeated: dict[tuple[str | None, bool], int] = {}
    for entry in sources.log.blockers():
        blocker = _open_blocker(entry, sources, attribution)
        if blocker is None:
            continue
        if is_signal(entry):
            # What a plan said before it took it back is over: of its words on a story the newest counts.
            speaker = (blocker.story or blocker.task or blocker.id, _is_of_log(entry))
            if speaker in repeated:
                found[repeated[speaker]] = None
            repeated[speaker] = len(found)
        found.append(blocker)
    return [blocker for blocker in found if blocker is not None]


def all_blockers(
    blockers: Sequence[OpenBlocker], stated: Sequence[OpenBlocker], work: WorkDocument | None
) -> list[OpenBlocker]:
    """Return the blockers of our log, and what agents' logs and the progress document say besides.

    An older entry of an agent's log is told with the story that it was about in front.
    """
    known = {normalised(text) for each in blockers for text in _wordings(each)}
    found = list(blockers)
    documents = [
        OpenBlocker(id="", label=text, issue="", origin=text.origins[0]) for text in _blockers_of(work)
    ]
    for each in (*stated, *documents):
        said = normalised(each.issue or each.label)
        if said not in known:
            known.add(said)
            found.append(each)
    return found


def _wordings(blocker: OpenBlocker) -> Iterator[str]:
    """Yield the words by which a blocker is known again: its label, and each sentence of its reason."""
    yield blocker.label
    for text in (blocker.issue, *blocker.issue.split("; ")):
        yield text
        yield f"{blocker.story or blocker.task or ''}: {text}"


def _blockers_of(work: WorkDocument | None) -> list[Cited]:
    """Return the blockers of a progress document that is as new as log and plan."""
    if work is None or work.outdated or work.foreign_plan:
        return []
    return [Cited(text, DOCUMENT) for text in work.blockers]


def telling_events(events: Sequence[Event], over: Sequence[Event]) -> list[Event]:
    """Return the events that say where a story stands; `over` are the `resolved_blockers` among them.

    A blocker that the log itself has resolved is no word against a plan that goes on.
    """
    resolved = {id(event) for event in over}
    return [event for event in events if event.type in STORY_TYPES and id(event) not in resolved]


def resolved_blockers(sources: Sources, events: Sequence[Event]) -> list[Event]:
    """Return the blockers among the events that our own log has resolved since."""
    blocked = [
        event
        for event in events
        if event.status is Status.BLOCKED and event.type in STORY_TYPES and event.entry
    ]
    if not blocked:  # as in nearly every log
        return []
    still_open = {text_of(entry, "id") for entry in sources.log.blockers()}
    return [event for event in blocked if event.entry not in still_open]


def ended_blockers(
    sources: Sources, events: Sequence[Event], attribution: Attribution | None, still_open: Container[str]
) -> dict[str, EndedBlocker]:
    """Return by entry how the blockers among the events ended which are not `still_open`."""
    over = [
        event for event in events if event.type == _BLOCKER and event.entry and event.entry not in still_open
    ]
    if not over:  # as in nearly every log
        return {}
    entries = event_entries(sources.log)
    by = {text_of(blocker, "id"): entry for blocker, entry in blocker_ends(entries)}
    unresolved = {text_of(entry, "id") for entry in sources.log.blockers()}
    known = {text_of(entry, "id"): entry for entry in entries}
    found = {}
    for each in over:
        entry, ending = known.get(each.entry, {}), by.get(each.entry)
        how = _words(ending) if ending else _end(each, entry, sources, attribution)
        if ending is None and each.entry not in unresolved:
            how = how or "by an archived entry"
        if how:
            data = {} if is_signal(entry) else data_of(entry)
            issue, said = (_in_one_line(text_of(data, name) or "") for name in ("issue", "description"))
            by_entry = text_of(ending, "id") if ending else None
            found[each.entry or ""] = EndedBlocker(issue, said, how, by_entry)
    return found


def _words(ending: dict[str, Any]) -> str:
    """Return what somebody said who ended a blocker, else what ended it."""
    if headline_field(ending) and not is_signal(ending):
        return headline(ending)
    return ": ".join(filter(None, (text_of(ending, "task_id"), type_words(ending))))


def _end(
    event: Event, entry: dict[str, Any], sources: Sources, attribution: Attribution | None
) -> str | None:
    """Return by which word of a plan or an agent's log a blocker is over; None where it is only not ours."""
    stories = attribution.stories(event) if attribution else []
    path = sources.lead.path if sources.lead else ""
    if stories and stories[0].status in FINISHED:
        return f"{stories[0].status} in {path}"
    if stories and is_signal(entry):
        return "no agent's log says so any more" if _is_of_log(entry) else f"{path} says so no more"
    return None


def _open_blocker(
    entry: dict[str, Any], sources: Sources, attribution: Attribution | None
) -> OpenBlocker | None:
    plan, story = _story(entry, sources, attribution)
    made_up, is_of_log = is_signal(entry), _is_of_log(entry)
    if story is not None and story.status in FINISHED and not is_on_finished_story(entry):
        return None
    if story is not None and made_up and not is_of_log and own_status(story) is not Status.BLOCKED:
        return None
    if is_of_log and _is_taken_back(entry, story if plan is sources.lead else None, sources, attribution):
        return None
    planned = planned_as(entry)
    if story is None and planned is not None and made_up:
        return None  # it was the word of a plan that is gone
    if story is None and planned is not None and event(entry, "", 0).is_elsewhere(sources.branch):
        return None  # it is a story of the other branch that waits for it
    data = data_of(entry)
    issue = text_of(data, "issue") or (None if made_up else text_of(data, "description"))
    suggestion = _in_one_line(text_of(data, "suggested_resolution") or "")
    return OpenBlocker(
        id=text_of(entry, "id") or "",
        label=_label(entry, story),
        issue="" if issue in (None, NO_REASON) else _in_one_line(issue),
        suggestion=suggestion,
        title=_title(planned, story, is_of_lead=plan is sources.lead),
        said_spec=_said_spec(text_of(entry, "spec"), plan, story),
        when=text_of(entry, "timestamp"),
        writer=writer_of(entry),
        story=story.id if story is not None and plan is sources.lead else None,
        task=text_of(entry, "task_id"),
        spec=text_of(entry, "spec"),
        plan=_elsewhere(entry, plan, sources.lead, attribution),
    )


def _is_of_log(entry: dict[str, Any]) -> bool:
    """Return whether an entry only repeats the word of an agent's own log."""
    return text_of(entry, "signal") == AGENTS_LOG


def _is_taken_back(
    entry: dict[str, Any], story: Story | None, sources: Sources, attribution: Attribution | None
) -> bool:
    """Return whether no agent's log that has a word on a story calls it blocked; `story` is the plan's."""
    name = (story.id if story else text_of(entry, "task_id") or "").casefold()
    words = []
    for log in sources.logs:
        told = (event for event in reversed(log.events) if name in map(str.casefold, event.stories))
        if story is not None and attribution is not None:
            told = (event for event in told if story.id in [each.id for each in attribution.stories(event)])
        words += [event.status for event in [next(told, None)] if event is not None]
    return bool(words) and Status.BLOCKED not in words


def _in_one_line(text: str) -> str:
    """Return a text in one line, parted as the headline of its entry is: the two are compared."""
    return "; ".join(sentences(text))


def _story(
    entry: dict[str, Any], sources: Sources, attribution: Attribution | None
) -> tuple[Plan | None, Story | None]:
    """Return the story that a blocker is about: of the leading plan, else of the plan that it means."""
    told = event(entry, "", 0)
    found = attribution.stories(told) if attribution else []
    if found:
        return sources.lead, found[0]
    means = attribution.other_plan(told) if attribution else None
    path = told.planned.path if told.planned else means
    other = next((plan for plan in sources.plans if plan.path == path), None)
    if other is None or other is sources.lead:
        return None, None
    identity = partial(identity_of, sources.project.root, other)
    named = Attribution(other, sources.plans, [told], identity=identity).stories(told)
    return (other, named[0]) if named else (None, None)


def _elsewhere(
    entry: dict[str, Any], plan: Plan | None, lead: Plan | None, attribution: Attribution | None
) -> str | None:
    """Return what the plan of a blocker is called where it is not the leading one; one in no plan has none.

    A plan that is gone is called as everywhere (`Attribution.other_plan`).
    """
    if plan is None and planned_as(entry) is not None:
        return attribution.other_plan(event(entry, "", 0)) if attribution else EARLIER_PLAN
    return plan.path if plan is not None and plan is not lead else None


def _title(planned: PlannedAs | None, story: Story | None, *, is_of_lead: bool) -> str:
    """Return what a blocker's story is called, where it is none of the leading plan's."""
    if story is not None:
        return "" if is_of_lead else story.title
    return planned.title if planned is not None else ""


def _said_spec(spec: str | None, plan: Plan | None, story: Story | None) -> str:
    """Return the spec that a blocker was logged for, where its story is told by its plan alone."""
    if spec is None or plan is None or story is None:
        return ""
    return "" if names_plan(plan, spec) else spec


def _label(entry: dict[str, Any], story: Story | None) -> str:
    if story is not None:
        return story.id
    names = [name for field in ("spec", "task_id") if (name := text_of(entry, field))]
    return " ".join(names) or headline(entry)
