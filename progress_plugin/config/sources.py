"""The places settings come from, each read into values that are allowed and faults.

The faults found here are told by `usecases.doctor.project` and, at a start, through
`usecases.summarizing.sources`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from progress_plugin.config.settings import BY_KEY, SETTINGS
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.text.safe_output import one_line

PROJECT_FILE = f"{DATA_DIRECTORY}/config.toml"
USER_FILE = "your own config.toml"
ENVIRONMENT = "AGENT_PROGRESS_"
_SHOWN = 60
"""Characters of a faulty value that a message repeats."""


class Source:
    """One place with what it says: allowed values by the name of the setting, and the faults."""

    __slots__ = ("faults", "places", "refused", "values", "where")

    def __init__(self, where: str) -> None:
        self.where = where
        self.values: dict[str, Any] = {}
        self.places: dict[str, str] = {}
        """Where each value was set, for those whose place is more exact than `where`."""
        self.faults: list[str] = []
        self.refused: set[str] = set()
        """The settings of which it says something that is not allowed."""

    def take(self, name: str, key: str, value: Any) -> None:
        """Keep an allowed value; else say what is allowed. `key` is what the source calls the setting."""
        try:
            self.values[name] = SETTINGS[name].validate(value)
        except ValueError:
            self.refused.add(name)
            shown = one_line(repr(value), _SHOWN)
            self.faults.append(
                f"{self.where}: {key} = {shown} is ignored; allowed is {SETTINGS[name].allowed}"
            )


def from_toml(data: bytes | None, where: str, *, user: bool) -> Source:
    """Read a config.toml; None where there is none. `user`: it is the user's own, not a project's."""
    source = Source(where)
    for key, value in _leaves(_parsed(data, source)):
        setting = BY_KEY.get(key)
        if setting is None:
            source.faults.append(f"{where}: {one_line(key, _SHOWN)} is not a setting{nearest(key)}")
        elif setting.place.user_only and not user:
            source.faults.append(f"{where}: {key} is ignored; it counts only in your own configuration")
        else:
            source.take(setting.name, key, value)
    return source


def from_plan(optimization: Any, where: str) -> Source:
    """Read the `optimization` object of a prd.json; its other keys belong to other programs."""
    source = Source(where)
    groups = _groups(optimization, source)
    for name, setting in SETTINGS.items():
        if keys := setting.place.plan:
            group = groups.get(keys[:-1], {})
            if keys[-1] in group:
                source.take(name, ".".join(("optimization", *keys)), group[keys[-1]])
    return source


def from_environment(environ: Mapping[str, str]) -> Source:
    """Read `AGENT_PROGRESS_<SETTING>`; an empty variable counts as none."""
    source = Source("environment")
    for name, setting in SETTINGS.items():
        variable = ENVIRONMENT + name.upper()
        text = environ.get(variable, "")
        if text and (setting.place.display_only or setting.place.by_variable):
            source.take(name, variable, setting.parse(text))
            source.places[name] = variable
        elif text:
            source.faults.append(f"environment: {variable} is ignored; {setting.key} is set in a config.toml")
    return source


def from_command_line(values: Mapping[str, Any]) -> Source:
    """Take what options gave, by the name of the setting; None is an option that was not given."""
    source = Source("command line")
    for name, value in values.items():
        if value is not None:
            source.take(name, "--" + name.replace("_", "-"), value)
    return source


def _parsed(data: bytes | None, source: Source) -> dict[str, Any]:
    if data is None:
        return {}
    import tomllib  # noqa: PLC0415  20 ms that a project without a config.toml does not pay

    try:
        return tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        reason = one_line(str(error), 120) or "too deeply nested"
        source.faults.append(f"{source.where}: the whole file is ignored, it is not valid TOML: {reason}")
        return {}


def _leaves(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        dotted = prefix + key
        if isinstance(value, dict) and any(known.startswith(dotted + ".") for known in BY_KEY):
            yield from _leaves(value, dotted + ".")
        else:
            yield dotted, value


def nearest(key: str) -> str:
    """Return the end of a sentence that helps somebody who mistyped a key."""
    import difflib  # noqa: PLC0415  only somebody who mistyped pays for it

    near = difflib.get_close_matches(key, BY_KEY, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(BY_KEY)}"


def _groups(optimization: Any, source: Source) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return the objects that hold settings by their path, without those that are no objects."""
    if not isinstance(optimization, dict):
        source.faults.append(f"{source.where}: optimization is ignored; allowed is an object")
        return {}
    summary = optimization.get("progressSummary", {})
    if isinstance(summary, dict):
        return {(): optimization, ("progressSummary",): summary}
    source.faults.append(f"{source.where}: optimization.progressSummary is ignored; allowed is an object")
    return {(): optimization}
