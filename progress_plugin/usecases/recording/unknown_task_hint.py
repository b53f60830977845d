"""A task that somebody logs and no plan has: said with the answer, since it may be a typing error (S11.3).

Which ids are called alike is decided in `plans.plan_and_story_identity` (`called_alike`).
"""

from __future__ import annotations

from progress_plugin.log.entry import EntryDraft
from progress_plugin.plans.plan_and_story_identity import called_alike
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.summarizing.sources import Sources

_LONGEST = 90


def unknown_story(draft: EntryDraft, sources: Sources) -> str:
    """Return that no plan has the task of a draft, and which stories are called alike; empty where one has.

    What is logged for a spec may be in no plan here.
    """
    lead, task = sources.lead, draft.task_id
    if task is None or draft.spec or draft.story or lead is None or not lead.stories:
        return ""
    stories = [story for plan in sources.plans for story in plan.stories]
    parts = {part.id.casefold() for story in stories for part in story.subtasks}
    known = {story.id.casefold(): story.id for story in stories if not story.positional}
    if not known or task.casefold() in parts.union(known):
        return ""
    near = ", ".join(one_line(known[key], _LONGEST) for key in called_alike(task.casefold(), known))
    where = f"no plan here has a story {one_line(task, _LONGEST)}; it is written all the same"
    return f"{where}; called alike: {near}" if near else where
