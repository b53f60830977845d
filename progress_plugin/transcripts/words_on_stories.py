"""What earlier sessions said last of stories that are blocked or current: their work may lie about (S19.2).

Which session is told as the last one is decided in `usecases.summarizing.last_session`, which story is
current, in `summary.next_work`, which are blocked, in `summary.shown_blockers`.
"""

from collections.abc import Container, Iterable, Sequence

from progress_plugin.core.light_typing import NamedTuple
from progress_plugin.passages.sentences import each_sentence
from progress_plugin.summary.merged_story_status import StoryHistory
from progress_plugin.summary.next_work import names_in, next_work
from progress_plugin.summary.shown_blockers import blocked
from progress_plugin.summary.summary_input import Facts
from progress_plugin.transcripts.record import SessionRecord

_SESSIONS = 20
"""Sessions that are looked at, the newest."""
_STORIES = 3
"""Stories of which it is told."""


class WordsOnStory(NamedTuple):
    """What a session said of a story at its end."""

    story: str
    session: str
    when: str
    """When the session ended."""
    text: str


def words_on_stories(
    records: Sequence[SessionRecord], told: SessionRecord, facts: Facts, history: StoryHistory
) -> list[WordsOnStory]:
    """Return the last words on each such story of the newest session that had some and changed something.

    None where that is the session that is told anyway, or is not before it.
    """
    current = next_work(facts, history).current
    wanted = [each.label for each in blocked(history)]
    wanted += [current.id] if current and current.id else []
    names = {story.id.casefold() for story in history.stories if story.id}
    found = []
    for name in dict.fromkeys(each for each in wanted if each.casefold() in names and _is_telling(each)):
        words = _newest(records, name, names)
        if words is not None and words.session != told.session and words.when <= told.ended:
            found.append(words)
    return found[:_STORIES]


def _newest(records: Sequence[SessionRecord], name: str, names: Container[str]) -> WordsOnStory | None:
    for record in [*reversed(records)][:_SESSIONS]:
        text = " ".join(_on_story(each_sentence(record.closing), name.casefold(), names))
        if text and record.changed_something:
            return WordsOnStory(name, record.session, record.ended, text)
    return None


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
