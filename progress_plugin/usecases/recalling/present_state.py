"""What holds today of the stories and blockers that the history speaks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from progress_plugin.log.entry import text_of
from progress_plugin.model.status import STATUS_OF_TYPE, Status
from progress_plugin.recall.index import story_key
from progress_plugin.recall.still_holds import PresentState, StoryToday
from progress_plugin.usecases.reading import Reading


def present_state(reading: Reading) -> PresentState:
    """Return the decided status of every item of the plans, of other stories what our log said last."""
    planned = [
        StoryToday(each.item.id, each.item.title, each.status.value, plan.plan.path)
        for plan in reading.facts.state.plans
        for each in (*plan.items, *plan.groups)
        if each.item.id
    ]
    blockers = reading.log.blockers()
    blocked = {story_key(text_of(entry, "task_id") or "") for entry in blockers}
    stories = _logged(reading, {story_key(each.id) for each in planned}, blocked)
    ids = frozenset(name for entry in blockers if (name := text_of(entry, "id")))
    return PresentState((*planned, *stories), ids)


def _logged(reading: Reading, planned: Collection[str], blocked: Collection[str]) -> list[StoryToday]:
    """Return the stories that no plan has.

    An id that two specs have is left out: a passage does not say which of the stories it is about.
    """
    stories = {key: each for key, each in _last_words(reading) if key[1] not in planned}
    times = Counter(name for _, name in stories)
    found = []
    for (_, name), each in stories.items():
        is_over = each.status == Status.BLOCKED.value and name not in blocked
        if times[name] == 1:
            found.append(each._replace(status=Status.ACTIVE.value) if is_over else each)
    return found


def _last_words(reading: Reading) -> Iterator[tuple[tuple[str, str], StoryToday]]:
    """Yield spec and id of each story that our log finishes or blocks, oldest first."""
    for entry in reading.log.stories_logged():
        task, kind = text_of(entry, "task_id"), text_of(entry, "type") or ""
        if task and kind in STATUS_OF_TYPE:
            key = (story_key(text_of(entry, "spec") or ""), story_key(task))
            yield key, StoryToday(task, "", STATUS_OF_TYPE[kind].value, "")
