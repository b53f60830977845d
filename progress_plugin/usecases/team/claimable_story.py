"""What is known here of a story that somebody wants to claim, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.claims import LONGEST_STORY
from progress_plugin.model.claim import Claim
from progress_plugin.model.status import FINISHED
from progress_plugin.plans.plan_and_story_identity import called_alike
from progress_plugin.summary.merged_story_status import StoryState, read_history
from progress_plugin.summary.next_work import finished_by
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.summarizing.gather import gather
from progress_plugin.usecases.summarizing.sources import read_sources


class ClaimableStory(NamedTuple):
    """A story as it stands before it is claimed."""

    name: str
    """As plan or log spell it; as it was given where neither knows it."""
    finished: str
    """Who finished it or what calls it finished, a clause; empty for one that is open."""
    hint: str
    """That nobody knows such a story, and which are called alike; empty for one that is known."""
    claim: Claim | None
    """Who claims it."""


def claimable_story(project: Project, name: str) -> ClaimableStory:
    """Return what plan and log say of a story, found whatever the case of its id. Raises as reading does."""
    facts = gather(read_sources(project, InputSnapshot(project.root)))
    stories = [story for story in read_history(facts).named if story.id]
    key = name.casefold()
    found = next((story for story in stories if (story.id or "").casefold() == key), None)
    claim = next((each for each in facts.claims if each.key == key), None)
    if found is None:
        return ClaimableStory(name, "", _unknown(name, [story.id or "" for story in stories]), claim)
    return ClaimableStory(found.id or name, _finished(found), "", claim)


def _finished(story: StoryState) -> str:
    if story.finished_by is not None:
        return finished_by(story.finished_by)
    if story.status not in FINISHED:
        return ""
    by = story.newest.writer if story.newest is not None and story.planned is None else None
    return f"{story.status.value}{f' in {story.plan}' if story.plan else ''}{f', by {by}' if by else ''}"


def _unknown(name: str, known: Sequence[str]) -> str:
    """Return nothing in a project that has no stories: there any name is as good as another."""
    if not known:
        return ""
    by_key = {each.casefold(): each for each in known}
    near = [by_key[key] for key in called_alike(name.casefold(), by_key)]
    alike = f"; called alike: {', '.join(one_line(each, LONGEST_STORY) for each in near)}" if near else ""
    return f"neither plan nor log knows a story {one_line(name, LONGEST_STORY)}{alike}"
