"""What the answer says of a task or spec that is logged: that no plan has it, or that several have."""

from __future__ import annotations

import posixpath

from progress_plugin.core import known_paths
from progress_plugin.log.entry import CLAIM, EntryDraft, data_of
from progress_plugin.log.events import planned_as
from progress_plugin.model.status import OPEN
from progress_plugin.plans import agent_os
from progress_plugin.plans.plan_and_story_identity import called_alike, names_of, names_plan, normalised
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recording.story_lookup import is_chosen, named_stories
from progress_plugin.usecases.summarizing.sources import Sources

_LONGEST = 90


def unknown_story(draft: EntryDraft, sources: Sources) -> str:
    """Return that no plan has the task of a draft, and which stories are called alike; empty where one has.

    What is logged for a spec may be in no plan here. `claim` looks in plans and log, and says it itself.
    """
    lead, task = sources.lead, draft.task_id
    if task is None or draft.spec or draft.story or CLAIM in draft.data or lead is None or not lead.stories:
        return ""
    stories = [story for plan in sources.plans for story in plan.stories]
    parts = {part.id.casefold() for story in stories for part in story.subtasks}
    known = {story.id.casefold(): story.id for story in stories if not story.positional}
    if not known or task.casefold() in parts.union(known):
        return ""
    near = ", ".join(one_line(known[key], _LONGEST) for key in called_alike(task.casefold(), known))
    where = f"no plan here has a story {one_line(task, _LONGEST)}; it is written all the same"
    return f"{where}; called alike: {near}" if near else where


def unknown_spec(draft: EntryDraft, found: EntryDraft, sources: Sources) -> str:
    """Return that no plan or spec is called as a draft says, and which story it is taken for.

    Empty where one is, and where there are none: then a spec is free text. Both drafts as in `taken_for`.
    """
    spec = draft.spec
    if spec is None or any(names_plan(plan, spec) for plan in sources.plans):
        return ""
    folders = {
        normalised(name)
        for folder, _ in known_paths.NESTED
        for inner in sources.inputs.list_folder(folder)
        for name in (inner, agent_os.spec_of(posixpath.join(folder, inner, "")))
    }
    if normalised(spec) in folders or not (folders or sources.plans):
        return ""
    known = {name: plan.path for plan in sources.plans for name in names_of(plan)}
    near = dict.fromkeys(known[name] for name in called_alike(normalised(spec), known))
    of = f"it is taken for {_story_of(found)}" if found.story else "it is written all the same"
    where = f"no plan or spec here is called {one_line(spec, _LONGEST)}; {of}"
    return f"{where}; called alike: {', '.join(one_line(path, _LONGEST) for path in near)}" if near else where


def _story_of(found: EntryDraft) -> str:
    """Return the story that a draft was taken for, as it is named: `US-002 of prd.json (Orders)`."""
    story = found.story or {}
    title = f" ({story['title']})" if story.get("title") else ""
    return one_line(f"{found.task_id or 'the story'} of {story['plan']}{title}", _LONGEST)


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
