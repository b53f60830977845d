"""Which next step our own log proposes: the newest, unless another task was finished since.

That of agents' own logs is found in `passages.stated_status`.
"""

from __future__ import annotations

from typing import Any

from progress_plugin.log.deciding_steps import deciding, in_time_order
from progress_plugin.log.entry import is_signal, text_of, time_of, writer_of
from progress_plugin.log.events import event
from progress_plugin.log.logged_blockers import TaskKey, task_key
from progress_plugin.log.timestamp import written
from progress_plugin.model.event import Event
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import FINISHED
from progress_plugin.plans.attribution import Attribution
from progress_plugin.summary.summary_input import LoggedStep
from progress_plugin.usecases.summarizing.sources import Sources


def next_step(sources: Sources, attribution: Attribution | None) -> LoggedStep | None:
    """Return the newest next steps of this branch and plan, unless another task was finished since.

    Then they may be taken by now. An edit of the plan that finishes the very task they were logged for takes
    none of them: they are about what comes after it. What another branch finished counts once the
    plan here says so: it was merged. One without a writer was logged here.
    Which archived entries have a say, the index knows (`log.deciding_steps`).
    """
    finished: set[TaskKey] = set()
    for entry, part in reversed(in_time_order(sources.log.index.steps(), sources.log.parts())):
        steps = deciding(entry, part)
        if steps is None:
            continue
        told = event(entry, "", 0)
        if told.is_elsewhere(sources.branch) and not _is_merged(told, attribution):
            continue
        if attribution is not None and not attribution.concerns(told):
            continue
        key = task_key(entry)
        if steps:
            return _step(steps, entry, part) if finished <= {key} else None
        if not (is_signal(entry) and text_of(entry, "task_id")):
            return None
        finished.add(key)
    return None


def _step(steps: str, entry: dict[str, Any], part: dict[str, Any]) -> LoggedStep:
    when = time_of(part)
    cited = Cited(steps, Origin(entry=text_of(entry, "id")))
    return LoggedStep(cited, writer_of(entry), written(when) if when else None)


def _is_merged(told: Event, attribution: Attribution | None) -> bool:
    """Return whether the plan here calls finished what an entry of another branch is about: it was merged."""
    stories = attribution.stories(told) if attribution is not None else []
    return bool(stories) and all(story.status in FINISHED for story in stories)
