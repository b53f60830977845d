"""The tables of the team's server: their numbered schema, and what a role may do with them."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.core.errors import BadInput

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

VERSION = 7  # also in schema.sql
EARLIER = 6  # the only earlier schema that can be brought up to date
WRITER_ROLE = "agent_progress_writer"
MIGRATION_TIMEOUT_S = 3600
MIGRATION_LOCK = 4_907_281_960_553_217_043
_NEEDS_EARLIER = (
    f"a schema older than {EARLIER} is brought to {EARLIER} by the version of agent-progress that made it; "
    "run its `team init` first"
)


class Rights(NamedTuple):
    """What the role of a connection may do."""

    role: str
    may_read: bool
    may_append: bool
    is_owner: bool  # of the tables, or a superuser


def script() -> str:
    """Return SQL that brings a database to this schema; it does nothing if the database has it."""
    create, fill = (_read(name) for name in ("schema.sql", f"from_schema_{EARLIER}.sql"))
    return f"""begin;
select pg_advisory_xact_lock({MIGRATION_LOCK});
do $guard$
declare found integer := 0;
begin
    if to_regclass('agent_progress.migrations') is not null then
        execute 'select coalesce(max(number), 0) from agent_progress.migrations' into found;
    end if;
    if found between 1 and {EARLIER - 1} then
        raise exception '{_NEEDS_EARLIER}' using errcode = '55000';
    end if;
    if found = {EARLIER} then
        alter schema agent_progress rename to agent_progress_{EARLIER};
        revoke usage on schema agent_progress_{EARLIER} from agent_progress_writer, agent_progress_eraser;
    end if;
    if found in (0, {EARLIER}) then
        execute $create$
{create}$create$;
    end if;
    if found = {EARLIER} then
        execute $fill$
{fill}$fill$;
    end if;
end $guard$;
commit;
"""


def find_version(connection: Connection) -> int:
    """Return the number of the server's schema; 0 if it has no tables of ours."""
    row = connection.execute("select to_regclass('agent_progress.migrations') is not null").fetchone()
    if row is None or not row[0]:
        return 0
    row = connection.execute("select coalesce(max(number), 0) from agent_progress.migrations").fetchone()
    return int(row[0]) if row else 0


def refuse_other_version(connection: Connection) -> None:
    """Raise BadInput if the server has another schema than this version reads and writes."""
    found = find_version(connection)
    if found > VERSION:
        raise BadInput(
            f"the team's server has schema {found}, newer than {VERSION}: update agent-progress; until then "
            "the log here is kept as before"
        )
    if 0 < found < EARLIER:
        raise BadInput(f"the team's server has schema {found}: {_NEEDS_EARLIER}")
    if found < VERSION:
        what = "has no tables of ours" if found == 0 else f"has schema {found}, older than {VERSION}"
        raise BadInput(
            f"the team's server {what}; the person who runs it does `agent-progress team init`, or applies "
            "what `agent-progress team init --sql` prints"
        )


def migrate(connection: Connection) -> int:
    """Bring the server to this schema in one transaction, and return the number it had. Raises BadInput."""
    before = find_version(connection)
    if before == VERSION:
        return before
    if before > VERSION or 0 < before < EARLIER:
        refuse_other_version(connection)
    connection.execute("select set_config('statement_timeout', %s, false)", [f"{MIGRATION_TIMEOUT_S}s"])
    connection.execute(script().encode())
    return before


def read_rights(connection: Connection) -> Rights:
    """Return what the role of the connection may do with the log."""
    row = connection.execute(
        "select current_user::text, has_table_privilege('agent_progress.log', 'SELECT'), "
        "has_function_privilege('agent_progress.append(text, text, text[], text[], text[])', 'EXECUTE'), "
        "pg_has_role(relowner, 'MEMBER') from pg_class where oid = 'agent_progress.log'::regclass"
    ).fetchone()
    if row is None:
        raise BadInput("the team's server has no tables of ours")
    return Rights(*row)


def _read(name: str) -> str:
    return files("progress_plugin.team").joinpath(name).read_text("utf-8")
