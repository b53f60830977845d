"""The section about the last session has what the next agent needs, in 350 tokens: twelve examples."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from progress_plugin.summary.session_section import TOKENS, section
from progress_plugin.text.bounds import estimate_tokens as estimate
from progress_plugin.transcripts.record import Commit
from progress_plugin.transcripts.transcript import transcript_lines
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import record_of_lines

EXAM = json.loads(Path(__file__).with_name("exam_sessions.json").read_text("utf-8"))
"""Twelve sessions as they go, with eight facts of each that the next agent needs.

A step is `ask`, `say`, `new`, `edit`, `run` (command, exit code, output), `plan` (task, status).
"""

LOOKS = (
    "ls -la src",
    "git status --short",
    "cat README.md",
    "rg -n TODO",
    "git diff --stat",
    "sed -n 1,80p notes.md",
)


def written(told: ClaudeTranscript, steps: list[list[Any]], chance: random.Random) -> list[tuple[str, str]]:
    """Write the session among many commands that only look, as in real sessions; return its commits."""
    commits = []
    tasks = {step[1]: str(number) for number, step in enumerate(steps) if step[0] == "plan"}
    for kind, first, *rest in steps:
        for _ in range(chance.randrange(4, 12)):
            words = " ".join(
                chance.choice(("harbour", "value", "index", "return", "path")) for _ in range(60)
            )
            told.runs(chance.choice(LOOKS), 0, words)
            if chance.random() < 0.3:
                told.says(f"Let me look at the {words[:40]} next.")
        if kind == "ask":
            told.asks(first)
        elif kind == "say":
            told.says(first)
        elif kind in ("new", "edit"):
            told.writes(first, new=kind == "new")
        elif kind == "run":
            told.runs(first, *rest)
        elif kind == "plan":
            told.plans(tasks[first], first, *rest)
        else:
            told.runs(f"git commit -qm '{first}'")
            commits.append(("c0ffee" * 6 + "abcd", first))
    return commits


def test_of_the_facts_that_are_needed_most_are_told(home: Path, tmp_path: Path) -> None:
    chance = random.Random(12)
    found, tail, in_all, sizes = 0, 0, 0, []
    for number, exam in enumerate(EXAM):
        told = ClaudeTranscript(home, tmp_path, f"exam-{number}")
        commits = written(told, exam["steps"], chance)
        lines = list(transcript_lines(str(told.path)))
        texts = [str(line["message"]["content"]) for line in lines]
        record = record_of_lines("claude", lines, str(tmp_path))
        record.commits = [Commit(*each) for each in commits]
        text = section(record, in_log=False)
        missing = [fact for fact in exam["facts"] if fact not in text]
        found += len(exam["facts"]) - len(missing)
        in_all += len(exam["facts"])
        end = "\n".join(texts)[-4 * len(text) :]
        while estimate(end) > TOKENS:
            end = end[len(end) // 20 :]
        tail += sum(fact in end for fact in exam["facts"])
        sizes.append(estimate(text))
    assert max(sizes) <= TOKENS
    assert (found, in_all) >= (88, 96)
    assert found > 2 * tail
