"""Match the paths of a project against the tables of names and folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import cast, get_args

from progress_plugin.sources.found import Kind, Trust

EXTENSIONS = (".md", ".txt", ".json", ".jsonl", ".yaml", ".yml")
ANY_FOLDER, ROOT = "-", "."

_SAMPLE_NAME = re.compile(r"(?:^|[-_.])(?:templates?|examples?|samples?|schema)(?:[-_.]|$)")
_OLD_NAME = re.compile(r"(?:^|[-_.])(?:archived?|old|previous|backup|bak|deprecated|superseded)(?:[-_.]|$)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of names.tsv."""

    kind: Kind
    trust: Trust
    format: str
    folder: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A path that is named like a plan or log; `reason` says why it is passed over all the same."""

    row: Row
    reason: str = ""


def match_path(path: str) -> Match | None:
    """Return the first row that fits a path; None if its name or its folder rules it out."""
    lowered = path.lower()
    if not lowered.endswith(EXTENSIONS):
        return None
    folder, _, name = lowered.rpartition("/")
    row = _row_of(folder, name)
    if row is None or _folder_in(folder, "vendored"):
        return None
    return Match(row, _reason_to_pass_over(folder, name))


def is_vendored(folder_name: str) -> bool:
    """Return whether nothing in a folder of this name belongs to the project itself."""
    return bool(_folder_patterns()["vendored"].fullmatch(folder_name.lower()))


@cache
def usual_folders() -> dict[str, int]:
    """Return the folders in which the table looks, each with how many levels of subfolders it names."""
    found = {"": 0}
    for row in rows():
        if row.folder in (ANY_FOLDER, ROOT):
            continue
        parts = row.folder.split("/")
        fixed = parts.index("*") if "*" in parts else len(parts)
        folder = "/".join(parts[:fixed])
        found[folder] = max(found.get(folder, 0), len(parts) - fixed)
    return found


@cache
def rows() -> tuple[Row, ...]:
    """Return the table of names."""
    return tuple(
        Row(cast(Kind, kind), cast(Trust, trust), format_name, folder, tuple(names.split()))
        for kind, trust, format_name, folder, names in read_table("names.tsv")
        if kind in get_args(Kind) and trust in get_args(Trust)
    )


def read_table(name: str) -> Iterator[list[str]]:
    """Yield the columns of each row of a table of this package."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def _row_of(folder: str, name: str) -> Row | None:
    if not _any_name().match(name):
        return None
    return next((row for row, names, place in _patterns() if names.match(name) and place.match(folder)), None)


def _reason_to_pass_over(folder: str, name: str) -> str:
    if found := _folder_in(folder, "archive"):
        return f"in the archive folder {found}/"
    if found := _folder_in(folder, "sample"):
        return f"a sample, in the folder {found}/"
    if found := _folder_in(folder, "prompt"):
        return f"an instruction for agents, in the folder {found}/"
    stem = name.rpartition(".")[0]
    if _SAMPLE_NAME.search(stem):
        return "a template or sample by its name"
    return "an old copy by its name" if _OLD_NAME.search(stem) else ""


def _folder_in(folder: str, group: str) -> str:
    """Return the first part of a folder's path that is in a group of folders.tsv."""
    pattern = _folder_patterns()[group]
    return next((part for part in folder.split("/") if pattern.fullmatch(part)), "")


@cache
def _patterns() -> tuple[tuple[Row, re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((row, _one_of(row.names), _folder_pattern(row.folder)) for row in rows())


@cache
def _any_name() -> re.Pattern[str]:
    return _one_of(sorted({name for row in rows() for name in row.names}))


@cache
def _folder_patterns() -> dict[str, re.Pattern[str]]:
    return {group: _one_of(names.split()) for group, names in read_table("folders.tsv")}


def _folder_pattern(folder: str) -> re.Pattern[str]:
    if folder == ANY_FOLDER:
        return re.compile("")
    if folder == ROOT:
        return re.compile(r"\Z")
    parts = ("[^/]+" if part == "*" else re.escape(part) for part in folder.split("/"))
    return re.compile(r"(?:.*/)?" + "/".join(parts) + r"\Z")


def _one_of(names: tuple[str, ...] | list[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, names)))
