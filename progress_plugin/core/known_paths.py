"""Where plans and authored logs stand, relative to a project's root (S5.1, S5.2, S5.3).

One table of names: the readers, the event gate, the watcher, the search for a root and the documents all
derive from it. `docs/formats-plans.md` says how common each name is in public repositories.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Look = Callable[[str], bool]
    Names = Callable[[str], list[str]]

DATA_DIRECTORY = ".agent-os/progress"
"""Our directory."""

_PRD = ("prd.json", "feature_list.json")
_LOG = ("progress.md", "progress.txt")
_BANK = ("activeContext.md", "progress.md")

_ROOT = (
    "progress.md", "progress.txt", "PROGRESS.md", "PROGRESS_LOG.md", "progress-log.md", "claude-progress.txt",
    "activeContext.md", "STATE.md", "HANDOFF.md",
)  # fmt: skip

KNOWN = (
    ("", (*_PRD, "task_plan.md"), _ROOT),
    ("tasks", (*_PRD, "tasks.json"), _LOG),
    ("scripts/ralph", _PRD, _LOG),
    (".ralph", _PRD, _LOG),
    ("ralph", _PRD, _LOG),
    ("plans", ("prd.json",), ()),
    ("docs", (), ("progress.md", "PROGRESS.md", "progress-log.md", "STATE.md", "HANDOFF.md")),
    ("docs/memory-bank", (), _BANK),
    ("memory-bank", (), _BANK),
    (".memory-bank", (), _BANK),
    (".kilocode/rules/memory-bank", (), ("context.md",)),
    (".claude", (), ("progress.md",)),
    (".planning", ("task_plan.md", "ROADMAP.md"), ("progress.md", "STATE.md")),
    (".taskmaster", (), ("progress-log.md",)),
    (".taskmaster/docs", (), ("progress-log.md",)),
    (".taskmaster/reports", (), ("progress-log.md",)),
    (".taskmaster/tasks", ("tasks.json",), ("progress-log.md",)),
    (".beads", ("issues.jsonl", "beads.jsonl"), ()),
)
"""Folders, the names of plans in each, and the names of logs. Nothing is searched below them."""

NESTED = (
    (".agent-os/specs", ("tasks.json", "tasks.md")),
    (".chief/prds", ("prd.json",)),
    (".planning", ("task_plan.md",)),
)
"""Folders whose subfolders each may hold a plan, and under which names."""

_ORDER = (*_PRD, "tasks.json", "issues.jsonl", "beads.jsonl", "task_plan.md", "ROADMAP.md")
"""Of plans that were changed at the same instant the one named first leads."""


def _paths(folder: str, names: tuple[str, ...]) -> list[str]:
    return [f"{folder}/{name}" if folder else name for name in names]


LOGS = tuple(path for folder, _, logs in KNOWN for path in _paths(folder, logs))

PLANS = tuple(
    path
    for plan in _ORDER
    for folder, plans, _ in KNOWN
    for path in _paths(folder, tuple(name for name in plans if name == plan))
)

STATE_NAMES = ("activeContext.md", "context.md", "STATE.md", "HANDOFF.md")
"""Documents that are rewritten to say where the work stands, not continued by entries; the first leads."""

FILE_NAMES = frozenset(path.rpartition("/")[2] for path in (*LOGS, *PLANS)) | {"tasks.md"}
"""What a plan or log may be called: an edit of any other file is no business of ours."""


def says_state(path: str) -> bool:
    """Return whether a log of this path is a document of the present, such as those of a memory bank."""
    folder, _, name = path.rpartition("/")
    return name in STATE_NAMES or folder.endswith("memory-bank")


def rank_for_the_present(path: str) -> int:
    """Return which of several documents is asked first where the work stands: the lowest number."""
    name = path.rpartition("/")[2]
    return STATE_NAMES.index(name) if name in STATE_NAMES else len(STATE_NAMES)


def any_stands(is_folder: "Look", is_file: "Look", names: "Names") -> bool:
    """Return whether any plan or log stands at its place; the functions take paths relative to the root.

    A folder that is not there is asked for once, not once for each name it could hold: every start in a
    project that has nothing of ours comes by here.
    """
    tops: dict[str, bool] = {}

    def is_there(folder: str) -> bool:
        top = folder.partition("/")[0]
        if top not in tops:
            tops[top] = is_folder(top)
        return tops[top] and (top == folder or is_folder(folder))

    for folder, plans, logs in KNOWN:
        if not folder or is_there(folder):
            for path in _paths(folder, (*plans, *logs)):
                if is_file(path):
                    return True
    return any(
        is_file(f"{folder}/{inner}/{name}")
        for folder, files in NESTED
        if is_there(folder)
        for inner in names(folder)
        for name in files
    )
