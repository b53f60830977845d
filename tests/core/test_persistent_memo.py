"""Answers of pure functions, kept from one process to the next."""

from __future__ import annotations

import json
import marshal
import os
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.caches import persistent_memo
from progress_plugin.core.caches.persistent_memo import Memo
from progress_plugin.learnings import words
from progress_plugin.worth import said_already

SECRET = "key 4711"
TEXTS = [f"berth {number}" for number in range(persistent_memo._FEWEST)]


class Counted:
    """A pure function that counts how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0
        self.__name__ = "words"

    def __call__(self, text: str) -> frozenset[str]:
        self.calls += 1
        return frozenset(text.split())


@pytest.fixture
def code(tmp_path: Path) -> tuple[str]:
    """Return the directory of the code that answers."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code/words.py").write_text("answer = 1\n")
    return (str(tmp_path / "code"),)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file that the answers are kept in."""
    return tmp_path / "answers/harbour"


def _asked(path: Path, code: tuple[str], texts: list[str] = TEXTS) -> int:
    """Ask about texts as a process does; return how often the function itself was asked."""
    known, function = persistent_memo.recall(str(path), code), Counted()
    remembered = known.of(function)
    assert [remembered(text) for text in texts] == [frozenset(text.split()) for text in texts]
    persistent_memo.keep(str(path), code, known, lambda argument: argument != SECRET)
    return function.calls


def test_a_second_process_asks_only_about_what_is_new(path: Path, code: tuple[str]) -> None:
    assert _asked(path, code) == len(TEXTS)
    assert _asked(path, code) == 0
    assert _asked(path, code, [*TEXTS, "a new berth"]) == 1


def test_a_text_is_asked_about_once(path: Path, code: tuple[str]) -> None:
    assert _asked(path, code, ["berth 1", "berth 1", "berth 2"]) == 2


def test_few_answers_are_not_kept_since_looking_them_up_costs_as_much(path: Path, code: tuple[str]) -> None:
    _asked(path, code, TEXTS[1:])
    assert not path.exists()


def test_a_file_is_written_again_only_when_a_tenth_is_new(path: Path, code: tuple[str]) -> None:
    _asked(path, code)
    before = path.stat().st_ino
    _asked(path, code, [*TEXTS, "a new berth"])
    assert path.stat().st_ino == before
    _asked(path, code, [*TEXTS, *(f"quay {number}" for number in range(len(TEXTS) // 5))])
    assert path.stat().st_ino != before


def test_what_may_not_be_stored_is_asked_again(path: Path, code: tuple[str]) -> None:
    _asked(path, code, [*TEXTS, SECRET])
    assert b"4711" not in path.read_bytes()
    assert _asked(path, code, [*TEXTS, SECRET]) == 1


def test_what_is_asked_no_more_is_forgotten(path: Path, code: tuple[str]) -> None:
    _asked(path, code)
    _asked(path, code, [f"quay {number}" for number in range(len(TEXTS))])
    assert _asked(path, code, TEXTS[:1]) == 1


@pytest.mark.parametrize("change", ["answer = 22\n", "answer = 2\n"])
def test_answers_of_other_code_are_not_believed(path: Path, code: tuple[str], change: str) -> None:
    _asked(path, code)
    file = Path(code[0]) / "words.py"
    file.write_text(change)
    os.utime(file, ns=(1, 1))
    assert _asked(path, code) == len(TEXTS)


@pytest.mark.parametrize("damage", [b"", b"garbage", b"i\x01\x00\x00\x00", marshal.dumps((1, 2, 3))])
def test_a_damaged_file_is_passed_over_and_made_anew(path: Path, code: tuple[str], damage: bytes) -> None:
    _asked(path, code)
    path.write_bytes(damage)
    assert _asked(path, code) == len(TEXTS)
    assert _asked(path, code) == 0


def test_others_can_neither_read_nor_write_what_is_kept(path: Path, code: tuple[str]) -> None:
    _asked(path, code)
    assert path.parent.stat().st_mode & 0o077 == 0


def test_answers_for_a_project_that_nobody_opens_go_after_a_month(path: Path, code: tuple[str]) -> None:
    _asked(path, code)
    other = path.with_name("quarry")
    os.utime(path, (1, 1))
    _asked(other, code)
    assert os.listdir(path.parent) == ["quarry"]


def test_where_nothing_can_be_written_everything_is_asked_again(tmp_path: Path, code: tuple[str]) -> None:
    (tmp_path / "answers").write_text("a file where the folder should be")
    for _ in range(2):
        assert _asked(tmp_path / "answers/harbour", code) == len(TEXTS)
    known = persistent_memo.recall(None, code)
    persistent_memo.keep(None, code, known, bool)


def test_two_functions_have_an_answer_each() -> None:
    def length(text: str) -> int:
        return len(text)

    def first(text: str) -> str:
        return text[:1]

    both = Memo()
    assert (both.of(length)("quay"), both.of(first)("quay")) == (4, "q")


def test_two_functions_of_one_name_in_two_modules_have_an_answer_each() -> None:
    text = "Mooring the ferries at Quay4 uses src/quay.ts"
    both = Memo()
    assert (both.of(words.words_of)(text), both.of(said_already.words_of)(text)) == (
        words.words_of(text),
        said_already.words_of(text),
    )
    assert words.words_of(text) != said_already.words_of(text)


class Described:
    """A pure function of a JSON value that counts how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0
        self.__name__ = "described"

    def __call__(self, value: Any) -> str:
        self.calls += 1
        return repr(value)


