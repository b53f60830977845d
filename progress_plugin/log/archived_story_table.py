"""The status of every story of the archive, by name alone: `archive/stories`.

The index holds the newest stories with their titles; for tens of thousands that would cost each start a
second. Here each is a few bytes. After the first line, which says what the table was made of, comes one that
says where its buckets are. Then come these, a line each, of which only those are read that a name can be in;
then a line per month, from which the table is made again when a month has changed.
"""

import json
import os
from binascii import crc32
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from progress_plugin import STORY_TABLE_FORMAT
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.files import read_ranges, write_atomic
from progress_plugin.log.entry import data_of, text_of
from progress_plugin.log.recent_entries import headline
from progress_plugin.model.status import STATUS_OF_TYPE, TYPE_OF_STATUS, Status
from progress_plugin.text.bounds import shortened
from progress_plugin.text.normalise_title import normalised
from progress_plugin.text.safe_output import stored_line

TABLE_FILE = "archive/stories"
STORY_ENTRY_TYPES = tuple(STATUS_OF_TYPE)
"""Types of entries that say the status of a story."""
_IN_A_BUCKET = 16
_LONGEST_TITLE = 1000
_BEGIN, _END = b"\x1e", b"\x1f"
"""What encloses a key in its bucket; no text that was made harmless holds either."""
_DIGITS = 10
"""Of where a bucket begins, in bytes from the first one."""
_FIRST_PIECE = 64 * 1024
"""Bytes read at once: as a rule what the table was made of, and where all buckets are."""

Words = list[list[Any]]
"""The last word of a month on each story: [type, plan, branch, plan_id, keys joined by line feeds] each."""
Stats = dict[str, tuple[int, int]]
"""Size and mtime of each month, as the index has them."""


class Word(NamedTuple):
    """The archive's last word on a story."""

    type: str
    plan: str | None
    branch: str | None
    """The branch that the plan named, else what was checked out."""
    plan_id: str | None = None


def key_of(entry: dict[str, Any]) -> str | None:
    """Return which story an entry is about; None for one that only adds to an entry without a story.

    What blocks no task is about none either.
    """
    task = text_of(entry, "task_id")
    if task:
        return id_key(text_of(entry, "spec"), task)
    if entry.get("type") == TYPE_OF_STATUS[Status.BLOCKED]:
        return None
    return None if "supplements" in data_of(entry) else title_key(headline(entry))


def id_key(spec: str | None, name: str) -> str:
    """Return the key of a story with an id: the same id in another spec is another story."""
    return f"{stored_line(spec or '')}\t{stored_line(name)}".casefold()


def title_key(title: str) -> str:
    """Return the key of a story that is known by its title alone."""
    return f"\t\t{normalised(shortened(title, _LONGEST_TITLE))}"


def name_of(key: str) -> tuple[str, str] | None:
    """Return spec and id of a story's key, in small letters; None for a story known by its title alone."""
    spec, _, name = key.partition("\t")
    return None if name.startswith("\t") or not name else (spec, name)


def words(entries: Iterable[dict[str, Any]]) -> Words:
    """Return the last word of these effective entries on each story."""
    last: dict[str, Word] = {}
    for entry in entries:
        if entry.get("type") in STORY_ENTRY_TYPES and (key := key_of(entry)):
            last[key] = _word(entry)
    groups: dict[Word, list[str]] = {}
    for key, word in last.items():
        groups.setdefault(word, []).append(key)
    return [[*word, "\n".join(keys)] for word, keys in groups.items()]


def _word(entry: dict[str, Any]) -> Word:
    story = entry.get("story")
    told: dict[str, Any] = story if isinstance(story, dict) else {}
    return Word(
        type=str(entry["type"]),
        plan=text_of(told, "plan") or text_of(data_of(entry), "plan"),
        branch=text_of(told, "branch") or text_of(entry, "branch"),
        plan_id=text_of(told, "plan_id"),
    )


def last_words(months: Mapping[str, Words]) -> dict[str, Word]:
    """Return the archive's last word on every story, given what each month says."""
    last: dict[str, Word] = {}
    for name in sorted(months):
        for *word, keys in months[name]:
            last.update(dict.fromkeys(keys.split("\n"), Word(*word)))
    return last


