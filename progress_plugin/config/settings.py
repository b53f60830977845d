"""Every setting: its names, kind, default and help, in one place.

What a switch switches off is decided where it is read: `inject`, in `usecases.summarizing.compose`
(`_context`), `transcripts`, in `usecases.summarizing.last_session` (`reads_transcripts`), the variable
`AGENT_PROGRESS_DISABLED`, in `core.fast.start_hook` and `core.fast.hook_filter` (`pass_on`).
"""

from typing import Annotated, Any, NamedTuple

from progress_plugin.config.value_kinds import NumberKind, SwitchKind, TextKind, TextsKind, ValueKind

_INSIDE = r"^(?!/|~|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f\\]{1,500}(?!\n)$"
"""A cloned repository can bring its own configuration, so no path leads out of the project."""
_A_PATH = "a path inside the project, relative to its root, with forward slashes"
PROMOTED = 3
"""How often a learning must have been recorded to be promoted."""
SUMMARY_SECTIONS = ("status", "blockers", "progress", "recent", "gotchas", "patterns", "table", "learnings")
"""Sections of a summary that `prioritize` can name; `learnings` is gotchas and patterns."""


class Rule(NamedTuple):
    """What there is to know about one setting besides its type and default."""

    kind: ValueKind
    help: str
    seed: tuple[str, ...] | None = None
    """Its place in the `optimization` object of prd.json, for those that have one."""
    toml: tuple[str, ...] = ()
    """Its place in a config.toml where that is not its own name."""
    shows: bool = False
    """It shapes what is shown and no more, so the environment and the command line may set it."""
    by_variable: bool = False
    """The environment may set it, though it changes nothing of what is shown."""
    user_only: bool = False
    """It has us write outside our directory, or send the history away: only the user may set it."""


