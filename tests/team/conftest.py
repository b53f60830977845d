"""The PostgreSQL of the tests in this directory, and clones that share through it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.team import postgres
from tests.team.members import Member, joined
from tests.team.postgres import Cluster, Database


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Return a running PostgreSQL, the same for all tests of a process."""
    with postgres.cluster() as made:
        yield made


@pytest.fixture
def database(cluster: Cluster) -> Database:
    """Return a database with our tables that no other test uses."""
    return postgres.database(cluster)


@pytest.fixture
def ours(tmp_path: Path, database: Database) -> Member:
    """Return a clone that takes part, with one entry on the server."""
    return joined(tmp_path, "ours", database, "Berths are listed", "US-101")


@pytest.fixture
def theirs(tmp_path: Path, database: Database) -> Member:
    """Return a colleague's clone that takes part, with one entry on the server."""
    return joined(tmp_path, "theirs", database, "Bookings are refused", "US-102")
