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
from typing import Any

import pytest

OLDEST = 15
_READY = "database system is ready to accept connections"
_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200")
ADD_ENTRY = "select agent_progress.append(%s, %s, array['entry'], array[%s], array[%s])"
"""Adds an entry, given its project, writer, id and body, as anybody may who knows SQL."""
ENTRIES = "select body::json->'data'->>'description' from agent_progress.log where kind = 'entry' order by 1"
_numbers = itertools.count(1)


def programs() -> Path | None:
    """Return the directory of the newest PostgreSQL on this machine that is new enough; None without one."""
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/opt/homebrew/opt").glob("postgresql@*/bin")]
    found = [place for place in places if (place / "initdb").exists() and _number(place) >= OLDEST]
    return max(found, key=_number, default=None)


def _number(place: Path) -> int:
    digits = "".join(filter(str.isdigit, place.parent.name))
    return int(digits) if digits else 0


def required_programs() -> Path:
    """Return them; skip loudly where there are none, and fail on a build server, which must have them."""
    found = programs()
    if found is None:
        why = "NO POSTGRESQL 15 OR NEWER IS HERE: apt-get install postgresql, or run tests/run.py --install-node as root"
        if os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1":
            pytest.fail(why)
        pytest.skip(why)
    return found


class Cluster:
    """A PostgreSQL server with a directory of its own, which listens on a socket there alone."""

    def __init__(self, bin_: Path) -> None:
        self._bin = bin_
        # Not below pytest's own directory: root's is closed to the user that PostgreSQL must run as.
        self.place = Path(tempfile.mkdtemp(prefix="agent-progress-pg-", dir="/tmp"))
        self._process: subprocess.Popen[str] | None = None
        self._reader: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.place, nobody.pw_uid, nobody.pw_gid)
            self.place.chmod(0o755)
            self._as = ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
        else:
            self._as = []
        subprocess.run(
            [*self._as, bin_ / "initdb", "-D", self.data, "-U", "admin", "--auth=trust", "-E", "UTF8", "--no-sync", "--locale=C"],
            check=True, capture_output=True, cwd="/",
        )  # fmt: skip
        rules = Path(self.data) / "pg_hba.conf"
        rules.write_text(f"local all locked scram-sha-256\nlocal all barred reject\n{rules.read_text()}")

    @property
    def data(self) -> str:
        """Where its files are."""
        return str(self.place / "data")

    def start(self) -> None:
        """Start it, and return when it accepts connections."""
        settings = [word for each in (*_QUICK, f"unix_socket_directories={self.place}", "listen_addresses=")
                    for word in ("-c", each)]  # fmt: skip
        self._process = subprocess.Popen(
            [*self._as, self._bin / "postgres", "-D", self.data, *settings],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, cwd="/",
        )  # fmt: skip
        assert self._process.stderr
        said = []
        for line in self._process.stderr:
            said.append(line)
            if _READY in line:
                break
        else:
            raise AssertionError("".join(said))
        # What it says from now on must not fill the pipe.
        self._reader = subprocess.Popen(["cat"], stdin=self._process.stderr, stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        """End it at once, as a crash would."""
        if self._process is not None:
            subprocess.run([*self._as, self._bin / "pg_ctl", "-D", self.data, "stop", "-m", "immediate", "-w"],
                           check=True, capture_output=True, cwd="/")  # fmt: skip
            self._process.wait()
            if self._process.stderr:
                self._process.stderr.close()
            if self._reader:
                self._reader.wait()
            self._process = self._reader = None

    def url(self, database: str, role: str = "admin") -> str:
        """Return the URL of a database as a role sees it."""
        return f"postgresql://{role}@/{database}?host={self.place}"

    def remove(self) -> None:
        """End it, and remove its files."""
        self.stop()
        shutil.rmtree(self.place, ignore_errors=True)


class Database:
    """One database of the cluster, with our tables and a role that may do what people may."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.cluster = cluster
        self.name = name

    @property
    def admin(self) -> str:
        """The URL of its owner."""
        return self.cluster.url(self.name)

    @property
    def url(self) -> str:
        """The URL of a person."""
        return self.cluster.url(self.name, "person")

    def do(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a statement as the owner, and return its rows."""
        import psycopg

        with psycopg.connect(self.admin, autocommit=True) as connection:
            done = connection.execute(statement, values or None)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def texts(self) -> list[Any]:
        """Return what the entries of the team's log say, in alphabetical order."""
        return [row[0] for row in self.do(ENTRIES)]


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Start a cluster for the length of a `with` block."""
    made = Cluster(required_programs())
    try:
        made.start()
        yield made
    finally:
        made.remove()


def database(made: Cluster, *, tables: bool = True) -> Database:
    """Make a database nobody else uses, with our tables as `team init --sql` prints them."""
    import psycopg

    from progress_plugin.team.schema import script

    name = f"team_{next(_numbers)}"
    with psycopg.connect(made.url("postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name}")  # type: ignore[arg-type]
    found = Database(made, name)
    if tables:
        found.do(script())
        found.do(
            "do $$ begin if not exists (select from pg_roles where rolname = 'person') then "
            "create role person login in role agent_progress_writer; end if; end $$"
        )
    return found


def ensure_role(database: Database, name: str, options: str) -> None:
    """Make a role of the cluster, once."""
    if not database.do("select 1 from pg_roles where rolname = %s", name):
        database.do(f"create role {name} {options}")
