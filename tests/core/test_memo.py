"""Answers of pure functions, kept from one process to the next."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from progress_plugin.core import memo
from progress_plugin.core.memo import Memo

SECRET = "key 4711"
TEXTS = [f"berth {number}" for number in range(memo.MIN_ANSWERS)]


class Words:
    """A pure function that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0
        self.__name__ = "words"

    def __call__(self, text: str) -> frozenset[str]:
        self.calls += 1
        return frozenset(text.split())


@pytest.fixture
def code(tmp_path: Path) -> tuple[str]:
    (tmp_path / "code").mkdir()
    (tmp_path / "code/words.py").write_text("answer = 1\n")
    return (str(tmp_path / "code"),)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers/harbour"


def calls(path: Path | None, code: tuple[str], texts: list[str]) -> int:
    """Ask about texts as a process does; return how often the function itself was called."""
    place = str(path) if path else None
    answers, function = memo.load(place, code), Words()
    remembered = answers.of(function)
    assert [remembered(text) for text in texts] == [frozenset(text.split()) for text in texts]
    memo.save(place, code, answers, lambda argument: argument != SECRET)
    return function.calls


def test_a_second_process_computes_only_new_answers(path: Path, code: tuple[str]) -> None:
    assert calls(path, code, [*TEXTS, TEXTS[0]]) == len(TEXTS)
    assert calls(path, code, [*TEXTS, "a new berth"]) == 1


def test_an_argument_that_may_not_be_stored_is_computed_again(path: Path, code: tuple[str]) -> None:
    calls(path, code, [*TEXTS, SECRET])
    assert b"4711" not in path.read_bytes()
    assert calls(path, code, [*TEXTS, SECRET]) == 1


def test_an_answer_about_a_subject_that_may_not_be_stored_is_not(path: Path, code: tuple[str]) -> None:
    answers = Memo()
    describe = answers.of_key("words.describe")
    for number in range(memo.MIN_ANSWERS):
        describe((number,), SECRET if number == 7 else "", lambda: "an answer")
    memo.save(str(path), code, answers, lambda subject: subject != SECRET)
    stored = memo.load(str(path), code)
    assert [stored.knows("words.describe", (number,)) for number in (6, 7)] == [True, False]


def test_answers_of_changed_code_are_computed_again(path: Path, code: tuple[str]) -> None:
    calls(path, code, TEXTS)
    os.utime(Path(code[0]) / "words.py", ns=(1, 1))
    assert calls(path, code, TEXTS) == len(TEXTS)


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\0" * 100, b"i\x01\x00\x00\x00"])
def test_a_damaged_file_is_replaced(path: Path, code: tuple[str], damage: bytes) -> None:
    calls(path, code, TEXTS)
    path.write_bytes(damage)
    assert calls(path, code, TEXTS) == len(TEXTS)
    assert calls(path, code, TEXTS) == 0


def test_files_of_other_users_and_old_projects(path: Path, code: tuple[str]) -> None:
    calls(path, code, TEXTS)
    assert path.parent.stat().st_mode & 0o077 == 0
    os.utime(path, (1, 1))
    calls(path.with_name("quarry"), code, TEXTS)
    assert os.listdir(path.parent) == ["quarry"]


def test_without_a_place_everything_is_computed(tmp_path: Path, code: tuple[str]) -> None:
    (tmp_path / "answers").write_text("a file where the folder should be")
    assert calls(tmp_path / "answers/harbour", code, TEXTS) == len(TEXTS)
    assert calls(None, code, TEXTS) == len(TEXTS)


def test_a_json_value_is_found_by_its_content() -> None:
    def description(entry: dict[str, str]) -> str:
        return entry["description"]

    first, second = Memo(), json.loads('{"description": "lit"}')
    assert first.of_value(description)(second) == "lit"
    later = Memo(first.answers())
    assert later.of_value(description)(json.loads('{"description": "lit"}')) == "lit"


def test_a_value_nested_too_deeply_is_computed() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert Memo().of_value(len)(deep) == 1
