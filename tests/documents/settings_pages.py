"""What documents repeat from the settings: the list in docs/configuration.md, and the JSON Schemas for editors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from progress_plugin.config.load import PREFIX
from progress_plugin.config.settings import SETTINGS, Setting, Settings

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def reference() -> str:
    """Return a section for each setting."""
    return "\n".join(map(_section, SETTINGS.values()))


def _section(setting: Setting) -> str:
    default = "none" if setting.default in (None, ()) else f"`{json.dumps(setting.default)}`"
    lines = [
        f"## `{setting.key}`",
        "",
        setting.help,
        "",
        f"- Default: {default}",
        f"- Allowed: {setting.allowed}",
    ]
    if setting.plan:
        lines.append(f"- In prd.json: `optimization.{setting.plan}`")
    if setting.by_variable:
        commas = ", separated by commas" if isinstance(setting.default, tuple) else ""
        lines.append(f"- Environment: `{PREFIX}{setting.name.upper()}`{commas}")
    if setting.user_only:
        lines.append("- Counts only in your own `config.toml`: a cloned repository can bring all the others.")
    return "\n".join(lines) + "\n"


def schemas() -> dict[str, str]:
    """Return the shipped schemas by file name; other programs have keys in prd.json, not in config.toml."""
    plan = {setting.plan: name for name, setting in SETTINGS.items() if setting.plan}
    toml = {setting.key: name for name, setting in SETTINGS.items()}
    found = {
        "prd-optimization.schema.json": _file_schema(
            "The optimization object of prd.json, as far as agent-progress reads it", plan, is_closed=False
        ),
        "config.schema.json": _file_schema(
            "config.toml of agent-progress, a project's or the user's own", toml, is_closed=True
        ),
    }
    return {name: json.dumps(schema, indent=2) + "\n" for name, schema in found.items()}


def _file_schema(title: str, places: Mapping[str, str], *, is_closed: bool) -> dict[str, Any]:
    closed = {"additionalProperties": False} if is_closed else {}
    tree: dict[str, Any] = {"type": "object", "properties": {}, **closed}
    for dotted, name in places.items():
        *parents, key = dotted.split(".")
        branch = tree
        for parent in parents:
            branch = branch["properties"].setdefault(parent, {"type": "object", "properties": {}, **closed})
        branch["properties"][key] = _value_schema(name)
    return {"$schema": DIALECT, "title": title, **tree}


def _value_schema(name: str) -> dict[str, Any]:
    schema = dict(Settings.model_json_schema()["properties"][name])
    del schema["place"]
    schema.pop("title", None)
    if "anyOf" in schema:  # a default of None means that the key is missing, which no file can say
        alternatives = [each for each in schema.pop("anyOf") if each.get("type") != "null"]
        del schema["default"]
        schema |= alternatives[0]
    return schema
