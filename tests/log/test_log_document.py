"""progress.json is read whatever state it is in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput
from progress_plugin.log.document import Log, parse, serialise

ENTRIES: list[dict[str, Any]] = [
    {
        "id": "entry-1",
        "timestamp": "2026-01-05T10:00:00Z",
        "type": "task_completed",
        "data": {"description": 'say "}" {'},
    },
    {
        "id": "entry-2",
        "timestamp": "2026-01-05T11:00:00Z",
        "type": "task_blocked",
        "data": {"steps": [{"a": [1, {"b": 2}]}]},
    },
    {
        "id": "entry-3",
        "timestamp": "2026-01-05T12:00:00Z",
        "type": "x",
        "data": {"description": "größer → ✓ \\ \n"},
    },
]
DOCUMENT = {
    "version": "1.0",
    "project": "demo",
    "extra": {"entries": "a decoy"},
    "entries": ENTRIES,
    "metadata": {"total_entries": 3},
}


def read(value: Any) -> Log:
    return parse(json.dumps(value).encode())


def test_a_whole_document_has_no_faults() -> None:
    log = read(DOCUMENT)
    assert (log.items, log.problems, log.damage, log.read_only) == (ENTRIES, [], None, None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(document=st.dictionaries(st.text(), JSON, max_size=4), entries=st.lists(JSON, max_size=4))
def test_every_key_and_value_survives_reading_and_writing(
    document: dict[str, Any], entries: list[Any]
) -> None:
    document = {key: value for key, value in document.items() if key not in ("version", "entries")} | {
        "entries": entries
    }
    written = serialise(read(document))
    assert json.loads(written) == document
    assert list(json.loads(written)) == list(document)


@pytest.mark.parametrize("indent", [None, 2, "ours"])
def test_truncated_at_any_byte_every_complete_entry_is_read(indent: Any) -> None:
    whole = parse(json.dumps(DOCUMENT, ensure_ascii=False).encode())
    data = (
        serialise(whole)
        if indent == "ours"
        else json.dumps(DOCUMENT, indent=indent, ensure_ascii=False).encode()
    )
    ends = ends_of_entries(data)
    for cut in range(len(data.rstrip())):
        log = parse(data[:cut])
        complete = sum(end <= cut for end in ends)
        assert log.items == ENTRIES[:complete], f"cut at byte {cut}"
        assert log.damage is not None
        assert any(sentence.startswith("progress.json does not parse") for sentence in log.problems)


def ends_of_entries(data: bytes) -> list[int]:
    """Return where each entry's text ends, by decoding one after the other from the list's beginning."""
    text = data.decode()
    position = text.index('"entries": [') + len('"entries": [')
    ends = []
    for _ in ENTRIES:
        position = text.index("{", position)
        _, position = json.JSONDecoder().raw_decode(text, position)
        ends.append(len(text[:position].encode()))
    return ends


@settings(max_examples=300)
@given(st.data())
def test_a_byte_overwritten_anywhere_costs_one_entry_at_most(data: st.DataObject) -> None:
    whole = bytearray(json.dumps(DOCUMENT, ensure_ascii=False).encode())
    first = bytes(whole).index(b'"entry-1"')
    place = data.draw(st.integers(first, len(whole) - 60))
    whole[place] = data.draw(st.sampled_from([0, 10, 34, 92, 123, 125, 255]))
    log = parse(bytes(whole))
    kept = [entry for entry in ENTRIES if entry in log.items]
    assert len(kept) >= len(ENTRIES) - 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Expecting value: line 1 column 1 (char 0)"),
        (b"\x00" * 400, "Expecting value: line 1 column 1 (char 0)"),
        (b"null", "it holds no list of entries"),
        (b'{"entries": {"a": 1}}', "it holds no list of entries"),
        (b'{"a":' * 100_000, "it nests too deeply"),
        (b"[" * 100_000, "it nests too deeply"),
    ],
)
def test_what_is_no_log_is_damage_with_a_reason_and_no_entries(data: bytes, reason: str) -> None:
    log = parse(data)
    assert (log.damage, log.items) == (reason, [])


def test_an_entry_that_nests_too_deeply_costs_the_others_nothing() -> None:
    deep = (
        '{"id": "deep", "timestamp": "2026-01-05", "type": "x", "data": '
        + '{"a":' * 50_000
        + "1"
        + "}" * 50_001
    )
    text = f'{{"entries": [{json.dumps(ENTRIES[0])}, {deep}, {json.dumps(ENTRIES[1])}]}}'
    log = parse(text.encode())
    assert log.damage == "it nests too deeply"
    assert log.items == ENTRIES[:2]


def test_invalid_utf8_is_damage_and_its_entry_is_read_all_the_same() -> None:
    data = json.dumps(DOCUMENT).encode().replace(b"a decoy", b"a \xff\xfe decoy")
    log = parse(data)
    assert log.items == ENTRIES
    assert log.damage is not None
    assert log.damage.startswith("not valid UTF-8 text at byte")


def test_a_number_of_thousands_of_digits_does_not_lose_its_entry() -> None:
    data = (
        b'{"entries": [{"id": "a", "timestamp": "2026-01-05", "type": "x", "data": {"n": '
        + b"7" * 5000
        + b"}}]}"
    )
    log = parse(data)
    assert log.items[0]["data"] == {"n": "7" * 5000}
    assert "Exceeds the limit" in (log.damage or "")


def test_two_writers_that_wrote_through_each_other_lose_nothing() -> None:
    first, second = (json.dumps({"entries": [entry]}).encode() for entry in ENTRIES[:2])
    assert parse(first + second).items == ENTRIES[:2]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_and_utf16_are_no_damage(encoding: str) -> None:
    log = parse(json.dumps(DOCUMENT, ensure_ascii=False).encode(encoding))
    assert (log.items, log.damage) == (ENTRIES, None)


@pytest.mark.parametrize("document", [{"entries": ENTRIES}, ENTRIES])
def test_a_log_without_version_and_project_is_one_of_version_one(document: Any) -> None:
    log = read(document)
    assert (log.items, log.problems, log.read_only) == (ENTRIES, [], None)


def test_a_newer_major_version_is_read_and_never_written() -> None:
    log = read({**DOCUMENT, "version": "2.0"})
    assert log.items == ENTRIES
    with pytest.raises(
        BadInput, match=r"nothing was written: progress.json has version 2.0, newer than 1.0; it is read"
    ):
        log.refuse_if_read_only()


def test_odd_entries_are_kept_and_named() -> None:
    log = read({"entries": [ENTRIES[0], "text", {"id": "x", "type": "y", "timestamp": "soon"}, None]})
    assert log.items == [ENTRIES[0], "text", {"id": "x", "type": "y", "timestamp": "soon"}, None]
    assert log.entries == [ENTRIES[0], {"id": "x", "type": "y", "timestamp": "soon"}]
    [problem] = log.problems
    assert problem.startswith("progress.json: 3 entries without an id, ")
    assert problem.endswith(": entry 2, entry 3, entry 4")


def conflict(ours: list[str], theirs: list[str], base: list[str] | None = None) -> bytes:
    middle = ["||||||| 1234567", *base] if base is not None else []
    lines = ["{", '  "project": "demo",', '  "entries": [', f"    {json.dumps(ENTRIES[0])},"]
    lines += ["<<<<<<< HEAD", *ours, *middle, "=======", *theirs, ">>>>>>> feature", "  ]", "}"]
    return "\n".join(lines).encode()


@pytest.mark.parametrize("base", [None, ["    {}"]])
def test_of_a_conflict_both_sides_are_read_in_order_of_time(base: list[str] | None) -> None:
    ours, theirs = f"    {json.dumps(ENTRIES[2])}", f"    {json.dumps(ENTRIES[1])}"
    log = parse(conflict([ours], [theirs], base))
    assert (log.items, log.damage) == (ENTRIES, "it holds git conflict markers")


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("end", ["", "]"])
def test_a_number_that_python_cannot_hold_is_kept_as_it_was_written(number: str, end: str) -> None:
    entry = {**ENTRIES[0], "data": {"x": "HERE", "y": 1.5}}
    text = json.dumps({"version": "1.0", "entries": [entry]}).replace('"HERE"', number) + end
    log = parse(text.encode())
    written = json.loads(serialise(log), parse_constant=pytest.fail)
    assert written["entries"][0]["data"] == {"x": number, "y": 1.5}
