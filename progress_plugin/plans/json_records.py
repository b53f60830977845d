"""Objects of JSON plans: which fields they have, by the table of dialects `json_fields.json`."""

from __future__ import annotations

import datetime as dt
import re
from functools import cache
from json import loads
from pathlib import Path
from typing import Any, TypeAlias

from progress_plugin.plans.status_phrases import status_of_phrase

Json: TypeAlias = Any
Record: TypeAlias = dict[str, Json]


@cache
def fields() -> dict[str, Any]:
    """Load the table of dialects: a role, and the names of the fields that have it."""
    return dict(loads(Path(__file__).with_name("json_fields.json").read_text(encoding="utf-8")))


def records_of(value: Json) -> list[Record]:
    """Return the records of a list of objects, an object keyed by id, or a map from id to status."""
    if isinstance(value, list):
        return value if value and all(isinstance(record, dict) for record in value) else []
    if not isinstance(value, dict) or not value:
        return []
    if all(isinstance(record, dict) for record in value.values()):
        return [{"id": key, **record} for key, record in value.items()]
    words = [word for word in value.values() if isinstance(word, str)]
    known = [word for word in words if status_of_phrase(word)]
    if (
        len(words) == len(value)
        and len(words) > 1
        and len(known) * 2 > len(words)
        and not set(value) & set(fields()["status"])
    ):
        return [{"id": key, "status": word} for key, word in value.items()]
    return []


def are_named(records: list[Record]) -> bool:
    """Return whether each object has an id or a title."""
    return all(text_of(record, "title") or text_of(record, "id") for record in records)


def are_stated(records: list[Record]) -> bool:
    """Return whether at least half of the objects have a status field and something that names them."""
    stated = [record for record in records if is_stated(record)]
    return (
        bool(stated)
        and len(stated) * 2 >= len(records)
        and any(isinstance(value, str) for value in stated[0].values())
    )


def is_stated(record: Record) -> bool:
    """Return whether an object has a status field."""
    table = fields()
    return any(isinstance(record.get(name), bool) for name in table["done_flags"]) or any(
        isinstance(record.get(name), str) for name in table["status"]
    )


def children_of(record: Record) -> list[Record]:
    """Return the items inside an item, e.g. the tasks of a phase. Steps and criteria are not items."""
    table = fields()
    for key in table["lists"]:
        value = record.get(key)
        if (
            key not in table["steps"]
            and isinstance(value, list)
            and records_of(value)
            and are_named(records_of(value))
        ):
            return records_of(value)
    return []


def text_of(record: Record, role: str) -> str:
    """Return the first text or number among the fields with a role, as one line."""
    for name in fields()[role]:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
        if isinstance(value, int | float) and not isinstance(value, bool) and role == "id":
            return str(value)
    return ""


def describe(record: Record) -> str:
    """Return a title for a record without one: its first texts that are not a status."""
    other_fields = {*fields()["status"], *fields()["id"]}
    return " ".join(
        [value for key, value in record.items() if isinstance(value, str) and key not in other_fields][:2]
    )


def strings_of(record: Record, role: str) -> list[str]:
    """Return the texts of the first list among the fields with a role."""
    for name in fields()[role]:
        value = record.get(name)
        if isinstance(value, list):
            return [
                entry if isinstance(entry, str) else text_of(entry, "name")
                for entry in value
                if isinstance(entry, str | dict)
            ]
    return []


def date_of(record: Record, role: str) -> dt.date | None:
    """Return the first date among the fields with a role, or in the field of a name."""
    for name in fields().get(role, [role]):
        value = record.get(name)
        if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value):
            try:
                return dt.date.fromisoformat(value[:10])
            except ValueError:
                continue
    return None
