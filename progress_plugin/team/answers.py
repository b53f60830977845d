"""Rows that the server answers, taken only for what was asked for: so many values of these kinds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from progress_plugin.team.connection import Connection

Kind = type | tuple[type, ...]
TEXT_OR_NONE = (str, type(None))


class OddAnswer(Exception):
    """What no server with our tables answers."""


def rows(
    connection: "Connection",
    statement: str | bytes,
    values: Sequence[Any] | Mapping[str, Any] | None,
    kinds: Sequence[Kind],
) -> list[tuple[Any, ...]]:
    """Return the rows of a statement. Raises OddAnswer where they are none of these kinds."""
    import psycopg  # noqa: PLC0415 - a connection is there, so it is loaded

    text = statement.encode() if isinstance(statement, str) else statement
    try:
        found = connection.execute(text, values).fetchall()
    except ValueError as error:  # of the loader: what stands there is no number, or not in UTF-8
        raise OddAnswer("values of another kind") from error
    except psycopg.ProgrammingError as error:
        if error.sqlstate:
            raise
        raise OddAnswer("no rows") from error
    for row in found:
        if len(row) != len(kinds) or not all(map(isinstance, row, kinds)):
            raise OddAnswer("rows of another kind")
    return found


def row(
    connection: "Connection",
    statement: str | bytes,
    values: Sequence[Any] | Mapping[str, Any] | None,
    kinds: Sequence[Kind],
) -> tuple[Any, ...]:
    """Return the one row of a statement. Raises OddAnswer as `rows`, and where it is not one."""
    found = rows(connection, statement, values, kinds)
    if len(found) != 1:
        raise OddAnswer(f"{len(found)} rows in place of one")
    return found[0]
