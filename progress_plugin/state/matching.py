"""Match entries of logs, records and commits to the items of plans, and find the items that a text names.

An item is identified by file, section, and id or position. An entry names a story by an id or title only. If
several plans have it, the plan that the entry names comes first, then one whose title fits, then the one in
the folder of the log, then that of the log's branch, then the first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from posixpath import dirname

from progress_plugin.model.status import Status
from progress_plugin.model.work import AgentLog, Entry, Item, PlanDocument, Report, Source, all_items
from progress_plugin.plans.status_phrases import is_bare_status, split_status
from progress_plugin.state.state import Record
from progress_plugin.text.labels import share_word, words_of
from progress_plugin.text.patterns import LazyPattern

MAX_RUNS = 6  # of letters and digits in an id: `US-007.1` has three
MIN_TITLE_WORDS = 2  # a title of one word fits by chance
SAME_TITLE = 0.75  # share of the words of the shorter title that the longer one must have
_RUN = LazyPattern(r"[^\W_]+")
_UNIT_NAME = r"(?:user story|story|task|feature|issue|ticket|bug|item)s?[\s#-]{0,3}"
_UNIT = LazyPattern(rf"{_UNIT_NAME}(?=\d)", re.IGNORECASE)
_NUMBERED_UNIT = LazyPattern(rf"\b{_UNIT_NAME}(\d{{1,6}}(?:\.\d{{1,4}}){{0,4}})(?![\w.])", re.IGNORECASE)
_ENDING = r"(?!\w|\.\d|-(?![A-Z]{1,6}-?\d))"  # `A1` is named by `A1-A6`, but not by `A1-b`


def fold_id(text: str) -> str:
    """Return an id without unit and case: `Task 3` and `#3` become `3`, but `Phase 3` becomes `phase 3`."""
    return _UNIT.sub("", text.strip()).strip("#*`[]() ").casefold()


def is_named(name: str, text: str) -> bool:
    """Return whether a text names an id. Before an id that is a number it must have a unit: `task 3`."""
    if name.replace(".", "").isdigit():
        return name in _numbers_named(text)
    return re.search(rf"(?<![\w-]){re.escape(name)}{_ENDING}", text, re.IGNORECASE) is not None


@lru_cache(maxsize=1024)
def _numbers_named(text: str) -> frozenset[str]:
    return frozenset(_NUMBERED_UNIT.findall(text))


class NameIndex:
    """Finds which of many ids a text names, in a time that hardly depends on their number."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for name in names:
            self._names[tuple(_RUN.findall(name.casefold()))[:MAX_RUNS]].add(name)
        self._beginnings = {runs[0] for runs in self._names if runs}

    def find(self, text: str) -> set[str]:
        """Return the ids that a text names."""
        runs = _RUN.findall(text.casefold())
        windows = {
            tuple(runs[start : start + length])
            for start, run in enumerate(runs)
            if run in self._beginnings
            for length in range(1, min(MAX_RUNS, len(runs) - start) + 1)
        }
        candidates = {name for window in windows for name in self._names.get(window, ())}
        return {name for name in candidates if is_named(name, text)}


def shares_words(one: str, other: str, share: float = SAME_TITLE) -> bool:
    """Return whether the longer of two texts has this share of the shorter's words; one word is too few."""
    shorter, longer = sorted((words_of(one), words_of(other)), key=len)
    return len(shorter) >= MIN_TITLE_WORDS and len(shorter & longer) >= share * len(shorter)


def match_reports(
    plans: Sequence[PlanDocument], logs: Sequence[AgentLog], records: Sequence[Record]
) -> dict[Item, list[Report]]:
    """Return the reports of every item: that of its plan, then undated ones, then the others by date."""
    reports = {item: list(item.reports) for plan in plans for item in all_items(plan.items)}
    index = _PlanIndex(plans)
    matches: list[tuple[Item, Report]] = []
    for log in logs:
        for entry in entries_of_these_plans(log, plans):
            reason = "; ".join(text for text in entry.blockers if not is_bare_status(text))
            status = entry.status or split_status(entry.title)[1]
            status = Status.BLOCKED if reason and status in {None, Status.ACTIVE} else status
            text = reason if reason and status is Status.BLOCKED else entry.title
            report = Report(status, text, entry.source)
            items = index.items_of_entry(log, entry)
            matches += [(item, report) for item in items if item.source[:2] != entry.source[:2]]
        if log.kind in {"state", "handoff"} and log.focus:
            matches += [(item, log.focus) for item in index.only_item_in(log.focus.text)]
    for record in records:
        if record.is_repeated:
            continue
        source = Source(record.path, date=record.date, writer=record.writer)
        for item in index.items_named(record.story, index.plans_of_record(record), record.title):
            if record.title and not share_word(record.title, item.title):
                continue
            changed_s = index.changed_s(item)
            # A plan that has an item open takes back only what it said itself.
            is_new_to_plan = record.is_stated and item.reports[0].status is Status.PENDING
            is_after = bool(changed_s and record.time_s >= changed_s) or (
                is_new_to_plan and record.status is Status.DONE
            )
            report = Report(record.status, record.text, source, record=record.id, is_after_plan=is_after)
            matches.append((item, report))
    for item, report in sorted(
        matches, key=lambda pair: (pair[1].source.date is not None, pair[1].source.date or 0)
    ):
        reports[item].append(report)
    return reports


