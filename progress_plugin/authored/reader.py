"""Read an agent's own log into events in true order.

What such a log says of the present state of the work (focus, blockers, what comes next) is read in
`passages.stated_status`.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from progress_plugin.authored.chronology import Stamp, true_order
from progress_plugin.authored.entries import find_entries
from progress_plugin.authored.entry import AuthoredEntry
from progress_plugin.authored.entry_body import Body, read_body, reason_of, status_of_entry, unfinished
from progress_plugin.authored.entry_cache import EntryBlocks, self_contained
from progress_plugin.authored.heading import read_heading
from progress_plugin.authored.preamble import Preamble, branch_named, newest_first, read_preamble
from progress_plugin.core.memo import Memo
from progress_plugin.model.event import AUTHORED, Event
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import Status
from progress_plugin.text.labels import plain
from progress_plugin.text.markdown import Block, MarkdownDocument, read_blocks
from progress_plugin.text.section_names import TEACHING, section_of

_NEWEST = 5
"""Entries, the newest, of which one may say on which branch the work is: an older branch has been left."""


class AuthoredLog(NamedTuple):
    """One authored log, read."""

    source: str
    head: Preamble
    events: tuple[Event, ...]
    """Oldest first; an entry that names several stories is one event."""
    document: MarkdownDocument
    spans: tuple[tuple[int, int, int], ...] = ()
    """First line, line after the last, place in `events`; by first line."""
    apart: tuple[EntryBlocks, ...] = ()
    """The entries that can be read for themselves, in file order."""

    def owner_of_line(self, line: int) -> tuple[str | None, int]:
        """Return story id and position of the entry a line is in; (None, 0) outside of entries."""
        at = bisect_left(self.spans, (line + 1,)) - 1
        if at < 0 or line >= self.spans[at][1]:
            return None, 0
        event = self.events[self.spans[at][2]]
        return (event.stories[0] if event.stories else None), event.position

    def newest_branch(self) -> Cited | None:
        """Return the branch that the newest of the last entries names as its own; None where none does."""
        blocks = self.document.blocks
        for first, end, _ in sorted(self.spans, key=itemgetter(2))[: -_NEWEST - 1 : -1]:
            start, stop = (bisect_left(blocks, line, key=attrgetter("line")) for line in (first, end))
            for block in blocks[start:stop]:
                if branch := branch_named(block):
                    return Cited(branch, Origin(self.source, block.line, block.line))
        return None


def read_log(
    text: str, source: str, titles: Mapping[str, str] | None = None, memo: Memo | None = None
) -> AuthoredLog:
    """Read a log; `titles` maps the ids of the plan to titles. Never raises, whatever the text.

    Titles come from the heading, else from the plan, else from the entry's own fields. `memo` remembers from
    one process to the next what is below a heading.
    """
    titles = titles or {}
    document = read_blocks(text)
    entries = find_entries(document, titles, memo)
    apart = {each.start: each for each in self_contained(document, entries)} if memo else {}
    bodies = _bodies(document, entries, apart, memo or Memo())
    entries, specs = _with_scopes(entries)
    order = true_order(_stamps(document, entries), newest_first=partial(_says_newest_first, text, entries))
    events: list[Event] = []
    spans = []
    for at in order:
        if not _repeats(entries[at], bodies[at], events):
            event = _event(entries[at], bodies[at], titles)
            label = "" if event.stories or event.title else plain(document.blocks[entries[at].start].text)
            spec = specs.get(at) if specs else None
            events.append(event._replace(source=source, position=len(events) + 1, label=label, spec=spec))
        spans.append((entries[at].line, _end_line(document, entries[at]), len(events) - 1))
    head = read_preamble(document, entries[0].start if entries else len(document.blocks), source)
    return AuthoredLog(
        source=source, head=head, events=_called(events), document=document, spans=tuple(sorted(spans)),
        apart=tuple(apart.values()),
    )  # fmt: skip


def _with_scopes(entries: list[AuthoredEntry]) -> tuple[list[AuthoredEntry], dict[int, str]]:
    """Return the entries, and which plan or part of the work some of them name behind their ids."""
    if not [entry for entry in entries if entry.heading.tag]:
        return entries, {}
    from progress_plugin.authored.id_scopes import scopes_of, title_in_scope  # noqa: PLC0415 - few logs have such tags

    scopes = scopes_of([entry.heading for entry in entries])
    found = {
        at: entry.heading.tag for at, entry in enumerate(entries) if entry.heading.tag.casefold() in scopes
    }
    titled = [
        entry._replace(heading=entry.heading._replace(title=title_in_scope(entry.heading)))
        if at in found
        else entry
        for at, entry in enumerate(entries)
    ]
    return titled, found


def _bodies(
    document: MarkdownDocument, entries: Sequence[AuthoredEntry], apart: Mapping[int, EntryBlocks], memo: Memo
) -> list[Body]:
    """Return what is below the heading of each entry."""
    remembered = memo.of_key(f"{__name__}.body", worth=10)
    found = []
    for entry in entries:
        known = apart.get(entry.start)
        if known is None:
            found.append(read_body(document, entry))
        else:
            told = remembered((known.digest,), known.says, partial(_plain_body, document, entry))
            found.append(Body.of(*told))
    return found


def _plain_body(document: MarkdownDocument, entry: AuthoredEntry) -> tuple[Any, ...]:
    return read_body(document, entry).plain()


def _called(events: list[Event]) -> tuple[Event, ...]:
    """Return the events, without labels where most name stories: what names nothing there marks a run."""
    if 2 * sum(bool(event.stories) for event in events) > len(events):
        return tuple(event._replace(label="") if event.label else event for event in events)
    return tuple(events)


def _end_line(document: MarkdownDocument, entry: AuthoredEntry) -> int:
    return document.blocks[entry.stop].line if entry.stop < len(document.blocks) else document.lines + 1


def _says_newest_first(text: str, entries: Sequence[AuthoredEntry]) -> bool:
    """Return whether the lines above the entries, comments too, say that the newest is the first."""
    return len(entries) > 1 and newest_first("\n".join(text.split("\n", entries[0].line - 1)[:-1]))


def _stamps(document: MarkdownDocument, entries: Sequence[AuthoredEntry]) -> list[Stamp]:
    head = _head_section(document.blocks, entries)
    numbers: dict[int, int | None] = {}
    stamps = []
    for entry in entries:
        date, ids, number = entry.heading.date, entry.heading.ids, entry.heading.number
        if number is None:
            number = _session_around(document, document.blocks[entry.start].parent, numbers)
        stamps.append(
            Stamp(
                day=date.day if date else "",
                clock=date.clock or date.about if date else "",
                id=ids[0] if ids else "",
                block=int(entry.start > head),
                number=number,
                offset=date.offset if date else None,
            )
        )
    return stamps


def _session_around(document: MarkdownDocument, index: int, known: dict[int, int | None]) -> int | None:
    """Return the number of the session, sprint or the like whose heading is the block, or one around it."""
    if index < 0 or not document.blocks[index].level:
        return None
    if index not in known:
        block = document.blocks[index]
        number = read_heading(block.text, {}).number
        known[index] = _session_around(document, block.parent, known) if number is None else number
    return known[index]


def _head_section(blocks: Sequence[Block], entries: Sequence[AuthoredEntry]) -> int:
    """Return the index of the section of patterns that is between entries, -1 if there is none."""
    for entry, after in zip_longest(entries, entries[1:]):
        for index in range(entry.stop, after.start if after else len(blocks)):
            if blocks[index].level and section_of(blocks[index].text) in TEACHING:
                return index
    return -1


def _event(entry: AuthoredEntry, body: Body, titles: Mapping[str, str]) -> Event:
    heading = entry.heading
    ids = heading.ids or body.ids
    date = heading.date
    when = (f"{date.day}T{date.clock}" if date.clock else date.day) if date else body.when
    planned = next((titles[id_] for id_ in ids if titles.get(id_)), None)
    status = status_of_entry(entry.heading.status, body)
    return Event(
        stories=ids,
        title=heading.title or planned or _task(body),
        status=status,
        type=AUTHORED,
        source="",
        position=0,
        when=when,
        line=entry.line,
        details=tuple(body.details),
        files=tuple(body.files),
        has_plans_title=bool(planned) and not heading.title,
        trouble=reason_of(status, body),
        apart=tuple(body.apart.items()) if body.apart else (),
        is_inferred=not (entry.heading.status or body.status) and status is not Status.DONE,
    )


def _task(body: Body) -> str | None:
    task = body.task if body.task and not unfinished(body.task) else None
    return plain(task).removesuffix(".") if task else None


def _repeats(entry: AuthoredEntry, body: Body, events: list[Event]) -> bool:
    """Return whether a machine only noted again what the agent had just written.

    Such a note is about the same stories, has no text, and gives no other status.
    """
    if not events or body.details or body.files or not entry.heading.ids:
        return False
    last, stated = events[-1], entry.heading.status or body.status
    return last.stories == entry.heading.ids and bool(last.details) and stated in (None, last.status)
