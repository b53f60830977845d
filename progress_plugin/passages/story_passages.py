"""Read the open stories of a plan into passages: what they ask for beyond their titles (S18.2)."""

from __future__ import annotations

from collections.abc import Iterator

from progress_plugin.model.status import OPEN
from progress_plugin.model.story import Plan, Story
from progress_plugin.passages.noise import telling
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.text.labels import single_spaced
from progress_plugin.text.sections import SectionKind


def read_stories(plan: Plan, most: int = 3) -> Reading:
    """Return what the first `most` open stories say; each counts as the newest entry."""
    opened = [story for story in plan.stories if story.status in OPEN][:most]
    return Reading(tuple(passage for story in opened for passage in _of(story, plan.path)), 1)


def _of(story: Story, source: str) -> Iterator[Passage]:
    nth = 0
    for section, label, text in (
        (SectionKind.STATUS, "Blocked by", story.issue or ""),
        (SectionKind.NEXT, story.id, story.description),
        (SectionKind.NOTES, story.id, story.notes),
    ):
        for piece in telling(single_spaced(text)) if text else ():
            yield Passage(
                text=piece,
                line=story.line or 0,
                last=story.line or 0,
                source=source,
                form=Form.ITEM,
                section=section,
                label=label,
                lead=label,
                entry=1,
                story=story.id,
                when=None,
                nth=nth,
                depth=1,
            )
            nth += 1
