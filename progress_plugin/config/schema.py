"""JSON Schemas of the settings' files, made from the table of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from progress_plugin.config.settings import MAX_ITEMS, SETTINGS, Setting

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
        branch["properties"][key] = _value_schema(SETTINGS[name])
    return {"$schema": DIALECT, "title": title, **tree}


def _value_schema(setting: Setting) -> dict[str, Any]:
    # A default of None means that the key is missing, which no file can say.
    default = {} if setting.default is None else {"default": setting.default}
    return {**default, "description": setting.help, **_type_schema(setting)}


def _type_schema(setting: Setting) -> dict[str, Any]:
    if setting.type is bool:
        return {"type": "boolean"}
    if setting.type is int:
        return {"maximum": setting.high, "minimum": setting.low, "type": "integer"}
    limit = {"enum": setting.choices} if setting.choices else {"pattern": setting.pattern}
    text = {**limit, "type": "string"}
    return text if setting.type is str else {"items": text, "maxItems": MAX_ITEMS, "type": "array"}
