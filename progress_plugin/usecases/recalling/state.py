"""The present state of stories and blockers, and the answers to questions about the state itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from progress_plugin.log.entry import text_of
from progress_plugin.model.status import STATUS_OF_TYPE, Status
from progress_plugin.recall.index import story_key
from progress_plugin.recall.present_state import PresentState, StoryToday
from progress_plugin.state.state import State, Work
from progress_plugin.summary.shown_text import name_work
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import Reading

MAX_LINE_CHARS = 300


def present_state(reading: Reading) -> PresentState:
    """Return the decided status of every item of the plans, and of other stories what our log has last."""
    planned = [
        StoryToday(*map(one_line, (each.item.id, each.item.title, each.status.value, plan.plan.path)))
        for plan in reading.facts.state.plans
        for each in (*plan.items, *plan.groups)
        if each.item.id
    ]
    blockers = reading.log.blockers()
    blocked = {story_key(text_of(entry, "task_id") or "") for entry in blockers}
    stories = _logged(reading, {story_key(each.id) for each in planned}, blocked)
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
    """Return the stories that no plan has.

    An id that two specs have is left out: a passage does not say which of the stories it is about.
    """
    stories = {key: each for key, each in _last_statuses(reading) if key[1] not in planned}
    times = Counter(name for _, name in stories)
    found = []
    for (_, name), each in stories.items():
        is_over = each.status == Status.BLOCKED.value and name not in blocked
        if times[name] == 1:
            found.append(StoryToday(each.id, "", Status.ACTIVE.value, "") if is_over else each)
    return found


def _last_statuses(reading: Reading) -> Iterator[tuple[tuple[str, str], StoryToday]]:
    """Yield spec and id of each story that our log finishes or blocks, oldest first."""
    for entry in reading.log.stories_logged():
        task, kind = text_of(entry, "task_id"), text_of(entry, "type") or ""
        if task and kind in STATUS_OF_TYPE:
            key = (story_key(text_of(entry, "spec") or ""), story_key(task))
            yield key, StoryToday(one_line(task), "", STATUS_OF_TYPE[kind].value, "")
