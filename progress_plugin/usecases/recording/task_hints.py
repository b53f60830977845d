"""What the answer says of a task that somebody logs: that no plan has it, or that several have (S11.3).

Which ids are called alike is decided in `plans.plan_and_story_identity` (`called_alike`), which plan's story
it is, in `usecases.recording.story_lookup` (`find_target`).
"""

from __future__ import annotations

from progress_plugin.log.entry import EntryDraft, data_of
from progress_plugin.log.events import planned_as
from progress_plugin.model.status import OPEN
from progress_plugin.plans.plan_and_story_identity import called_alike
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recording.story_lookup import is_chosen, named_stories
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


def taken_for(draft: EntryDraft, found: EntryDraft, sources: Sources, session: str | None) -> str:
    """Return which plan's story a draft was taken for, where it names none and it may be another's.

    Empty where this session has logged for that plan before, or the plan leads by branch or setting: `draft`
    is what was asked for, `found` what becomes of it.
    """
    if draft.task_id is None or draft.spec or not found.story:
        return ""
    path = found.story["plan"]
    known = {plan.path: (plan, story) for plan, story in named_stories(sources, draft.task_id)}
    plan, story = known[path]
    others = [
        at
        for at, (_, each) in known.items()
        if at != path and (each.status in OPEN or plan is not sources.lead)
    ]
    if not others or is_chosen(sources, plan) or _is_at(path, sources, session):
        return ""
    other = others[0]
    ours, theirs = (one_line(f"{at} ({known[at][1].title})", _LONGEST) for at in (path, other))
    name = one_line(story.id, _LONGEST)
    return f"{name} is taken for that of {ours}; {theirs} has one, too: name it with --spec {other}"


def _is_at(path: str, sources: Sources, session: str | None) -> bool:
    """Return whether a session has logged something for the plan at a path before."""
    return session is not None and any(
        planned.path == path
        for entry in sources.log.entries
        if data_of(entry).get("session_id") == session and (planned := planned_as(entry))
    )
