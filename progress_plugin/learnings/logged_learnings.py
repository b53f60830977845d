"""Learnings that were recorded as such: in our own entries, and by the plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.learning_kind import kind_of
from progress_plugin.learnings.merge import merge
from progress_plugin.learnings.non_learnings import is_decoy
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import OPEN
from progress_plugin.model.story import Plan
from progress_plugin.text.bounds import MAX_STATEMENT, shortened
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.safe_output import items, joined

CURED_BY = " – fixed by: "
"""Between the cause of a bug and what mended it."""
_TEXTS = ("text", "learning", "description", "pattern", "gotcha", "note")
_KINDS = {
    "pattern": LearningKind.PATTERN,
    "gotcha": LearningKind.GOTCHA,
    "warning": LearningKind.GOTCHA,
    "dependency": LearningKind.DEPENDENCY,
}


_Taught = tuple[tuple[str, str, tuple[str, ...]], ...]
"""What an entry teaches, as plain values: kind, text and files of each learning."""


def from_entries(
    entries: Iterable[Mapping[str, Any]], *, first_position: int = 1, memo: Memo | None = None
) -> list[Learning]:
    """Return the learnings of our own entries, oldest first: `data.learnings`, causes with their cures.

    Values of an unexpected type are passed over. `source` is empty, the story is the entry's task. `memo`
    remembers from one process to the next what entries teach.
    """
    taught = memo.of_value(_taught) if memo is not None else _taught
    return [
        Learning(
            kind=LearningKind(kind),
            text=text,
            source="",
            story=_story_of(entry),
            files=files,
            position=position,
        )
        for position, entry in enumerate(entries, first_position)
        for kind, text, files in taught(entry)
    ]


def _story_of(entry: Mapping[str, Any]) -> str | None:
    story = entry.get("task_id")
    return story if isinstance(story, str) else None


def _taught(entry: Mapping[str, Any]) -> _Taught:
    data = entry.get("data")
    return tuple(_of_data(data, _story_of(entry))) if isinstance(data, Mapping) else ()


def _of_data(data: Mapping[str, Any], story: str | None) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    listed = data.get("learnings")
    for item in [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []:
        whole, kind = _text_and_kind(item)
        for text in filter(None, map(_statement, items(whole))):
            if not is_decoy(text):
                yield (kind or kind_of(text, None, story)).value, text, _distinct(paths_in(text))
    cause = _cause_and_cure(data)
    if cause:
        files = data.get("files_modified")
        modified = [path for path in files if isinstance(path, str)] if isinstance(files, list) else []
        yield LearningKind.GOTCHA.value, cause, _distinct([*paths_in(cause), *modified])


def _distinct(files: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(files))


def _text_and_kind(item: object) -> tuple[str, LearningKind | None]:
    if isinstance(item, str):
        return item, None
    if not isinstance(item, Mapping):
        return "", None
    text = next((item[key] for key in _TEXTS if isinstance(item.get(key), str)), "")
    kind = item.get("kind") or item.get("type") or item.get("category")
    return text, _KINDS.get(kind.lower()) if isinstance(kind, str) else None


def _cause_and_cure(data: Mapping[str, Any]) -> str:
    cause, cure = data.get("root_cause"), data.get("resolution")
    parts = [
        _statement(joined(part)).rstrip(".")
        for part in (cause, cure)
        if isinstance(part, str) and part.strip()
    ]
    if not isinstance(cause, str) or not cause.strip():
        return ""
    return CURED_BY.join(parts)


def _statement(text: str) -> str:
    return " ".join(shortened(text, MAX_STATEMENT).split())


def merged_facts(
    facts: list[dict[str, Any]],
) -> tuple[tuple[str, str, str | None, tuple[str, ...], int], ...]:
    """Return what archived facts teach, each statement once: kind, text, story, files and mentions, plain.

    Facts are as the archive's index has them (`Index.learnings`).
    """
    entries = [
        {
            "task_id": fact["task_id"],
            "data": {fact["field"]: [fact["text"]]}
            if fact["field"] == "learnings"
            else {fact["field"]: fact["text"], "resolution": fact["cure"]},
        }
        for fact in facts
    ]
    found = from_entries(entries, first_position=0)
    counted = [each._replace(mentions=facts[each.position]["count"], position=1) for each in found]
    return tuple(
        (each.kind.value, each.text, each.story, each.files, each.mentions) for each in merge(counted)
    )


def from_plan(
    pairs: Iterable[tuple[str, str]], titles: Mapping[str, str], source: str = ""
) -> list[Learning]:
    """Return one dependency for each (story, story it needs): `US-003 → US-002: title of US-002`."""
    return [
        Learning(
            kind=LearningKind.DEPENDENCY,
            text=Cited(
                f"{story} → {needed}: {titles[needed]}" if titles.get(needed) else f"{story} → {needed}",
                Origin(source, story=story),
                Origin(source, story=needed),
            ),
            source=source,
            story=story,
        )
        for story, needed in pairs
    ]


def binding_dependencies(plan: Plan) -> list[Learning]:
    """Return the plan's dependencies that still bind: those of open stories on open stories."""
    titles = {story.id: story.title for story in plan.stories if story.status in OPEN}
    pairs = [(story.id, needed) for story in plan.stories for needed in story.depends_on]
    return from_plan([pair for pair in pairs if pair[0] in titles and pair[1] in titles], titles, plan.path)
