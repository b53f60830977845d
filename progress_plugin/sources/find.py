"""Find the plans and logs of a project: list, match by name, recognise by structure, date and rank.

>>> sources = find_sources(InputSnapshot(root), find_repository(root), branch="main")
>>> [f"{file.role}: {file.path}, {file.reason}" for file in sources.files]
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from progress_plugin.config.settings import Settings
from progress_plugin.core.git import Repository
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.work import FoundFile, Kind, Role
from progress_plugin.sources.file_reader import FileReader
from progress_plugin.sources.names import Match, match_path
from progress_plugin.sources.project_files import commit_times, list_files, watch_folders
from progress_plugin.sources.ranking import LOG_KINDS, Candidate, order_logs, order_plans, pass_over
from progress_plugin.text.bounds import counted

MAX_MATCHED = 1_000  # files that are named like plans and logs
MAX_RETURNED = 200  # files that are returned

_KINDS: tuple[Kind, ...] = ("plan", "log", "state", "handoff", "notes")


class Sources(NamedTuple):
    """The plans and logs of a project, those that lead first."""

    files: tuple[FoundFile, ...]
    paths: Collection[str] = ()  # of all files of the project that were listed


def find_sources(
    snapshot: InputSnapshot,
    repository: Repository | None,
    *,
    branch: str | None = None,
    logged: str = "",
    settings: Settings | None = None,
) -> Sources:
    """Return the plans and logs of the snapshot's root, which notes all files that the result depends on.

    `branch` is checked out, `logged` is the plan of the newest entry of our own log. Files that the settings
    name are read whatever they are called, and a plan among them leads.
    """
    if repository is not None:  # after a timeout here, the caller's Repository must still run git
        repository = Repository(repository.top, repository.git_dir, repository.common_dir)
    object_ids = list_files(snapshot.root, repository)
    matches = {path: match for path in object_ids if (match := match_path(path))}
    files = _add_dates(snapshot.root, repository, matches, object_ids)
    readable, unread = FileReader(snapshot).read(files, matches)
    candidates, redundant = pass_over(readable, branch)
    watch_folders(snapshot, object_ids, matches, repository)
    ranked = [*_rank(candidates, branch, logged), *sorted((*redundant, *unread), key=_by_kind_and_age)]
    files = _with_named_files(ranked[:MAX_RETURNED], settings) if settings else ranked[:MAX_RETURNED]
    return Sources(tuple(files), object_ids.keys())


def _add_dates(
    root: str, repository: Repository | None, matches: Mapping[str, Match], object_ids: Mapping[str, str]
) -> list[FoundFile]:
    """Return the matched files with their dates, the most important ones first."""
    paths = sorted(
        (path for path in matches if os.path.lexists(os.path.join(root, path))),
        key=lambda path: _importance(path, matches[path]),
    )[:MAX_MATCHED]
    tracked = [path for path in paths if object_ids.get(path)]
    committed = commit_times(root, repository, tracked) if repository else {}
    files = []
    for path in paths:
        row, object_id = matches[path].row, object_ids.get(path, "")
        changed_s = committed.get(path, 0) if object_id else _modified_s(os.path.join(root, path))
        files.append(FoundFile(path, row.kind, row.format, "read", "", changed_s, object_id))
    return sorted(files, key=lambda file: (matches[file.path].row.trust != "name", -file.changed_s))


def _importance(path: str, match: Match) -> tuple[bool, bool, int, str]:
    return bool(match.reason), match.row.trust != "name", path.count("/"), path


def _rank(candidates: Sequence[Candidate], branch: str | None, logged: str) -> list[FoundFile]:
    """Return the files that are read: the leading plan, the leading log, the other plans, the rest."""
    plans = [each for each in candidates if each.file.kind == "plan"]
    logs = [each for each in candidates if each.file.kind in LOG_KINDS]
    newest = max(logs, key=lambda each: each.file.changed_s, default=None)
    newest_s = max((each.file.changed_s for each in (*plans, *logs)), default=0)
    plans, why_plan = order_plans(plans, branch, newest, newest_s, logged)
    leading_plan = plans[0] if plans else None
    logs, why_log = order_logs(logs, leading_plan, newest_s)
    leading = [(leading_plan, why_plan), (logs[0] if logs else None, why_log)]
    first = [_with_reason(each, why)._replace(role="leads") for each, why in leading if each]
    others = [_with_reason(each) for each in candidates if each.file.kind != "plan" and each not in logs[:1]]
    return [*first, *map(_with_reason, plans[1:]), *sorted(others, key=_by_kind_and_age)]


def _with_reason(candidate: Candidate, why: str = "") -> FoundFile:
    reason = _describe(candidate)
    return candidate.file._replace(reason=f"{why}; {reason}" if why else reason)


def _describe(candidate: Candidate) -> str:
    structure, kind = candidate.structure, candidate.file.kind
    if kind != "plan":
        names = {"log": "a log of entries", "handoff": "a hand-off document", "state": "a state document"}
        return names.get(kind, kind)
    if not structure.states_statuses:
        return "a plan whose items have no status" if structure.items else "a plan that lists no work"
    total, left = counted(len(structure.items), "item"), structure.open_items
    return f"{left} of {total} open" if left else f"finished, {total}"


def _by_kind_and_age(file: FoundFile) -> tuple[int, int, str]:
    return _KINDS.index(file.kind), -file.changed_s, file.path


def _modified_s(path: str) -> int:
    try:
        return int(os.stat(path).st_mtime)
    except OSError:
        return 0


def _with_named_files(files: Sequence[FoundFile], settings: Settings) -> list[FoundFile]:
    """Return the files and those that the settings name; a plan that they name leads and comes first."""
    known = {file.path: file for file in files}
    plans = [_file_of_setting(settings.plan, "plan", known)] if settings.plan else []
    logs = [_file_of_setting(path, "log", known) for path in settings.log_files]
    named = {file.path for file in (*plans, *logs)}
    others = [file for file in files if file.path not in named]
    leading = [file for file in others if plans and file.kind == "plan" and file.role == "leads"]
    others = [file._replace(role="read") if file in leading else file for file in others]
    return [*plans, *others, *logs]


def _file_of_setting(path: str, kind: Kind, known: Mapping[str, FoundFile]) -> FoundFile:
    changed_s = known[path].changed_s if path in known else 0
    role: Role = "leads" if kind == "plan" else "read"
    return FoundFile(path, kind, "", role, "named in the settings", changed_s)


def describe_missing(snapshot: InputSnapshot, settings: Settings) -> list[str]:
    """Return a sentence for each missing file that the settings name."""
    named = [(path, "log_files") for path in settings.log_files]
    named += [(settings.plan, "plan")] if settings.plan else []
    return [
        f"{path}: the file that is set (`{key}`) is not there; write it, or set another: "
        f"`agent-progress config set {key} PATH`"
        for path, key in named
        if snapshot.read(path) is None and not any(path in problem for problem in snapshot.problems)
    ]
