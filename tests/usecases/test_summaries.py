"""The figures of a summary in each worktree, its copies, and the places that are named below its lines."""

import subprocess
from pathlib import Path

from progress_plugin.core.project import find_project
from progress_plugin.usecases.answers import describe_places
from progress_plugin.usecases.summaries import summarize


def _log(root: Path) -> None:
    entry = '{"id": "entry-1", "type": "discovery", "timestamp": "2026-03-01T10:00:00Z", "data": {"description": "%s"}}'
    (root / ".agent-os/progress").mkdir(parents=True)
    (root / ".agent-os/progress/progress.json").write_text(
        '{"entries": [%s]}' % (entry % ("the tide turns " * 50))
    )


def test_the_tokens_of_our_log_count_in_a_linked_worktree_too(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    main.mkdir()
    person = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    for words in (
        ("init", "-q"),
        (*person, "commit", "-qm", "Begin", "--allow-empty"),
        ("worktree", "add", "-q", str(linked)),
    ):
        subprocess.run(["git", *words], cwd=main, check=True)
    _log(main)
    figures = [summarize(find_project(str(root)))["tokens"]["before"] for root in (main, linked)]
    assert figures[0] == figures[1] > 100


def test_a_copy_that_a_link_prevents_is_a_problem_and_no_more(tmp_path: Path, home: Path) -> None:
    root = tmp_path / "harbour"
    _log(root)
    (home / ".config/agent-progress").mkdir(parents=True)
    (home / ".config/agent-progress/config.toml").write_text('summary_path = "docs/summary.md"')
    (root / "docs").symlink_to(tmp_path)
    done = summarize(find_project(str(root)))
    assert done["written"]
    assert done["problems"] == [f"{root}/docs: docs is a link out of the project; remove the link"]


def test_a_place_without_a_line_begins_no_run_of_lines() -> None:
    places = [{"path": "plan.md", "line": line, "entry": None} for line in (5, None, 1, 2)]
    assert [*describe_places(places)] == ["plan.md:5", "plan.md", "plan.md:1-2"]
