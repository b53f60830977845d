"""Read the fields of the records in a JSON plan; `json_fields.json` lists the names that plans give them."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any, TypeAlias

from progress_plugin.core.tables import read_json_table
from progress_plugin.plans.status_phrases import status_of_phrase

Json: TypeAlias = Any
Record: TypeAlias = dict[str, Json]


def fields() -> dict[str, Any]:
    """Return the table: for each role, the names of fields that plans use, or the values with the role."""
    return read_json_table(__file__, "json_fields.json")


def records_of(value: Json) -> list[Record]:
    """Return the records of a list of objects, an object of objects by id, or a map from id to status."""
    if isinstance(value, list):
        return value if value and all(isinstance(record, dict) for record in value) else []
    if not isinstance(value, dict) or not value:
        return []
    if all(isinstance(record, dict) for record in value.values()):
        return [{"id": key, **record} for key, record in value.items()]
    words = [word for word in value.values() if isinstance(word, str)]
    known = [word for word in words if status_of_phrase(word)]
    is_map = 1 < len(words) == len(value) < len(known) * 2
    if is_map and not set(value) & set(fields()["status"]):
        return [{"id": key, "status": word} for key, word in value.items()]
    return []


def are_named(records: list[Record]) -> bool:
    return all(first_text(record, "title") or first_text(record, "id") for record in records)


def have_statuses(records: list[Record]) -> bool:
    """Return whether half of the records or more have a status field, and the first of these a text field."""
    stated = [record for record in records if has_status(record)]
    has_text = bool(stated) and any(isinstance(value, str) for value in stated[0].values())
    return has_text and len(stated) * 2 >= len(records)


def has_status(record: Record) -> bool:
    """Return whether a record has a status field."""
    table = fields()
    return any(isinstance(record.get(name), bool) for name in table["done_flags"]) or any(
        isinstance(record.get(name), str) for name in table["status"]
    )


def children_of(record: Record) -> list[Record]:
    """Return the records of items inside an item, e.g. the tasks of a phase; not its steps and criteria."""
    table = fields()
    for key in table["lists"]:
        value = record.get(key)
        if key in table["steps"] or not isinstance(value, list):
            continue
        records = records_of(value)
        if records and are_named(records):
            return records
    return []


def first_text(record: Record, role: str) -> str:
    """Return the first text or number among the fields with a role, as one line."""
    for name in fields()[role]:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return ""


def describe(record: Record) -> str:
    """Return a title for a record without one: its first two texts that are neither a status nor an id."""
    other_fields = {*fields()["status"], *fields()["id"]}
    texts = [value for key, value in record.items() if isinstance(value, str) and key not in other_fields]
    return " ".join(texts[:2])


def values_of(record: Record, role: str) -> list[Json]:
    """Return the values of all fields with a role; the elements of a list are values of their own."""
    values = [record[name] for name in fields()[role] if name in record]
    return [each for value in values for each in (value if isinstance(value, list) else [value])]


def date_of(record: Record, role: str) -> dt.date | None:
    """Return the first date among the fields with a role; `role` may also be the name of a field."""
    for name in fields().get(role, [role]):
        value = record.get(name)
        if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value):
            try:
                return dt.date.fromisoformat(value[:10])
            except ValueError:
                continue
    return None
