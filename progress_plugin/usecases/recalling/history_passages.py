"""What of a project is indexed: every passage of log, archive, agents' logs, plans and sessions.

Files are read as the summary's sources are; only those whose content has changed are read into passages.
What is stored is harmless text without secrets.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.files import content_digest
from progress_plugin.core.memo import Memo
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.learnings.learning_kind import kind_of
from progress_plugin.learnings.merge import corrects
from progress_plugin.log import archive, archive_index
from progress_plugin.log.document import parse
from progress_plugin.log.entry import data_of, text_of, texts_of, writer_of
from progress_plugin.log.events import planned_as
from progress_plugin.log.recent_entries import headline
from progress_plugin.log.supplements import effective
from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.story import Plan
from progress_plugin.passages.entry_passages import read_entries
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.passages.plan_passages import read_every_story, read_overview
from progress_plugin.recall.index import LEARNINGS, IndexedPassage, IndexedSource, stored_name
from progress_plugin.recall.still_holds import PresentState
from progress_plugin.text.bounds import head
from progress_plugin.text.document_text import document_text
from progress_plugin.text.labels import split_label
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import one_line
from progress_plugin.text.section_names import SectionKind, section_of
from progress_plugin.usecases.recalling.present_state import Present, present
from progress_plugin.usecases.recalling.session_passages import sessions_of
from progress_plugin.usecases.recalling.statement_lines import OF_ENTRIES, OF_STORIES, StatementLines
from progress_plugin.usecases.summarizing.gather import OUR_LOG, remarks_of
from progress_plugin.usecases.summarizing.sources import (
    Sources,
    authored_files,
    read_authored,
    read_plans,
    story_titles,
)
from progress_plugin.worth.score import worths

_KINDS = {
    SectionKind.PATTERN: "pattern",
    SectionKind.GOTCHA: "gotcha",
    SectionKind.DEPENDENCY: "dependency",
    SectionKind.BLOCKED: "blocker",
    SectionKind.NEXT: "next",
    SectionKind.STATUS: "status",
    SectionKind.TASK: "story",
    SectionKind.WORK: "work",
    SectionKind.FILES: "files",
    SectionKind.CHECKS: "checks",
    SectionKind.NOTES: "notes",
}
_BLOCKERS = frozenset({"Blocked by", "Blocker", "Blockers"})
"""How what our entries and a plan's stories say of a blocker is labelled."""
_WHAT_HAPPENED = frozenset({SectionKind.WORK, SectionKind.OTHER})
"""What an entry about a blocker says of it; learnings and next steps in it are those of any entry."""
_EARLIER = "Earlier descriptions"
"""How what an entry said before it was supplemented is labelled."""
_ASKED = frozenset({SectionKind.NEXT, SectionKind.STATUS})
"""What a plan asks of a story, and what stopped it: of a finished one neither is still to come."""
_LONGEST = 2000
"""Characters of a passage that are indexed: one of more is no statement but a dump."""
_LONGEST_ABOUT = 300
_COMPARABLE = LazyPattern(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z?)?", re.ASCII)
"""A day, or a time in UTC."""
_MOST_STORIES = 20
"""Stories that are stored with each passage of an entry."""
_LABEL = 40
"""Characters within which a label ends."""
Texts = Mapping[bytes, str]
"""Texts of a source that are harmless already, by the digests of what was written."""
Read = Callable[[Texts], Iterable[IndexedPassage]]


class ProjectHistory(NamedTuple):
    """The files of a project's history, and what hides parts of it."""

    sources: list[tuple[IndexedSource, Read]]
    """Each with what reads its passages; newest files first."""
    muted: tuple[str, ...]
    present: PresentState
    """What holds today of what they say."""


def history_of(project: Project, inputs: InputSnapshot) -> ProjectHistory:
    """Return the files of a project's history as they are now; raises what `read_plans` raises."""
    sources = read_plans(project, inputs)
    memo = Memo()
    today = present(sources, memo)
    found = [*_ours(sources, memo), *_authored(sources, memo), *_plans(sources, today, memo)]
    found += sessions_of(project, inputs)
    return ProjectHistory(found, tuple(sources.log.muted()), today.state)


class _Entry(NamedTuple):
    """What is known of an entry besides its passages."""

    title: str
    stories: tuple[str, ...]
    when: str
    id: str = ""
    """Of an entry of ours."""
    planned: str = ""
    """What its story is called there."""
    is_blocker: bool = False
    """Whether it is an entry of ours that says what is in the way."""
    is_over: bool = False
    """Whether what it asks for is done."""
    writer: str = ""
    """Which other clone wrote it; empty for this one."""


