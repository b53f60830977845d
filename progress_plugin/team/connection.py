"""The connection to the team's server: one per command, limited in time, its errors explained in one line.

libpq handles TLS, passwords and certificates: by the URL, `~/.pgpass`, service files and `PGSSLMODE`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from progress_plugin.core import environment
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[Any, ...]]

CONNECT_TIMEOUT_S = 10
STATEMENT_TIMEOUT_S = 30
LOCK_TIMEOUT_S = 20
MAX_REASON_CHARS = 200
# Read committed: `append` in schema.sql waits for a lock, and must then see what others have committed.
_SETTINGS = f"""
set timezone = 'UTC';
set datestyle = 'ISO';
set statement_timeout = '{STATEMENT_TIMEOUT_S}s';
set lock_timeout = '{LOCK_TIMEOUT_S}s';
set idle_in_transaction_session_timeout = '{STATEMENT_TIMEOUT_S}s';
set search_path = pg_catalog;
set default_transaction_isolation = 'read committed'
"""
_LOGIN = "team.url names it, ~/.pgpass or PGPASSFILE has the password"
_EXPLANATIONS = {
    "42P01": "it has no agent-progress tables; its administrator has to run `agent-progress team init`, or "
    "the SQL that `agent-progress team init --sql` prints",
    "42501": "your role may not do that: it has to be a member of agent_progress_writer; its administrator "
    "has to run the SQL that `agent-progress team init --sql` prints",
}
_GONE = ("08", "57P")  # classes of SQLSTATE: the connection was lost, or the server shuts down


class TeamServerFault(AgentProgressError):
    """The team's server cannot be reached, or refuses a login or a statement: exit code 3."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the team's server: {reason}; nothing is lost here, try again later")
        self.reason = reason


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """Connect for a `with` block in which each statement is a transaction, unless one is begun.

    Raises TeamServerFault for a fault of server or network, also within the block, and BadInput if
    psycopg is missing, or libpq would take a part of the password for the host.
    """
    _refuse_unclear(url)
    psycopg = import_psycopg()
    try:
        with psycopg.connect(
            url,
            autocommit=True,
            prepare_threshold=None,  # a pool in between may give each transaction another connection
            application_name="agent-progress",
            connect_timeout=CONNECT_TIMEOUT_S,
            client_encoding="UTF8",
            keepalives_idle=5,
            keepalives_interval=5,
            keepalives_count=3,
            tcp_user_timeout=STATEMENT_TIMEOUT_S * 1000,
        ) as connection:
            connection.execute(_SETTINGS.encode())
            yield connection
    except psycopg.Error as error:
        raise TeamServerFault(_describe(error)) from error


def _refuse_unclear(url: str) -> None:
    """Refuse a URL if libpq would take a part of its password for host, port or database, and print it.

    libpq ends the user and the password at the first `@`, and looks for no password after a slash.
    """
    login = url.partition("://")[2].partition("?")[0].rpartition("@")[0]
    if "@" in login or "/" in login:
        raise BadInput(
            "team.url cannot be read: only the `@` before the host may be in it; "
            "write `@` and `/` in a user, a password or a database as %40 and %2F"
        )


def import_psycopg() -> Any:
    """Return the module. Raises BadInput if it cannot be imported, and says how to install it."""
    try:
        import psycopg  # noqa: PLC0415 - an extra, for those who have a server
    except ImportError as error:
        reason = one_line(str(error), MAX_REASON_CHARS)
        fault = f"a team's server needs psycopg 3, which is not installed or does not load ({reason})"
        of_package = (
            "pipx inject agent-progress 'psycopg[binary]' (without pipx: install 'DIR[team]', not DIR)"
        )
        remedy = f"{environment.launcher()} setup" if environment.is_running() else of_package
        raise BadInput(f"{fault}; run: {remedy}") from error
    return psycopg


def _describe(error: psycopg.Error) -> str:
    """Explain the known errors; quote the others."""
    import psycopg  # noqa: PLC0415 - it is loaded by now

    lines = str(error).strip().splitlines() or ["no reason"]
    first, last = (one_line(line, MAX_REASON_CHARS) for line in (lines[0], lines[-1]))
    if error.sqlstate in _EXPLANATIONS:
        return _EXPLANATIONS[error.sqlstate]
    if error.sqlstate and not error.sqlstate.startswith(_GONE):
        return f'it refuses a statement ({error.sqlstate}): "{first}"'
    if isinstance(error, psycopg.ProgrammingError):
        return "team.url cannot be read; a URL is postgresql://HOST/DATABASE"  # the error may repeat the URL
    return f"it cannot be reached, or does not let you in ({last}); {_LOGIN}"
