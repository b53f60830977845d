"""Whatever is logged explicitly is in the log, and its sentence comes back, whatever happens around it."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from progress_plugin.core.project import find_project
from progress_plugin.log.entry import data_of, texts_of
from progress_plugin.log.headline import headline
from progress_plugin.log.merge import EARLIER
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.recording.record_events import observe, record_tasks
from progress_plugin.usecases.status import recent_of, report
from tests.journeys.project_life import OURS, earlier_entries

STORIES = tuple(f"US-{number:03}" for number in range(1, 7))
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
    st.sampled_from([*STORIES, "us-001", "T-9", "T-10", None, None]),
    FIELDS,
)
STEPS = st.lists(
    st.one_of(
        SAID,
        SAID,
        SAID,
        st.tuples(st.just("mark"), st.sampled_from(STORIES), st.sampled_from(["passes", "blocked", "open"])),
        st.tuples(st.just("task"), st.sampled_from(STORIES)),
        st.tuples(st.just("session")),
    ),
    min_size=3,
    max_size=12,
)


class Told:
    """A project in a folder of its own, driven by the functions that hooks and commands call."""

    def __init__(self, root: Path, recent: int) -> None:
        self.root = root
        self.now = datetime(2026, 3, 1, tzinfo=UTC)
        self.session = 1
        self.recent = recent
        self.sentences: list[tuple[str, str | None]] = []
        """What was logged in somebody's words, and the story it is about."""
        self.plan = {name: {"id": name, "title": f"Title of {name}", "passes": False} for name in STORIES}
        root.mkdir(parents=True)
        self.write()
        self._begin_a_log()
        observe(find_project(str(root)), now=self.now, session="s")
        prepare(find_project(str(root)))

    def _begin_a_log(self) -> None:
        """Have a log that says more than a context has room for: what is not told first is not told at all."""
        entries = earlier_entries(60, now=self.now - timedelta(days=2))
        for place, entry in enumerate(entries):
            rule = f"Never moor number {place} at quay {place * 7} before the {place}th tide of gauge {place * 3}"
            entry["data"]["learnings"] = [f"{rule}: its rope of {place * 11} metres is worn"]
        directory = self.root / OURS
        directory.mkdir(parents=True)
        (directory / "progress.json").write_text(json.dumps({"version": "1.0", "entries": entries}), "utf-8")

    def write(self) -> None:
        settings = {"progressSummary": {"recentStoriesCount": self.recent}, "maxContextTokens": 900}
        plan = {"project": "P", "optimization": settings, "userStories": list(self.plan.values())}
        (self.root / "prd.json").write_text(json.dumps(plan))

    def take(self, step: tuple[Any, ...]) -> None:
        self.now += timedelta(minutes=1)
        project, session = find_project(str(self.root)), f"session-{self.session}"
        if step[0] == "session":
            self.session += 1
        elif step[0] == "task":
            subject = f"{step[1]}: Title of {step[1]}"
            facts = {"subject": subject, "client_task": len(self.sentences)}
            record_tasks(project, [PendingEvent("task", project.root, session, self.now, facts)], 5)
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
        self.sentences.append((sentence, task.upper() if task else None))

    def log(self) -> list[dict[str, Any]]:
        """Return the raw entries, oldest first."""
        path = self.root / OURS / "progress.json"
        return list(json.loads(path.read_text())["entries"])


def test_every_sentence_that_was_logged_comes_back(tmp_path: Path) -> None:
    checked = [0]

    @settings(max_examples=6, phases=[Phase.generate])  # to shrink so many lives takes minutes
    @given(steps=STEPS, recent=st.integers(1, 5))
    def told_again(steps: list[tuple[Any, ...]], recent: int) -> None:
        told = Told(tmp_path / os.urandom(6).hex(), recent)
        for step in steps:
            told.take(step)
        checked[0] += _is_in_log_recent_and_report(told)

    told_again()
    assert checked[0] >= 5, "hardly a sentence was looked at"


def _is_in_log_recent_and_report(told: Told) -> int:
    project = find_project(str(told.root))
    raw = (told.root / OURS / "progress.json").read_text() if told.sentences else ""
    recent = recent_of(project, 20).data
    lines = [
        text for entry in recent["entries"] for text in (headline(entry), *texts_of(data_of(entry), EARLIER))
    ]
    page = report(project, now=told.now)
    shown = [text for entry in page["entries"] for text in (entry["title"], *entry["details"])]
    for sentence, _ in told.sentences:
        assert sentence in raw
        assert any(sentence in line for line in lines)
        assert any(sentence in text for text in shown)
    return len(told.sentences)
