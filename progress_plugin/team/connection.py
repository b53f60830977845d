"""The connection to the team's server: one per command, bounded in time, its faults told in one line.

psycopg is imported here, when a connection is made, and nowhere before. TLS, passwords and certificates are
libpq's: the URL, `~/.pgpass`, service files, `PGSSLMODE`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.own_command import command
from progress_plugin.team import answers, lock_holders
from progress_plugin.team.answers import OddAnswer
from progress_plugin.team.writer_rights import NAMES_A_DAY, OF_ANOTHER_ROLE, TOO_MANY_NAMES
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    import psycopg

    from progress_plugin.team.bounded_connection import BoundedConnection

    Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_SECONDS = 10
STATEMENT_SECONDS = 30
LOCK_SECONDS = 20
"""For a lock that somebody else holds; less than for a statement, or that would be all that is known."""
_LONGEST = 200
_NONE_OF_OURS = "it is no PostgreSQL with our tables, by its answer ({}); look at team.url"
_KEPT = "nothing is lost: what the server lacks goes with the next sync"
_KEPT_UNTIL = "no sync will succeed before; nothing is lost, what the server lacks goes then"
_NO_ENTRY = "it does not let you in: "
_LOOK = "look at the user and the database in team.url, and at the password in ~/.pgpass or PGPASSFILE"
_PASSWORD = f"{_NO_ENTRY}look at the user in team.url, and at its password in ~/.pgpass or PGPASSFILE"
_BY_STATE = {
    "25006": "it takes no writes, as a standby does; name the primary in team.url",
    "28000": f"{_NO_ENTRY}look at the user in team.url; whoever runs it lets you in (pg_hba.conf) and does "
    "`create role NAME login in role agent_progress_writer`",
    "28P01": _PASSWORD,
    "3D000": "it has no such database; look at its name in team.url, or have whoever runs the server make it",
    "3F000": "it has no tables of ours; run `agent-progress team init`",
    "42P01": "it has no tables of ours; run `agent-progress team init`",
    "42501": "your role may not do that; to sync it needs agent_progress_writer, for `team init` the tables",
    "53100": "its disk is full; whoever runs it frees some space",
    "53300": "it has no connection left; try again later",
    "55P03": f"a lock there was waited for in vain for {LOCK_SECONDS} seconds; try again later",
    OF_ANOTHER_ROLE: "the name of this clone, or a claim, belongs to another role there; the next sync looks "
    "again, and takes another name",
    TOO_MANY_NAMES: f"your role has named {NAMES_A_DAY} clones of this project within a day, which is all it "
    "may; try again later",
    "57014": f"it took longer than {STATEMENT_SECONDS} seconds; try again later",
}

_LASTING = ("25006", "28", "3D", "3F", "42")
"""How states begin that do not pass by themselves."""
_WORDS = (
    ("password authentication failed", "28P01"),
    ("no password supplied", "28P01"),
    ("authentication failed for user", "28000"),
    ("no pg_hba.conf entry", "28000"),
    ("pg_hba.conf rejects", "28000"),
    ("is not permitted to log in", "28000"),
    ("permission denied for database", "42501"),
    ("too many clients", "53300"),
    ("too many connections", "53300"),
    ("connection slots are reserved", "53300"),
)
_ANSWER = LazyPattern(r": [^:\n]{1,40}:  (\S.*)")
"""How libpq repeats what a server answered, in whatever language: `FATAL`, two blanks and its words."""
_MISSING = (('role "', "28000"), ('user "', "28000"), ('database "', "3D000"))


class TeamServerFault(AgentProgressError):
    """The team's server cannot be reached, or refuses something: exit code 3.

    `kept` says what becomes of what was to be done.
    """

    def __init__(self, reason: str, kept: str, *, state: str = "") -> None:
        super().__init__(f"the team's server: {reason}; {kept}")
        self.reason = reason
        self.state = state
        """The SQLSTATE; empty where none is known."""


@contextmanager
def left_undone(what: str, reasons: Mapping[str, str] | None = None) -> Iterator[None]:
    """Say of a fault in a `with` block that this was not done, where no later sync does it.

    `reasons` says in other words than a sync's what was refused, by SQLSTATE.
    """
    try:
        yield
    except TeamServerFault as fault:
        reason = (reasons or {}).get(fault.state, fault.reason)
        raise TeamServerFault(reason, what, state=fault.state) from fault


@contextmanager
def connected(url: str) -> Iterator[BoundedConnection]:
    """Connect for the length of a `with` block; every transaction in it is opened by name.

    Raises TeamServerFault for whatever the server or the way to it refuses, also within the block, for what
    no server of ours answers, and
    BadInput where psycopg is not installed, or where libpq would take a part of the password for the host.
    """
    _refuse_unclear(url)
    psycopg = _psycopg()
    from progress_plugin.team.bounded_connection import BoundedConnection  # noqa: PLC0415 - it imports psycopg

    try:
        connection = BoundedConnection.connect(
            url,
            autocommit=True,
            prepare_threshold=None,  # a pool in between may give each transaction another connection
            application_name="agent-progress",
            connect_timeout=CONNECT_SECONDS,
            client_encoding="UTF8",  # PGCLIENTENCODING may name one that cannot hold every entry
            # A server that has gone without a word is noticed, whatever the system's own patience.
            keepalives_idle=5,
            keepalives_interval=5,
            keepalives_count=3,
            tcp_user_timeout=STATEMENT_SECONDS * 1000,
        )
        with connection:
            _refuse_encoding(connection.info.parameter_status("server_encoding"))
            _limit(connection)
            try:
                yield connection
            except psycopg.errors.LockNotAvailable as error:
                found = lock_holders.holders(connection)
                raise TeamServerFault(f"{_BY_STATE['55P03']}{found}", _KEPT, state="55P03") from error
    except OddAnswer as odd:
        raise TeamServerFault(_NONE_OF_OURS.format(odd), _KEPT_UNTIL) from odd
    except psycopg.Error as error:
        state = _state(error)
        kept = _KEPT_UNTIL if state.startswith(_LASTING) else _KEPT
        raise TeamServerFault(_reason(error, state), kept, state=state) from error


def _limit(connection: Connection) -> None:
    """Tell the server how long it may take. Raises OddAnswer where it does not say that it was told."""
    limits = {
        "statement_timeout": f"{STATEMENT_SECONDS}s",
        "lock_timeout": f"{LOCK_SECONDS}s",
        # A client that vanished in a transaction would hold its locks for hours.
        "idle_in_transaction_session_timeout": f"{STATEMENT_SECONDS}s",
        "search_path": "pg_catalog",
    }
    asked = ", ".join("set_config(%s, %s, false)" for _ in limits)
    given = [word for pair in limits.items() for word in pair]
    if answers.row(connection, f"select {asked}", given, [str] * len(limits)) != tuple(limits.values()):
        raise OddAnswer("other settings than it was given")


def server_error() -> type[Exception]:
    """Return what a connection raises within its `with` block for whatever the server refuses."""
    error: type[Exception] = _psycopg().Error
    return error


def _refuse_unclear(url: str) -> None:
    """Refuse a URL of which libpq would show a part of the password as the host, the port or the database.

    libpq ends the user and the password at the first `@`, and finds none behind a slash.
    """
    rest = url.partition("://")[2]
    end = next((place for place, sign in enumerate(rest) if sign in "@/"), len(rest))
    if "@" in rest[end + 1 :].partition("?")[0]:
        raise BadInput(
            "team.url cannot be read: only the `@` before the host may stand in it; "
            "write `@` and `/` in a user, a password or a database as %40 and %2F"
        )


def _refuse_encoding(encoding: str | None) -> None:
    """Refuse a database that cannot hold every entry."""
    if encoding is None:
        raise OddAnswer("nothing of its encoding")
    if encoding != "UTF8":
        raise BadInput(
            f"the team's server keeps its texts as {encoding}, which cannot hold every entry; name another "
            "database in team.url: create database NAME encoding 'UTF8' locale 'C' template template0"
        )


def _psycopg() -> Any:
    try:
        import psycopg  # noqa: PLC0415 - an extra, for those who have a server
    except ImportError as error:
        raise BadInput(
            "a team's server needs psycopg 3, which is not installed or does not load "
            f"({one_line(str(error), _LONGEST)}); run: {command()} setup"
        ) from error
    return psycopg


def _state(error: psycopg.Error) -> str:
    """Return the SQLSTATE of an error; empty where there is none.

    libpq keeps none of a connection that was refused. There the server's words tell, which are English unless
    its `lc_messages` say otherwise, and whether it asked for a password.
    """
    if error.sqlstate:
        return error.sqlstate
    said = str(error)
    for words, state in _WORDS:
        if words in said:
            return state
    for words, state in _MISSING:
        if words in said and '" does not exist' in said.partition(words)[2]:
            return state
    refused = error.pgconn
    return "28P01" if refused is not None and refused.needs_password else ""


def _reason(error: psycopg.Error, state: str) -> str:
    import psycopg  # noqa: PLC0415 - it is loaded by now

    if state in _BY_STATE:
        return _BY_STATE[state]
    if not state and (answered := _ANSWER.search(str(error))):
        return f'{_NO_ENTRY[:-2]}, and says "{one_line(answered[1], _LONGEST)}"; {_LOOK}'
    if isinstance(error, psycopg.OperationalError):
        return f"it cannot be reached, or has gone ({_said(error)})"
    if not state and isinstance(error, psycopg.ProgrammingError):
        return "team.url cannot be read; a URL is postgresql://HOST/DATABASE"  # its words would repeat it
    return f"it refuses something ({state or type(error).__name__}: {_said(error)})"


def _said(error: psycopg.Error) -> str:
    return one_line(str(error).strip().splitlines()[-1] if str(error).strip() else "no reason", _LONGEST)
