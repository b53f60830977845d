"""Whatever is logged explicitly is in the log, and its sentence comes back, whatever happens around it (S11.3)."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import find_project
from progress_plugin.log.entry import data_of, texts_of
from progress_plugin.log.history import load
from progress_plugin.log.recent import headline
from progress_plugin.log.retractions import EARLIER
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recent import recent_of
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.recording.observe import Task, observe, tasks_completed
from progress_plugin.usecases.report import report
from progress_plugin.usecases.summarizing.summary_files import compose_for_this_call, prepare

STORIES = ("US-001", "US-002", "US-003")
WORDS = st.text(st.sampled_from("abcdefghijklm nopqrs"), min_size=3, max_size=60).filter(str.strip)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "notes": WORDS,
        "next_steps": WORDS,
        "issue": WORDS,
        "files_modified": st.lists(st.just("src/lamp.py"), max_size=1),
        "duration_minutes": st.integers(0, 90),
        "reviewer": WORDS,
    },
)
SAID = st.tuples(
    st.just("log"),
    st.sampled_from(["task_completed", "task_blocked", "debug_resolved", "milestone_reached"]),
    st.sampled_from([*STORIES, "us-001", "T-9", None]),
    FIELDS,
)
STEPS = st.lists(
    st.one_of(
        SAID,
        st.tuples(st.just("mark"), st.sampled_from(STORIES), st.sampled_from(["passes", "blocked", "open"])),
        st.tuples(st.just("task"), st.sampled_from(STORIES)),
        st.tuples(st.just("session")),
    ),
    min_size=1,
    max_size=8,
)


class Told:
    """A project in a folder of its own, driven by the functions that hooks and commands call."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = datetime(2026, 3, 1, tzinfo=UTC)
        self.session = 1
        self.sentences: list[str] = []
        self.plan = {name: {"id": name, "title": f"Title of {name}", "passes": False} for name in STORIES}
        root.mkdir(parents=True)
        self.write()
        observe(find_project(str(root)), now=self.now, session="s")
        prepare(find_project(str(root)))

    def write(self) -> None:
        plan = {"project": "P", "userStories": list(self.plan.values())}
        (self.root / "prd.json").write_text(json.dumps(plan))

    def take(self, step: tuple[Any, ...]) -> None:
        self.now += timedelta(minutes=1)
        project, session = find_project(str(self.root)), f"session-{self.session}"
        if step[0] == "session":
            self.session += 1
        elif step[0] == "task":
            subject = f"{step[1]}: Title of {step[1]}"
            tasks_completed(project, [Task(subject, len(self.sentences), self.now, session)], 5)
        elif step[0] == "mark":
            story = self.plan[step[1]]
            story.pop("status", None)
            story["passes"] = step[2] == "passes"
            if step[2] == "blocked":
                story["status"] = "blocked"
            self.write()
            observe(project, now=self.now, session=session)
        else:
            self._say(step, session)

    def _say(self, step: tuple[Any, ...], session: str) -> None:
        _, kind, task, fields = step
        sentence = f"sentence number {len(self.sentences)} of this project"
        log_entry(
            find_project(str(self.root)), kind, now=self.now, description=sentence, task_id=task,
            data=dict(fields), session=session,
        )  # fmt: skip
        self.sentences.append(sentence)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_every_sentence_that_was_logged_comes_back(tmp_path: Path, steps: list[tuple[Any, ...]]) -> None:
    told = Told(tmp_path / os.urandom(6).hex())
    for step in steps:
        told.take(step)
    project = find_project(str(told.root))
    raw = (told.root / ".agent-os/progress/progress.json").read_text() if told.sentences else ""
    recent = recent_of(project, 20).recent
    lines = [
        text for entry in recent.entries for text in (headline(entry), *texts_of(data_of(entry), EARLIER))
    ]
    page = report(project, now=told.now)
    shown = [text for entry in page.entries for text in (entry.title, *entry.details)]
    for sentence in told.sentences:
        assert sentence in raw
        assert any(sentence in line for line in lines)
        assert any(sentence in text for text in shown)
    _is_in_the_context_while_recent(project, told)


def _is_in_the_context_while_recent(project: Any, told: Told) -> None:
    """Of the stories that the context tells of every sentence stands in it."""
    composed = compose_for_this_call(project)
    context = composed.context
    entries = load(project.log_directory).entries
    named = {item.label for item in composed.content.recent}
    for entry in entries:
        sentences = [text for text in told.sentences if text in (one_line(each) for each in _said(entry))]
        if entry.get("task_id") in named:
            assert all(sentence in context for sentence in sentences)


def _said(entry: dict[str, Any]) -> list[str]:
    data = data_of(entry)
    return [*texts_of(data, "description"), *texts_of(data, EARLIER)]


@given(description=st.one_of(st.none(), st.just(""), st.just("  "), st.integers(), st.lists(st.text())))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_says_nothing_is_refused_and_nothing_is_written(tmp_path: Path, description: Any) -> None:
    root = tmp_path / os.urandom(6).hex()
    root.mkdir()
    data = {} if description is None else {"description": description}
    with pytest.raises(BadInput) as refused:
        log_entry(find_project(str(root)), "task_completed", now=datetime.now(UTC), data=data)
    assert "\n" not in str(refused.value)
    assert not (root / ".agent-os").exists()
