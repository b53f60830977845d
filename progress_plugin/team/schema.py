"""The tables of the team's server: their numbered schema, and how a database is brought to it."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

from progress_plugin.core.errors import BadInput

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

VERSION = 7  # also in schema.sql and migrate.sql
EARLIER = 6  # the only earlier schema that can be brought up to date
WRITER_ROLE = "agent_progress_writer"
MIGRATION_TIMEOUT_S = 3600
_NEEDS_EARLIER = (
    f"a schema older than {EARLIER} is brought to {EARLIER} by the version of agent-progress that made it; "
    "run its `team init` first"
)


def script() -> str:
    """Return SQL that brings a database to this schema; it does nothing if the database has it."""
    folder = files("progress_plugin.team")
    template = folder.joinpath("migrate.sql").read_text("utf-8").replace("{needs_earlier}", _NEEDS_EARLIER)
    return re.sub(r"\{(\w+\.sql)\}\n?", lambda name: folder.joinpath(name[1]).read_text("utf-8"), template)


def find_version(connection: Connection) -> int:
    """Return the number of the server's schema; 0 if it has no tables of ours."""
    [(exists,)] = connection.execute("select to_regclass('agent_progress.migrations') is not null").fetchall()
    if not exists:
        return 0
    [(found,)] = connection.execute(
        "select coalesce(max(number), 0) from agent_progress.migrations"
    ).fetchall()
    return int(found)


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
