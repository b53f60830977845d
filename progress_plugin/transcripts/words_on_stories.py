"""What earlier sessions said last of stories that are blocked or current: their work may lie about."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from progress_plugin.model.event import Event
from progress_plugin.passages.sentences import each_sentence
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState
from progress_plugin.summary.next_work import names_in, next_work
from progress_plugin.summary.shown_blockers import blocked
from progress_plugin.summary.summary_input import Facts
from progress_plugin.text.blocker_words import telling_words
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_section import WordsOnStory

_SESSIONS = 20
"""Sessions that are looked at, the newest."""
_STORIES = 3
"""Stories of which it is told."""


_ENDING = ("debug_resolved", "task_completed")
"""Types of entries by which a story goes on."""
_BLOCKED = LazyPattern(r"\b(?:block(?:ed|ers?|s)|waits?|waiting|stuck|on hold)\b", re.IGNORECASE)
_SHARED = 2
"""Words that a sentence has in common with what was logged, from which it is about that."""


def words_on_stories(
    records: Sequence[SessionRecord], told: SessionRecord, facts: Facts, history: StoryHistory
) -> list[WordsOnStory]:
    """Return the last words on each such story of the newest session that had some and changed something.

    None where that is the session that is told anyway, or is not before it.
    """
    current = next_work(facts, history).current
    wanted = [each.label for each in blocked(history)]
    wanted += [current.id] if current and current.id else []
    stories = {story.id.casefold(): story for story in history.stories if story.id}
    found = []
    for name in dict.fromkeys(each for each in wanted if each.casefold() in stories and _is_telling(each)):
        words = _newest(records, name, stories)
        if words is not None and words.session != told.session and words.when <= told.ended:
            found.append(words)
    return found[:_STORIES]


def _newest(
    records: Sequence[SessionRecord], name: str, stories: Mapping[str, StoryState]
) -> WordsOnStory | None:
    for record in [*reversed(records)][:_SESSIONS]:
        said = [*_on_story(each_sentence(record.closing), name.casefold(), stories)]
        if said and record.changed_something:
            text = " ".join(_still_true(said, stories[name.casefold()].events, record.ended))
            return WordsOnStory(name, record.session, record.short, record.ended, text) if text else None
    return None


def _still_true(sentences: Sequence[str], events: Iterable[Event], since: str) -> Iterable[str]:
    """Yield the sentences, less what blocked the story where somebody has logged since that it is over."""
    ends = [event for event in events if event.type in _ENDING and event.said and (event.when or "") > since]
    mended = telling_words(" ".join(text for event in ends for text in event.details[: event.said]))
    for sentence in sentences:
        is_over = _BLOCKED.search(sentence) or len(telling_words(sentence) & mended) >= _SHARED
        if not (ends and is_over):
            yield sentence


def _on_story(sentences: Iterable[str], name: str, names: Container[str]) -> Iterable[str]:
    """Yield each sentence that names a story, and what follows until another one is named."""
    inside = False
    for sentence in sentences:
        named = names_in(sentence)
        if name in named or any(other in names for other in named):
            inside = name in named
        if inside:
            yield sentence


def _is_telling(name: str) -> bool:
    """Return whether an id is one wherever it stands: a bare number or word may be anything."""
    return any(map(str.isdigit, name)) and any(map(str.isalpha, name))
