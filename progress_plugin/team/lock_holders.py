"""Who holds locks on our tables, for whoever has waited for one in vain.

A member may hold one by what it may do: a row that is added and not committed, a claim, a table of claims.
Of another role's connection the server tells everybody the name and the number, which is what ends it.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

from progress_plugin.team import answers
from progress_plugin.text.bounds import some_of
from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

_MOST = 100
_LONGEST = 60
_HOLDERS = f"""
select distinct coalesce(who.usename::text, '?'), held.pid
from pg_catalog.pg_locks as held
left join pg_catalog.pg_stat_activity as who on who.pid = held.pid
left join pg_catalog.pg_class as what on what.oid = held.relation
left join pg_catalog.pg_namespace as place on place.oid = what.relnamespace
where held.granted and held.pid <> pg_backend_pid()
    and held.database = (select oid from pg_catalog.pg_database where datname = current_database())
    and (held.locktype = 'advisory' or (place.nspname = 'agent_progress' and held.mode <> 'AccessShareLock'))
order by 1, 2 limit {_MOST}
"""


def holders(connection: "Connection") -> str:
    """Return who may be in the way, to follow what is said; empty where nothing tells."""
    import psycopg  # noqa: PLC0415 - a connection is there, so it is loaded

    found = []
    with suppress(psycopg.Error):
        found = answers.rows(connection, _HOLDERS, None, (str, int))
    if not found:
        return ""
    who = some_of([f"{one_line(role, _LONGEST)} (process {pid})" for role, pid in found])
    return f". Locks there are held by {who}: whoever runs the server can end that connection"
