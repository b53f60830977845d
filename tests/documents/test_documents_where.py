"""The page that says where each question is decided names files and functions that are there."""

from __future__ import annotations

import re

from tests.conftest import REPOSITORY
from tests.documents.definitions import defined

_PACKAGE = REPOSITORY / "progress_plugin"
_PAGE = REPOSITORY / "docs" / "where-is-it-decided.md"
_ROW = re.compile(r"^\| ([^|]+\?) \| (.+) \|$", re.MULTILINE)
_PLACE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)((?: `[^`]+`)+)")
_ROWS = _ROW.findall(_PAGE.read_text("utf-8"))
_MAP = re.findall(r"^\| (`.*?) \| (.+) \|$", (REPOSITORY / "README.md").read_text("utf-8"), re.MULTILINE)
_PACKAGES_OF_ROWS = [(re.findall(r"`([a-z_/]+)/`", packages), decided) for packages, decided in _MAP]
"""The rows of the README's map: packages, and what is decided in them."""
_PLACES = [place for _, decided in _ROWS for place in _PLACE.findall(decided)]


def test_every_question_has_a_file_and_a_name_in_it() -> None:
    lines = [line for line in _PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    questions = [line for line in lines if not line.startswith("| Question |")]
    assert len(_ROWS) == len(questions)
    assert [question for question, decided in _ROWS if not _PLACE.search(decided)] == []


def test_no_question_is_asked_twice() -> None:
    questions = [question for question, _ in _ROWS]
    assert len(set(questions)) == len(questions)


def test_the_files_are_there_and_are_called_as_the_page_says() -> None:
    assert [path for _, path, _ in _PLACES if not (REPOSITORY / path).is_file()] == []
    assert [path for shown, path, _ in _PLACES if shown != path.removeprefix("progress_plugin/")] == []


def test_what_the_page_names_is_defined_in_the_file() -> None:
    missing = [
        f"{path}: {name}"
        for _, path, names in _PLACES
        for name in re.findall(r"`([^`]+)`", names)
        if name not in defined(REPOSITORY / path)
    ]
    assert missing == []


def test_a_name_that_a_file_only_imports_is_not_defined_there() -> None:
    names = defined(REPOSITORY / "progress_plugin" / "usecases" / "summarizing" / "open_blockers.py")
    assert {"open_blockers", "resolved_blockers"} <= names
    assert {"_NOT_NEXT", "next_work"} <= defined(REPOSITORY / "progress_plugin" / "summary" / "next_work.py")
    assert "Attribution" not in names
    attribution = defined(REPOSITORY / "progress_plugin" / "plans" / "attribution.py")
    assert {"Attribution", "Attribution.stories"} <= attribution


def test_the_readme_says_of_every_package_what_is_decided_there() -> None:
    told = [package for packages, _ in _PACKAGES_OF_ROWS for package in packages]
    there = {path.parent.relative_to(_PACKAGE).as_posix() for path in _PACKAGE.rglob("__init__.py")}
    assert sorted(told) == sorted(there - {"."})


def test_the_modules_that_the_readme_names_are_in_the_package_of_their_row() -> None:
    gone = [
        (packages, name)
        for packages, decided in _PACKAGES_OF_ROWS
        if packages
        for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)*)(?:/?|…)`", decided)
        if not any(
            list((_PACKAGE / folder).glob(f"{name}*.py" if name.endswith("_") else f"{name}.py"))
            or (_PACKAGE / folder / name).is_dir()
            for folder in (*packages, "", "cli")
        )
    ]
    assert gone == []
