"""Texts of any script through a team's server, whatever its encoding and the user's variables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.team import postgres
from tests.team.members import Member, member
from tests.team.postgres import Cluster, Database

TEXT = "Liegeplätze 予約 ✓"


class Encoded(Member):
    """A clone whose user has set libpq's encoding to another one."""

    encoding = "UTF8"

    @property
    def environment(self) -> dict[str, str]:
        """What its processes see."""
        return {**super().environment, "PGCLIENTENCODING": self.encoding}


@pytest.mark.parametrize("encoding", ["LATIN1"])
def test_the_variable_of_libpq_changes_nothing(tmp_path: Path, database: Database, encoding: str) -> None:
    ours, theirs = member(tmp_path, "ours", database), member(tmp_path, "theirs", database)
    for each in (ours, theirs):
        each.__class__ = Encoded
        each.encoding = encoding  # type: ignore[attr-defined]
    ours.log_offline(TEXT)
    assert ours.sync() == (0, 1)
    assert theirs.sync() == (1, 0)
    assert list(theirs.said()) == [TEXT]


@pytest.mark.parametrize("encoding", ["LATIN1"])
def test_a_database_of_another_encoding_is_refused_with_what_to_do(
    tmp_path: Path, cluster: Cluster, encoding: str
) -> None:
    there = postgres.database(cluster, tables=False)
    there.do(f"create database {there.name}_other encoding '{encoding}' template template0")
    ours = member(tmp_path, "ours", cluster.url(f"{there.name}_other"))
    for words in (("team", "init"), ("sync",)):
        told = ours.run(*words, status=2, err=True)
        assert "does not keep its texts as UTF8" in told
        assert "create database NAME encoding 'UTF8'" in told
        assert told.count("\n") == 1
