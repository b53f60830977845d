"""Which stories the recorded sessions were asked for, or worked at: those have been begun.

Which sessions can have been at work on a plan at all is decided here, too (`sessions_of_plan`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from progress_plugin.log.entry import data_of, text_of
from progress_plugin.log.events import planned_as
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.plan_and_story_identity import normalised
from progress_plugin.summary.next_work import names_in

if TYPE_CHECKING:
    from progress_plugin.plans.attribution import Attribution
    from progress_plugin.transcripts.record import SessionRecord

_QUOTES = ".,;:!?()[]{}<>\"'`"


def sessions_of_plan(
    sessions: Sequence["SessionRecord"], entries: Iterable[dict[str, Any]], attribution: "Attribution | None"
) -> list["SessionRecord"]:
    """Return the sessions that can have been at work on the leading plan: ids begin again with every plan.

    What a session has logged for plans says which, else its branch; `entries` are those of our log.
    """
    if attribution is None:
        return list(sessions)
    written: dict[str, list[bool]] = {}
    for entry in entries:
        session, planned = text_of(data_of(entry), "session_id"), planned_as(entry)
        if session and planned:
            written.setdefault(session, []).append(attribution.can_be_ours(planned))
    return [
        record
        for record in sessions
        if any(written.get(record.session) or [attribution.can_be_ours(None, record.branch)])
    ]


def stories_at_work(plan: Plan, sessions: Sequence["SessionRecord"]) -> frozenset[str]:
    """Return the ids of the stories that a session was asked for, planned, committed, or has files of."""
    texts = [text for record in sessions for text in _texts_of(record)]
    ids = {name for text in texts for name in names_in(text)}
    said = [f" {normalised(text)} " for text in texts]
    files = {path for record in sessions for path in record.files}
    files |= {path.rpartition("/")[2] for path in files}
    return frozenset(story.id for story in plan.stories if _is_at_work(story, ids, said, files))


def _texts_of(record: "SessionRecord") -> Iterator[str]:
    for request in record.requests:
        yield request.text
    for task in record.tasks.values():
        yield task.text
    for commit in record.commits:
        yield commit.subject


def _is_at_work(story: Story, ids: set[str], said: Sequence[str], files: set[str]) -> bool:
    if not story.positional and story.id.casefold().strip(".-#") in ids:
        return True
    title = normalised(story.title)
    if " " in title and any(f" {title} " in text for text in said):
        return True
    told = (story.title, story.description, story.notes, *story.criteria)
    return not files.isdisjoint(word.strip(_QUOTES) for text in told for word in text.split())