def _ours(sources: Sources, memo: Memo) -> Iterator[tuple[IndexedSource, Read]]:
    """Yield our log, then the months of the archive, the newest first."""
    log = sources.log
    hidden = ",".join(sorted(log.index.hidden)).encode("utf-8", "replace")
    raw = log.log.raw or b""
    if raw:
        source = IndexedSource(
            _seen_from(sources.project, OUR_LOG), content_digest(raw + b"\0" + hidden), len(log.entries), 0
        )
        yield source, partial(_of_entries, log.entries, log.log.entries, raw, source.path, memo)
    later = len(log.entries)
    for name in sorted(log.index.records, reverse=True):
        record = log.index.records[name]
        state = content_digest(b"%d %d " % (record["size"], record["mtime"]) + hidden)
        month = f"{DATA_DIRECTORY}/{archive_index.ARCHIVE_FOLDER}/{name}"
        path = _seen_from(sources.project, month)
        source = IndexedSource(path, state, record["count"], later)
        yield source, partial(_of_month, sources, name, path, memo)
        later += record["count"]


def _of_month(sources: Sources, name: str, path: str, memo: Memo, texts: Texts) -> Iterable[IndexedPassage]:
    index = sources.log.index
    raw = archive.raw(index.directory, name) or b""
    items = [item for item in parse(raw, name).items if isinstance(item, dict)]
    return _of_entries(effective(items, index.hidden), items, raw, path, memo, texts)


def _seen_from(project: Project, path: str) -> str:
    """Return a path of our log as it leads there: in a linked worktree the log is in the main one."""
    if project.log_directory == project.directory:
        return path
    return os.path.join(project.main_root, *path.split("/"))


def _of_entries(  # noqa: PLR0913, PLR0917 - one of three ways to read a source
    entries: Sequence[dict[str, Any]],
    items: Iterable[dict[str, Any]],
    raw: bytes,
    path: str,
    memo: Memo,
    texts: Texts,
) -> Iterable[IndexedPassage]:
    """Yield what the entries that count say; `items` are all that the file holds."""
    lines = StatementLines(raw, OF_ENTRIES, _supplemented(items))
    known = [
        _Entry(
            headline(entry),
            tuple(name for name in (text_of(entry, "task_id"), text_of(entry, "spec")) if name),
            text_of(entry, "timestamp") or "",
            id=text_of(entry, "id") or "",
            planned=_planned(entry),
            is_blocker=entry.get("type") == "task_blocked",
            writer=writer_of(entry) or "",
        )
        for entry in entries
    ]
    reading = read_entries(entries, path, memo)
    said = ((known[each.entry - 1].id, each.text) for each in reading.passages)
    placed = map(_at, reading.passages, lines.of(said))
    return _indexed(reading._replace(passages=tuple(placed)), known, memo, texts)


