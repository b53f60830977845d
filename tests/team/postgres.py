"""A real PostgreSQL for tests: a cluster of its own that ends with the tests, reached by a socket on this disk."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import pytest

from progress_plugin.team.server import tables_sql

OLDEST = 15
_SETTINGS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
    "listen_addresses=",
)
_ROLES = """
do $$ begin if not exists (select from pg_roles where rolname = 'person') then
    create role person login in role agent_progress_writer;
    create role eraser login in role agent_progress_eraser;
    create role barred login;
    create role locked login password 'right';
    create role guest login;
end if; end $$
"""
_numbers = itertools.count(1)


class Cluster:
    """A PostgreSQL server with a directory of its own, which listens on a socket there alone."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        # Not below pytest's own directory: root's is closed to the user that PostgreSQL must run as.
        self.place = Path(tempfile.mkdtemp(prefix="agent-progress-pg-", dir="/tmp"))
        self._as: list[str] = []
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.place, nobody.pw_uid, nobody.pw_gid)
            self.place.chmod(0o755)
            self._as = ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
        self._run("initdb", "-U", "admin", "--auth=trust", "-E", "UTF8", "--no-sync", "--locale=C")
        rules = self.place / "data/pg_hba.conf"
        rules.write_text(f"local all locked scram-sha-256\nlocal all barred reject\n{rules.read_text()}")

    def start(self) -> None:
        """Start it, and return when it accepts connections."""
        settings = " ".join(f"-c {each}" for each in (*_SETTINGS, f"unix_socket_directories={self.place}"))
        self._run("pg_ctl", "start", "-w", "-l", f"{self.place}/log", "-o", settings)

    def stop(self) -> None:
        """End it at once, as a crash would."""
        self._run("pg_ctl", "stop", "-m", "immediate", "-w")

    def _run(self, program: str, *words: str) -> None:
        command = [*self._as, self._programs / program, "-D", self.place / "data", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def url(self, database: str, login: str = "admin") -> str:
        """Return the URL of a database for a login, `name` or `name:password`."""
        return f"postgresql://{login}@/{database}?host={self.place}"


class Database:
    """One database of the cluster, with our tables and a role that may do what people may."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.cluster = cluster
        self.name = name

    def url_of(self, login: str) -> str:
        """Return its URL for a login."""
        return self.cluster.url(self.name, login)

    @property
    def url(self) -> str:
        """The URL of a person."""
        return self.url_of("person")

    def do(self, statement: str, *values: Any, login: str = "admin") -> list[tuple[Any, ...]]:
        """Run a statement, as the owner unless a login is given, and return its rows."""
        with psycopg.connect(self.url_of(login), autocommit=True) as connection:
            done = connection.execute(statement, values or None)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def add(self, project: str, kind: str, name: str, body: str) -> None:
        """Add a row as a clone that does not run our program."""
        statement = "select agent_progress.append(%s, 'mallory', array[%s], array[%s], array[%s])"
        self.do(statement, project, kind, name, body)

    def texts(self) -> list[str]:
        """Return what the entries of the team's log say, in alphabetical order."""
        what = "body::json->'data'->>'description'"
        return [
            row[0]
            for row in self.do(f"select {what} from agent_progress.log where kind = 'entry' order by 1")
        ]


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Start a cluster for the length of a `with` block."""
    made = Cluster(_required_programs())
    made.start()
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(made.place, ignore_errors=True)


def database(made: Cluster, *, tables: bool = True) -> Database:
    """Make a database nobody else uses, with our tables as `team init --sql` prints them."""
    found = Database(made, f"team_{next(_numbers)}")
    Database(made, "postgres").do(f"create database {found.name}")
    if tables:
        found.do(tables_sql())
        found.do(_ROLES)
    return found


def _required_programs() -> Path:
    """Return the programs of the newest PostgreSQL; skip loudly without one that is new enough.

    A build server must have it.
    """
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/opt/homebrew/opt").glob("postgresql@*/bin")]
    by_version = {int("".join(filter(str.isdigit, place.parent.name)) or 0): place for place in places}
    newest = max(by_version, default=0)
    if newest < OLDEST:
        why = "NO POSTGRESQL 15 OR NEWER IS HERE: apt-get install postgresql, or run tests/run.py --install-node as root"
        skip_loudly(why)
    return by_version[newest]


def skip_loudly(why: str) -> NoReturn:
    """Skip a test, and fail on a build server, which must have everything."""
    if os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1":
        pytest.fail(why)
    pytest.skip(why)
