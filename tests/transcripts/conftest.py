"""A project with a directory of ours, and the transcript of its first session."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.log import store
from progress_plugin.log.store import LogHistory
from tests.transcripts.claude_transcript import ClaudeTranscript


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "harbour"
    (root / ".agent-os/progress").mkdir(parents=True)
    return find_project(str(root))


@pytest.fixture
def told(project: Project, home: Path) -> ClaudeTranscript:
    return ClaudeTranscript(home, Path(project.root), "first")


@pytest.fixture
def log(tmp_path: Path) -> LogHistory:
    return store.load_history(str(tmp_path))
