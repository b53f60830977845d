"""Where plans, agent logs and our own data are in a project: the tables of their names and folders."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DATA_DIRECTORY = ".agent-os/progress"
_NESTED = "/*"  # end of a folder whose subfolders each may hold a plan


class PlanFormat:
    """A row of the table of plan formats: a new format is one module in `plans` and one row."""

    def __init__(
        self,
        name: str,
        module: str,
        files: Mapping[str, tuple[str, ...]],
        *,
        copies: Mapping[str, str] | None = None,
        unmistakable: tuple[str, ...] = (),
    ) -> None:
        """Take the format's name, its module in `progress_plugin.plans`, and folders by file name.

        `*` at the end of a folder means any one folder. `copies` maps the name of an older form of the
        plan to the name that is read instead if both exist. `unmistakable` names are plans in any folder.
        """
        self.name = name
        self.module = module
        self.files = files
        self.copies = copies or {}
        self.unmistakable = unmistakable


_PRD = ("", "tasks", "scripts/ralph", ".ralph", "ralph")

FORMATS = (
    PlanFormat(
        "prd",
        "prd",
        {"prd.json": (*_PRD, "plans", ".chief/prds/*"), "feature_list.json": _PRD},
        unmistakable=("prd.json", "feature_list.json"),
    ),
    PlanFormat("agent-os", "agent_os", {"tasks.json": (".agent-os/specs/*",)}),
    PlanFormat("task-master", "task_master", {"tasks.json": ("tasks", ".taskmaster/tasks")}),
    PlanFormat(
        "beads",
        "beads",
        {"issues.jsonl": (".beads",), "beads.jsonl": (".beads",)},
        copies={"beads.jsonl": "issues.jsonl"},
    ),
    PlanFormat(
        "agent-os",
        "agent_os_markdown",
        {"tasks.md": (".agent-os/specs/*",)},
        copies={"tasks.md": "tasks.json"},
    ),
    PlanFormat(
        "planning-with-files",
        "planning_files",
        {"task_plan.md": ("", ".planning", ".planning/*"), "ROADMAP.md": (".planning",)},
        unmistakable=("task_plan.md",),
    ),
)
"""From the most general to the most particular format: the last one that recognises a file reads it.

If two plans were changed at the same time, the format of the earlier row leads.
"""

_LOG = ("progress.md", "progress.txt")
_BANK = ("activeContext.md", "progress.md")

_ROOT = (
    "progress.md", "progress.txt", "PROGRESS.md", "PROGRESS_LOG.md", "progress-log.md", "claude-progress.txt",
    "activeContext.md", "STATE.md", "HANDOFF.md", "handoff.md", "findings.md", "SESSION_NOTES.md",
    "SESSION_LOG.md", "WORKLOG.md",
)  # fmt: skip

_DOCS = (
    "progress.md", "PROGRESS.md", "progress-log.md", "STATE.md", "HANDOFF.md", "SESSION_NOTES.md",
    "worklog.md",
)  # fmt: skip

LOG_PLACES = (
    ("", _ROOT),
    ("tasks", _LOG),
    ("scripts/ralph", _LOG),
    (".ralph", _LOG),
    ("ralph", _LOG),
    ("docs", _DOCS),
    ("docs/memory-bank", _BANK),
    ("memory-bank", _BANK),
    (".memory-bank", _BANK),
    (".kilocode/rules/memory-bank", ("context.md",)),
    (".claude", ("progress.md", "HANDOFF.md")),
    (".planning", ("progress.md", "STATE.md", "findings.md")),
    (".taskmaster", ("progress-log.md",)),
    (".taskmaster/docs", ("progress-log.md",)),
    (".taskmaster/reports", ("progress-log.md",)),
    (".taskmaster/tasks", ("progress-log.md",)),
)
"""Folders, and the names of agent logs in each; subfolders are not searched."""


def _paths(folder: str, names: tuple[str, ...]) -> list[str]:
    return [f"{folder}/{name}" if folder else name for name in names]


_PLAN_PLACES = tuple(
    (folder, name) for row in FORMATS for name, folders in row.files.items() for folder in folders
)

PLANS = tuple(
    path for folder, name in _PLAN_PLACES if not folder.endswith(_NESTED) for path in _paths(folder, (name,))
)
STATE_NAMES = ("activeContext.md", "context.md", "STATE.md", "HANDOFF.md", "handoff.md")
"""Documents that are rewritten to describe the current state, not continued by entries; the first leads."""

NESTED = tuple(
    (parent.removesuffix(_NESTED), tuple(name for folder, name in _PLAN_PLACES if folder == parent))
    for parent in sorted({folder for folder, _ in _PLAN_PLACES if folder.endswith(_NESTED)})
)
"""Folders whose subfolders each may hold a plan, and under which names."""

LOGS = tuple(path for folder, names in LOG_PLACES for path in _paths(folder, names))

FILE_NAMES = frozenset(path.rpartition("/")[2] for path in LOGS) | {name for _, name in _PLAN_PLACES}
"""Names of plans and logs: an edit of any other file is ignored."""

_OF_MANY = (
    "__init__.py __main__.py main.py conftest.py setup.py models.py views.py urls.py admin.py apps.py "
    "tests.py utils.py types.py constants.py config.py index.ts index.tsx index.js index.jsx index.mjs "
    "index.cjs index.html index.css index.vue index.md index.php main.ts main.tsx main.js main.go "
    "main.rs main.c main.cpp main.dart mod.rs lib.rs build.rs doc.go page.tsx page.jsx page.ts page.js "
    "layout.tsx layout.jsx layout.ts layout.js route.ts route.js loading.tsx error.tsx types.ts "
    "utils.ts constants.ts config.ts config.js styles.css +page.svelte +layout.svelte +page.ts "
    "+server.ts readme.md readme.txt changelog.md license.md license.txt package.json package-lock.json "
    "tsconfig.json pyproject.toml cargo.toml go.mod composer.json config.json settings.json config.yaml "
    "config.yml config.toml cmakelists.txt build.gradle pom.xml makefile dockerfile .gitignore .env "
    "claude.md agents.md skill.md"
)
NAMES_OF_MANY = frozenset(_OF_MANY.split())
"""Lower-case names that files in many folders have: without a folder they mean the file at the root."""

_OLD = frozenset({"archive", "archived", "archives", "old", "older", "history"})
_ARCHIVED = frozenset(path.rpartition("/")[2] for path in LOGS) - {"context.md"}

UNMISTAKABLE_PLANS = frozenset(name for row in FORMATS for name in row.unmistakable)


def beside_plan(plan_path: str) -> tuple[str, ...]:
    """Return the paths of a log in the plan's own folder."""
    folder = plan_path.rpartition("/")[0]
    return tuple(f"{folder}/{name}" if folder else name for name in _LOG)


