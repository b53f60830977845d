"""Every setting in one pydantic model: its type, range, default and help, and where it may be set."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

PROMOTED = 3  # mentions from which a learning may be promoted to AGENTS.md
Section = Literal["status", "blockers", "progress", "recent", "gotchas", "patterns", "table", "learnings"]
"""Sections of a summary that `prioritize` can name; `learnings` is gotchas and patterns."""

INSIDE = r"^(?!/|~|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]{1,500}(?!\n)$"
"""A path that stays in the project: a cloned repository can bring its own configuration."""
PATH_INSIDE = "a path inside the project, relative to its root, with forward slashes"
NAME = r"^(?=.*\S)[^\x00-\x1f\x7f]{1,200}(?!\n)$"
ONE_NAME = "a name of 1 to 200 characters on one line"
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a setting may be set, and to what."""

    plan: str = ""  # its dotted key in the `optimization` object of prd.json
    key: str = ""  # its dotted key in a config.toml; left out, its name
    by_variable: bool = False  # the environment may set it, for one call
    user_only: bool = False  # a project may not: we write outside our directory, or send the history away
    allowed: str = ""  # the permitted values in words; left out, a boolean or a range


def _setting(default: Any, description: str, **given: Any) -> Any:
    """Describe a setting by the fields of `Place` and the limits of pydantic's `Field`."""
    place: Any = {name: given.pop(name) for name in Place.__annotations__ if name in given}
    return Field(default=default, description=description, json_schema_extra={"place": place}, **given)


class Settings(BaseModel):
    """What a user may choose, with the defaults."""

    # Most processes only read defaults: the validator is built when the first value is validated.
    model_config = ConfigDict(frozen=True, strict=True, regex_engine="python-re", defer_build=True)

    summary_enabled: bool = _setting(
        True,
        "Put the summary in front of the agent; false injects the full log up to the cap instead.",
        plan="progressSummary.enabled",
        by_variable=True,
    )
    recent_stories_count: int = _setting(
        3,
        "How many of the newest stories are shown in detail.",
        plan="progressSummary.recentStoriesCount",
        by_variable=True,
        ge=0,
        le=100,
    )
    max_learnings: int | None = _setting(
        None,
        "How many learnings the summary shows at most; unset, as many as there is room for.",
        plan="progressSummary.maxLearnings",
        by_variable=True,
        ge=0,
        le=1_000,
    )
    auto_generate: bool = _setting(
        True,
        "Renew the summary after each finished or blocked story; "
        "false leaves it to session start and `status summarize`.",
        plan="progressSummary.autoGenerate",
    )
    max_context_tokens: int = _setting(
        1200,
        "Size of the summary in estimated tokens, at most; below some 200 head and status are all of it.",
        plan="maxContextTokens",
        by_variable=True,
        ge=0,
        le=100_000,
    )
    prioritize: tuple[Section, ...] = _setting(
        (),
        "Sections that get their room first, in this order.",
        plan="prioritize",
        by_variable=True,
        allowed=f"a list of sections ({', '.join(get_args(Section))})",
        max_length=20,
        strict=False,
    )
    inject: bool = _setting(True, "Print anything at session start in this project.", by_variable=True)
    jit: bool = _setting(True, "Tell an agent what is recorded about a file when it reads or edits it.")
    transcripts: bool = _setting(
        True, "Read the clients' transcripts of this project, and tell a session what the last one did."
    )
    share: bool = _setting(
        False, "Share the history through git: a file per entry in shared/, never the log itself."
    )
    team_url: str | None = _setting(
        None,
        "The PostgreSQL database through which a team shares its history (`agent-progress sync`). Leave "
        "the password to libpq: ~/.pgpass or a service file.",
        key="team.url",
        by_variable=True,
        user_only=True,
        allowed="a PostgreSQL URL such as postgresql://db.example.org/team?sslmode=verify-full",
        pattern=r"^postgres(?:ql)?://[^\s\x00-\x1f\x7f]{1,900}(?!\n)$",
    )
    team_name: str | None = _setting(
        None,
        "What your clones are called in a history that is shared, in place of the host's name: `anna` "
        "makes `anna-4kx02q`. A clone that has a name keeps it.",
        key="team.name",
        by_variable=True,
        user_only=True,
        allowed="a name of 1 to 24 letters from a to z, digits, blanks and hyphens",
        pattern=r"^[0-9A-Za-z](?:[ 0-9A-Za-z-]{0,22}[0-9A-Za-z])?(?!\n)$",
    )
    team_project_key: str | None = _setting(
        None,
        "What every project of yours is called on the team's server; else its git remote's host and "
        "path. For one project: `agent-progress team join --key NAME`.",
        key="team.project_key",
        by_variable=True,
        user_only=True,
        allowed=ONE_NAME,
        pattern=NAME,
    )
    project: str | None = _setting(
        None,
        "The project's name; else the plan's, the repository's or the directory's.",
        by_variable=True,
        allowed=ONE_NAME,
        pattern=NAME,
    )
    plan: str | None = _setting(
        None,
        "The plan that leads if there are several.",
        by_variable=True,
        allowed=PATH_INSIDE,
        pattern=INSIDE,
    )
    log_files: tuple[Annotated[str, Field(pattern=INSIDE)], ...] = _setting(
        (),
        "Progress logs of other workflows, besides those at their usual places.",
        by_variable=True,
        allowed=f"a list of at most 20, each {PATH_INSIDE}",
        max_length=20,
        strict=False,
    )
    archive_entries: int = _setting(
        500, "From how many entries on old ones move to the archive.", ge=0, le=1_000_000
    )
    archive_days: int = _setting(30, "How many days old they are then.", ge=0, le=36_500)
    archive_cap: int = _setting(
        5000, "From how many on the oldest move, at any age, until half are left.", ge=2, le=1_000_000
    )
    promote_auto: bool = _setting(
        False,
        f"Write patterns with {PROMOTED} or more mentions into AGENTS.md without being asked again.",
        key="promote.auto",
        user_only=True,
    )
    summary_path: str | None = _setting(
        None,
        "Where the summary is written besides our directory.",
        user_only=True,
        allowed=PATH_INSIDE,
        pattern=INSIDE,
    )


