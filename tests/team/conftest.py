"""The PostgreSQL of the tests in this directory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.team import postgres
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
