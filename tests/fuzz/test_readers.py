"""Every reader reads any file, or refuses it with one line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.log.document import parse
from progress_plugin.log.merge import effective
from progress_plugin.plans.documents import read_plans
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import clean, one_line
from progress_plugin.text.search_terms import MAX_QUESTION_CHARS, question_of, terms_of

LINES = [
    "# Plan",
    "## 2026-03-01 - US-1",
    "- [x] a",
    "- [ ] b",
    "| ID | Status |",
    "|---|---|",
    "```",
    "---",
    "**Status:**",
]
LINES += ["Blocked: no crane", "- Learned: keys rust", "US-1", "\ud800", "\u202e", "9" * 30, "2026-99-99"]
MARKDOWN = st.lists(st.sampled_from(LINES) | st.text(max_size=30), max_size=25).map("\n".join)
NAMES = st.sampled_from(
    ["id", "title", "status", "passes", "tasks", "userStories", "parent", "dependsOn", "timestamp", "data"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=20,
)
JSON = VALUES.map(json.dumps) | MARKDOWN
READERS: dict[str, tuple[st.SearchStrategy[str], Callable[[str], object]]] = {
    "plan in Markdown": (MARKDOWN, lambda text: read_plans("tasks.md", text)),
    "plan in JSON": (JSON, lambda text: read_plans("prd.json", text)),
    "plan in lines": (JSON, lambda text: read_plans(".beads/issues.jsonl", text)),
    "plan in YAML": (MARKDOWN, lambda text: read_plans("sprint-status.yaml", text)),
    "agent log": (MARKDOWN, lambda text: read_agent_log("progress.md", text, ())),
    "our log": (JSON, lambda text: read_own_log(effective(parse(text.encode("utf-8", "replace")).entries))),
    "question": (MARKDOWN, lambda text: (question_of(text[:MAX_QUESTION_CHARS]), terms_of(text))),
    "output": (MARKDOWN, lambda text: (redact(text), clean(text), one_line(text))),
}


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
def test_a_reader_returns_or_refuses_in_one_line(name: str, data: st.DataObject) -> None:
    texts, read = READERS[name]
    try:
        read(data.draw(texts))
    except AgentProgressError as error:
        assert "\n" not in str(error)  # noqa: PT017 - only if it refuses
