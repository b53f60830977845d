"""Any change of any input makes the cache stale; no change never does."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.fast.start_cache import first_change, parse_cache
from progress_plugin.core.files.input_records import Inputs
from progress_plugin.usecases.starting import stale_reason

ANY_BYTES = st.binary(max_size=40)


def _recorded(root: Path, *paths: str) -> list[bytes]:
    clock = root / "clock"
    clock.touch()
    inputs = Inputs(str(root), str(clock))
    for path in paths:
        inputs.read(path)
    inputs.settle()
    return [record.line() for record in inputs.records()]


def _stale(root: Path, records: list[bytes]) -> bool:
    return first_change(records, str(root)) is not None


@given(before=ANY_BYTES, after=ANY_BYTES, shift=st.integers(-3, 3) | st.integers(-(10**12), 10**12))
def test_an_edit_is_seen_whatever_the_clock_says(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, after: bytes, shift: int
) -> None:
    root = tmp_path_factory.mktemp("root")
    log = root / "log"
    log.write_bytes(before)
    records = _recorded(root, "log")
    stamp = log.stat().st_mtime_ns
    log.write_bytes(after)
    os.utime(log, ns=(stamp, max(stamp + shift, 0)))
    assert _stale(root, records) is (after != before or shift != 0)


def test_an_edit_of_the_same_size_in_the_same_tick_with_the_same_mtime_is_seen(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one")
    records = _recorded(tmp_path, "log")
    stamp = log.stat().st_mtime_ns
    log.write_bytes(b"two")
    os.utime(log, ns=(stamp, stamp))
    assert _stale(tmp_path, records)


def test_three_hundred_edits_right_after_each_other_are_all_seen(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for number in range(300):
        log.write_bytes(b"%03d" % number)
        records = _recorded(tmp_path, "log")
        log.write_bytes(b"%03d" % (number + 1))
        assert _stale(tmp_path, records)


def test_what_is_not_touched_is_fresh_for_ever(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"one")
    records = _recorded(tmp_path, "log", "missing")
    assert not any(_stale(tmp_path, records) for _ in range(100))


def test_permissions_and_links_are_no_change(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one")
    records = _recorded(tmp_path, "log")
    log.chmod(0o600)
    os.link(log, tmp_path / "second name")
    assert not _stale(tmp_path, records)


def test_an_older_mtime_is_a_change(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"one")
    records = _recorded(tmp_path, "log")
    os.utime(log, ns=(1, 1))
    assert _stale(tmp_path, records)


@pytest.mark.parametrize("change", ["appears", "goes", "becomes a folder", "becomes a fifo"])
def test_what_comes_goes_or_turns_into_something_else_is_a_change(tmp_path: Path, change: str) -> None:
    log = tmp_path / "log"
    if change != "appears":
        log.write_bytes(b"one")
    records = _recorded(tmp_path, "log")
    if change == "appears":
        log.write_bytes(b"one")
    else:
        log.unlink()
    if change == "becomes a folder":
        log.mkdir()
    if change == "becomes a fifo":
        os.mkfifo(log)
    assert _stale(tmp_path, records)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda root: (root / "log").write_text("two, and longer"), ["log"]),
        (lambda root: (root / "log").unlink(), ["log"]),
        (lambda root: (root / "missing").write_text("new"), ["missing"]),
        (lambda root: (root / "folder/new").mkdir(), ["folder"]),
        (lambda root: (root / "elsewhere").write_text("new"), []),
    ],
    ids=["written", "gone", "new", "another name in a folder", "no input"],
)
def test_what_has_changed_since_it_was_read_is_told_without_reading_it(
    tmp_path: Path, change: Callable[[Path], object], told: list[str]
) -> None:
    (tmp_path / "log").write_text("one")
    (tmp_path / "folder").mkdir()
    inputs = Inputs(str(tmp_path))
    inputs.read("log")
    inputs.read("missing")
    inputs.names("folder")
    assert inputs.moved() == []
    change(tmp_path)
    assert inputs.moved() == told
    assert inputs.read("log") == b"one"


def test_what_a_link_out_of_the_project_leads_to_is_not_looked_at_again(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    root.mkdir()
    outside.write_text("one")
    (root / "log").symlink_to(outside)
    inputs = Inputs(str(root))
    assert inputs.read("log") is None
    outside.write_text("another")
    assert inputs.moved() == []


def test_a_link_in_the_place_of_the_clock_has_no_other_file_touched(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("somebody's")
    os.utime(tmp_path / "other", ns=(0, 0))
    (tmp_path / "clock").symlink_to(tmp_path / "other")
    inputs = Inputs(str(tmp_path), str(tmp_path / "clock"))
    inputs.read("log")
    assert (tmp_path / "other").stat().st_mtime_ns == 0


def test_a_fifo_in_the_place_of_an_input_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log")
    inputs = Inputs(str(tmp_path))
    assert inputs.read("log") is None
    assert inputs.problems == ["log: not a readable file of at most 64 MiB; left out"]


def test_a_new_name_in_a_watched_folder_is_a_change(tmp_path: Path) -> None:
    (tmp_path / "specs/one").mkdir(parents=True)
    inputs = Inputs(str(tmp_path))
    assert inputs.names("specs") == ["one"]
    records = [record.line() for record in inputs.records()]
    assert not _stale(tmp_path, records)
    (tmp_path / "specs/two words\n").mkdir()
    assert _stale(tmp_path, records)


@pytest.mark.parametrize("name", ["a b", "100%", "line\nfeed", "ü ñ", "%0A"])
def test_a_path_of_any_characters_keeps_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"one")
    records = _recorded(tmp_path, name)
    assert not _stale(tmp_path, records)
    (tmp_path / name).write_bytes(b"three")
    assert _stale(tmp_path, records)


def test_a_file_settles_once_the_clock_has_moved_on(tmp_path: Path) -> None:
    clock, log = tmp_path / "clock", tmp_path / "log"
    clock.touch()
    log.write_bytes(b"one")
    future = log.stat().st_mtime_ns + 10**9
    os.utime(log, ns=(future, future))
    inputs = Inputs(str(tmp_path), str(clock))
    inputs.read("log")
    assert b" racy " in inputs.records()[0].line()
    past = clock.stat().st_mtime_ns - 10**9
    os.utime(log, ns=(past, past))
    settled = Inputs(str(tmp_path), str(clock))
    settled.read("log")
    assert b" safe " in settled.records()[0].line()


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"agent-progress start cache 2 9.9.9\n\na\nb\nc\n", b"\xff" * 50]
)
def test_a_cache_of_another_version_is_none_at_all(data: bytes) -> None:
    assert parse_cache(data) is None


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        (None, None, True),
        ("", None, True),
        ("/data/my own 100%.db", "/data/my own 100%.db", True),
        ("~/m.db", "{home}/m.db", True),
        (None, "/data/m.db", False),
        ("/data/m.db", None, False),
        ("/data/m.db", "/data/n.db", False),
        ("m.db", "m.db", False),
    ],
)
def test_a_cache_counts_for_calls_that_mean_the_same_memory_database(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, then: str | None, now: str | None, same: bool
) -> None:
    def name(value: str | None) -> None:
        monkeypatch.delenv("AGENT_PROGRESS_DB", raising=False)
        if value is not None:
            monkeypatch.setenv("AGENT_PROGRESS_DB", value.format(home=home))

    name(then)
    inputs = Inputs(str(tmp_path))
    inputs.record_database_named()
    records = [record.line() for record in inputs.records()]
    name(now)
    assert _stale(tmp_path, records) is not same


STANDING: dict[str, Callable[[Path], object]] = {
    "a file": lambda path: path.write_text("text"),
    "a FIFO": os.mkfifo,
    "a directory": Path.mkdir,
    "nothing": lambda _: None,
}


@pytest.mark.parametrize("by_stats", [False, True], ids=["read", "noted"])
@pytest.mark.parametrize(("before", "after"), list(itertools.permutations(STANDING, 2)))
def test_whatever_takes_the_place_of_an_input_is_noticed_and_the_same_is_not(
    tmp_path: Path, before: str, after: str, by_stats: bool
) -> None:
    place = tmp_path / "log"
    STANDING[before](place)
    (tmp_path / "clock").touch()
    inputs = Inputs(str(tmp_path), str(tmp_path / "clock"))
    (inputs.note if by_stats else inputs.read)("log")
    records = [record.line() for record in inputs.records()]
    assert not _stale(tmp_path, records)
    if place.is_dir():
        place.rmdir()
    else:
        place.unlink(missing_ok=True)
    STANDING[after](place)
    assert _stale(tmp_path, records)
    if before == "nothing":
        known = "is new"
    else:
        known = "is gone" if before == "a file" or after == "nothing" else "changed"
    assert stale_reason.in_words(records[0], str(tmp_path)) == f"log {known}"


def _telling(call: Callable[..., Any], looked: list[str]) -> Callable[..., Any]:
    def look(path: Any, *more: Any, **how: Any) -> Any:
        looked.append(str(path))
        return call(path, *more, **how)

    return look


@pytest.mark.skipif(os.sep != "/", reason="a file has several spellings there")
def test_places_whose_first_name_the_root_does_not_have_are_recorded_without_a_look_at_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tasks").mkdir()
    looked: list[str] = []
    for name in ("stat", "lstat"):
        monkeypatch.setattr(os, name, _telling(getattr(os, name), looked))
    inputs = Inputs(str(tmp_path))
    for path in ("progress.md", ".ralph/prd.json", "tasks/prd.json"):
        assert inputs.read(path) is None
    assert not [path for path in looked if path.endswith("progress.md")]
    assert not [path for path in looked if ".ralph" in path]
    found = [(record.kind, record.path) for record in inputs.records()]
    assert found == [
        ("absent", "progress.md"),
        ("names", ".ralph"),
        ("absent", "tasks/prd.json"),
    ]
    assert inputs.moved() == []
    (tmp_path / ".ralph").mkdir()
    (tmp_path / "progress.md").write_text("x")
    assert inputs.moved() == ["progress.md", ".ralph"]
