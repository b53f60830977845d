"""Which files can be a plan or an agent's log, and where below a project's root they are.

Two tables, `FORMATS` of plans and `LOG_PLACES` of logs: the readers, the hook filter, the watcher, the search
for a root and the tables in `docs/formats-plans.md` derive from them. That document also says how common each
name of a log is in public repositories.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Look = Callable[[str], bool]
    Names = Callable[[str], list[str]]

DATA_DIRECTORY = ".agent-os/progress"
"""Our directory."""

_NESTED = "/*"
"""End of a folder whose subfolders each may hold a plan."""


class PlanFormat:
    """A row of the table of plan formats: a new format is one module in `plans` and one row."""

    __slots__ = ("copies", "files", "module", "name", "unmistakable")

    def __init__(
        self,
        name: str,
        module: str,
        files: "Mapping[str, tuple[str, ...]]",
        *,
        copies: "Mapping[str, str] | None" = None,
        unmistakable: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        """As documents and `Plan.format` call it."""
        self.module = module
        """Of `progress_plugin.plans`, with what `plans.reader.FormatModule` lists.

        A name, because this table is loaded at tool calls, which read no plan.
        """
        self.files = files
        """File names, and the folders in which each is looked for; `*` stands for one folder."""
        self.copies = copies or {}
        """Names of the same plan in an older form, and the name beside it that is read instead."""
        self.unmistakable = unmistakable
        """Names that nothing but a plan has, wherever the file is: `init` proposes such files."""


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
"""From the most general to the most particular format. A file is read by the last one that recognises it; of
plans that were changed at the same instant the one of the first row leads.
"""

_LOG = ("progress.md", "progress.txt")
_BANK = ("activeContext.md", "progress.md")

_ROOT = (
    "progress.md", "progress.txt", "PROGRESS.md", "PROGRESS_LOG.md", "progress-log.md", "claude-progress.txt",
    "activeContext.md", "STATE.md", "HANDOFF.md", "handoff.md", "findings.md", "SESSION_NOTES.md",
    "SESSION_LOG.md", "WORKLOG.md",
)  # fmt: skip

LOG_PLACES = (
    ("", _ROOT),
    ("tasks", _LOG),
    ("scripts/ralph", _LOG),
    (".ralph", _LOG),
    ("ralph", _LOG),
    (
        "docs",
        (
            "progress.md",
            "PROGRESS.md",
            "progress-log.md",
            "STATE.md",
            "HANDOFF.md",
            "SESSION_NOTES.md",
            "worklog.md",
        ),
    ),
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
"""Folders, and the names of agents' logs in each. Nothing is searched below them."""


def _paths(folder: str, names: tuple[str, ...]) -> list[str]:
    return [f"{folder}/{name}" if folder else name for name in names]


_PLAN_PLACES = tuple(
    (folder, name) for row in FORMATS for name, folders in row.files.items() for folder in folders
)

PLANS = tuple(
    path for folder, name in _PLAN_PLACES if not folder.endswith(_NESTED) for path in _paths(folder, (name,))
)
STATE_NAMES = ("activeContext.md", "context.md", "STATE.md", "HANDOFF.md", "handoff.md")
"""Documents that are rewritten to say where the work stands, not continued by entries; the first leads."""

NESTED = tuple(
    (parent.removesuffix(_NESTED), tuple(name for folder, name in _PLAN_PLACES if folder == parent))
    for parent in sorted({folder for folder, _ in _PLAN_PLACES if folder.endswith(_NESTED)})
)
"""Folders whose subfolders each may hold a plan, and under which names."""

LOGS = tuple(path for folder, names in LOG_PLACES for path in _paths(folder, names))

FILE_NAMES = frozenset(path.rpartition("/")[2] for path in LOGS) | {name for _, name in _PLAN_PLACES}
"""What a plan or log may be called: an edit of any other file is no business of ours."""

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
"""Base names, in small letters, that a project may have in any folder: alone they mean one at the root."""

_OLD = frozenset({"archive", "archived", "archives", "old", "older", "history"})
"""What folders and files of what is over are called."""
_ARCHIVED = frozenset(path.rpartition("/")[2] for path in LOGS) - {"context.md"}

UNMISTAKABLE_PLANS = frozenset(name for row in FORMATS for name in row.unmistakable)


def beside_plan(plan_path: str) -> tuple[str, ...]:
    """Return where a log of this plan would be: in the plan's own folder."""
    folder = plan_path.rpartition("/")[0]
    return tuple(f"{folder}/{name}" if folder else name for name in _LOG)


def _by_folder() -> "dict[str, list[str]]":
    """Return the paths of all plans and logs by the folder they are in, in subfolders left out."""
    found: dict[str, list[str]] = {}
    for path in (*PLANS, *LOGS):
        found.setdefault(path.rpartition("/")[0], []).append(path)
    return found


def is_compiled(path: str) -> bool:
    """Return whether a file is what Python keeps of a module, which nobody writes and some commit."""
    return path.endswith((".pyc", ".pyo")) or f"/{path}".rpartition("/")[0].endswith("/__pycache__")


def is_plan_or_log(path: str) -> bool:
    """Return whether a file of the project is a plan or log, by its name or, where that is common, its place.

    Who wants to know which are read looks at their places alone; a plan may be set to be elsewhere.
    """
    folder, _, name = path.rpartition("/")
    is_plain = name in UNMISTAKABLE_PLANS or name.endswith((".md", ".txt"))
    return name in FILE_NAMES and (is_plain or path in PLANS or "/." in f"/{folder}")


def is_state_document(path: str) -> bool:
    """Return whether a log of this path is a document of the present, such as those of a memory bank."""
    folder, _, name = path.rpartition("/")
    return name in STATE_NAMES or folder.endswith("memory-bank")


def is_archived_log(path: str) -> bool:
    """Return whether a file is called as what was moved out of an agent's log: `progress-archive.md`.

    In a folder for what is old a log's own name is one, too, also with numbers: `progress-2026-09.md`.
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
    """Return which of several documents is asked first where the work stands: the lowest number."""
    name = path.rpartition("/")[2]
    return STATE_NAMES.index(name) if name in STATE_NAMES else len(STATE_NAMES)


def any_exists(is_folder: "Look", is_file: "Look", names: "Names") -> bool:
    """Return whether any plan or log is at its place; the functions take paths relative to the root.

    A folder that is not there is asked for once, not once for each name it could hold: every start in a
    project that has nothing of ours comes by here.
    """
    tops: dict[str, bool] = {}

    def is_there(folder: str) -> bool:
        top = folder.partition("/")[0]
        if top not in tops:
            tops[top] = is_folder(top)
        return tops[top] and (top == folder or is_folder(folder))

    for folder, paths in _by_folder().items():
        if not folder or is_there(folder):
            for path in paths:
                if is_file(path):
                    return True
    return any(
        is_file(f"{folder}/{inner}/{name}")
        for folder, files in NESTED
        if is_there(folder)
        for inner in names(folder)
        for name in files
    )