def _described(path: Path, code: tuple[str], values: list[Any]) -> int:
    """Ask about values as a process does; return how often the function itself was asked."""
    known, function = persistent_memo.recall(str(path), code), Described()
    remembered = known.of_value(function)
    assert [remembered(value) for value in values] == [repr(value) for value in values]
    persistent_memo.keep(str(path), code, known, lambda _: True)
    return function.calls


def test_a_value_is_found_again_by_all_that_it_says(path: Path, code: tuple[str]) -> None:
    berths = [
        {"id": f"berth {number}", "data": {"tide": number, "open": [None, 0.5]}} for number in range(300)
    ]
    assert _described(path, code, berths) == len(berths)
    assert _described(path, code, json.loads(json.dumps(berths))) == 0


@pytest.mark.parametrize(
    "other",
    [
        {"tide": True, "open": [1]}, {"tide": 1.0, "open": [1]}, {"open": [1], "tide": 1}, {"tide": 1, "open": [1, 1]},
        {"tide": "1", "open": [1]}, {"tide": 1, "open": 1}, {"tide": 1}, {"tide": 1, "open": ["1"]},
    ],
)  # fmt: skip
def test_a_value_that_says_anything_else_is_another_one(path: Path, code: tuple[str], other: Any) -> None:
    assert _described(path, code, [{"tide": 1, "open": [1]}, other, {"tide": 1, "open": [1]}]) == 2


def test_a_value_that_nests_too_deeply_to_be_kept_is_answered_each_time(path: Path, code: tuple[str]) -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]

    def depth(value: Any) -> int:
        number = 0
        while value:
            value, number = value[0], number + 1
        return number

    assert [Memo().of_value(depth)(deep) for _ in range(2)] == [5000, 5000]
    assert _described(path, code, [[]]) == 1


def test_of_a_value_that_functions_were_asked_about_only_their_answers_are_kept(
    path: Path, code: tuple[str]
) -> None:
    berth = {"id": "x" * 50_000}

    def first(value: dict[str, str]) -> str:
        return value["id"][:1]

    def length(value: dict[str, str]) -> int:
        return len(value["id"])

    known = persistent_memo.recall(str(path), code)
    for function in (first, length):
        known.of_value(function)(berth)
    for text in TEXTS:
        known.of(Counted())(text)
    persistent_memo.keep(str(path), code, known, lambda _: True)
    assert path.stat().st_size < 10_000


def test_one_answer_can_be_worth_as_much_as_many(path: Path, code: tuple[str]) -> None:
    for calls in (1, 0):
        known, function = persistent_memo.recall(str(path), code), Counted()
        known.of(function, worth=persistent_memo._FEWEST)("the archive")
        persistent_memo.keep(str(path), code, known, bool)
        assert function.calls == calls


def test_of_very_many_answers_the_first_are_kept(
    path: Path, code: tuple[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(persistent_memo, "_MOST", len(TEXTS))
    more = [*TEXTS, "quay 1", "quay 2"]
    assert _asked(path, code, more) == len(more)
    assert _asked(path, code, more) == 2