class Settings(NamedTuple):
    """What a user may choose, with the defaults."""

    summary_enabled: Annotated[
        bool,
        Rule(
            SwitchKind(),
            "Put the summary in front of the agent; false injects the full log up to the cap instead.",
            seed=("progressSummary", "enabled"),
            shows=True,
        ),
    ] = True
    recent_stories_count: Annotated[
        int,
        Rule(
            NumberKind(0, 100),
            "How many of the newest stories are shown in detail.",
            seed=("progressSummary", "recentStoriesCount"),
            shows=True,
        ),
    ] = 3
    max_learnings: Annotated[
        int | None,
        Rule(
            NumberKind(0, 1000),
            "How many learnings the summary shows at most; unset, as many as there is room for.",
            seed=("progressSummary", "maxLearnings"),
            shows=True,
        ),
    ] = None
    auto_generate: Annotated[
        bool,
        Rule(
            SwitchKind(),
            "Renew the summary after each entry; false leaves it to session start and `status summarize`.",
            seed=("progressSummary", "autoGenerate"),
        ),
    ] = True
    max_context_tokens: Annotated[
        int,
        Rule(
            NumberKind(0, 100_000),
            "Size of the summary in estimated tokens, at most; below some 200 head and status are all of it.",
            seed=("maxContextTokens",),
            shows=True,
        ),
    ] = 2000
    prioritize: Annotated[
        tuple[str, ...],
        Rule(
            TextsKind(
                rf"^(?:{'|'.join(SUMMARY_SECTIONS)})(?!\n)$",
                f"a list of sections ({', '.join(SUMMARY_SECTIONS)})",
            ),
            "Sections that get their room first, in this order.",
            seed=("prioritize",),
            shows=True,
        ),
    ] = ()
    inject: Annotated[
        bool,
        Rule(
            SwitchKind(),
            "Print anything at session start in this project.",
            shows=True,
        ),
    ] = True
    jit: Annotated[
        bool,
        Rule(
            SwitchKind(),
            "Tell an agent what is recorded about a file when it reads or edits it.",
        ),
    ] = True
    transcripts: Annotated[
        bool,
        Rule(
            SwitchKind(),
            "Read the clients' transcripts of this project, and tell a session what the last one did.",
        ),
    ] = True
    share: Annotated[
        bool,
        Rule(
            SwitchKind(),
            "Share the history through git: a file per entry in shared/, never the log itself.",
        ),
    ] = False
    team_url: Annotated[
        str | None,
        Rule(
            TextKind(
                r"^postgres(?:ql)?://[^\s\x00-\x1f\x7f]{1,900}(?!\n)$",
                "a PostgreSQL URL such as postgresql://db.example.org/team?sslmode=verify-full",
            ),
            "The PostgreSQL database through which a team shares its history (`agent-progress sync`). Leave "
            "the password to libpq: ~/.pgpass or a service file.",
            toml=("team", "url"),
            by_variable=True,
            user_only=True,
        ),
    ] = None
    team_name: Annotated[
        str | None,
        Rule(
            TextKind(
                r"^[0-9A-Za-z](?:[ 0-9A-Za-z-]{0,22}[0-9A-Za-z])?(?!\n)$",
                "a name of 1 to 24 letters from a to z, digits, blanks and hyphens",
            ),
            "What your clones are called in a history that is shared, in place of the host's name: "
            "`anna` makes `anna-4kx02q`. A clone that has a name keeps it.",
            toml=("team", "name"),
            by_variable=True,
            user_only=True,
        ),
    ] = None
    team_project_key: Annotated[
        str | None,
        Rule(
            TextKind(r"^(?=.*\S)[^\x00-\x1f\x7f]{1,200}(?!\n)$", "a name of 1 to 200 characters on one line"),
            "What every project of yours is called on the team's server; else its git remote's host and "
            "path. For one project: `agent-progress team join --key NAME`.",
            toml=("team", "project_key"),
            by_variable=True,
            user_only=True,
        ),
    ] = None
    team_claim_at_work: Annotated[
        bool,
        Rule(
            SwitchKind(),
            "Claim a story for two hours when a hook sees the plan say that it is in progress; needs a "
            "team's server, which is asked in the background.",
            toml=("team", "claim_at_work"),
        ),
    ] = False
    project: Annotated[
        str | None,
        Rule(
            TextKind(r"^(?=.*\S)[^\x00-\x1f\x7f]{1,200}(?!\n)$", "a name of 1 to 200 characters on one line"),
            "The project's name; else the plan's, the repository's or the directory's.",
            shows=True,
        ),
    ] = None
    plan: Annotated[
        str | None,
        Rule(
            TextKind(_INSIDE, _A_PATH),
            "The plan that leads where there are several.",
            shows=True,
        ),
    ] = None
    log_files: Annotated[
        tuple[str, ...],
        Rule(
            TextsKind(_INSIDE, f"a list of at most 20, each {_A_PATH}"),
            "Progress logs of other workflows, besides those at their usual places.",
            shows=True,
        ),
    ] = ()
    archive_entries: Annotated[
        int,
        Rule(
            NumberKind(0, 1_000_000),
            "From how many entries on old ones move to the archive.",
        ),
    ] = 500
    archive_days: Annotated[
        int,
        Rule(
            NumberKind(0, 36_500),
            "How many days old they are then.",
        ),
    ] = 30
    archive_cap: Annotated[
        int,
        Rule(
            NumberKind(2, 1_000_000),
            "From how many on the oldest move, whatever their age, until half are left.",
        ),
    ] = 5000
    promote_auto: Annotated[
        bool,
        Rule(
            SwitchKind(),
            f"Write patterns with {PROMOTED} or more mentions into AGENTS.md without being asked again.",
            toml=("promote", "auto"),
            user_only=True,
        ),
    ] = False
    summary_path: Annotated[
        str | None,
        Rule(
            TextKind(_INSIDE, _A_PATH),
            "Where the summary is written besides our directory.",
            user_only=True,
        ),
    ] = None

    @property
    def archive_keep(self) -> int:
        """How many entries stay in the log when `archive_cap` is reached."""
        return self.archive_cap // 2


RULES: dict[str, Rule] = {name: kind.__metadata__[0] for name, kind in Settings.__annotations__.items()}
DEFAULTS: dict[str, Any] = Settings._field_defaults


def key_of(name: str) -> str:
    """Return the key of a setting as it is written in a config.toml, dots included."""
    return ".".join(RULES[name].toml) or name


BY_KEY: dict[str, str] = {key_of(name): name for name in RULES}
