"""What is known here of a story before it is claimed."""

from __future__ import annotations

from difflib import get_close_matches
from typing import NamedTuple

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.claims import LONGEST_STORY
from progress_plugin.log.entry import writer_of
from progress_plugin.model.claim import Claim
from progress_plugin.model.status import FINISHED
from progress_plugin.state.state import ItemState
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import read_project
from progress_plugin.usecases.views import Entries, entries_by_id

MAX_ALIKE = 3


class ClaimableStory(NamedTuple):
    """A story as it is before it is claimed."""

    name: str  # as the plan spells it; as it was given if no plan has it
    finished: str  # what calls it finished, a clause; empty if it is open
    hint: str  # that no plan has such a story, and which are called alike; empty if it is known
    claim: Claim | None  # who claims it


def claimable_story(project: Project, name: str) -> ClaimableStory:
    """Return the decided status of a story, found whatever the case of its id. Raises as reading does."""
    reading = read_project(project, InputSnapshot(project.root))
    facts, key = reading.facts, name.casefold()
    states = [each for plan in facts.state.plans for each in (*plan.items, *plan.groups)]
    stories = {each.item.id: each for each in reversed(states) if each.item.id}
    found = next((each for story, each in stories.items() if story.casefold() == key), None)
    claim = next((each for each in facts.claims if each.key == key), None)
    if found is None:
        return ClaimableStory(name, "", _describe_unknown(name, list(stories)), claim)
    finished = _describe_finished(found, entries_by_id(reading.log.stories_logged()))
    return ClaimableStory(found.item.id or name, finished, "", claim)


def _describe_finished(state: ItemState, entries: Entries) -> str:
    """Return what calls a story finished: also a log, if only the plan here does not say so yet."""
    stated = [report for report in state.reports if report.status and not report.is_plan]
    decided = state.decided_by if state.status in FINISHED else stated[-1] if stated else None
    if decided is None or decided.status not in FINISHED:
        return state.status.value if state.status in FINISHED else ""
    by = writer_of(entries.get(decided.record, {})) if decided.record else None
    place = f" in {decided.source.path}{f', by {by}' if by else ''}"
    return f"{decided.status}{place}{'' if state.status in FINISHED else '; its plan has it open'}"


def _describe_unknown(name: str, known: list[str]) -> str:
    """Return nothing in a project without stories: any name is as good there as another."""
    if not known:
        return ""
    by_key = {story.casefold(): story for story in known}
    near = [by_key[key] for key in get_close_matches(name.casefold(), by_key, MAX_ALIKE)]
    alike = f"; called alike: {', '.join(one_line(story, LONGEST_STORY) for story in near)}" if near else ""
    return f"no plan has a story {one_line(name, LONGEST_STORY)}{alike}"
