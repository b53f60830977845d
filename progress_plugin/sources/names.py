"""Match the paths of a project against the tables of names and folders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple, cast, get_args

from progress_plugin.core.tables import read_rows
from progress_plugin.model.work import Kind, Trust
from progress_plugin.text.patterns import LazyPattern

EXTENSIONS = (".md", ".txt", ".json", ".jsonl", ".yaml", ".yml")
ANY_FOLDER = "-"

_SAMPLE_NAME = LazyPattern(r"(?:^|[-_.])(?:templates?|examples?|samples?)(?:[-_.]|$)|\.schema$")
_OLD_NAME = LazyPattern(r"(?:^|[-_.])(?:archived?|old|previous|backup|bak|deprecated|superseded)(?:[-_.]|$)")


class NameRow(NamedTuple):
    """A row of names.tsv."""

    kind: Kind
    trust: Trust
    format: str
    folder: str
    names: tuple[str, ...]


class Match(NamedTuple):
    """The row that a path fits; `reason` says why the file is passed over, and is empty if it is read."""

    row: NameRow
    reason: str = ""


def match_path(path: str) -> Match | None:
    """Match a path with the first row that fits; None if none fits, or for what left_out.tsv leaves out."""
    lowered = path.lower()
    if not lowered.endswith(EXTENSIONS):
        return None
    folder, _, name = lowered.replace(" ", "-").rpartition("/")
    from_file_upward = "/".join([name, *reversed(folder.split("/")), ""])
    found = _pattern_of_rows().match(from_file_upward)
    row = rows()[(found.lastindex or 0) - 1] if found else None
    if row is None or _left_out()["document"].fullmatch(name) or _folder_in(folder, "vendored"):
        return None
    return Match(row, _reason_to_pass_over(row, folder, name))


def is_plan_or_log(path: str) -> bool:
    """Return whether a file is named like a plan or log; its text may be something else."""
    return match_path(path) is not None


def is_vendored(folder_name: str) -> bool:
    """Return whether a folder of this name holds other people's code, e.g. `node_modules`."""
    return bool(_left_out()["vendored"].fullmatch(folder_name.lower()))


@cache
def usual_folders() -> dict[str, int]:
    """Return the folders that the table of names has, and how many levels below each are searched."""
    found = {"": 0}
    for row in rows():
        if row.folder == ANY_FOLDER:
            continue
        parts = row.folder.split("/")
        fixed = parts.index("*") if "*" in parts else len(parts)
        folder = "/".join(parts[:fixed])
        found[folder] = max(found.get(folder, 0), len(parts) - fixed)
    return found


@cache
def rows() -> tuple[NameRow, ...]:
    return tuple(
        NameRow(cast(Kind, kind), cast(Trust, trust), format_name, folder, tuple(names.split()))
        for kind, trust, format_name, folder, names in read_rows(__file__, "names.tsv")
        if kind in get_args(Kind) and trust in get_args(Trust)
    )


def _reason_to_pass_over(row: NameRow, folder: str, name: str) -> str:
    """Return why a file is passed over, or an empty text.

    In a folder of instructions such as `skills/` only plans and logs that are trusted by name count.
    """
    if found := _folder_in(folder, "archive"):
        return f"in the archive folder {found}/"
    if found := _folder_in(folder, "sample"):
        return f"a sample, in the folder {found}/"
    counts_among_prompts = row.trust == "name" and row.kind in ("plan", "log")
    if not counts_among_prompts and (found := _folder_in(folder, "prompt")):
        return f"an instruction for agents, in the folder {found}/"
    stem = name.rpartition(".")[0]
    if _SAMPLE_NAME.search(stem):
        return "a template or sample by its name"
    return "an old copy by its name" if _OLD_NAME.search(stem) else ""


def _folder_in(folder: str, group: str) -> str:
    """Return the first part of a path that is in a group of left_out.tsv, alone or behind its parent."""
    pattern = _left_out()[group]
    parts = folder.split("/")
    pairs = zip(parts, ["", *(f"{above}/{part}" for above, part in pairwise(parts))], strict=True)
    return next((part for part, pair in pairs if pattern.fullmatch(part) or pattern.fullmatch(pair)), "")


@cache
def _pattern_of_rows() -> re.Pattern[str]:
    """Return a pattern for paths in reverse such as `tasks.md/specs/docs/`, with a group for each row."""
    patterns = []
    for row in rows():
        place = [] if row.folder == ANY_FOLDER else row.folder.split("/")[::-1]
        patterns.append("/".join([_regex_of(row.names), *(_regex_of([part]) for part in place)]))
    return re.compile("|".join(f"({pattern}/)" for pattern in patterns))


@cache
def _left_out() -> dict[str, re.Pattern[str]]:
    rows = read_rows(__file__, "left_out.tsv")
    return {group: re.compile(_regex_of(names.split())) for group, names in rows}


def _regex_of(names: Sequence[str]) -> str:
    """Return a regular expression for names, in which `*` is any text without a slash."""
    return f"(?:{'|'.join(names)})".replace(".", r"\.").replace("*", "[^/]*")
