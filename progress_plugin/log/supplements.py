"""One entry of several about the same work: whose words, whose files, and where it stands.

A supplement is an entry that adds to an earlier one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import itemgetter
from typing import Any

from progress_plugin.log.entry import NO_REASON, canonical, data_of, is_signal, text_of, texts_of
from progress_plugin.log.retractions import retracted
from progress_plugin.text.patterns import LazyPattern

EARLIER = "earlier_descriptions"
"""Field of a merged entry: what was said of the same thing before `description`, newest first."""
EARLIER_NOTES = "earlier_notes"
"""Field of a merged entry: what `notes` were before, newest first; what they said of then may be over."""
SUPPLEMENTED_BY = "supplemented_by"
"""Member of a merged blocker: the ids of its supplements, by each of which it can be resolved, too."""
ALSO_ON = "also_on"
"""Member of a merged entry: the other branches on which it was said or finished; it holds there, too."""
_ABOUT_OTHERS = frozenset(("retracts", "supplements", "mutes"))
_EVIDENCE = frozenset(
    ("supplements", "commit", "files_modified", "files", "duration_minutes", "completed_at")
)
_SOURCE = frozenset(("key", "plan", "session_id", "client_task"))
"""Fields that prove an entry, and such that say what noticed it: none of them says what was done."""
_KNOWN_BY = ("key", "session_id")
"""Fields by which an entry is found again when more is logged of the same; not every supplement has them."""
_WHERE = ("branch", "worktree")
"""Members that say where an entry was written."""
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_FEWEST = 2
"""Words of a reason that is worth a place beside another."""
_SHORTEST = 4
"""Letters of a word by which two reasons may be the same."""
_WORD = LazyPattern(r"\w+")


def effective(entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the entries that count: without retracted ones, retractions and mutes, supplements merged in.

    `hidden` are ids retracted elsewhere. Where an entry is not here, the first of its supplements is an entry
    of its own, to which the others add; where it is retracted, the oldest that says anything takes its place.
    The entries given are left as they are; a merged one is a new object. Its place is where it was last said
    something, so that their words are as new as they are; what a signal adds moves nothing.
    """
    given = list(entries)
    merging = _merged(given, hidden)
    return given if merging is None else merging.in_order()


