"""What documents repeat from the settings: the list in docs/configuration.md, and the JSON Schemas for editors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from progress_plugin.config.settings import MAX_LISTED, SETTINGS, Setting
from progress_plugin.core.paths import PREFIX

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
        lines.append("- Only your own `config.toml` can set it, not a repository.")
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
        branch["properties"][key] = _value_schema(SETTINGS[name])
    return {"$schema": DIALECT, "title": title, **tree}


def _value_schema(setting: Setting) -> dict[str, Any]:
    # A default of None means that the key is missing, which no file can say.
    default = {} if setting.default is None else {"default": setting.default}
    return {**default, "description": setting.help, **_type_schema(setting)}


def _type_schema(setting: Setting) -> dict[str, Any]:
    if setting.numbers:
        return {"maximum": setting.numbers[1], "minimum": setting.numbers[0], "type": "integer"}
    if not setting.pattern:
        return {"type": "boolean"}
    words = setting.pattern.split("|")
    is_choice = all(word.isalpha() for word in words)
    text: dict[str, Any] = {"enum": words} if is_choice else {"pattern": rf"^{setting.pattern}(?!\n)$"}
    text["type"] = "string"
    if not isinstance(setting.default, tuple):
        return text
    return {"items": text, "maxItems": MAX_LISTED, "type": "array"}
