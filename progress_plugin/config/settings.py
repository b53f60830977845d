"""Every setting: its type, range, default and help, and where it may be set, in one table."""

import json
import re
from dataclasses import dataclass, field, fields
from typing import Any

PROMOTED = 3  # mentions from which a learning may be promoted to AGENTS.md
SUMMARY_SECTIONS = ("status", "blockers", "progress", "recent", "gotchas", "patterns", "table", "learnings")
"""Sections of a summary that `prioritize` can name; `learnings` is gotchas and patterns."""

INSIDE = r"^(?!/|~|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]{1,500}(?!\n)$"
"""A path that stays in the project: a cloned repository can bring its own configuration."""
PATH_INSIDE = "a path inside the project, relative to its root, with forward slashes"
ONE_LINE = r"^(?=.*\S)[^\x00-\x1f\x7f]{1,200}(?!\n)$"
NAME_ON_ONE_LINE = "a name of 1 to 200 characters on one line"
MAX_ITEMS = 20
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a setting may be set."""

    plan: tuple[str, ...] = ()  # keys in the `optimization` object of prd.json
    toml: tuple[str, ...] = ()  # keys in a config.toml, if not its own name
    display_only: bool = False  # it only affects output, so environment and command line may set it
    by_variable: bool = False  # the environment may set it all the same
    user_only: bool = False  # not by a project: we would write outside our directory or send the history away


ANYWHERE = Place()


def _setting(default: Any, help: str, place: Place = ANYWHERE, **limits: Any) -> Any:  # noqa: A002
    """Return a field of `Settings`; `limits` are members of `Setting`."""
    return field(default=default, metadata={"help": help, "place": place, **limits})


@dataclass(frozen=True)
class Settings:
    """What a user may choose, with the defaults."""

    summary_enabled: bool = _setting(
        True,
        "Put the summary in front of the agent; false injects the full log up to the cap instead.",
        Place(plan=("progressSummary", "enabled"), display_only=True),
    )
    recent_stories_count: int = _setting(
        3,
        "How many of the newest stories are shown in detail.",
        Place(plan=("progressSummary", "recentStoriesCount"), display_only=True),
        low=0,
        high=100,
    )
    max_learnings: int | None = _setting(
        None,
        "How many learnings the summary shows at most; unset, as many as there is room for.",
        Place(plan=("progressSummary", "maxLearnings"), display_only=True),
        low=0,
        high=1_000,
    )
    auto_generate: bool = _setting(
        True,
        "Renew the summary after each entry; false leaves it to session start and `status summarize`.",
        Place(plan=("progressSummary", "autoGenerate")),
    )
    max_context_tokens: int = _setting(
        2000,
        "Size of the summary in estimated tokens, at most; below some 200 head and status are all of it.",
        Place(plan=("maxContextTokens",), display_only=True),
        low=0,
        high=100_000,
    )
    prioritize: tuple[str, ...] = _setting(
        (),
        "Sections that get their room first, in this order.",
        Place(plan=("prioritize",), display_only=True),
        choices=SUMMARY_SECTIONS,
        allowed=f"a list of sections ({', '.join(SUMMARY_SECTIONS)})",
    )
    inject: bool = _setting(
        True, "Print anything at session start in this project.", Place(display_only=True)
    )
    jit: bool = _setting(True, "Tell an agent what is recorded about a file when it reads or edits it.")
    transcripts: bool = _setting(
        True, "Read the clients' transcripts of this project, and tell a session what the last one did."
    )
    share: bool = _setting(
        False, "Share the history through git: a file per entry in shared/, never the log itself."
    )
    team_url: str | None = _setting(
        None,
        "The PostgreSQL database through which a team shares its history (`agent-progress sync`). "
        "Leave the password to libpq: ~/.pgpass or a service file.",
        Place(toml=("team", "url"), by_variable=True, user_only=True),
        pattern=r"^postgres(?:ql)?://[^\s\x00-\x1f\x7f]{1,900}(?!\n)$",
        allowed="a PostgreSQL URL such as postgresql://db.example.org/team?sslmode=verify-full",
    )
    team_name: str | None = _setting(
        None,
        "What your clones are called in a history that is shared, in place of the host's name: "
        "`anna` makes `anna-4kx02q`. A clone that has a name keeps it.",
        Place(toml=("team", "name"), by_variable=True, user_only=True),
        pattern=r"^[0-9A-Za-z](?:[ 0-9A-Za-z-]{0,22}[0-9A-Za-z])?(?!\n)$",
        allowed="a name of 1 to 24 letters from a to z, digits, blanks and hyphens",
    )
    team_project_key: str | None = _setting(
        None,
        "What every project of yours is called on the team's server; else its git remote's host and path. "
        "For one project: `agent-progress team join --key NAME`.",
        Place(toml=("team", "project_key"), by_variable=True, user_only=True),
        pattern=ONE_LINE,
        allowed=NAME_ON_ONE_LINE,
    )
    team_claim_at_work: bool = _setting(
        False,
        "Claim a story for two hours when a hook sees the plan say that it is in progress; "
        "needs a team's server, which is asked in the background.",
        Place(toml=("team", "claim_at_work")),
    )
    project: str | None = _setting(
        None,
        "The project's name; else the plan's, the repository's or the directory's.",
        Place(display_only=True),
        pattern=ONE_LINE,
        allowed=NAME_ON_ONE_LINE,
    )
    plan: str | None = _setting(
        None,
        "The plan that leads where there are several.",
        Place(display_only=True),
        pattern=INSIDE,
        allowed=PATH_INSIDE,
    )
    log_files: tuple[str, ...] = _setting(
        (),
        "Progress logs of other workflows, besides those at their usual places.",
        Place(display_only=True),
        pattern=INSIDE,
        allowed=f"a list of at most {MAX_ITEMS}, each {PATH_INSIDE}",
    )
    archive_entries: int = _setting(
        500, "From how many entries on old ones move to the archive.", low=0, high=1_000_000
    )
    archive_days: int = _setting(30, "How many days old they are then.", low=0, high=36_500)
    archive_cap: int = _setting(
        5000,
        "From how many on the oldest move, whatever their age, until half are left.",
        low=2,
        high=1_000_000,
    )
    promote_auto: bool = _setting(
        False,
        f"Write patterns with {PROMOTED} or more mentions into AGENTS.md without being asked again.",
        Place(toml=("promote", "auto"), user_only=True),
    )
    summary_path: str | None = _setting(
        None,
        "Where the summary is written besides our directory.",
        Place(user_only=True),
        pattern=INSIDE,
        allowed=PATH_INSIDE,
    )

    @property
    def archive_keep(self) -> int:
        """How many entries stay in the log when `archive_cap` is reached."""
        return self.archive_cap // 2


@dataclass(frozen=True)
class Setting:
    """One setting: its name, where it may be set, and which values are allowed."""

    name: str
    type: type  # bool, int, str or tuple
    place: Place
    help: str
    default: Any
    allowed: str
    low: int = 0
    high: int = 0
    pattern: str = ""  # of a text, or of each text in a list
    choices: tuple[str, ...] = ()  # instead of a pattern

    @property
    def keys(self) -> tuple[str, ...]:
        """Return its keys in a config.toml, the table first."""
        return self.place.toml or (self.name,)

    @property
    def key(self) -> str:
        """Return the dotted key in a config.toml."""
        return ".".join(self.keys)

    def validate(self, value: Any) -> Any:
        """Return an allowed value, lists as tuples. Raises ValueError for any other value."""
        if not self._is_allowed(value):
            raise ValueError(self.allowed)
        return tuple(value) if self.type is tuple else value

    def _is_allowed(self, value: Any) -> bool:
        if self.type is tuple:
            is_list = isinstance(value, list | tuple) and len(value) <= MAX_ITEMS
            return is_list and all(map(self._is_allowed_text, value))
        if self.type is str:
            return self._is_allowed_text(value)
        if self.type is bool:
            return isinstance(value, bool)
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def _is_allowed_text(self, value: Any) -> bool:
        if not isinstance(value, str):
            return False
        return value in self.choices if self.choices else re.search(self.pattern, value) is not None

    def parse(self, text: str) -> Any:
        """Return the value that a text means; text without a meaning is returned, and not valid."""
        word = text.strip()
        if self.type is bool:
            return word.lower() in _TRUE if word.lower() in _TRUE + _FALSE else text
        if self.type is int:
            return int(word) if re.fullmatch(r"-?[0-9]{1,18}", word) else text
        return word if self.type is str else _parse_list(word)


def _parse_list(text: str) -> list[Any]:
    if text.startswith("["):  # JSON, for a name that contains a comma
        try:
            return list(json.loads(text))
        except (ValueError, RecursionError):
            pass
    return [part.strip() for part in text.split(",") if part.strip()]


def _read_settings() -> dict[str, Setting]:
    found = {}
    for each in fields(Settings):
        kind = str if each.default is None else type(each.default)
        if "high" in each.metadata:
            kind = int
        allowed = "true or false" if kind is bool else ""
        if kind is int:
            allowed = f"a whole number from {each.metadata['low']} to {each.metadata['high']}"
        members = {"allowed": allowed, **each.metadata}
        found[each.name] = Setting(name=each.name, type=kind, default=each.default, **members)
    return found


SETTINGS: dict[str, Setting] = _read_settings()
BY_KEY: dict[str, Setting] = {setting.key: setting for setting in SETTINGS.values()}
