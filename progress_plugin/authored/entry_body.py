"""Read the body of an entry: title, ids and status in its fields, what was done, which files.

Whether an entry without any status counts as finished is decided here (`status_of_entry`), and what in it
says that it is not, in `authored.hindrances`.
"""

from __future__ import annotations

import re
from typing import Any

from progress_plugin.authored.dates import find_date
from progress_plugin.authored.entry import AuthoredEntry
from progress_plugin.authored.heading import read_heading, status_of
from progress_plugin.authored.hindrances import Hindrances, calls_done
from progress_plugin.model.status import Status, parse_status
from progress_plugin.text.blocker_words import is_marked_blocked
from progress_plugin.text.labels import plain, split_label, undecorated
from progress_plugin.text.markdown import ITEM, ROW, RULE, TEXT, Block, MarkdownDocument
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of

_FIELDS = 14
"""A field is among the first blocks of an entry, or it belongs to the text."""
_LONGEST_STATUS = 24
"""A paragraph no longer than this may be a status: `In progress`."""
_LONGEST_NAMED = 200
"""Characters of a line that names one of several stories and says how it stands."""
_REASONS = 3
"""Remarks beside a status that are taken for the reason where nothing is called a blocker."""
_UNFINISHED = LazyPattern(
    r"(?:partial|incomplete|unfinished|interrupted|no (?:explicit )?completion)\b", re.IGNORECASE
)
_REMARK = LazyPattern(r"\w+(?:\s*[(（,;:.|–—]|\s-\s|\s(?=by |on |until |pending ))\s*(.*\w.*)")
"""A status word, and what is said of it."""
_UUID = LazyPattern(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_SILENT = frozenset(
    {*TEACHING, SectionKind.FILES, SectionKind.CHECKS, SectionKind.NEXT, SectionKind.STATUS, SectionKind.DATE}
)
"""Sections that say nothing of what was done."""
_FIELD = frozenset({*_SILENT, SectionKind.TASK, SectionKind.TICKET})
"""Labels whose text does not say what was done."""
_TELLING = frozenset({ITEM, TEXT})


class Body:
    """What the fields and lists of one entry say."""

    __slots__ = (
        "apart",
        "blockers",
        "details",
        "files",
        "hindered",
        "ids",
        "remarks",
        "status",
        "task",
        "when",
    )

    def __init__(self) -> None:
        self.task: str | None = None
        self.ids: tuple[str, ...] = ()
        self.status: Status | None = None
        self.when: str | None = None
        self.details: list[str] = []
        self.files: dict[str, None] = {}
        """Each once, in order."""
        self.hindered: Status | None = None
        """What it makes of the entry that something in it is blocked, or open."""
        self.blockers: list[str] = []
        """What blocks it, in its words."""
        self.remarks: list[str] = []
        """What is said behind its status, or below it."""
        self.apart: dict[str, Status] = {}
        """By id what it says of one of several stories."""

    def plain(self) -> tuple[Any, ...]:
        """Return it in plain values, of which `of` makes it again."""
        statuses = [status.value if status else None for status in (self.status, self.hindered)]
        lists = tuple(self.details), tuple(self.files), tuple(self.blockers), tuple(self.remarks)
        apart = tuple((name, status.value) for name, status in self.apart.items()) if self.apart else ()
        return self.task, self.ids, *statuses, self.when, *lists, apart

    @classmethod
    def of(  # noqa: PLR0913, PLR0917 - those of `plain`
        cls,
        task: str | None,
        ids: tuple[str, ...],
        status: str | None,
        hindered: str | None,
        when: str | None,
        details: tuple[str, ...],
        files: tuple[str, ...],
        blockers: tuple[str, ...],
        remarks: tuple[str, ...],
        apart: tuple[tuple[str, str], ...],
    ) -> Body:
        """Return what `plain` gave."""
        body = cls()
        body.task, body.ids, body.when = task, ids, when
        body.status = Status(status) if status else None
        body.hindered = Status(hindered) if hindered else None
        body.details, body.files = list(details), dict.fromkeys(files)
        body.blockers, body.remarks = list(blockers), list(remarks)
        body.apart = {name: Status(said) for name, said in apart}
        return body


def read_body(document: MarkdownDocument, entry: AuthoredEntry) -> Body:
    """Read what is below the heading of an entry."""
    body = Body()
    hindrances = Hindrances()
    sections: dict[int, SectionKind | None] = {}
    if entry.first > entry.start and not document.blocks[entry.start].level:
        hindrances.take_first(document.blocks[entry.start])
    for index in range(entry.first, entry.stop):
        block = document.blocks[index]
        if block.kind is RULE:
            continue
        name, rest = _name_and_rest(block)
        section = section_of(name) if name else None
        if index - entry.start <= _FIELDS:
            if name and rest and section:
                _take_field(body, section, rest, name)
            elif block.kind is TEXT and len(block.text) <= _LONGEST_STATUS and not body.status:
                body.status = _short_status(block.text)
        if entry.heading.ids[1:]:
            _take_one_of_several(body, block, entry.heading.ids)
        inherited = sections.get(block.parent)
        sections[index] = section or inherited
        _take_content(body, block, section, inherited, rest)
        hindrances.take(index, block, inherited, section, name, rest)
    body.hindered, body.blockers = hindrances.status(document, entry, entry.heading.ids or body.ids)
    return body


def _short_status(text: str) -> Status | None:
    """Return the status that a short paragraph is; `⛔ no key` and `✅ the pipe` say it of a part."""
    status = parse_status(text)
    if status is None or is_marked_blocked(text) or (status is Status.DONE and not calls_done(text)):
        return None
    return status_of(text)


def _name_and_rest(block: Block) -> tuple[str, str]:
    if block.level:
        return block.text, ""
    if block.kind is ROW:
        return "", block.text
    return split_label(block.text)


def _take_field(body: Body, section: SectionKind, value: str, name: str) -> None:
    if section is SectionKind.TASK and not body.task:
        body.task = value
    elif section is SectionKind.TICKET and not body.ids and not name.casefold().startswith(("prd", "epic")):
        body.ids, title = _ids_and_title(value)
        body.task = body.task or title
    elif section is SectionKind.STATUS:
        body.status = body.status or status_of(value)
        body.remarks += filter(None, [_remark(value)])
    elif section is SectionKind.DATE:
        _take_date(body, value, name)


def _take_one_of_several(body: Body, block: Block, ids: tuple[str, ...]) -> None:
    """Take what a line says of one of the stories of an entry: `Task 4: SKIPPED (the key is missing)`."""
    if len(block.text) > _LONGEST_NAMED or block.kind is ROW:
        return
    read = read_heading(block.text, {})
    if read.status and len(read.ids) == 1 and read.ids[0] in ids:
        body.apart[read.ids[0]] = read.status


def _remark(value: str) -> str:
    """Return what stands behind the word of a status: `Blocked - the key is missing`."""
    found = _REMARK.match(undecorated(plain(value)))
    return found[1].strip(" )）") if found else ""


def _take_date(body: Body, value: str, name: str) -> None:
    date = find_date(value)
    if date:
        body.when = body.when or (f"{date.day}T{date.clock}" if date.clock else date.day)
    elif name.casefold() == "completed":  # `Completed: user login` names the work
        body.task = body.task or value


def _ids_and_title(value: str) -> tuple[tuple[str, ...], str | None]:
    """Return id and title of a ticket field; one that lists several names no story of its own."""
    unique = tuple(dict.fromkeys(_UUID.findall(value)))
    if unique:
        return (unique if len(unique) == 1 else ()), None
    read = read_heading(plain(value), {})
    return (read.ids, read.title) if len(read.ids) < 2 else ((), None)  # noqa: PLR2004


def _take_content(
    body: Body, block: Block, section: SectionKind | None, inherited: SectionKind | None, rest: str
) -> None:
    if SectionKind.FILES in (section, inherited):
        body.files |= dict.fromkeys(paths_in(block.text))
    elif inherited is SectionKind.STATUS and section is None:
        body.remarks.append(plain(block.text))
    elif section is SectionKind.TASK and rest:
        body.details.append(plain(rest))  # kept, too, where the plan's title takes the place of what was done
    elif rest and block.kind in _TELLING and inherited not in _SILENT and section not in _FIELD:
        body.details.append(plain(block.text))


def unfinished(task: str) -> bool:
    """Return whether a task line is the placeholder of a run that did not finish."""
    return bool(_UNFINISHED.match(plain(task)))


def status_of_entry(stated: Status | None, body: Body) -> Status:
    """Return what an entry says of itself, `stated` in its heading; silence means finished work."""
    if stated:
        return stated
    if body.task and unfinished(body.task):
        return Status.ACTIVE
    return body.status or body.hindered or Status.DONE


def reason_of(status: Status, body: Body) -> tuple[str, ...]:
    """Return what a blocked entry says is in its way: what it calls so, else what is by its status."""
    if status is not Status.BLOCKED:
        return ()
    said = body.details if len(body.details) == 1 else []  # of several nothing says which
    return tuple(body.blockers or body.remarks[:_REASONS] or said)
