"""Find what earlier sessions said last of blocked or current stories: their work may be unfinished."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from progress_plugin.log.entry import data_of, text_of
from progress_plugin.model.status import Status
from progress_plugin.state.matching import is_named
from progress_plugin.state.state import State
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_section import WordsOnStory

MAX_SESSIONS = 20  # the newest
MAX_STORIES = 3
_SENTENCE_END = LazyPattern(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)\s+(?=\S)|(?<=[。！？])")
_BLOCKED = LazyPattern(r"\b(?:block(?:ed|ers?|s)|waits?|waiting|stuck|on hold)\b", re.IGNORECASE)


def words_on_stories(
    state: State, records: Iterable[SessionRecord], entries: Sequence[dict[str, Any]], last: SessionRecord
) -> list[WordsOnStory]:
    """Return the last words on each blocked or current story, of the newest session that had some.

    Words of the last session are left out, because they are in its own section.
    """
    sessions = [each for each in records if _is_about(state, each, entries)]
    statuses = {each.item.id: each.status for each in state.items if each.item.id}
    works = [*state.blocked, *([state.current] if state.current else [])]
    names = dict.fromkeys(work.item.id for work in works if work.item and work.item.id)
    found = []
    for name in names:
        words = _newest_words(sessions, name, statuses)
        if words is not None and words.session != last.session and words.when <= last.ended:
            found.append(words)
    return found[:MAX_STORIES]


def _is_about(state: State, record: SessionRecord, entries: Iterable[dict[str, Any]]) -> bool:
    """Return whether a session can have worked on the leading plan: ids begin anew with every plan.

    A session that logged only titles of stories that the plan does not have worked on another one.
    """
    logged = {
        text_of(story, "title")
        for entry in entries
        if text_of(data_of(entry), "session_id") == record.session
        and isinstance(story := entry.get("story"), dict)
    }
    return not logged or not logged.isdisjoint(each.item.title for each in (*state.items, *state.groups))


def _newest_words(
    sessions: Sequence[SessionRecord], name: str, statuses: dict[str, Status]
) -> WordsOnStory | None:
    for record in [*reversed(sessions)][:MAX_SESSIONS]:
        sentences = [*_sentences_on(name, record.closing, statuses)]
        if sentences and record.changed_something:
            if statuses.get(name) is not Status.BLOCKED:  # whatever blocked it has ended since
                sentences = [each for each in sentences if not _BLOCKED.search(each)]
            text = " ".join(sentences)
            return WordsOnStory(name, record.session, record.short, record.ended, text) if text else None
    return None


def _sentences_on(name: str, text: str, names: Iterable[str]) -> Iterator[str]:
    """Yield each sentence that names a story, and those after it until another story is named."""
    is_inside = False
    for sentence in filter(None, _SENTENCE_END.split(text)):
        if any(is_named(other, sentence) for other in names):
            is_inside = is_named(name, sentence)
        if is_inside:
            yield sentence
