"""Commits: which are about an item of a plan, and which came after the last change of a plan or log."""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from progress_plugin.core.git import Repository
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.work import FoundFile, Item, PlanDocument, Report, all_items
from progress_plugin.sources.names import is_plan_or_log
from progress_plugin.state.matching import NameIndex, shares_words
from progress_plugin.state.rules import GIT
from progress_plugin.state.state import Record
from progress_plugin.summary.project_facts import MAX_COMMITS
from progress_plugin.text.labels import words_of
from progress_plugin.transcripts.record import is_prose

MAX_SUBJECTS = 3000  # newest commits that are compared with the subjects that plans list
SHARED_TITLE = 0.5  # least share of common words of title and subject: an id may be of an earlier plan


class Commit(NamedTuple):
    """One commit."""

    id: str
    time_s: int  # in seconds since 1970
    date: dt.date
    subject: str


def read_commits(repository: Repository) -> list[Commit]:
    """Return the last commits that are no merges and have a date, the newest first."""
    words = ["log", f"--max-count={MAX_COMMITS}", "--no-merges", "--format=%H%x00%ct%x00%cs%x00%s", "--"]
    commits = []
    for line in os.fsdecode(repository.run(words) or b"").split("\n"):
        with suppress(ValueError):  # a forged commit may have any date or none, and the last line is empty
            id_, time, date, subject = line.split("\0", 3)
            commits.append(Commit(id_, int(time), dt.date.fromisoformat(date), subject))
    return commits


def later_subjects(commits: Iterable[Commit], files: Iterable[FoundFile], logged_s: int) -> tuple[str, ...]:
    """Return the subjects of commits after the last change of a plan or log in use, the newest first."""
    noted_s = max([logged_s, *(file.changed_s for file in files if file.role != "passed over")])
    return tuple(commit.subject for commit in commits if commit.time_s > noted_s)


def records_of_stories(
    commits: Sequence[Commit], plans: Sequence[PlanDocument], repository: Repository
) -> list[Record]:
    """Return a record for each item that a commit names by id and title, the oldest commit first.

    A commit that changes only plans, logs and prose is no work on an open item: it may have planned it.
    If several items have the id, the commit is about those whose titles share the most words with it.
    """
    items: dict[str, list[tuple[str, Item]]] = defaultdict(list)
    for plan in plans:
        for item in all_items(plan.items):
            items[item.id or ""].append((plan.path, item))
    names, records = NameIndex(filter(None, items)), []
    for commit in reversed(commits):
        words = words_of(commit.subject)
        for name in sorted(names.find(commit.subject)):
            shared = [len(words & words_of(item.title)) for _, item in items[name]]
            for count, (path, item) in zip(shared, items[name], strict=True):
                is_about = count == max(shared) and shares_words(item.title, commit.subject, SHARED_TITLE)
                is_done = item.reports[0].status in FINISHED
                files = repository.files_of(commit.id) if is_about and not is_done else ()
                if is_about and not (files and all(map(_is_document, files))):
                    records.append(Record(commit.id, name, commit.subject, commit.date, None, path, GIT))
    return records


def _is_document(path: str) -> bool:
    return is_plan_or_log(path) or is_prose(path)


def note_planned_commits(plans: Sequence[PlanDocument], repository: Repository) -> None:
    """Report an item as done if a commit has the last subject that the plan lists for the item.

    A subject that is the last one of several items counts for none of them.
    """
    items = [item for plan in plans for item in all_items(plan.items) if item.commits]
    times = Counter(item.commits[-1] for item in items)
    planned = {item.commits[-1]: item for item in items if times[item.commits[-1]] == 1}
    words = ["log", f"--max-count={MAX_SUBJECTS}", "--format=%s", "--"]
    made = set(os.fsdecode(repository.run(words) or b"").split("\n")) if planned else set()
    for subject in planned.keys() & made:
        item = planned[subject]
        item.reports.append(Report(Status.DONE, "committed as planned", item.source, is_plan=True))
