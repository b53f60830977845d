"""Pydantic models of the settings' files, built from the one table, and their JSON Schemas.

Loading does not need them: `config.value_kinds` accepts and explains with the standard library alone, since
pydantic costs a session start 42 ms. The models give the shipped schemas, and tests hold both to the same
judgement.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from progress_plugin.config.settings import DEFAULTS, RULES, Rule
from progress_plugin.config.value_kinds import NumberKind, SwitchKind, TextKind, TextsKind, ValueKind

_Tree = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def optimization_model() -> type[BaseModel]:
    """Return the model of the `optimization` object in prd.json; keys of other programs are let through."""
    places = {name: rule.seed for name, rule in RULES.items() if rule.seed is not None}
    return _model("Optimization", _tree(places), extra="ignore")


def config_model() -> type[BaseModel]:
    """Return the model of the user's config.toml, which may hold every setting and nothing else."""
    return _model(
        "Config", _tree({name: rule.toml or (name,) for name, rule in RULES.items()}), extra="forbid"
    )


def schemas() -> dict[str, _Tree]:
    """Return the shipped schemas by file name."""
    return {
        "prd-optimization.schema.json": _schema(
            optimization_model(), "The optimization object of prd.json, as far as agent-progress reads it"
        ),
        "config.schema.json": _schema(
            config_model(), "config.toml of agent-progress, a project's or the user's own"
        ),
    }


def _schema(model: type[BaseModel], title: str) -> _Tree:
    return {"$schema": DIALECT} | model.model_json_schema() | {"title": title}


def _tree(places: dict[str, tuple[str, ...]]) -> _Tree:
    """Arrange the settings' names as the keys of a file are nested."""
    tree: _Tree = {}
    for name, place in places.items():
        branch = tree
        for key in place[:-1]:
            branch = branch.setdefault(key, {})
        branch[place[-1]] = name
    return tree


def _model(name: str, tree: _Tree, *, extra: Literal["ignore", "forbid"]) -> type[BaseModel]:
    members: dict[str, Any] = {}
    for key, inner in tree.items():
        if isinstance(inner, dict):
            nested = _model(key[0].upper() + key[1:], inner, extra=extra)
            members[key] = (nested, Field(default_factory=nested))
        else:
            members[key] = (
                _annotation(RULES[inner].kind),
                Field(default=None, **_about(inner, RULES[inner])),
            )
    config = ConfigDict(strict=True, extra=extra, regex_engine="python-re")
    return create_model(name, __config__=config, **members)


def _about(name: str, rule: Rule) -> _Tree:
    def finish(schema: _Tree) -> None:
        """Show the setting's own default: the model's is None, for a key that is not there."""
        del schema["default"]
        if DEFAULTS[name] is not None:
            schema["default"] = DEFAULTS[name]

    return {"description": rule.help, "json_schema_extra": finish}


def _annotation(kind: ValueKind) -> Any:
    match kind:
        case SwitchKind():
            return bool
        case NumberKind(least, most):
            return Annotated[int, Field(ge=least, le=most)]
        case TextKind(pattern):
            return Annotated[str, Field(pattern=pattern)]
        case TextsKind(pattern, _, most):
            return Annotated[list[Annotated[str, Field(pattern=pattern)]], Field(max_length=most)]
