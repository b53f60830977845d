"""The schema of the team's server brought to the present number, and whether it is this version's.

The steps themselves are in `team.schema` (`STEPS`).
"""

from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.team import answers, schema

if TYPE_CHECKING:
    from progress_plugin.team.bounded_connection import BoundedConnection
    from progress_plugin.team.connection import Connection

_LOCK = 4_907_281_960_553_217_043
"""Of PostgreSQL's advisory locks the one under which the schema is changed."""
STEP_SECONDS = 3600
"""For one step: with a million entries it takes longer than any statement of a sync may."""
_RIGHTS = {
    "SELECT": "has_any_column_privilege",
    "INSERT": "has_any_column_privilege",
    "UPDATE": "has_table_privilege",
    "DELETE": "has_table_privilege",
}
"""What a role may have, and by which function PostgreSQL says so.

Rows are added by their columns; that an eraser may change one of them is as it should be.
"""


class Rights(NamedTuple):
    """What the role of a connection may do with entries."""

    role: str
    allowed: tuple[str, ...]
    owns: bool
    """Whether it owns the tables, or is a superuser: then no grant binds it."""


def found_version(connection: "Connection") -> int:
    """Return the number of the server's schema; 0 where there is none of ours."""
    # Not by `to_regclass`: what that has once not found it finds no sooner than in the next transaction, and
    # another process may have made it while this one waited for the lock.
    there = (
        "select exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n "
        "on n.oid = c.relnamespace where n.nspname = 'agent_progress' and c.relname = 'migrations')"
    )
    if not answers.row(connection, there, None, (bool,))[0]:
        return 0
    number = "select coalesce(max(number), 0) from agent_progress.migrations"
    return int(answers.row(connection, number, None, (int,))[0])


def refuse_other(connection: "Connection") -> None:
    """Raise BadInput where the server's schema is not the one that this version knows."""
    found, ours = found_version(connection), schema.version()
    if found > ours:
        raise BadInput(
            f"the team's server has schema {found}, newer than {ours}: update agent-progress; until then "
            "the log here is kept as ever"
        )
    if found < ours:
        what = "has no tables of ours" if found == 0 else f"has schema {found}, older than {ours}"
        raise BadInput(
            f"the team's server {what}; whoever runs it does `agent-progress team init`, or applies what "
            "`agent-progress team init --sql` prints"
        )


def migrate(connection: "BoundedConnection") -> int:
    """Bring the schema to the present number, a transaction per step, and return the number it had.

    Raises BadInput for a newer one.
    """
    before = found_version(connection)
    if before > schema.version():
        refuse_other(connection)
    while True:
        with connection.transaction():
            connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
            number = found_version(connection)  # another one may have taken the step in between
            if number >= schema.version():
                return before
            connection.execute("select set_config('statement_timeout', %s, true)", [f"{STEP_SECONDS}s"])
            connection.works_for = STEP_SECONDS
            connection.execute(schema.step(number + 1))
            connection.works_for = None


def rights(connection: "Connection") -> Rights:
    """Return what the role that is connected may do with entries."""
    columns = ", ".join(f"{asked}('agent_progress.entries', '{right}')" for right, asked in _RIGHTS.items())
    asked_for = (
        f"select current_user::text, pg_has_role(relowner, 'MEMBER'), {columns} "
        "from pg_class where oid = 'agent_progress.entries'::regclass"
    )
    kinds = (str, bool, *[bool] * len(_RIGHTS))
    role, owns, *allowed = answers.row(connection, asked_for, None, kinds)
    may = tuple(each.lower() for each, is_allowed in zip(_RIGHTS, allowed, strict=True) if is_allowed)
    return Rights(str(role), may, owns=bool(owns))
