"""Where every story of the archive stands, by name alone (S3.4): `archive/stories.jsonl`.

The index holds the newest stories with their titles; of tens of thousands that would cost each start a second.
Here each is a few bytes. The first line is a table made for looking up single names without taking it apart;
behind it stands a line per month, from which the table is made again when a month has changed.
"""

from __future__ import annotations

import json
import os
from binascii import crc32
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from progress_plugin.core import atomic_file
from progress_plugin.core.own_directory import root_of
from progress_plugin.log.entry import data_of, text_of
from progress_plugin.log.recent import headline
from progress_plugin.text.escape import one_line
from progress_plugin.text.titles import normalised

FILE = "archive/stories.jsonl"
TYPES = ("task_completed", "task_blocked")
"""Types of entries that say where a story stands."""
_FORMAT = 1
_IN_A_BUCKET = 16
_LONGEST_TITLE = 1000
_END = "\x1f"

Words = list[list[Any]]
"""The last word of a month on each story: [plan, branch, type, keys joined by line feeds] each."""
Stats = dict[str, tuple[int, int]]
"""Size and mtime of each month, as the index has them."""


class Word(NamedTuple):
    """The archive's last word on a story."""

    type: str
    plan: str | None
    branch: str | None


def key_of(entry: dict[str, Any]) -> str | None:
    """Return which story an entry is about; None for one that only adds to an entry without a story."""
    task = text_of(entry, "task_id")
    if task:
        return id_key(text_of(entry, "spec"), task)
    return None if "supplements" in data_of(entry) else title_key(headline(entry))


def id_key(spec: str | None, name: str) -> str:
    """Return the key of a story with an id: the same id in another spec is another story (S5.5)."""
    return f"{one_line(spec or '')}\t{one_line(name)}".casefold()


def title_key(title: str) -> str:
    """Return the key of a story that is known by its title alone."""
    return f"\t\t{normalised(title[:_LONGEST_TITLE])}"


def words(entries: Iterable[dict[str, Any]]) -> Words:
    """Return the last word of these effective entries on each story."""
    last: dict[str, Word] = {}
    for entry in entries:
        if entry.get("type") in TYPES and (key := key_of(entry)):
            word = Word(str(entry["type"]), text_of(data_of(entry), "plan"), text_of(entry, "branch"))
            last[key] = word
    groups: dict[Word, list[str]] = {}
    for key, word in last.items():
        groups.setdefault(word, []).append(key)
    return [[word.plan, word.branch, word.type, "\n".join(keys)] for word, keys in groups.items()]


def last_words(months: Mapping[str, Words]) -> dict[str, Word]:
    """Return the archive's last word on every story, given what each month says."""
    last: dict[str, Word] = {}
    for name in sorted(months):
        for plan, branch, kind, keys in months[name]:
            last.update(dict.fromkeys(keys.split("\n"), Word(kind, plan, branch)))
    return last


class Table:
    """The stories that the index does not hold whole, to be looked up by key."""

    __slots__ = ("_buckets", "_words", "counts")

    def __init__(self, counts: dict[str, int], words: list[list[Any]], buckets: list[str]) -> None:
        self.counts = counts
        """How many there are, by the type of their last word."""
        self._words = words
        self._buckets = buckets

    def word(self, key: str) -> Word | None:
        """Return the last word on a story; None for one that is not in the table."""
        if not self._buckets:
            return None
        bucket = self._buckets[_place(key, len(self._buckets))]
        at = bucket.find(f"\n{key}{_END}")
        if at < 0:
            return None
        begin = at + len(key) + 2
        try:
            return Word(*self._words[int(bucket[begin : bucket.index("\n", begin)])])
        except (ValueError, IndexError):
            return None  # somebody has edited the file

    def without(self, keys: Iterable[str]) -> dict[str, int]:
        """Return the counts without the stories of these keys."""
        counts = dict(self.counts)
        for key in set(keys) if self._buckets else ():
            word = self.word(key)
            if word is not None:
                counts[word.type] -= 1
        return {kind: number for kind, number in counts.items() if number}

    def value(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"counts": self.counts, "words": self._words, "buckets": self._buckets}


def table_of(last: Mapping[str, Word], whole: Iterable[str]) -> Table:
    """Return the table of all stories but those of the keys `whole`."""
    told = set(whole)
    names = [key for key in last if key not in told]
    numbers: dict[Word, int] = {}
    counts: dict[str, int] = {}
    buckets: list[list[str]] = [[] for _ in range(-(-len(names) // _IN_A_BUCKET))]
    for key in names:
        word = last[key]
        counts[word.type] = counts.get(word.type, 0) + 1
        number = numbers.setdefault(word, len(numbers))
        buckets[_place(key, len(buckets))].append(f"\n{key}{_END}{number}\n")
    return Table(counts, [list(word) for word in numbers], ["".join(bucket) for bucket in buckets])


def save(
    directory: str, stats: Stats, hidden: Iterable[str], table: Table, months: Mapping[str, Words]
) -> None:
    """Write table and months. Caller holds the lock."""
    first = {"format": _FORMAT, "months": stats, "hidden": sorted(hidden), **table.value()}
    lines = [first, *({"month": name, "stat": stats[name], "words": months[name]} for name in sorted(months))]
    data = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    atomic_file.replace(os.path.join(directory, FILE), data, root=root_of(directory), durable=False)


def load_table(directory: str, stats: Stats, hidden: Iterable[str]) -> Table | None:
    """Return the stored table if it was made of these months; None where it is to be made again."""
    data = atomic_file.read(os.path.join(directory, FILE)) or b""
    value = _object(data.partition(b"\n")[0])
    made_of = {name: list(stat) for name, stat in stats.items()}
    if [value.get("format"), value.get("months"), value.get("hidden")] != [_FORMAT, made_of, sorted(hidden)]:
        return None
    counts, kinds, buckets = (value.get(name) for name in ("counts", "words", "buckets"))
    if not (isinstance(counts, dict) and all(isinstance(number, int) for number in counts.values())):
        return None
    if not (isinstance(kinds, list) and all(map(_is_word, kinds)) and _is_texts(buckets)):
        return None
    return Table({kind: number for kind, number in counts.items() if kind in TYPES}, kinds, buckets)


def load_months(directory: str, stats: Stats) -> dict[str, Words]:
    """Return what is stored of the months whose stats are these."""
    data = atomic_file.read(os.path.join(directory, FILE)) or b""
    if _object(data.partition(b"\n")[0]).get("format") != _FORMAT:
        return {}
    found: dict[str, Words] = {}
    for line in map(_object, data.split(b"\n")[1:]):
        name, stat, said = (line.get(field) for field in ("month", "stat", "words"))
        known = isinstance(name, str) and name in stats and stat == list(stats[name])
        if known and isinstance(said, list) and all(map(_is_group, said)):
            found[str(name)] = said
    return found


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line) if line else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _is_word(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == len(Word._fields)
        and all(isinstance(part, str | None) for part in value)
        and value[0] in TYPES
    )


def _is_group(value: Any) -> bool:
    return isinstance(value, list) and _is_word([*value[2:3], *value[:2]]) and _is_texts(value[3:])


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _place(key: str, number: int) -> int:
    return crc32(key.encode("utf-8", "surrogatepass")) % number
