"""Whatever is in a file, recognising, reading and deciding raise only BadInput."""

from __future__ import annotations

import contextlib
import datetime as dt
import random

import pytest

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import BadInput
from progress_plugin.model.work import PlanDocument
from progress_plugin.plans.documents import read_plans, read_work_list
from progress_plugin.plans.task_files import TaskFile, read_task_files
from progress_plugin.sources.recognition import recognise_document
from progress_plugin.state.decide import decide

PIECES = [
    "# ", "## ", "- [ ] ", "- [x] ", "Status: ", "done", "|", "---", "\n", "\n\n", "```", "Phase 1", "1. ", "**", "`",
    "🟢", "：", "<!--", "-->", "Branch: ", " ", "  - ", "a", "~~", "|---|---|", "\t", "id: ", "> ", "[", "(", "{", '"id": 1,',
    "2026-01-02", "US-1", "blocked by ", "Next steps", "Blockers", "None", "Phase: 2 of 4", "第1阶段", "=== a ===", "\r\n",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_any_text_is_read(seed: int) -> None:
    pieces = random.Random(seed)
    text = "".join(pieces.choice(PIECES) for _ in range(80))
    plans: list[PlanDocument] = []
    for path in ("plan.md", "tasks.yaml", "STATE.md", "prd.json", "issues.jsonl"):
        with contextlib.suppress(BadInput):
            plans += read_plans(path, text)
    recognise_document(text)
    read_task_files("todos", [TaskFile("todos/a.md", f"---\n{text}\n---\n"), TaskFile("todos/b.md", text)])
    log = read_agent_log("progress.md", text, ())
    work_list = read_work_list("progress.md", text, log.entries)
    state = decide([*plans, *([work_list] if work_list else [])], [log], [], dt.date(2026, 1, 1))
    assert state.done is None or state.total is None or state.done <= state.total
