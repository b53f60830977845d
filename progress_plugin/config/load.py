"""Merge the sources of settings: which value counts, where it comes from, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from progress_plugin.config.settings import BY_KEY, SETTINGS, Setting, Settings
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.text.safe_output import one_line

PROJECT_FILE = f"{DATA_DIRECTORY}/config.toml"
USER_FILE = "your own config.toml"
ENVIRONMENT = "AGENT_PROGRESS_"
MAX_VALUE_CHARS = 60  # of a faulty value in a message


class Loaded(NamedTuple):
    """The settings that count now, and those that count for what is kept."""

    effective: Settings  # for the output of this call: the environment included
    stored: Settings  # for the stored summary and all that is written: files and plan only
    origin: dict[str, str]  # by setting, the source of the effective value: a file, a variable or `default`
    faults: tuple[str, ...]  # one line each: the source, the key, what is allowed
    passed_over: dict[str, str]  # by setting, the place of a faulty value that no stronger source replaces


class _Source:
    """One source of settings: allowed values by the name of the setting, and the faults."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.values: dict[str, Any] = {}
        self.places: dict[str, str] = {}  # of values and of refused values
        self.faults: list[str] = []

    def take(self, setting: Setting, key: str, value: Any, place: str = "") -> None:
        """Keep an allowed value; else say what is allowed. `key` is what the source calls the setting."""
        self.places[setting.name] = place or self.where
        try:
            self.values[setting.name] = setting.validate(value)
        except ValueError:
            shown = one_line(repr(value), MAX_VALUE_CHARS)
            self.ignore(f"{key} = {shown}", f"allowed is {setting.allowed}")

    def ignore(self, what: str, why: str) -> None:
        """Note that something is ignored."""
        self.faults.append(f"{self.where}: {what} is ignored; {why}")


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
        _from_toml(user_toml, USER_FILE, is_users=True),
        _from_plan(plan_optimization, plan_path),
        _from_toml(project_toml, PROJECT_FILE, is_users=False),
        _from_environment(environ),
    )
    stored: dict[str, Any] = {}
    effective: dict[str, Any] = {}
    origin = dict.fromkeys(SETTINGS, "default")
    passed_over: dict[str, str] = {}
    for source in sources:
        stored, effective = effective, effective | source.values  # the last source is not stored
        origin |= {name: source.places[name] for name in source.values}
        passed_over |= source.places
        passed_over = {name: place for name, place in passed_over.items() if name not in source.values}
    return Loaded(
        effective=Settings.model_construct(**effective),  # each value is validated already
        stored=Settings.model_construct(**stored),
        origin=origin,
        faults=tuple(fault for source in reversed(sources) for fault in source.faults),
        passed_over=passed_over,
    )


def _from_toml(data: bytes | None, where: str, *, is_users: bool) -> _Source:
    """Read a config.toml, the user's own or a project's; None if there is none."""
    source = _Source(where)
    if data is None:
        return source
    import tomllib  # noqa: PLC0415 - most projects have no config.toml

    try:
        table = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        reason = one_line(str(error), 120) or "too deeply nested"
        source.ignore("the whole file", f"it is not valid TOML: {reason}")
        return source
    for key, value in _leaves(table):
        setting = BY_KEY.get(key)
        if setting is None:
            source.faults.append(f"{where}: {one_line(key, MAX_VALUE_CHARS)} is not a setting{nearest(key)}")
        elif setting.user_only and not is_users:
            source.ignore(key, "it counts only in your own configuration")
        else:
            source.take(setting, key, value)
    return source


def _leaves(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        dotted = prefix + key
        if isinstance(value, dict) and any(known.startswith(dotted + ".") for known in BY_KEY):
            yield from _leaves(value, dotted + ".")
        else:
            yield dotted, value


def _from_plan(optimization: Any, where: str) -> _Source:
    """Read the `optimization` object of a prd.json; its other keys belong to other programs."""
    source = _Source(where)
    summary = optimization.get("progressSummary", {}) if isinstance(optimization, dict) else {}
    groups = {"optimization": optimization, "optimization.progressSummary": summary}
    for name, group in groups.items():
        if not isinstance(group, dict):
            source.ignore(name, "allowed is an object")
            groups[name] = {}
    for setting in SETTINGS.values():
        group, _, key = f"optimization.{setting.plan}".rpartition(".")
        if setting.plan and key in groups[group]:
            source.take(setting, f"{group}.{key}", groups[group][key])
    return source


def _from_environment(environ: Mapping[str, str]) -> _Source:
    """Read `AGENT_PROGRESS_<SETTING>`; an empty variable counts as none."""
    source = _Source("environment")
    for name, setting in SETTINGS.items():
        variable = ENVIRONMENT + name.upper()
        text = environ.get(variable, "")
        if text and setting.by_variable:
            source.take(setting, variable, setting.parse(text), variable)
        elif text:
            source.ignore(variable, f"{setting.key} is set in a config.toml")
    return source


def nearest(key: str) -> str:
    """Return the end of a message about an unknown key: the key that is spelt like it, or all."""
    import difflib  # noqa: PLC0415 - only after a mistake

    near = difflib.get_close_matches(key, BY_KEY, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(BY_KEY)}"
