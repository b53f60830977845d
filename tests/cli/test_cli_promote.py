"""`promote`: learnings that are recorded three times go into AGENTS.md when asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.errors import Busy
from progress_plugin.core.project import find_project
from progress_plugin.usecases.promote import promote
from progress_plugin.usecases.reading import read_project

FIXTURES = Path(__file__).with_name("fixtures")
LOG = (FIXTURES / "proven.md").read_text("utf-8")
PATTERNS = (FIXTURES / "proven-agents.md").read_text("utf-8")


@pytest.fixture
def proven(project: Path) -> Path:
    """Return a project whose log states a pattern and a gotcha three times."""
    (project / "progress.md").write_text(LOG)
    return project


def test_apply_writes_the_block_and_nothing_else(proven: Path, run: Any) -> None:
    code, out, _ = run("promote")
    assert (code, out.startswith("3x  pattern     Use `winch.lift()` for every stone")) == (0, True)
    assert out.endswith("AGENTS.md was not changed; --apply writes it\n")
    assert not (proven / "AGENTS.md").exists()
    assert not (proven / ".agent-os").exists()
    (proven / "AGENTS.md").write_text("# How we work\n\nSlowly.\n")
    assert run("promote", "--apply")[0] == 0
    assert (proven / "AGENTS.md").read_text() == f"# How we work\n\nSlowly.\n\n{PATTERNS}"
    before = (proven / "AGENTS.md").stat()
    assert run("promote", "--apply")[1].endswith("AGENTS.md already has these lines\n")
    assert (proven / "AGENTS.md").stat().st_ino == before.st_ino


def test_all_kinds_come_when_asked_for_and_cannot_end_the_block(proven: Path, run: Any, answer: Any) -> None:
    run("promote", "--all", "--apply")
    text = (proven / "AGENTS.md").read_text()
    assert "### Gotchas & Warnings\n\n- the tide gate locks at noon" in text
    assert text.count("<!-- /agent-progress -->") == 1
    assert answer("promote", "--all")["changes"] is False
    assert answer("promote")["changes"] is True


def test_when_nothing_is_left_the_block_goes_and_the_file_with_it(proven: Path, run: Any) -> None:
    run("promote", "--apply")
    (proven / "progress.md").write_text("# Progress Log\n")
    assert run("promote")[1].endswith("--apply writes it\n")
    run("promote", "--apply")
    assert not (proven / "AGENTS.md").exists()
    assert run("promote")[1] == "No pattern was recorded 3 times or more; there is nothing to write\n"


def test_a_link_out_of_the_project_is_refused(proven: Path, run: Any, tmp_path: Path) -> None:
    elsewhere = tmp_path / "theirs.md"
    elsewhere.write_text("theirs\n")
    (proven / "AGENTS.md").symlink_to(elsewhere)
    code, _, err = run("promote", "--apply")
    assert (code, err.count("\n")) == (1, 1)
    assert elsewhere.read_text() == "theirs\n"


@pytest.mark.parametrize("data", [b"\xff\xfe#\x00", b"<!-- /agent-progress -->\n"])
def test_a_file_that_cannot_be_read_is_left_alone(proven: Path, run: Any, data: bytes) -> None:
    (proven / "AGENTS.md").write_bytes(data)
    code, _, err = run("promote", "--apply")
    assert (code, err.count("\n")) == (2, 1)
    assert (proven / "AGENTS.md").read_bytes() == data


def test_the_users_own_settings_may_ask_for_it_once_and_for_all(proven: Path, run: Any, home: Path) -> None:
    run("status", "summarize")
    assert not (proven / "AGENTS.md").exists()
    assert run("config", "set", "--user", "promote.auto", "true")[0] == 0
    run("status", "summarize")
    assert (proven / "AGENTS.md").read_text() == PATTERNS
    run("promote", "--all", "--apply")
    both = (proven / "AGENTS.md").read_text()
    (proven / "progress.md").write_text(LOG + "\n## 2026-03-04 - US-003\n- More\n")
    run("status", "summarize")
    assert (proven / "AGENTS.md").read_text() == both


def test_an_edit_that_was_made_meanwhile_is_kept(proven: Path) -> None:
    project = find_project(str(proven))
    learnings = read_project(project).facts.learnings

    def meanwhile() -> Any:
        (proven / "AGENTS.md").write_text("# Ours\n")
        yield from learnings

    with pytest.raises(Busy):
        promote(project, meanwhile(), apply=True)
    assert (proven / "AGENTS.md").read_text() == "# Ours\n"
