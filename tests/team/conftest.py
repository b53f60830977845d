"""The PostgreSQL of the tests in this directory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.team import postgres
from tests.team.members import Member, member
from tests.team.memory_machines import Machine, machine
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
    clone = member(tmp_path, "ours", database)
    clone.log("Berths are listed", task="US-001")
    clone.sync()
    return clone


@pytest.fixture
def pair(tmp_path: Path, database: Database) -> tuple[Machine, Machine]:
    """Return two machines of a team whose agents keep a memory."""
    return machine(tmp_path, "ours", database), machine(tmp_path, "theirs", database)
