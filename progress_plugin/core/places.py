"""Where plans and authored logs stand, relative to a project's root (S5.2, S5.3)."""

OURS = ".agent-os/progress"
"""Our directory."""

WORKFLOW_DIRECTORIES = ("", "tasks/", "scripts/ralph/", ".ralph/", "ralph/")

LOGS = (
    *(f"{place}{name}" for place in WORKFLOW_DIRECTORIES for name in ("progress.md", "progress.txt")),
    "claude-progress.txt",
)

PLANS = (
    *(f"{place}prd.json" for place in WORKFLOW_DIRECTORIES),
    *(f"{place}feature_list.json" for place in WORKFLOW_DIRECTORIES),
    "plans/prd.json",
    ".taskmaster/tasks/tasks.json",
    "tasks/tasks.json",
    ".beads/issues.jsonl",
    ".beads/beads.jsonl",
    "task_plan.md",
    ".planning/task_plan.md",
)

NESTED = (
    (".agent-os/specs", ("tasks.json", "tasks.md")),
    (".chief/prds", ("prd.json",)),
    (".planning", ("task_plan.md",)),
)
"""Folders whose subfolders each may hold a plan, and under which names."""

FILE_NAMES = frozenset(path.rpartition("/")[2] for path in (*LOGS, *PLANS)) | {"tasks.md"}
"""What a plan or log may be called: an edit of any other file is no business of ours."""
