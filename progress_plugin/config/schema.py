"""JSON Schemas of the settings' files, made from the model of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from progress_plugin.config.settings import SETTINGS, Settings

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """Return the shipped schemas by file name; other programs have keys in prd.json, not in config.toml."""
    plan = {setting.place.plan: name for name, setting in SETTINGS.items() if setting.place.plan}
    toml = {setting.keys: name for name, setting in SETTINGS.items()}
    return {
        "prd-optimization.schema.json": _file_schema(
            "The optimization object of prd.json, as far as agent-progress reads it", plan, is_closed=False
        ),
        "config.schema.json": _file_schema(
            "config.toml of agent-progress, a project's or the user's own", toml, is_closed=True
        ),
    }


def _file_schema(title: str, places: Mapping[tuple[str, ...], str], *, is_closed: bool) -> dict[str, Any]:
    closed = {"additionalProperties": False} if is_closed else {}
    tree: dict[str, Any] = {"type": "object", "properties": {}, **closed}
    for (*parents, key), name in places.items():
        branch = tree
        for parent in parents:
            branch = branch["properties"].setdefault(parent, {"type": "object", "properties": {}, **closed})
        branch["properties"][key] = _value_schema(name)
    return {"$schema": DIALECT, "title": title, **tree}


def _value_schema(name: str) -> dict[str, Any]:
    schema = dict(Settings.model_json_schema()["properties"][name])
    schema.pop("title", None)
    if "anyOf" in schema:  # a default of None means that the key is missing, which no file can say
        alternatives = [each for each in schema.pop("anyOf") if each.get("type") != "null"]
        del schema["default"]
        schema |= alternatives[0]
    return schema