class _StoredBuckets(NamedTuple):
    """Where a file keeps its buckets, which are read as they are asked for."""

    directory: str
    head: bytes
    """The file's first line: another file has another one."""
    begin: int
    offsets: bytes

    def read(self, checksums: Iterable[int]) -> dict[int, bytes] | None:
        """Return the buckets of these checksums, by checksum; None where the file is another one by now."""
        number = len(self.offsets) // _DIGITS - 1
        places = {checksum: self._place(checksum % number) for checksum in checksums} if number else {}
        if not places:
            return {}
        head, *buckets = _sections(self.directory, [(0, len(self.head)), *places.values()])
        if head != self.head or any(
            len(bucket) != most for bucket, (_, most) in zip(buckets, places.values(), strict=True)
        ):
            return None
        return dict(zip(places, buckets, strict=True))

    def are_whole(self) -> bool:
        """Return whether the file goes on to the end of the last one."""
        try:
            size = os.stat(os.path.join(self.directory, TABLE_FILE)).st_size
        except OSError:
            return False
        return size >= self.begin + int(self.offsets[-_DIGITS:])

    def _place(self, number: int) -> tuple[int, int]:
        """Return where a bucket begins and how long it is, with the end of its line."""
        at = number * _DIGITS
        start, stop = self.offsets[at : at + _DIGITS], self.offsets[at + _DIGITS : at + 2 * _DIGITS]
        return self.begin + int(start), int(stop) - int(start)


class Table:
    """The stories that the index does not hold whole, to be looked up by key."""

    __slots__ = ("_buckets", "_stored", "counts", "words")

    def __init__(
        self, counts: dict[str, int], words: list[Word], buckets: list[bytes] | _StoredBuckets
    ) -> None:
        self.counts = counts
        """How many there are, by the type of their last word."""
        self.words = words
        """Every word that is somewhere the last one; the buckets name them by their place here."""
        self._stored = None if isinstance(buckets, list) else buckets
        self._buckets = buckets if isinstance(buckets, list) else []
        """The keys by checksum, each with its word's place: of so many only a few are ever looked at."""

    def find(self, keys: Iterable[str]) -> dict[str, Word] | None:
        """Return the last words on those of these stories that are in the table, by key.

        None where the file that holds them is no longer the one that this table was loaded from.
        """
        names = {key: _encoded(key) for key in keys}
        buckets = self._read(crc32(name) for name in names.values())
        if buckets is None:
            return None
        found = {
            key: _word_in(buckets.get(crc32(name), b""), name, self.words) for key, name in names.items()
        }
        return {key: word for key, word in found.items() if word is not None}

    def _read(self, checksums: Iterable[int]) -> dict[int, bytes] | None:
        """Return the buckets of these checksums, by checksum."""
        if self._stored is not None:
            return self._stored.read(checksums)
        buckets = self._buckets
        return {checksum: buckets[checksum % len(buckets)] for checksum in checksums} if buckets else {}

    @property
    def is_made(self) -> bool:
        """Whether it was made here, not loaded: then it holds all its buckets."""
        return self._stored is None

    def lines(self) -> list[bytes]:
        """Return the buckets of a table that was made, as they are stored."""
        return self._buckets


def _word_in(bucket: bytes, name: bytes, words: list[Word]) -> Word | None:
    """Return a story's last word by its bucket; None where it is not there."""
    at = bucket.find(_BEGIN + name + _END)
    if at < 0:
        return None
    begin = at + len(name) + 2
    try:
        return words[int(bucket[begin : bucket.find(_BEGIN, begin)])]
    except (ValueError, IndexError):
        return None  # somebody has edited the file