class _PlanIndex:
    """Finds items by id or title within plans."""

    def __init__(self, plans: Sequence[PlanDocument]) -> None:
        self.plans = plans
        self._by_id: Mapping[tuple[str, str], list[Item]] = defaultdict(list)
        self._by_title: dict[tuple[str, frozenset[str]], Item] = {}
        self._changed_s = {plan.path: plan.changed_s for plan in plans}
        for plan in plans:
            for item in all_items(plan.items):
                self._by_title.setdefault((plan.path, words_of(item.title)), item)
                if item.id:
                    self._by_id[plan.path, fold_id(item.id)].append(item)

    def changed_s(self, item: Item) -> int:
        """Return the time of the last change of the plan of an item, 0 if unknown."""
        return self._changed_s.get(item.source.path, 0)

    def plans_of_record(self, record: Record) -> Sequence[PlanDocument]:
        if not record.plan:
            return self.plans
        named = [plan for plan in self.plans if record.plan in {plan.path, plan.name}]
        return named or [plan for plan in self.plans if plan.path.endswith("/" + record.plan)]

    def items_of_entry(self, log: AgentLog, entry: Entry) -> list[Item]:
        plans = self._in_order_of_fit(log)
        by_id = [item for name in entry.ids for item in self.items_named(name, plans, entry.title)]
        if by_id or entry.ids or not entry.title:
            return by_id
        return self.items_named(entry.title, plans)

    def items_named(self, name: str, plans: Sequence[PlanDocument], title: str = "") -> list[Item]:
        """Return the items with the id `name` that fit `title`, from the first plan that has any.

        If none fits, return the first leaf with this id; if no plan has the id, the item titled `name`.
        """
        found = [items for plan in plans if (items := self._by_id.get((plan.path, fold_id(name)), []))]
        fitting = [
            items for items in found if title and any(shares_words(item.title, title) for item in items)
        ]
        for items in fitting or found[:1]:
            same = [item for item in items if shares_words(item.title, title)]
            return same or [item for item in items if not item.children][:1]
        if found:
            return []
        titled = [item for plan in plans if (item := self._by_title.get((plan.path, words_of(name))))]
        if len(words_of(name)) < MIN_TITLE_WORDS:
            titled = [item for item in titled if item.title.casefold() == name.strip().casefold()]
        return titled[:1]

    def only_item_in(self, text: str) -> list[Item]:
        """Return the item that a text names, if it names one item only."""
        names = NameIndex(name for _, name in self._by_id).find(text)
        return self.items_named(names.pop(), self.plans) if len(names) == 1 else []

    def _in_order_of_fit(self, log: AgentLog) -> list[PlanDocument]:
        def misfit(plan: PlanDocument) -> tuple[bool, bool]:
            return (dirname(plan.path) != dirname(log.path), plan.branch is None or plan.branch != log.branch)

        return sorted(self.plans, key=misfit)


def entries_of_these_plans(log: AgentLog, plans: Sequence[PlanDocument]) -> Sequence[Entry]:
    """Return the entries of a log since its ids last started over: entries before are about an earlier plan.

    They start over if the first id comes again, after other ids and with a title of entirely different words.
    """
    known = {fold_id(item.id) for plan in plans for item in all_items(plan.items) if item.id}
    start, first, seen_others, titles = 0, "", False, ""
    for position, entry in enumerate(log.entries):
        name = next((folded for name in entry.ids if (folded := fold_id(name)) in known), "")
        if not name:
            continue
        if name == first and seen_others and not words_of(titles) & words_of(entry.title):
            start, seen_others, titles = position, False, entry.title
        elif name == first:
            titles = f"{titles} {entry.title}"
        elif not first:
            first, titles = name, entry.title
        else:
            seen_others = True
    return log.entries[start:]
