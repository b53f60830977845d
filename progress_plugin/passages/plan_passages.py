"""Read the stories of a plan into passages: what they are called and ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.status import OPEN, Status
from progress_plugin.model.story import Plan, Story, counts_of
from progress_plugin.passages.noise import telling
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.text.labels import single_spaced
from progress_plugin.text.section_names import SectionKind

_NOBODY: Mapping[str, str] = {}


def read_stories(plan: Plan, most: int = 3) -> Reading:
    """Return what the first `most` open stories say beyond their titles; each counts as the newest entry."""
    opened = [story for story in plan.stories if story.status in OPEN][:most]
    return Reading(tuple(passage for story in opened for passage in _of(story, plan.path, _asked(story))), 1)


def read_every_story(plan: Plan, finished: Mapping[str, str] = _NOBODY) -> Reading:
    """Return what every story says, its title first; a story counts as an entry, in the order of the plan.

    `finished` says of stories that the plan has open who finished them, as `finished by host-b`.
    """
    found = [
        passage._replace(entry=number)
        for number, story in enumerate(plan.stories, 1)
        for passage in _of(story, plan.path, [_titled(story, finished), *_asked(story), *_criteria(story)])
    ]
    return Reading(tuple(found), len(plan.stories))


def read_overview(plan: Plan, finished: Mapping[str, str] = _NOBODY) -> Reading:
    """Return how far a plan is, as statements: what is done, what was done last, what is open.

    `finished` is as in `read_every_story`. Each stands at the line of a story that it is about.
    """
    counts = counts_of(plan.stories)
    opened = [story for story in plan.stories if story.status in OPEN and story.id not in finished]
    done = [story for story in plan.stories if story.status is Status.DONE]
    ahead = f", {len(finished)} more finished and open in the plan here" if finished else ""
    said: list[tuple[str, Story]] = []
    if plan.stories:
        told = f"{counts.done} of {counts.counted} stories done{ahead}, {len(opened) or 'none'} open"
        said.append((told, plan.stories[0]))
    if done:
        last = max(done, key=lambda story: (_finished_at(story), story.position))
        said.append((f"Last finished: {last.id}: {last.title}", last))
    if opened:
        named = [f"{story.id}: {story.title} ({_word(story, finished)})" for story in opened[:_NAMED]]
        more = [f"{len(opened) - _NAMED} more"] if len(opened) > _NAMED else []
        said.append((f"Next and open: {'; '.join([*named, *more])}", opened[0]))
    passages = (
        _passage(plan.path, nth, SectionKind.STATUS, "", text, story)
        for nth, (text, story) in enumerate(said)
    )
    return Reading(tuple(passages), 1)


def _finished_at(story: Story) -> str:
    """Return when a story was finished as text that sorts; plans write times in many ways, or not at all."""
    when = moment(story.completed_at)
    return written(when) if when else ""


def _word(story: Story, finished: Mapping[str, str]) -> str:
    return finished.get(story.id) or story.status.value.replace("_", " ")


_NAMED = 5
"""Open stories that an overview names."""
ASKED_FOR = "Asked for"
"""How a story's criteria are labelled, as in a summary."""
_Statement = tuple[SectionKind, str, str]
"""Section, label and text."""


def _titled(story: Story, finished: Mapping[str, str]) -> _Statement:
    return (SectionKind.TASK, "", f"{story.id}: {story.title} ({_word(story, finished)})")


def _asked(story: Story) -> list[_Statement]:
    return [
        (SectionKind.STATUS, "Blocked by", story.issue or ""),
        (SectionKind.NEXT, story.id, story.description),
        (SectionKind.NOTES, story.id, story.notes),
    ]


def _criteria(story: Story) -> list[_Statement]:
    return [(SectionKind.NOTES, ASKED_FOR, text) for text in story.criteria]


def _of(story: Story, source: str, said: Sequence[_Statement]) -> Iterator[Passage]:
    nth = 0
    for section, label, text in said:
        for piece in telling(single_spaced(text)) if text else ():
            yield _passage(source, nth, section, label, piece, story)
            nth += 1


def _passage(  # noqa: PLR0913, PLR0917 - what differs between the statements of a plan
    source: str, nth: int, section: SectionKind, label: str, text: str, story: Story | None
) -> Passage:
    line = (story.line if story else None) or 0
    return Passage(
        text=text,
        line=line,
        last=line,
        source=source,
        form=Form.ITEM,
        section=section,
        label=label,
        lead=label,
        entry=1,
        story=story.id if story else None,
        when=None,
        nth=nth,
        depth=1,
    )