def table_of(last: Mapping[str, Word], whole: Iterable[str]) -> Table:
    """Return the table of all stories but those of the keys `whole`."""
    told = set(whole)
    left = [(_encoded(key), word) for key, word in last.items() if key not in told]
    numbers: dict[Word, int] = {}
    counts: dict[str, int] = {}
    buckets: list[list[bytes]] = [[] for _ in range(-(-len(left) // _IN_A_BUCKET))]
    for name, word in left:
        counts[word.type] = counts.get(word.type, 0) + 1
        number = numbers.setdefault(word, len(numbers))
        buckets[crc32(name) % len(buckets)].append(b"%c%s%c%d" % (_BEGIN, name, _END, number))
    return Table(counts, list(numbers), [b"".join(bucket) + _BEGIN for bucket in buckets])


def save(
    directory: str, stats: Stats, hidden: Iterable[str], table: Table, months: Mapping[str, Words]
) -> None:
    """Write table and months; the table is one that was made. Caller holds the lock."""
    offsets = [0]
    for bucket in table.lines():
        offsets.append(offsets[-1] + len(bucket) + 1)
    first = {
        "format": STORY_TABLE_FORMAT,
        "months": stats,
        "hidden": sorted(hidden),
        "counts": table.counts,
        "words": table.words,
        "buckets": len(table.lines()),
        "sum": crc32(b"\n".join(table.lines())),
    }
    lines = [json.dumps(first).encode(), b"".join(b"%0*d" % (_DIGITS, at) for at in offsets), *table.lines()]
    lines += [
        json.dumps({"month": name, "stat": stats[name], "words": months[name]}).encode()
        for name in sorted(months)
    ]
    data = b"\n".join([*lines, b""])
    write_atomic(os.path.join(directory, TABLE_FILE), data, root=root_of(directory), durable=False)


def load_table(directory: str, stats: Stats, hidden: Iterable[str]) -> Table | None:
    """Return the stored table if it was made of these months; None where it is to be made again."""
    head, offsets = _beginning(directory)
    value = _object(head)
    made_of = {name: list(stat) for name, stat in stats.items()}
    if [value.get("format"), value.get("months"), value.get("hidden")] != [
        STORY_TABLE_FORMAT,
        made_of,
        sorted(hidden),
    ]:
        return None
    counts, said = value.get("counts"), value.get("words")
    if not (isinstance(counts, dict) and all(isinstance(count, int) for count in counts.values())):
        return None
    if not (isinstance(said, list) and all(map(_is_word, said)) and offsets.isdigit()):
        return None
    stored = _StoredBuckets(directory, head, len(head) + len(offsets) + 2, offsets)
    if not stored.are_whole():
        return None
    return Table(
        {kind: counts[kind] for kind in STORY_ENTRY_TYPES if kind in counts}, [Word(*w) for w in said], stored
    )


def _beginning(directory: str) -> tuple[bytes, bytes]:
    """Return the first line and the one that says where the buckets are; nothing where they are not whole."""
    most = _FIRST_PIECE
    while True:
        [data] = _sections(directory, [(0, most)])
        head, end, rest = data.partition(b"\n")
        number = _object(head).get("buckets") if end else 0
        if not isinstance(number, int) or number < 0:
            return b"", b""
        length = _DIGITS * (number + 1)
        if end and len(rest) > length:
            return (head, rest[:length]) if rest[length : length + 1] == b"\n" else (b"", b"")
        if len(data) < most:
            return b"", b""
        most *= 2


def load_months(directory: str, stats: Stats) -> dict[str, Words]:
    """Return what is stored of the months whose stats are these."""
    data = data_directory.read(directory, TABLE_FILE) or b""
    head, _, rest = data.partition(b"\n")
    value = _object(head)
    number = value.get("buckets")
    if value.get("format") != STORY_TABLE_FORMAT or not isinstance(number, int):
        return {}
    found: dict[str, Words] = {}
    for line in map(_object, rest.split(b"\n")[max(number, 0) + 1 :]):
        name, stat, said = (line.get(field) for field in ("month", "stat", "words"))
        known = isinstance(name, str) and name in stats and stat == list(stats[name])
        if known and isinstance(said, list) and all(map(_is_group, said)):
            found[str(name)] = said
    return found


def _sections(directory: str, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
    return read_ranges(root_of(directory), os.path.join(directory, TABLE_FILE), ranges)


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
        and value[0] in STORY_ENTRY_TYPES
    )


def _is_group(value: Any) -> bool:
    """Return whether a value is one of `Words`."""
    return isinstance(value, list) and _is_word(value[:-1]) and isinstance(value[-1], str)


def _encoded(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")
