"""Every setting, and which of its sources counts; `settings.json` has help, range and permitted sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, get_args

from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.paths import PREFIX
from progress_plugin.core.tables import read_json_table
from progress_plugin.text.safe_output import one_line

MIN_MENTIONS = 3  # a learning with fewer is not promoted to AGENTS.md
Section = Literal["status", "blockers", "progress", "recent", "gotchas", "patterns", "table", "learnings"]
"""What `prioritize` can name; only `gotchas`, `patterns` and `learnings` (all kinds) have an effect."""

PROJECT_FILE = f"{DATA_DIRECTORY}/config.toml"
USER_FILE = "your own config.toml"
ENVIRONMENT = "environment"
MAX_VALUE_CHARS = 60  # of a faulty value or key in a message
MAX_LISTED = 20  # members of a list
PATH_PATTERN = r"(?!/|~|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]{1,500}"
"""A path that stays in the project: a cloned repository can bring its own configuration."""
PATH_WORDS = "a path inside the project, relative to its root, with forward slashes"
_KINDS = {
    "path": (PATH_WORDS, PATH_PATTERN),
    "paths": (f"a list of at most {MAX_LISTED}, each {PATH_WORDS}", PATH_PATTERN),
    "name": ("a name of 1 to 200 characters on one line", r"(?=.*\S)[^\x00-\x1f\x7f]{1,200}"),
    "section": (f"a list of sections ({', '.join(get_args(Section))})", "|".join(get_args(Section))),
}
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


class Setting(NamedTuple):
    """One setting. With `numbers` it is a whole number; with `pattern`, a text or a list; else a boolean."""

    name: str
    default: Any
    help: str
    key: str  # dotted, in a config.toml
    plan: str = ""  # its dotted key in the `optimization` object of prd.json
    by_variable: bool = False  # the environment may set it, for one call
    user_only: bool = False  # a project may not set it: it could make us write elsewhere or send the history
    numbers: Sequence[int] = ()  # the least and the greatest
    pattern: str = ""  # of the whole text, or of each text of a list
    texts: str = ""  # the permitted texts in words

    @property
    def allowed(self) -> str:
        """The permitted values in words."""
        if self.numbers:
            return f"a whole number from {self.numbers[0]} to {self.numbers[1]}"
        return self.texts or "true or false"

    def validate(self, value: Any) -> Any:
        """Return an allowed value, lists as tuples. Raises ValueError for any other value."""
        if isinstance(self.default, tuple):
            is_list = isinstance(value, list | tuple) and len(value) <= MAX_LISTED
            is_allowed = is_list and all(map(self._is_text, value))
        elif self.numbers:
            is_allowed = type(value) is int and self.numbers[0] <= value <= self.numbers[1]
        else:
            is_allowed = self._is_text(value) if self.pattern else isinstance(value, bool)
        if not is_allowed:
            raise ValueError(self.allowed)
        return tuple(value) if isinstance(value, list) else value

    def _is_text(self, value: Any) -> bool:
        if not isinstance(value, str) or re.search("[\ud800-\udfff]", value):  # undecodable bytes
            return False
        return re.fullmatch(self.pattern, value) is not None

    def parse(self, text: str) -> Any:
        """Return the value that a text means; if it means none, the text itself, which `validate` rejects."""
        word = text.strip()
        if self.numbers:
            return int(word) if re.fullmatch(r"-?[0-9]{1,18}", word) else text
        if isinstance(self.default, tuple):
            return [part.strip() for part in word.split(",") if part.strip()]
        if self.pattern:
            return word
        return word.lower() in _TRUE if word.lower() in _TRUE + _FALSE else text


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The values of all settings, with their defaults."""

    summary_enabled: bool = True
    recent_stories_count: int = 3
    max_learnings: int | None = None
    auto_generate: bool = True
    max_context_tokens: int = 1200
    prioritize: tuple[Section, ...] = ()
    inject: bool = True
    jit: bool = True
    transcripts: bool = True
    share: bool = False
    team_url: str | None = None
    team_name: str | None = None
    team_project_key: str | None = None
    project: str | None = None
    plan: str | None = None
    log_files: tuple[str, ...] = ()
    archive_entries: int = 500
    archive_days: int = 30
    archive_cap: int = 5000
    promote_auto: bool = False
    summary_path: str | None = None


def _define_setting(name: str, default: Any, *, kind: str = "", **given: Any) -> Setting:
    """Return a setting from its row in `settings.json`; `kind` names a pattern and its words in `_KINDS`."""
    if kind:
        given["texts"], given["pattern"] = _KINDS[kind]
    return Setting(name, default, **{"key": name, **given})