@dataclass(frozen=True, kw_only=True)
class Setting(Place):
    """What the model says about one setting."""

    name: str
    help: str
    default: Any

    def validate(self, value: Any) -> Any:
        """Return an allowed value, lists as tuples. Raises ValueError for any other value."""
        if value is None:  # only a default is None
            raise ValueError(self.allowed)
        try:
            return getattr(Settings.model_validate({self.name: value}), self.name)
        except ValidationError as error:
            raise ValueError(self.allowed) from error

    def parse(self, text: str) -> Any:
        """Return the value that a text means; text without a meaning is returned, and not valid."""
        word, kind = text.strip(), Settings.model_fields[self.name].annotation
        if kind is bool:
            return word.lower() in _TRUE if word.lower() in _TRUE + _FALSE else text
        if kind in (int, int | None):
            return int(word) if re.fullmatch(r"-?[0-9]{1,18}", word) else text
        if isinstance(self.default, tuple):
            return [part.strip() for part in word.split(",") if part.strip()]
        return word


def _read_model() -> dict[str, Setting]:
    found = {}
    for name, field in Settings.model_fields.items():
        limits = [
            getattr(each, limit) for limit in ("ge", "le") for each in field.metadata if hasattr(each, limit)
        ]
        allowed = f"a whole number from {limits[0]} to {limits[1]}" if limits else "true or false"
        place: Any = field.json_schema_extra["place"]  # type: ignore[index]
        found[name] = Setting(
            name=name,
            help=field.description or "",
            default=field.default,
            **{"key": name, "allowed": allowed, **place},
        )
    return found


SETTINGS: dict[str, Setting] = _read_model()
BY_KEY: dict[str, Setting] = {setting.key: setting for setting in SETTINGS.values()}
