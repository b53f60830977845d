"""Merge the sources of settings: which value counts, where it comes from, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from progress_plugin.config.settings import BY_KEY, SETTINGS, Setting, Settings
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.text.safe_output import one_line

PROJECT_FILE = f"{DATA_DIRECTORY}/config.toml"
USER_FILE = "your own config.toml"
ENVIRONMENT = "environment"
PREFIX = "AGENT_PROGRESS_"  # of the variables
MAX_VALUE_CHARS = 60  # of a faulty value in a message


class Loaded(NamedTuple):
    """The settings that count now, and those that count for what is kept."""

    effective: Settings  # for the output of this call: the environment included
    stored: Settings  # for the stored summary and all that is written: files and plan only
    origin: dict[str, str]  # by setting, the source of the effective value: a file, a variable or `default`
    faults: tuple[str, ...]  # one line each: the source, the key, what is allowed
    passed_over: dict[str, str]  # by setting, the place of a faulty value that no stronger source replaces


def load(
    project_toml: bytes | None,
    plan_optimization: Mapping[str, Any],
    user_toml: bytes | None,
    environ: Mapping[str, str],
    *,
    plan_path: str = "prd.json",
) -> Loaded:
    """Return the settings from what the sources hold; reads nothing itself and raises nothing.

    Environment goes before project file, plan, user file, default. A faulty value is reported and the next
    source asked. `plan_optimization` is `PlanDocument.settings`; the path is for messages.
    """
    sources = (
        (ENVIRONMENT, _from_environment(environ)),
        (PROJECT_FILE, _from_toml(project_toml, is_users=False)),
        (plan_path, _from_plan(plan_optimization)),
        (USER_FILE, _from_toml(user_toml, is_users=True)),
    )
    stored: dict[str, Any] = {}
    effective: dict[str, Any] = {}
    origin: dict[str, str] = {}
    passed_over: dict[str, str] = {}
    faults: list[str] = []
    for where, given in sources:
        for each in given:
            if isinstance(each, str):
                faults.append(f"{where}: {each}")
                continue
            setting, key, value = each
            place = key if where == ENVIRONMENT else where
            try:
                value = setting.validate(value)
            except ValueError:
                shown = one_line(repr(value), MAX_VALUE_CHARS)
                faults.append(f"{where}: {key} = {shown} is ignored; allowed is {setting.allowed}")
                if setting.name not in effective:
                    passed_over.setdefault(setting.name, place)
                continue
            effective.setdefault(setting.name, value)
            origin.setdefault(setting.name, place)
            if where != ENVIRONMENT:
                stored.setdefault(setting.name, value)
    return Loaded(
        effective=Settings(**effective),
        stored=Settings(**stored),
        origin=dict.fromkeys(SETTINGS, "default") | origin,
        faults=tuple(faults),
        passed_over=passed_over,
    )


def _from_toml(data: bytes | None, *, is_users: bool) -> Iterator[tuple[Setting, str, Any] | str]:
    """Yield settings, their keys there and values, and faults of a config.toml; None if there is none."""
    if data is None:
        return
    import tomllib  # noqa: PLC0415 - most projects have no config.toml

    try:
        table = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        reason = one_line(str(error), 120) or "too deeply nested"
        yield f"the whole file is ignored; it is not valid TOML: {reason}"
        return
    for key, value in _leaves(table):
        setting = BY_KEY.get(key)
        if setting is None:
            yield f"{one_line(key, MAX_VALUE_CHARS)} is not a setting{nearest(key)}"
        elif setting.user_only and not is_users:
            yield f"{key} is ignored; it counts only in your own configuration"
        else:
            yield setting, key, value


def _leaves(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        dotted = prefix + key
        if isinstance(value, dict) and any(known.startswith(dotted + ".") for known in BY_KEY):
            yield from _leaves(value, dotted + ".")
        else:
            yield dotted, value


def _from_plan(optimization: Any) -> Iterator[tuple[Setting, str, Any] | str]:
    """Read the `optimization` object of a prd.json; its other keys belong to other programs."""
    summary = optimization.get("progressSummary", {}) if isinstance(optimization, dict) else {}
    groups = {"optimization": optimization, "optimization.progressSummary": summary}
    for name, group in groups.items():
        if not isinstance(group, dict):
            yield f"{name} is ignored; allowed is an object"
            groups[name] = {}
    for setting in SETTINGS.values():
        group, _, key = f"optimization.{setting.plan}".rpartition(".")
        if setting.plan and key in groups[group]:
            yield setting, f"{group}.{key}", groups[group][key]


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[Setting, str, Any] | str]:
    """Read `AGENT_PROGRESS_<SETTING>`; an empty variable counts as none."""
    for setting in SETTINGS.values():
        variable = PREFIX + setting.name.upper()
        text = environ.get(variable, "")
        if text and setting.by_variable:
            yield setting, variable, setting.parse(text)
        elif text:
            yield f"{variable} is ignored; {setting.key} is set in a config.toml"


def nearest(key: str) -> str:
    """Return the end of a message about an unknown key: the key that is spelt like it, or all."""
    import difflib  # noqa: PLC0415 - only after a mistake

    near = difflib.get_close_matches(key, BY_KEY, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(BY_KEY)}"
