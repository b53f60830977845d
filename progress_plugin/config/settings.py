"""Every setting: its type and default in a dataclass; its help, range and sources in `settings.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

PROMOTED = 3  # mentions from which a learning may be promoted to AGENTS.md
Section = Literal["status", "blockers", "progress", "recent", "gotchas", "patterns", "table", "learnings"]
"""Sections of a summary that `prioritize` can name; `learnings` is gotchas and patterns."""

MAX_LISTED = 20  # members of a list
INSIDE = r"(?!/|~|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]{1,500}"
"""A path that stays in the project: a cloned repository can bring its own configuration."""
PATH_INSIDE = "a path inside the project, relative to its root, with forward slashes"
NAME = r"(?=.*\S)[^\x00-\x1f\x7f]{1,200}"
ONE_NAME = "a name of 1 to 200 characters on one line"
_KINDS = {
    "path": (PATH_INSIDE, INSIDE),
    "paths": (f"a list of at most {MAX_LISTED}, each {PATH_INSIDE}", INSIDE),
    "name": (ONE_NAME, NAME),
    "section": (f"a list of sections ({', '.join(get_args(Section))})", "|".join(get_args(Section))),
}
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


class Setting(NamedTuple):
    """One setting and its allowed values: a whole number, text or a list of texts, else a boolean."""

    name: str
    default: Any
    help: str
    key: str  # dotted, in a config.toml
    plan: str = ""  # its dotted key in the `optimization` object of prd.json
    by_variable: bool = False  # the environment may set it, for one call
    user_only: bool = False  # a project may not: we write outside our directory, or send the history away
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
        if not isinstance(value, str) or re.search("[\ud800-\udfff]", value):  # bytes that are no text
            return False
        return re.fullmatch(self.pattern, value) is not None

    def parse(self, text: str) -> Any:
        """Return the value that a text means; text without a meaning is returned, and not valid."""
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
    """The settings of a user, with the defaults."""

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


def _described(name: str, default: Any, *, kind: str = "", **given: Any) -> Setting:
    """Return a setting by its row of the table; a kind stands for a pattern and its words."""
    if kind:
        given["texts"], given["pattern"] = _KINDS[kind]
    return Setting(name, default, **{"key": name, **given})


_TABLE = json.loads(Path(__file__).with_name("settings.json").read_text("utf-8"))
SETTINGS: dict[str, Setting] = {
    each.name: _described(each.name, each.default, **_TABLE[each.name]) for each in fields(Settings)
}
BY_KEY: dict[str, Setting] = {setting.key: setting for setting in SETTINGS.values()}
