"""Every setting: its type, range, default and help, and where it may be set, in one pydantic model."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError

PROMOTED = 3  # mentions from which a learning may be promoted to AGENTS.md
SUMMARY_SECTIONS = ("status", "blockers", "progress", "recent", "gotchas", "patterns", "table", "learnings")
"""Sections of a summary that `prioritize` can name; `learnings` is gotchas and patterns."""
Section = Literal["status", "blockers", "progress", "recent", "gotchas", "patterns", "table", "learnings"]

INSIDE = r"^(?!/|~|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]{1,500}(?!\n)$"
"""A path that stays in the project: a cloned repository can bring its own configuration."""
PATH_INSIDE = "a path inside the project, relative to its root, with forward slashes"
InsidePath = Annotated[str, Field(pattern=INSIDE)]
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a setting may be set, and what is allowed if its type does not say that."""

    plan: tuple[str, ...] = ()  # keys in the `optimization` object of prd.json
    toml: tuple[str, ...] = ()  # keys in a config.toml, if not its own name
    display_only: bool = False  # it only affects output, so environment and command line may set it
    by_variable: bool = False  # the environment may set it all the same
    user_only: bool = False  # not by a project: we would write outside our directory or send the history away
    allowed: str = ""


class Settings(BaseModel):
    """What a user may choose, with the defaults."""

    # Most processes only read defaults: the validator is built when the first value is validated.
    model_config = ConfigDict(frozen=True, strict=True, regex_engine="python-re", defer_build=True)

    summary_enabled: Annotated[bool, Place(plan=("progressSummary", "enabled"), display_only=True)] = Field(
        default=True,
        description=(
            "Put the summary in front of the agent; false injects the full log up to the cap instead."
        ),
    )
    recent_stories_count: Annotated[
        int, Place(plan=("progressSummary", "recentStoriesCount"), display_only=True)
    ] = Field(default=3, ge=0, le=100, description="How many of the newest stories are shown in detail.")
    max_learnings: Annotated[
        int | None, Place(plan=("progressSummary", "maxLearnings"), display_only=True)
    ] = Field(
        default=None,
        ge=0,
        le=1_000,
        description="How many learnings the summary shows at most; unset, as many as there is room for.",
    )
    auto_generate: Annotated[bool, Place(plan=("progressSummary", "autoGenerate"))] = Field(
        default=True,
        description=(
            "Renew the summary after each finished or blocked story; "
            "false leaves it to session start and `status summarize`."
        ),
    )
    max_context_tokens: Annotated[int, Place(plan=("maxContextTokens",), display_only=True)] = Field(
        default=1200,
        ge=0,
        le=100_000,
        description=(
            "Size of the summary in estimated tokens, at most; below some 200 head and status are all of it."
        ),
    )
    prioritize: Annotated[
        tuple[Section, ...],
        Place(
            plan=("prioritize",),
            display_only=True,
            allowed=f"a list of sections ({', '.join(SUMMARY_SECTIONS)})",
        ),
    ] = Field(
        default=(),
        max_length=20,
        strict=False,
        description="Sections that get their room first, in this order.",
    )
    inject: Annotated[bool, Place(display_only=True)] = Field(
        default=True, description="Print anything at session start in this project."
    )
    jit: Annotated[bool, Place()] = Field(
        default=True, description="Tell an agent what is recorded about a file when it reads or edits it."
    )
    transcripts: Annotated[bool, Place()] = Field(
        default=True,
        description=(
            "Read the clients' transcripts of this project, and tell a session what the last one did."
        ),
    )
    share: Annotated[bool, Place()] = Field(
        default=False,
        description="Share the history through git: a file per entry in shared/, never the log itself.",
    )
    team_url: Annotated[
        str | None,
        Place(
            toml=("team", "url"),
            by_variable=True,
            user_only=True,
            allowed="a PostgreSQL URL such as postgresql://db.example.org/team?sslmode=verify-full",
        ),
    ] = Field(
        default=None,
        pattern=r"^postgres(?:ql)?://[^\s\x00-\x1f\x7f]{1,900}(?!\n)$",
        description=(
            "The PostgreSQL database through which a team shares its history (`agent-progress sync`). Leave "
            "the password to libpq: ~/.pgpass or a service file."
        ),
    )
    team_name: Annotated[
        str | None,
        Place(
            toml=("team", "name"),
            by_variable=True,
            user_only=True,
            allowed="a name of 1 to 24 letters from a to z, digits, blanks and hyphens",
        ),
    ] = Field(
        default=None,
        pattern=r"^[0-9A-Za-z](?:[ 0-9A-Za-z-]{0,22}[0-9A-Za-z])?(?!\n)$",
        description=(
            "What your clones are called in a history that is shared, in place of the host's name: `anna` "
            "makes `anna-4kx02q`. A clone that has a name keeps it."
        ),
    )
    team_project_key: Annotated[
        str | None,
        Place(
            toml=("team", "project_key"),
            by_variable=True,
            user_only=True,
            allowed="a name of 1 to 200 characters on one line",
        ),
    ] = Field(
        default=None,
        pattern=r"^(?=.*\S)[^\x00-\x1f\x7f]{1,200}(?!\n)$",
        description=(
            "What every project of yours is called on the team's server; else its git remote's host and "
            "path. For one project: `agent-progress team join --key NAME`."
        ),
    )
    project: Annotated[
        str | None, Place(display_only=True, allowed="a name of 1 to 200 characters on one line")
    ] = Field(
        default=None,
        pattern=r"^(?=.*\S)[^\x00-\x1f\x7f]{1,200}(?!\n)$",
        description="The project's name; else the plan's, the repository's or the directory's.",
    )
    plan: Annotated[str | None, Place(display_only=True, allowed=PATH_INSIDE)] = Field(
        default=None, pattern=INSIDE, description="The plan that leads where there are several."
    )
    log_files: Annotated[
        tuple[InsidePath, ...], Place(display_only=True, allowed=f"a list of at most 20, each {PATH_INSIDE}")
    ] = Field(
        default=(),
        max_length=20,
        strict=False,
        description="Progress logs of other workflows, besides those at their usual places.",
    )
    archive_entries: Annotated[int, Place()] = Field(
        default=500, ge=0, le=1_000_000, description="From how many entries on old ones move to the archive."
    )
    archive_days: Annotated[int, Place()] = Field(
        default=30, ge=0, le=36_500, description="How many days old they are then."
    )
    archive_cap: Annotated[int, Place()] = Field(
        default=5000,
        ge=2,
        le=1_000_000,
        description="From how many on the oldest move, whatever their age, until half are left.",
    )
    promote_auto: Annotated[bool, Place(toml=("promote", "auto"), user_only=True)] = Field(
        default=False,
        description=(
            f"Write patterns with {PROMOTED} or more mentions into AGENTS.md without being asked again."
        ),
    )
    summary_path: Annotated[str | None, Place(user_only=True, allowed=PATH_INSIDE)] = Field(
        default=None, pattern=INSIDE, description="Where the summary is written besides our directory."
    )

    @property
    def archive_keep(self) -> int:
        """How many entries stay in the log when `archive_cap` is reached."""
        return self.archive_cap // 2


@dataclass(frozen=True)
class Setting:
    """What the model says about one setting."""

    name: str
    type: type  # bool, int, str or tuple
    place: Place
    help: str
    default: Any
    allowed: str

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
        if value is None:  # only a default is None
            raise ValueError(self.allowed)
        try:
            return getattr(Settings.model_validate({self.name: value}), self.name)
        except ValidationError as error:
            raise ValueError(self.allowed) from error

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


def _read_model() -> dict[str, Setting]:
    hints, found = get_type_hints(Settings, include_extras=True), {}
    for name, field in Settings.model_fields.items():
        annotation, place = get_args(hints[name])[:2]
        kind = get_args(annotation)[0] if field.default is None else type(field.default)
        limits = {
            limit: getattr(each, limit)
            for each in field.metadata
            for limit in ("ge", "le")
            if hasattr(each, limit)
        }
        allowed = place.allowed or (
            "true or false" if kind is bool else f"a whole number from {limits['ge']} to {limits['le']}"
        )
        found[name] = Setting(name, kind, place, field.description or "", field.default, allowed)
    return found


SETTINGS: dict[str, Setting] = _read_model()
BY_KEY: dict[str, Setting] = {setting.key: setting for setting in SETTINGS.values()}
