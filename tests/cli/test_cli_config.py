"""`config`: one key changes, its source is named, and a file that cannot be edited stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.config.settings import SETTINGS
from tests.cli.conftest import TABLES


@pytest.fixture
def file(project: Path) -> Path:
    """Return the path of the project's own file; it does not exist."""
    (project / ".agent-os/progress").mkdir(parents=True)
    return project / ".agent-os/progress/config.toml"


@pytest.mark.parametrize(("words", "before", "after", "printed"), TABLES["config: changes"])
def test_one_key_changes_and_the_others_stay(
    file: Path, run: Any, words: str, before: str, after: str, printed: str
) -> None:
    file.write_text(before)
    assert run("config", *words.split()) == (0, printed, "")
    assert file.read_text() == after


@pytest.mark.parametrize(("words", "before", "code", "message"), TABLES["config: refused"])
def test_what_cannot_be_set_is_one_line_and_changes_nothing(
    file: Path, run: Any, words: str, before: str, code: int, message: str
) -> None:
    file.write_text(before)
    found, out, err = run("config", *words.split())
    assert (found, out, err.count("\n"), message in err) == (code, "", 1, True)
    assert file.read_text() == before


def test_a_file_that_is_not_utf8_stays(file: Path, run: Any) -> None:
    file.write_bytes(b"# caf\xe9\n")
    assert run("config", "set", "inject", "on")[0] == 2
    assert file.read_bytes() == b"# caf\xe9\n"


def test_the_users_own_file_is_apart_from_the_projects(project: Path, run: Any, home: Path) -> None:
    assert run("config", "set", "promote.auto", "true", "--user")[0] == 0
    own = Path(run("config", "path", "--user")[1].strip())
    assert own.is_relative_to(home)
    assert own.read_text() == "[promote]\nauto = true\n"
    assert not (project / ".agent-os").exists()
    assert run("config", "unset", "promote.auto", "--user")[0] == 0
    assert own.read_text() == ""


def test_a_change_that_is_hidden_says_so(file: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_MAX_LEARNINGS", "9")
    assert run("config", "set", "max_learnings", "4") == (
        0,
        "max_learnings is now 9  (AGENT_PROGRESS_MAX_LEARNINGS)\n",
        f"{file} was changed, but AGENT_PROGRESS_MAX_LEARNINGS is stronger\n",
    )


def test_the_list_shows_every_setting_its_value_and_its_source(project: Path, run: Any) -> None:
    plan = json.loads((project / "prd.json").read_text())
    plan["optimization"] = {
        "progressSummary": {"maxLearnings": 8}, "maxContextTokens": "many", "prioritize": ["recent", "learnings"],
    }  # fmt: skip
    (project / "prd.json").write_text(json.dumps(plan))
    code, out, err = run("config", "list")
    assert (code, [line.split()[0] for line in out.splitlines()]) == (
        0,
        [each.key for each in SETTINGS.values()],
    )
    assert "max_learnings         8  (prd.json)\n" in out
    assert "inject                true  (default)\n" in out
    assert err.startswith("prd.json: optimization.maxContextTokens = 'many' is ignored; allowed is a whole ")
    values = [run("config", "get", key)[1] for key in ("prioritize", "inject", "project")]
    assert values == ["recent,learnings\n", "true\n", "\n"]


def test_sharing_changes_what_our_directory_ignores(file: Path, run: Any) -> None:
    for words, is_shared in (("set share yes", True), ("unset share", False)):
        assert run("config", *words.split())[0] == 0
        assert ("!shared/\n" in (file.parent / ".gitignore").read_text()) is is_shared


def test_a_link_out_of_the_project_is_not_followed(file: Path, run: Any, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.toml").write_text("share = true\n")
    file.symlink_to(tmp_path / "elsewhere.toml")
    assert run("config", "set", "inject", "off")[0] == 1
    assert (tmp_path / "elsewhere.toml").read_text() == "share = true\n"
