"""Every setting: its names, kind, default and help, in one place (S12)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from progress_plugin.config.kinds import Kind, Number, Switch, Text, Texts

_INSIDE = r"^(?!/|~|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]{1,500}(?!\n)$"
"""A cloned repository can bring its own configuration, so no path leads out of the project."""
_A_PATH = "a path inside the project, relative to its root, with forward slashes"
SECTIONS = ("status", "blockers", "progress", "recent", "gotchas", "patterns", "table", "learnings")
"""Sections of a summary that `prioritize` can name; `learnings` is gotchas and patterns (S10.1)."""


class Rule(NamedTuple):
    """What there is to know about one setting besides its type and default."""

    kind: Kind
    help: str
    seed: tuple[str, ...] | None = None
    """Its place in the `optimization` object of prd.json, for those that have one."""
    toml: tuple[str, ...] = ()
    """Its place in a config.toml where that is not its own name."""
    shows: bool = False
    """It shapes what is shown and no more, so the environment and the command line may set it."""
    user_only: bool = False
    """It makes us write outside our directory, so only the user's own configuration may set it."""


def _setting(default: Any, kind: Kind, help_text: str, **known: Any) -> Any:
    return field(default=default, metadata={"rule": Rule(kind=kind, help=help_text, **known)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a user may choose, with the defaults."""

    summary_enabled: bool = _setting(
        True,
        Switch(),
        "Put the summary in front of the agent; false injects the full log up to the cap instead.",
        seed=("progressSummary", "enabled"),
        shows=True,
    )
    recent_stories_count: int = _setting(
        3,
        Number(0, 100),
        "How many of the newest stories are told in detail.",
        seed=("progressSummary", "recentStoriesCount"),
        shows=True,
    )
    max_learnings: int = _setting(
        15,
        Number(0, 1000),
        "How many learnings the summary shows at most.",
        seed=("progressSummary", "maxLearnings"),
        shows=True,
    )
    auto_generate: bool = _setting(
        True,
        Switch(),
        "Renew the summary after each entry; false leaves it to session start and `status summarize`.",
        seed=("progressSummary", "autoGenerate"),
    )
    max_context_tokens: int = _setting(
        2000,
        Number(0, 100_000),
        "Size of the summary in estimated tokens, at most.",
        seed=("maxContextTokens",),
        shows=True,
    )
    prioritize: tuple[str, ...] = _setting(
        (),
        Texts(rf"^(?:{'|'.join(SECTIONS)})(?!\n)$", f"a list of sections ({', '.join(SECTIONS)})"),
        "Sections that get their room first, in this order.",
        seed=("prioritize",),
        shows=True,
    )
    inject: bool = _setting(True, Switch(), "Print anything at session start in this project.", shows=True)
    share: bool = _setting(False, Switch(), "Let git track progress.json and its archive.")
    project: str | None = _setting(
        None,
        Text(r"^(?=.*\S)[^\x00-\x1f\x7f]{1,200}(?!\n)$", "a name of 1 to 200 characters on one line"),
        "The project's name; else the plan's, the repository's or the directory's.",
        shows=True,
    )
    plan: str | None = _setting(
        None, Text(_INSIDE, _A_PATH), "The plan that leads where there are several.", shows=True
    )
    log_files: tuple[str, ...] = _setting(
        (),
        Texts(_INSIDE, f"a list of at most 20, each {_A_PATH}"),
        "Progress logs of other workflows, besides those at their usual places.",
        shows=True,
    )
    archive_entries: int = _setting(
        500, Number(0, 1_000_000), "From how many entries on old ones move to the archive."
    )
    archive_days: int = _setting(30, Number(0, 36_500), "How many days old they are then.")
    archive_cap: int = _setting(
        5000,
        Number(2, 1_000_000),
        "From how many on the oldest move, whatever their age, until half are left.",
    )
    promote_auto: bool = _setting(
        False,
        Switch(),
        "Write patterns with 3 or more mentions into AGENTS.md without being asked again.",
        toml=("promote", "auto"),
        user_only=True,
    )
    summary_path: str | None = _setting(
        None, Text(_INSIDE, _A_PATH), "Where the summary is written besides our directory.", user_only=True
    )

    @property
    def archive_keep(self) -> int:
        """How many entries stay in the log when `archive_cap` is reached (S3.1)."""
        return self.archive_cap // 2


RULES: dict[str, Rule] = {each.name: each.metadata["rule"] for each in fields(Settings)}
DEFAULTS: dict[str, Any] = {each.name: each.default for each in fields(Settings)}


def key_of(name: str) -> str:
    """Return the key of a setting as it is written in a config.toml, dots included."""
    return ".".join(RULES[name].toml) or name


BY_KEY: dict[str, str] = {key_of(name): name for name in RULES}
