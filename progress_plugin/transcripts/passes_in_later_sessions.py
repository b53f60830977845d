"""Which failing checks of a session have passed in a later one: those need not be shown."""

from collections.abc import Sequence

from progress_plugin.transcripts.checks import covers
from progress_plugin.transcripts.record import SessionRecord


def note_later_passes(records: Sequence[SessionRecord]) -> None:
    """Note in each record which of its failing checks have passed since, on the same branch."""
    passed = [(record.branch, run) for record in records for run in record.checks.values() if run.passed]
    for record in records:
        record.passed_later = frozenset()
        record.passed_later = frozenset(
            failed.name
            for failed in record.failing
            if any(
                run.when > failed.when and covers(run.name, failed.name) and _is_same(branch, record.branch)
                for branch, run in passed
            )
        )


def _is_same(branch: str, other: str) -> bool:
    return branch == other or not (branch and other)
