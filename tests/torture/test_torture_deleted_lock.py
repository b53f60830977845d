"""The lock file deleted every 30 ms, at length."""

from __future__ import annotations

from pathlib import Path

from tests.torture.deleted_lock import write_while_it_is_deleted
from tests.torture.figures import SECONDS, rounds

WRITERS = 64 if SECONDS else 8


def test_the_lock_file_may_be_deleted_at_any_time(tmp_path: Path) -> None:
    acknowledged = deletions = 0
    for number in rounds(1):
        told, stored, deleted = write_while_it_is_deleted(
            tmp_path / f"{number}/shop", writers=WRITERS, entries=5 if SECONDS else 1
        )
        assert not set(told) - set(stored)
        assert len(stored) == len(set(stored))
        acknowledged += len(told)
        deletions += deleted
