"""The present state of stories and blockers, and the answers to questions about the state itself."""

from __future__ import annotations

from collections.abc import Collection

from progress_plugin.log.entry import text_of
from progress_plugin.model.status import STATUS_OF_TYPE, Status
from progress_plugin.recall.present_state import PresentState, StoryToday
from progress_plugin.state.state import State, Work
from progress_plugin.summary.shown_text import name_work
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recalling.passages import safe

MAX_LINE_CHARS = 300


def present_state(reading: Reading) -> PresentState:
    """Return the decided status of every item of the plans, and of other stories what our log has last."""
    planned = [
        StoryToday(safe(each.item.id), safe(each.item.title), each.status.value, safe(plan.plan.path))
        for plan in reading.facts.state.plans
        for each in (*plan.items, *plan.groups)
        if each.item.id
    ]
    blockers = reading.log.blockers()
    blocked = {(text_of(entry, "task_id") or "").casefold() for entry in blockers}
    stories = _logged(reading, {each.id.casefold() for each in planned}, blocked)
    ids = frozenset(name for entry in blockers if (name := text_of(entry, "id")))
    return PresentState((*planned, *stories), ids, reading.facts.own.muted, _answers(reading.facts.state))


def _answers(state: State) -> dict[str, tuple[str, ...]]:
    """Return what the state says on each topic, one line each; nothing if it says nothing."""
    ahead = [("Current", state.current), ("Next", state.next), *(("Next step", step) for step in state.steps)]
    steps = [f"{label}: {_line(work)}" for label, work in ahead if work is not None]
    if not steps and state.is_complete:
        steps = [f"{state.done} of {state.total} stories done, nothing open is known"]
    return {
        "blocker": tuple(f"Blocked: {_line(work)}" for work in state.blocked),
        "next": tuple(dict.fromkeys(steps)),
    }


def _line(work: Work) -> str:
    return one_line(f"{name_work(work)}: {work.reason}" if work.reason else name_work(work), MAX_LINE_CHARS)


def _logged(reading: Reading, planned: Collection[str], blocked: Collection[str]) -> list[StoryToday]:
    """Return what our log has last of each story that no plan has."""
    stories: dict[str, StoryToday] = {}
    for entry in reading.log.stories_logged():
        task, status = text_of(entry, "task_id") or "", STATUS_OF_TYPE.get(text_of(entry, "type") or "")
        key = task.casefold()
        if status and key and key not in planned:
            is_over = status is Status.BLOCKED and key not in blocked
            stories[key] = StoryToday(one_line(task), "", (Status.ACTIVE if is_over else status).value, "")
    return list(stories.values())