_TABLE = read_json_table(__file__, "settings.json")
SETTINGS: dict[str, Setting] = {
    each.name: _define_setting(each.name, each.default, **_TABLE[each.name]) for each in fields(Settings)
}
BY_KEY: dict[str, Setting] = {setting.key: setting for setting in SETTINGS.values()}


class Loaded(NamedTuple):
    """The settings of this call, and those for stored data."""

    effective: Settings  # for the output of this call: the environment included
    stored: Settings  # for the stored summary and all that is written: files and plan only
    origin: dict[str, str]  # by setting, the source of the effective value: a file, a variable or `default`
    faults: tuple[str, ...]  # one line each: the source, the key, and what is wrong or allowed
    faulty_sources: dict[str, str]  # by setting, the source of a faulty value that no stronger one overrides


def load(
    project_toml: bytes | None,
    plan_optimization: Mapping[str, Any],
    user_toml: bytes | None,
    environ: Mapping[str, str],
    *,
    plan_path: str = "prd.json",
) -> Loaded:
    """Compute the settings from the contents of their sources. Reads no file and never raises.

    The first of these that has a valid value counts: environment, project file, plan, user file, default.
    Faulty values are reported. `plan_optimization` is `PlanDocument.settings`; messages name `plan_path`.
    """
    sources = (
        (ENVIRONMENT, _from_environment(environ)),
        (PROJECT_FILE, _from_toml(project_toml, is_user_file=False)),
        (plan_path, _from_plan(plan_optimization)),
        (USER_FILE, _from_toml(user_toml, is_user_file=True)),
    )
    stored: dict[str, Any] = {}
    effective: dict[str, Any] = {}
    origin: dict[str, str] = {}
    faulty_sources: dict[str, str] = {}
    faults: list[str] = []
    for source, values in sources:
        for each in values:
            if isinstance(each, str):
                faults.append(f"{source}: {each}")
                continue
            setting, key, value = each
            place = key if source == ENVIRONMENT else source
            try:
                value = setting.validate(value)
            except ValueError:
                shown = one_line(repr(value), MAX_VALUE_CHARS)
                faults.append(f"{source}: {key} = {shown} is ignored; allowed is {setting.allowed}")
                if setting.name not in effective:
                    faulty_sources.setdefault(setting.name, place)
                continue
            effective.setdefault(setting.name, value)
            origin.setdefault(setting.name, place)
            if source != ENVIRONMENT:
                stored.setdefault(setting.name, value)
    return Loaded(
        effective=Settings(**effective),
        stored=Settings(**stored),
        origin=dict.fromkeys(SETTINGS, "default") | origin,
        faults=tuple(faults),
        faulty_sources=faulty_sources,
    )


def _from_toml(data: bytes | None, *, is_user_file: bool) -> Iterator[tuple[Setting, str, Any] | str]:
    """Yield each setting in a config.toml with its key and value, and each fault; `data` may be None."""
    if data is None:
        return
    import tomllib  # noqa: PLC0415 - most projects have no config.toml

    try:
        table = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
        repr(table)  # fails for a number of thousands of digits, which Python cannot print
    except (ValueError, RecursionError) as error:
        reason = one_line(str(error), 120) or "too deeply nested"
        yield f"the whole file is ignored; it is not valid TOML: {reason}"
        return
    for key, value in _leaves(table):
        setting = BY_KEY.get(key)
        if setting is None:
            yield f"{one_line(key, MAX_VALUE_CHARS)} is not a setting{nearest(key)}"
        elif setting.user_only and not is_user_file:
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
    summary = optimization.get("progressSummary", {}) if isinstance(optimization, Mapping) else {}
    groups = {"optimization": optimization, "optimization.progressSummary": summary}
    for name, group in groups.items():
        if not isinstance(group, Mapping):
            yield f"{name} is ignored; allowed is an object"
            groups[name] = {}
    for setting in SETTINGS.values():
        group, _, key = f"optimization.{setting.plan}".rpartition(".")
        if setting.plan and key in groups[group]:
            yield setting, f"{group}.{key}", groups[group][key]


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[Setting, str, Any] | str]:
    """Read `AGENT_PROGRESS_<SETTING>`; an empty variable counts as unset."""
    for setting in SETTINGS.values():
        variable = PREFIX + setting.name.upper()
        text = environ.get(variable, "")
        if text and setting.by_variable:
            yield setting, variable, setting.parse(text)
        elif text:
            yield f"{variable} is ignored; {setting.key} is set in a config.toml"


def nearest(key: str) -> str:
    """Return the end of a message about an unknown key: a known key of similar spelling, or all keys."""
    import difflib  # noqa: PLC0415 - only after a mistake

    near = difflib.get_close_matches(key, BY_KEY, n=1)
    return f"; did you mean {near[0]}?" if near else f"; the settings are {', '.join(BY_KEY)}"
