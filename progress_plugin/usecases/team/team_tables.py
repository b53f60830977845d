"""The command `team init`: the tables of the team's server, and what a role may do with them."""

from typing import NamedTuple

from progress_plugin.team import connection, migrations, schema
from progress_plugin.usecases.team.team_server import required_url

_NOT_DONE = "nothing was changed"
_REASONS = {
    "42501": "your role may not make the tables: whoever runs the server applies what "
    "`agent-progress team init --sql` prints",
}
"""By SQLSTATE, in other words than a sync's."""


class Tables(NamedTuple):
    """What the server has now."""

    before: int
    """The number of the schema as it was found; 0 for none."""
    now: int
    role: str
    allowed: tuple[str, ...]
    """What the role that is connected may do with entries."""
    notes: tuple[str, ...]


def tables_script() -> str:
    """Return the SQL that makes everything, for whoever runs the server."""
    return schema.script()


def make_tables() -> Tables:
    """Bring the schema to this version, and look what the connected role may do.

    Raises BadInput where no team is configured or the schema is newer, TeamServerFault as the server refuses.
    """
    with (
        connection.left_undone(_NOT_DONE, _REASONS),
        connection.connected(required_url()) as server,
    ):
        before = migrations.migrate(server)
        found = migrations.rights(server)
        return Tables(before, schema.version(), found.role, found.allowed, tuple(_notes(found)))


def _notes(found: migrations.Rights) -> list[str]:
    if found.owns:
        remedy = f"give people roles of their own: `create role NAME login in role {schema.WRITER_ROLE}`"
        return [f"{found.role} owns the tables, so no grant binds it; {remedy}"]
    if not {"select", "insert"} <= set(found.allowed):
        return [f"to sync, a role needs: `grant {schema.WRITER_ROLE} to {found.role}`"]
    surplus = sorted({"update", "delete"} & set(found.allowed))
    return (
        [f"entries are never changed: take {', '.join(surplus)} from {found.role} again"] if surplus else []
    )
