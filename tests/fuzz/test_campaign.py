"""What fuzzes finds what is wrong, keeps it, and counts only what held."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.campaign import Fuzzer, folder_of, kinds, seeds
from tests.fuzz.corpus import LONGEST, Corpus
from tests.fuzz.journeys import Arena
from tests.fuzz.readers import Journey, readers
from tests.fuzz.shapes import SHAPES
from tests.fuzz.stored_files import stored_files
from tests.fuzz.tally import CHECKS, Kind, Tally, code_under_test, kept_tally
from tests.hostile.growth import PACKAGE

_SQUARE = "def work(data):\n    for one in data.split(b'\\n'):\n        for other in data.split(b'\\n'):\n            pass\n"
_DOOR = "def open_door(data):\n    if data.startswith(b'{'):\n        if b'entries' in data:\n            return 1\n"


def _of_the_package(source: str, name: str) -> Journey:
    """Return a function that counts as one of the package."""
    held: dict[str, Journey] = {}
    exec(compile(source, f"{PACKAGE}/made_for_this.py", "exec"), held)
    return held[name]


def _corpus(*inputs: bytes) -> Corpus:
    return Corpus(inputs or (b"a lantern", b"{}"), random.Random(1))


@pytest.mark.parametrize("name", [*SHAPES, *readers(), *stored_files()])
def test_every_kind_of_input_is_fuzzed_and_holds(name: str, tmp_path: Path) -> None:
    kind = Kind()
    corpus = Corpus(seeds(name, tmp_path, 5), random.Random(name))
    fuzzer = Fuzzer(name, kinds(Arena(tmp_path / "arena"))[name], corpus, kind, tmp_path / "place")
    for _ in range(20):
        fuzzer.once()
    assert [path.read_text("utf-8") for path in tmp_path.glob("place/found/*/*.trace")] == []
    assert kind.tried == 20
    assert kind.kept == kind.traced == 1


def test_what_comes_up_is_kept_once_with_its_trace_and_counts_as_no_input(tmp_path: Path) -> None:
    def journey(data: bytes) -> None:
        assert b"lantern" not in data, "there is one"

    kind = Kind()
    fuzzer = Fuzzer("hook input", journey, _corpus(), kind, tmp_path)
    for _ in range(200):
        fuzzer.once()
    assert kind.tried + kind.findings == 200
    assert kind.tried > 20
    assert kind.findings > 20
    [kept] = [path for path in (tmp_path / "found" / folder_of("hook input")).iterdir() if not path.suffix]
    assert b"lantern" in kept.read_bytes()
    assert "there is one" in kept.with_suffix(".trace").read_text("utf-8")


def test_work_that_grows_faster_than_its_input_is_found(tmp_path: Path) -> None:
    kind = Kind()
    fuzzer = Fuzzer("search", _of_the_package(_SQUARE, "work"), _corpus(b"x" * 200), kind, tmp_path)
    for _ in range(300):
        fuzzer.once()
    assert (kind.tried, kind.grown, kind.findings) == (299, 0, 1)
    assert "parts take" in next(tmp_path.glob("found/search/*.trace")).read_text("utf-8")


def test_an_input_that_reaches_new_lines_is_changed_further() -> None:
    door, corpus = _of_the_package(_DOOR, "open_door"), _corpus()
    assert corpus.traced(door, b"a")
    assert not corpus.traced(door, b"b")
    assert corpus.traced(door, b"{")
    assert corpus.traced(door, b"{entries")
    assert corpus.inputs[-3:] == [b"a", b"{", b"{entries"]


def test_inputs_are_bounded_and_the_same_for_the_same_chance() -> None:
    first, second = (Corpus([b"x" * 9000, b"a\nb"], random.Random(7)) for _ in range(2))
    made = [first.new() for _ in range(300)]
    assert made == [second.new() for _ in range(300)]
    assert max(map(len, made)) == LONGEST
    assert len({*made}) > 200


def test_figures_of_runs_add_up_while_the_code_is_the_same(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "tally.json"
    tally = Tally("one", runs=1, kinds={"search": Kind(tried=5, seconds=1.5)})
    tally.keep(place)
    again = kept_tally(place, "one")
    assert (again.tried, again.runs, again.kinds) == (5, 1, tally.kinds)
    assert kept_tally(place, "another") == Tally("another")
    place.write_text("{", "utf-8")
    assert kept_tally(place, "one") == Tally("one")


def test_the_code_is_another_once_a_file_of_the_package_or_of_what_is_checked_changes(tmp_path: Path) -> None:
    for name in ("progress_plugin/log/store.py", *CHECKS, "README.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", "utf-8")
    before = code_under_test(tmp_path)
    (tmp_path / "README.md").write_text("y", "utf-8")
    assert code_under_test(tmp_path) == before
    known = {before}
    for name in ("progress_plugin/log/store.py", *CHECKS):
        (tmp_path / name).write_text("y", "utf-8")
        known.add(code_under_test(tmp_path))
    assert len(known) == 2 + len(CHECKS)
