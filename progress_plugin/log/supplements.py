"""One entry of several about the same work: whose words, whose files, and where it stands (S1.10, S11.3).

A supplement is an entry that adds to an earlier one. When what is logged becomes one is decided in
`usecases.recording.deduplication`; which entries are taken back, in `log.retractions`.
"""

from __future__ import annotations

from collections.abc import Iterable

from progress_plugin.core.light_typing import Any
from progress_plugin.log.entry import canonical, data_of, is_signal, text_of, texts_of
from progress_plugin.log.retractions import retracted

EARLIER = "earlier_descriptions"
"""Field of a merged entry: what was said of the same thing before `description`, newest first."""
SUPPLEMENTED_BY = "supplemented_by"
"""Member of a merged blocker: the ids of its supplements, by each of which it can be resolved, too."""
_ABOUT_OTHERS = frozenset(("retracts", "supplements", "mutes"))
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def effective(entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the entries that count: without retracted ones, retractions and mutes, supplements merged in.

    `hidden` are ids retracted elsewhere. A supplement whose entry is not here stays an entry of its own.
    The entries given are left as they are; a merged one is a new object. Its place is where it was last said
    something, so that their words are as new as they are; what a signal adds moves nothing.
    """
    given = list(entries)
    speaking = [
        entry
        for entry in given
        if isinstance(data := entry.get("data"), dict) and not _ABOUT_OTHERS.isdisjoint(data)
    ]
    gone = {*retracted(speaking), *hidden}
    if not gone and not any(
        "supplements" in (data := data_of(entry)) or "mutes" in data for entry in speaking
    ):
        return given  # nearly every log: nothing in it speaks of another entry
    places: dict[str, int] = {}
    result: list[dict[str, Any]] = []
    said: list[int] = []
    grown: dict[int, _Supplemented] = {}
    for place, entry in enumerate(given):
        data = data_of(entry)
        if text_of(entry, "id") in gone or texts_of(data, "retracts") or texts_of(data, "mutes"):
            continue
        target = next((places[name] for name in texts_of(data, "supplements") if name in places), None)
        if target is None:
            target = len(result)
            result.append(entry)
            said.append(place)
        else:
            if target not in grown:
                grown[target] = _Supplemented(result[target])
            grown[target].add(entry)
            if not is_signal(entry) or entry.get("type") == "session_ended":
                said[target] = place
        if isinstance(entry.get("id"), str):
            places.setdefault(entry["id"], target)
    for target, whole in grown.items():
        result[target] = whole.entry()
    return [result[target] for target in sorted(range(len(result)), key=said.__getitem__)]


class _Supplemented:
    """An entry with the facts of its supplements (S11.3).

    Lists are united. Of other fields the newest value counts, but what somebody said goes before what a
    signal made up. No description that somebody gave is dropped: the older ones are `earlier_descriptions`.
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
            elif present in _EMPTY or is_said or not self._is_said:
                self._data[name] = value
                self._known.pop(name, None)
        if is_said and not self._is_said and text_of(facts, "description"):
            self._drop_reason(facts)
        self._describe(text_of(facts, "description"), replaces=is_said)
        for name, value in later.items():
            self._entry.setdefault(name, value)
        if is_said or later.get("type") == "session_ended":
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

    def _drop_reason(self, facts: dict[str, Any]) -> None:
        """Take out what a plan gave for a reason, where somebody says in their own words what is wrong."""
        for name in ("issue", "notes"):
            if name not in facts and self._data.get(name) == self._first.get(name):
                self._data.pop(name, None)

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
