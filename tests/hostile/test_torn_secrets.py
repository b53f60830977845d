"""No length limit cuts a secret in two: half a secret would not be recognised, and be shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.plans.documents import read_plans
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.text.redact import redact

_SECRET = "aB3dE6gH9jK2" * 3
_TOKEN = f"ghp_{_SECRET}"
_PART = 6
"""Characters of it in a row that may not stay."""
BOUNDS = (60, 80, 200, 300, 1000, 4000, 8000)


def _torn(said: object) -> bool:
    """Return whether a part of the token is in a text, apart from whole tokens."""
    text = redact(json.dumps(said, default=str))[0]
    return any(_SECRET[at : at + _PART] in text for at in range(len(_SECRET) - _PART))


def _padded() -> list[str]:
    """Return the token behind blanks, a word or other tokens, so that each bound falls into the token."""
    paddings = (
        lambda size: " " * size,
        lambda size: "word " * (size // 5),
        lambda size: "-" * (size - 1) + ":",
    )
    return [_TOKEN, *(pad(bound - 20) + _TOKEN for bound in BOUNDS for pad in paddings)]


@pytest.mark.parametrize("text", _padded(), ids=lambda text: f"{text[:1]}{len(text)}")
def test_nothing_that_is_read_holds_half_of_a_token(text: str) -> None:
    story: dict[str, Any] = {"id": text, "title": text, "notes": text, "status": text, "dependsOn": [text]}
    plans = read_plans("prd.json", json.dumps({"userStories": [story, {**story, "id": "US-2"}]}))
    assert plans
    assert not _torn(plans)
    plan = f"# Plan\n\n### Phase 1: {text}\n- [ ] {text}\n**Status:** {text}\n"
    assert not _torn(read_plans("task_plan.md", plan))
    log = f"# {text}\n\n## 2026-03-01 - US-1: {text}\n\n- {text}\n\n{text}\nmore {text}\n"
    assert not _torn(read_agent_log("progress.md", log))
    entry: dict[str, Any] = {
        "id": "a", "type": "task_completed", "task_id": "US-1", "timestamp": text, "story": {"id": text},
        "data": {"description": text, "notes": text, "learnings": [text], "root_cause": text,
                 "next_steps": [text]},
    }  # fmt: skip
    assert not _torn(read_own_log([entry]))