def is_compiled(path: str) -> bool:
    """Return whether a file is compiled Python."""
    return path.endswith((".pyc", ".pyo")) or f"/{path}".rpartition("/")[0].endswith("/__pycache__")


def is_plan_or_log(path: str) -> bool:
    """Return whether a file is a plan or log by its name, and by its folder if the name is common."""
    folder, _, name = path.rpartition("/")
    is_plain = name in UNMISTAKABLE_PLANS or name.endswith((".md", ".txt"))
    return name in FILE_NAMES and (is_plain or path in PLANS or "/." in f"/{folder}")


def is_state_document(path: str) -> bool:
    """Return whether a log of this path describes the current state, such as those of a memory bank."""
    folder, _, name = path.rpartition("/")
    return name in STATE_NAMES or folder.endswith("memory-bank")


def is_archived_log(path: str) -> bool:
    """Return whether a file is named like the archive of an agent log.

    Such as `progress-archive.md`, or `progress-2026-09.md` in a folder called `archive`.
    """
    *folders, name = path.casefold().split("/")
    stem, _, ending = name.rpartition(".")
    words = _words_of_name(stem)
    is_old = any(word in _OLD for word in (*folders[-1:], *words))
    if not is_old or ending not in {"md", "txt"}:
        return False
    called = [word for word in words if word not in _OLD and not word.isdecimal()]
    return any(called == _words_of_name(each.rpartition(".")[0].casefold()) for each in _ARCHIVED)


def _words_of_name(stem: str) -> list[str]:
    return stem.replace("_", "-").replace(".", "-").split("-")


def rank_for_the_present(path: str) -> int:
    """Return the rank of a document as the source of the current state; the lowest leads."""
    name = path.rpartition("/")[2]
    return STATE_NAMES.index(name) if name in STATE_NAMES else len(STATE_NAMES)


def data_directory_of(root: str) -> str:
    """Return our directory in a root."""
    return os.path.join(root, *DATA_DIRECTORY.split("/"))


def folders_upward(start: str) -> list[str]:
    """Return a directory and its parents up to the repository's top, without home and temporary folders."""
    shared = _shared_folders()
    folders: list[str] = []
    current = os.path.realpath(start)
    while current not in shared:
        if os.path.basename(current) == ".git":
            folders.clear()
        else:
            folders.append(current)
            if os.path.lexists(os.path.join(current, ".git")):
                break
        if current == (current := os.path.dirname(current)):
            break
    return folders


def is_unused(start: str) -> bool:
    """Return whether no directory from `start` up to the top of the repository has a plan, a log or our data.

    A repository with linked worktrees counts as used: the log, or sessions, may be in another of them.
    """
    folders = folders_upward(start)
    git = os.path.join(folders[-1], ".git") if folders else ""
    if os.path.isfile(git) or os.path.isdir(os.path.join(git, "worktrees")):
        return False
    return not any(os.path.exists(data_directory_of(folder)) or has_sources(folder) for folder in folders)


def has_sources(root: str) -> bool:
    """Return whether a plan or an agent's log is at its usual place in a root."""
    names = set(_names(root))
    known = [path for path in (*PLANS, *LOGS) if path.partition("/")[0] in names]
    known += [
        f"{folder}/{inner}/{name}"
        for folder, files in NESTED
        if folder.partition("/")[0] in names
        for inner in _names(os.path.join(root, folder))
        for name in files
    ]
    return any(os.path.isfile(os.path.join(root, path)) for path in known)


def has_log(root: str) -> bool:
    """Return whether an agent's log is at its usual place in a root."""
    return any(os.path.isfile(os.path.join(root, path)) for path in LOGS)


def size_of_sources(root: str) -> int:
    """Return the size in bytes of the plans and logs at their usual places in a root, our own included."""
    paths = [os.path.join(root, path) for path in (*PLANS, *LOGS, f"{DATA_DIRECTORY}/progress.json")]
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _shared_folders() -> set[str]:
    """Return the folders that are a root only if named: home, temporary directories and `/`."""
    temporary = (os.environ.get("TMPDIR"), os.environ.get("TEMP"), "/tmp", "/var/tmp", "/private/tmp")  # noqa: S108
    return {os.path.realpath(place) for place in (*temporary, os.path.expanduser("~"), os.sep) if place}
