"""What the current story has to fulfil, in the words of its plan, and what was changed of that."""

from __future__ import annotations

from collections import Counter

from progress_plugin.model.event import SCOPE_CHANGE
from progress_plugin.model.origin import Cited
from progress_plugin.model.story import Plan
from progress_plugin.summary.merged_story_status import StoryState
from progress_plugin.text.bounds import counted
from progress_plugin.text.normalise_title import normalised
from progress_plugin.text.safe_output import item

_LINE = 220
_CHANGES = 3
"""Changes of a story's scope that are told, the newest."""
_OF_MANY = 3
"""Stories that ask the same, from which it is a rule of the plan and no story's own."""


def asked_for(story: StoryState | None, plan: Plan | None) -> tuple[str, ...]:
    """Return what the plan asks of a story, at length and ever shorter: a part would pass for the whole.

    At length are the plan's notes and the story's own criteria; where it has neither, the first paragraph of
    its description. Shorter is how many criteria there are, with the notes or alone.
    """
    planned = story.planned if story else None
    if story is None or planned is None or plan is None:
        return ()
    of_many = Counter(normalised(text) for each in plan.stories for text in dict.fromkeys(each.criteria))
    own = [item(text, _LINE) for text in planned.criteria if of_many[normalised(text)] < _OF_MANY]
    notes = [item(planned.notes, _LINE)] if planned.notes else []
    number = [f"{counted(len(own), 'criterion', 'criteria')} in the plan"] if own else []
    described = planned.description.strip().partition("\n\n")[0]
    whole = [*notes, *own] or [item(described, _LINE)]
    told = dict.fromkeys("; ".join(texts) for texts in (whole, [*notes, *number], number))
    return tuple(Cited(text, *story.origins()) for text in told if text)


def changed_since(story: StoryState | None) -> str:
    """Return what the user wants of a story otherwise than its plan, as it was logged; often empty."""
    events = [event for event in story.events if event.type == SCOPE_CHANGE] if story else []
    told = {text: event.origin for event in events[-_CHANGES:] for text in event.details[: event.said]}
    if not told:
        return ""
    return Cited(f"changed by the user: {'; '.join(item(text, _LINE) for text in told)}", *told.values())