def _supplemented(items: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Return for each id the entry that it adds to, itself for all others, as `effective` merges them."""
    owners: dict[str, str] = {}
    for item in items:
        name = text_of(item, "id") or ""
        others = (owners[other] for other in texts_of(data_of(item), "supplements") if other in owners)
        owners.setdefault(name, next(others, name))
    return owners


def _at(passage: Passage, line: int) -> Passage:
    return passage._replace(line=line, last=line)


def _authored(sources: Sources, memo: Memo) -> Iterator[tuple[IndexedSource, Read]]:
    titles = story_titles(sources)
    told = content_digest(repr(sorted(titles.items())).encode("utf-8", "replace"))
    for path, data in authored_files(sources):
        # How many entries it has is known when it is read; none is younger than the newest of another log.
        yield (
            IndexedSource(path, content_digest(data) + told, 0, 0),
            partial(_of_authored, path, data, titles, memo),
        )


def _of_authored(
    path: str, data: bytes, titles: dict[str, str], memo: Memo, texts: Texts
) -> Iterable[IndexedPassage]:
    from progress_plugin.passages.reader import read_passages  # noqa: PLC0415 - where agents keep a log
    from progress_plugin.passages.stated_blockers import ended_blockers  # noqa: PLC0415

    text = document_text(data, path)[0]
    log = read_authored(text, path, titles)
    reading = read_passages(log, text, memo)
    known = [
        _Entry(
            event.title or event.label,
            event.stories,
            event.when or "",
            planned=event.title or "",
        )
        for event in log.events
    ]
    return _indexed(reading, known, memo, texts, over=ended_blockers(reading, log.events))


def _plans(sources: Sources, today: Present, memo: Memo) -> Iterator[tuple[IndexedSource, Read]]:
    lead = sources.lead.path if sources.lead else None
    for plan in today.plans:
        data = sources.inputs.read(plan.path) or b""
        finished = today.finished if plan.path == lead else {}
        said = [story.id for story in plan.stories if story.status is Status.BLOCKED]
        said += [f"{name} {words}" for name, words in finished.items()]
        state = content_digest(data) + content_digest("\0".join(said).encode("utf-8", "replace"))
        yield (
            IndexedSource(plan.path, state, 0, 0, is_plan=True),
            partial(_of_plan, sources, plan, finished, memo),
        )


def _of_plan(
    sources: Sources, plan: Plan, finished: Mapping[str, str], memo: Memo, texts: Texts
) -> Iterable[IndexedPassage]:
    known = [
        _Entry(
            story.title,
            (story.id,),
            story.completed_at or "",
            planned=story.title,
            is_over=story.status in FINISHED or story.id in finished,
        )
        for story in plan.stories
    ]
    overview = _placed(read_overview(plan, finished), plan, sources)
    of_all = tuple(passage._replace(story=None) for passage in overview.passages)
    yield from _indexed(overview._replace(passages=of_all), [], memo, texts)
    yield from _indexed(_placed(read_every_story(plan, finished), plan, sources), known, memo, texts)
    if plan.remarks:
        yield from _indexed(remarks_of(sources, plan, memo), [], memo, texts)


def _placed(reading: Reading, plan: Plan, sources: Sources) -> Reading:
    """Return what a plan's stories say with lines, also where its format is not read by lines."""
    if not plan.stories or any(story.line for story in plan.stories):
        return reading
    lines = StatementLines(sources.inputs.read(plan.path) or b"", OF_STORIES)
    titles = {story.id: story.title for story in plan.stories}
    said = (
        (name, titles.get(name, "") if each.section is SectionKind.TASK else each.text)
        for each, name in ((each, each.story or "") for each in reading.passages)
    )
    return reading._replace(passages=tuple(map(_at, reading.passages, lines.of(said))))


def _indexed(
    reading: Reading, known: Sequence[_Entry], memo: Memo, texts: Texts, *, over: Container[int] = ()
) -> Iterator[IndexedPassage]:
    """Yield the passages of a source: `known` are its entries, `over` the lines of blockers that it ended."""
    values = worths(reading, memo=memo)
    for passage, worth in zip(reading.passages, values, strict=True):
        entry = known[passage.entry - 1] if 0 < passage.entry <= len(known) else None
        when = _in_utc(passage.when or (entry.when if entry else ""))
        named = entry.stories if entry and entry.stories else (passage.story,) if passage.story else ()
        stories = tuple(map(stored_name, named[:_MOST_STORIES]))
        about = " ".join(
            filter(None, (*stories, entry.title if entry else "", passage.label, passage.lead, when[:10]))
        )
        plain = head(passage.shown, _LONGEST)
        digest = content_digest(f"{plain}\0{about}".encode("utf-8", "replace"))
        text = texts.get(digest) or one_line(plain)
        if not text:
            continue
        kind = _kind(passage, entry)
        yield IndexedPassage(
            text=text,
            line=passage.line,
            last=passage.last,
            entry=passage.entry,
            stories=stories,
            when=when,
            kind=kind,
            worth=worth,
            about=_above(about),
            title=stored_name(entry.planned) if entry else "",
            blocker=stored_name(entry.id) if entry and entry.is_blocker and kind == "blocker" else "",
            is_over=kind == "blocker" and passage.line in over,
            is_heading=passage.form is Form.HEADING,
            corrects=kind in LEARNINGS and corrects(text),
            writer=stored_name(entry.writer) if entry else "",
            digest=digest,
        )


def _planned(entry: dict[str, Any]) -> str:
    """Return what an entry of ours says that its story is called in the plan it was written for."""
    planned = planned_as(entry)
    return (planned.title or "") if planned else ""


@lru_cache(maxsize=1024)  # the passages of an entry are of the same time
def _in_utc(text: str) -> str:
    """Return a time as times are compared: of a plan or a foreign entry it may be in any zone, or no time."""
    if not text or _COMPARABLE.fullmatch(text):
        return text
    when = moment(text)
    return written(when) if when else ""


@lru_cache(maxsize=1024)  # the passages of an entry stand below the same
def _above(text: str) -> str:
    return one_line(text, _LONGEST_ABOUT)


def _kind(passage: Passage, entry: _Entry | None) -> str:
    if entry is not None and entry.is_over and passage.section in _ASKED:
        return "story"
    happened = passage.section in _WHAT_HAPPENED or passage.label == _EARLIER
    if passage.label in _BLOCKERS or (entry is not None and entry.is_blocker and happened):
        return "blocker"
    if passage.form is Form.OPEN:
        return "next"
    if passage.section is SectionKind.LEARNED:
        return kind_of(passage.text, None, passage.story).value
    section = passage.section or _announced(passage.text)
    return _KINDS.get(section, "other") if section else "other"


def _announced(text: str) -> SectionKind | None:
    """Return what the label says that a statement begins with: `Files: a.py`, `**Next:** the quay`."""
    if ":" not in text[:_LABEL] and "：" not in text[:_LABEL]:
        return None
    name, rest = split_label(text)
    return section_of(name) if name and rest else None
