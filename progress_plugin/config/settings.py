"""Every setting in one dataclass: its type, range, default and help, and where it may be set."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
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
    numbers: tuple[int, int] | None = None  # the least and the greatest
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


def _setting(default: Any, description: str, **given: Any) -> Any:
    """Describe a setting by the fields of `Setting`."""
    return field(default=default, metadata={"help": description, **given})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a user, with the defaults."""

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
        numbers=(0, 100),
    )
    max_learnings: int | None = _setting(
        None,
        "How many learnings the summary shows at most; unset, as many as there is room for.",
        plan="progressSummary.maxLearnings",
        by_variable=True,
        numbers=(0, 1_000),
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
        numbers=(0, 100_000),
    )
    prioritize: tuple[Section, ...] = _setting(
        (),
        "Sections that get their room first, in this order.",
        plan="prioritize",
        by_variable=True,
        texts=f"a list of sections ({', '.join(get_args(Section))})",
        pattern="|".join(get_args(Section)),
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
        texts="a PostgreSQL URL such as postgresql://db.example.org/team?sslmode=verify-full",
        pattern=r"postgres(?:ql)?://[^\s\x00-\x1f\x7f]{1,900}",
    )
    team_name: str | None = _setting(
        None,
        "What your clones are called in a history that is shared, in place of the host's name: `anna` "
        "makes `anna-4kx02q`. A clone that has a name keeps it.",
        key="team.name",
        by_variable=True,
        user_only=True,
        texts="a name of 1 to 24 letters from a to z, digits, blanks and hyphens",
        pattern=r"[0-9A-Za-z](?:[ 0-9A-Za-z-]{0,22}[0-9A-Za-z])?",
    )
    team_project_key: str | None = _setting(
        None,
        "What every project of yours is called on the team's server; else its git remote's host and "
        "path. For one project: `agent-progress team join --key NAME`.",
        key="team.project_key",
        by_variable=True,
        user_only=True,
        texts=ONE_NAME,
        pattern=NAME,
    )
    project: str | None = _setting(
        None,
        "The project's name; else the plan's, the repository's or the directory's.",
        by_variable=True,
        texts=ONE_NAME,
        pattern=NAME,
    )
    plan: str | None = _setting(
        None,
        "The plan that leads if there are several.",
        by_variable=True,
        texts=PATH_INSIDE,
        pattern=INSIDE,
    )
    log_files: tuple[str, ...] = _setting(
        (),
        "Progress logs of other workflows, besides those at their usual places.",
        by_variable=True,
        texts=f"a list of at most {MAX_LISTED}, each {PATH_INSIDE}",
        pattern=INSIDE,
    )
    archive_entries: int = _setting(
        500, "From how many entries on old ones move to the archive.", numbers=(0, 1_000_000)
    )
    archive_days: int = _setting(30, "How many days old they are then.", numbers=(0, 36_500))
    archive_cap: int = _setting(
        5000, "From how many on the oldest move, at any age, until half are left.", numbers=(2, 1_000_000)
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
        texts=PATH_INSIDE,
        pattern=INSIDE,
    )


SETTINGS: dict[str, Setting] = {
    each.name: Setting(each.name, each.default, **{"key": each.name, **each.metadata})
    for each in fields(Settings)
}
BY_KEY: dict[str, Setting] = {setting.key: setting for setting in SETTINGS.values()}