def parts_of_effective(
    entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each entry of which `effective` makes something, behind what it makes of it, in log order.

    The part that has the id of the whole is its first one; what is said in another is as new as that.
    """
    given = list(entries)
    merging = _merged(given, hidden)
    return [(entry, entry) for entry in given] if merging is None else merging.parts()


def _merged(given: list[dict[str, Any]], hidden: Iterable[str]) -> _Merging | None:
    """Return the entries merged; None where none speaks of another one."""
    speaking = [
        entry
        for entry in given
        if isinstance(data := entry.get("data"), dict) and not _ABOUT_OTHERS.isdisjoint(data)
    ]
    gone = {*retracted(speaking), *hidden}
    if not gone and not any(
        "supplements" in (data := data_of(entry)) or "mutes" in data for entry in speaking
    ):
        return None  # nearly every log
    merging = _Merging(gone)
    for place, entry in enumerate(given):
        data = data_of(entry)
        if not (texts_of(data, "retracts") or texts_of(data, "mutes")):
            merging.take(place, entry)
    return merging


def moves(supplement: dict[str, Any]) -> bool:
    """Return whether what adds to an entry makes that as new as itself: what a signal adds moves nothing."""
    return not is_signal(supplement) or supplement.get("type") == "session_ended"


class _Merging:
    """The wholes that are made of the entries of a log, taken one by one in its order."""

    def __init__(self, gone: Collection[str]) -> None:
        self._gone = gone
        self._places: dict[str, int] = {}
        """Of each id the place in `_wholes`."""
        self._absent: dict[str, int] = {}
        """The same of ids that are not here, of what adds to them."""
        self._wholes: list[dict[str, Any]] = []
        self._said: list[int] = []
        """Of each whole where in the log it was last said something."""
        self._grown: dict[int, _Supplemented] = {}
        self._vacant: dict[str, _Vacancy] = {}
        self._parts: list[tuple[int, int, dict[str, Any]]] = []
        """Place in the log, place in `_wholes`, entry."""

    def take(self, place: int, entry: dict[str, Any]) -> None:
        """Take the entry at this place of the log."""
        named = texts_of(data_of(entry), "supplements")
        target = next((self._places[name] for name in named if name in self._places), None)
        if target is None and self._absent:
            target = next((self._absent[name] for name in named if name in self._absent), None)
        if text_of(entry, "id") in self._gone:
            self._leave(entry, named, target)
        elif target is not None:
            self._add(target, place, entry)
        elif (vacancy := self._vacancy(named)) is None:
            target = self._begin(place, _in_place_of(named, entry))
            self._absent |= dict.fromkeys(named, target)
        elif is_evidence(entry):
            vacancy.waiting.append((place, entry))
        else:
            target = self._begin(place, vacancy.heir(entry))
            self._places |= dict.fromkeys(vacancy.names, target)
            for where, evidence in vacancy.waiting:
                self._add(target, where, evidence)

    def in_order(self) -> list[dict[str, Any]]:
        """Return the wholes, the one of which anything was said last behind all others."""
        for target, whole in self._grown.items():
            self._wholes[target] = whole.entry()
        self._grown = {}
        return [
            self._wholes[target] for target in sorted(range(len(self._wholes)), key=self._said.__getitem__)
        ]

    def parts(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Return whole and part of every entry that was taken, in log order."""
        self.in_order()
        ordered = sorted(self._parts, key=itemgetter(0))
        return [(self._wholes[target], entry) for _, target, entry in ordered]

    def _begin(self, place: int, entry: dict[str, Any]) -> int:
        target = len(self._wholes)
        self._wholes.append(entry)
        self._said.append(place)
        self._note(target, place, entry)
        return target

    def _add(self, target: int, place: int, entry: dict[str, Any]) -> None:
        if target not in self._grown:
            self._grown[target] = _Supplemented(self._wholes[target])
        self._grown[target].add(entry)
        if moves(entry):
            self._said[target] = place
        self._note(target, place, entry)

    def _note(self, target: int, place: int, entry: dict[str, Any]) -> None:
        self._parts.append((place, target, entry))
        if isinstance(entry.get("id"), str):
            self._places.setdefault(entry["id"], target)

    def _leave(self, entry: dict[str, Any], named: list[str], target: int | None) -> None:
        """Leave a retracted entry out, and note where what names it belongs."""
        name = text_of(entry, "id") or ""
        if target is not None:
            self._places.setdefault(name, target)
        elif name not in self._places:
            vacancy = self._vacancy(named) or self._vacant.get(name) or _Vacancy()
            vacancy.names.append(name)
            vacancy.first = vacancy.first or entry
            self._vacant[name] = vacancy

    def _vacancy(self, named: list[str]) -> _Vacancy | None:
        """Return the place of the retracted entry that one with these names adds to."""
        for name in named:
            if name not in self._vacant and name in self._gone:
                self._vacant[name] = _Vacancy()
                self._vacant[name].names.append(name)
            if name in self._vacant:
                return self._vacant[name]
        return None


class _Vacancy:
    """The place of an entry that was retracted, until what was added to it takes that."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.first: dict[str, Any] | None = None
        """The retracted entry; None where it is elsewhere."""
        self.waiting: list[tuple[int, dict[str, Any]]] = []
        """Evidence, with its places in the log: by itself it makes no entry."""

    def heir(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return a supplement as an entry of its own, known by what the retracted one was known by."""
        first: dict[str, Any] = self.first or {}
        known = {name: data_of(first)[name] for name in _KNOWN_BY if name in data_of(first)}
        data = {name: value for name, value in data_of(entry).items() if name != "supplements"}
        about = {name: first[name] for name in ("spec", "task_id", "story") if name in first}
        whole = dict(entry) | {name: value for name, value in about.items() if name not in entry}
        if entry.get("type") == "task_blocked":
            whole[SUPPLEMENTED_BY] = list(self.names)  # who resolved the retracted one resolved this one
        return whole | {"data": known | data}


def _in_place_of(named: list[str], entry: dict[str, Any]) -> dict[str, Any]:
    """Return what adds to an entry that is not here in its place: who resolved that one resolved this one."""
    is_blocker = bool(named) and entry.get("type") == "task_blocked"
    return {**entry, SUPPLEMENTED_BY: named} if is_blocker else entry


def is_evidence(entry: dict[str, Any]) -> bool:
    """Return whether a signal only proves what another entry says."""
    return is_signal(entry) and data_of(entry).keys() <= _EVIDENCE | _SOURCE


class _Supplemented:
    """An entry with the facts of its supplements.

    Lists are united. Of other fields the newest value counts, but what somebody said goes before what a
    signal made up. No description that somebody gave is dropped: the older ones are `earlier_descriptions`,
    and older notes `earlier_notes`.
    A supplement costs what it adds, not what is known.
    """

    def __init__(self, first: dict[str, Any]) -> None:
        self._first = data_of(first)
        self._data = dict(self._first)
        self._entry = {**first, "data": self._data}
        self._is_said = not is_signal(first)
        self._known: dict[str, set[str]] = {}
        self._earlier = dict.fromkeys(reversed(texts_of(self._data, EARLIER)))
        """What was said before, the newest last."""

    def add(self, later: dict[str, Any]) -> None:
        """Add the facts of one supplement."""
        is_said, facts = not is_signal(later), data_of(later)
        for name, value in facts.items():
            present = self._data.get(name)
            if name in ("supplements", "description") or value in _EMPTY:
                continue
            if isinstance(present, list) and isinstance(value, list):
                self._extend(name, present, value)
            elif name == "notes" and self._are_both_kept(later) and text_of(self._data, name):
                self._note(value, replaces=is_said or not self._is_said)
            elif present in _EMPTY or is_said or not self._is_said:
                self._data[name] = value
                self._known.pop(name, None)
        if is_said and not self._is_said and text_of(facts, "description"):
            self._drop_reason(facts)
            self._keep_other_reason(facts)
        self._describe(text_of(facts, "description"), replaces=is_said)
        for name, value in later.items():
            if name not in _WHERE:  # what holds everywhere is not narrowed to one place
                self._entry.setdefault(name, value)
        if is_said or text_of(later, "signal") != "commit":
            self._note_branch(text_of(later, "branch"))
        if moves(later):
            self._entry["timestamp"] = later.get("timestamp", self._entry.get("timestamp"))
        self._is_said |= is_said
        if self._entry.get("type") == "task_blocked" and (own := text_of(later, "id")):
            self._entry[SUPPLEMENTED_BY] = [*texts_of(self._entry, SUPPLEMENTED_BY), own]

    def entry(self) -> dict[str, Any]:
        """Return the whole."""
        if self._earlier:
            self._data[EARLIER] = list(reversed(self._earlier))
        if self._is_said:
            self._entry.pop("signal", None)
            if is_signal(self._entry):
                self._entry["story"] = None  # of an older version: the member says that it is no signal
        return self._entry

    def _note(self, notes: Any, *, replaces: bool) -> None:
        """Add notes beside those there are, which they `replace` as the newest."""
        present, earlier = self._data["notes"], texts_of(self._data, EARLIER_NOTES)
        if not isinstance(notes, str) or notes == present:
            return
        newest, older = (notes, present) if replaces else (present, notes)
        self._data["notes"] = newest
        self._data[EARLIER_NOTES] = [older, *(each for each in earlier if each not in (newest, older))]

    def _are_both_kept(self, later: dict[str, Any]) -> bool:
        """Return whether notes stand beside older ones: what a plan says can give way to newer words."""
        if self._is_said:
            return True
        if not is_signal(later):
            return self._entry.get("type") != "task_blocked"
        return text_of(later, "signal") != text_of(self._entry, "signal")

    def _note_branch(self, branch: str | None) -> None:
        known = texts_of(self._entry, ALSO_ON)
        if branch and "branch" in self._entry and branch not in {self._entry["branch"], *known}:
            self._entry[ALSO_ON] = [*known, branch]

    def _drop_reason(self, facts: dict[str, Any]) -> None:
        """Take out what a plan gave for a reason, where somebody says in their own words what is wrong."""
        for name in ("issue", "notes"):
            if name not in facts and self._data.get(name) == self._first.get(name):
                self._data.pop(name, None)

    def _keep_other_reason(self, facts: dict[str, Any]) -> None:
        """Name what a plan gave for a reason beside the words of somebody who says something else."""
        planned = text_of(self._first, "issue") if self._entry.get("type") == "task_blocked" else None
        given = text_of(facts, "issue") or text_of(facts, "description") or ""
        words = _telling_words(planned) if planned and planned != NO_REASON else frozenset()
        if len(words) >= _FEWEST and words.isdisjoint(_telling_words(given)):
            self._data["issue"] = f"{given}; {planned}"

    def _extend(self, name: str, present: list[Any], added: list[Any]) -> None:
        if name not in self._known:
            self._known[name] = set(map(canonical, present))
            present = self._data[name] = list(present)
        known = self._known[name]
        for item in added:
            key = canonical(item)
            if key not in known:
                known.add(key)
                present.append(item)

    def _describe(self, new: str | None, *, replaces: bool) -> None:
        old = text_of(self._data, "description")
        if new is None or new == old or not (replaces or old is None):
            return
        if self._is_said and old:
            self._earlier.pop(old, None)
            self._earlier[old] = None
        self._earlier.pop(new, None)
        self._data["description"] = new


def _telling_words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()) if len(word) >= _SHORTEST)
