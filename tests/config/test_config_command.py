"""`agent-progress config` as a person uses it: files in, files and lines out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from progress_plugin.config.settings import SETTINGS


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "shop"
    place.mkdir()
    return place


def _file(root: Path) -> Path:
    return root / ".agent-os" / "progress" / "config.toml"


def _run(root: Path, *words: str) -> int:
    return main(["-C", str(root), "config", *words])


def _plan(root: Path, optimization: object) -> None:
    stories = [{"id": "US-001", "title": "Sign in", "passes": False}]
    (root / "prd.json").write_text(json.dumps({"userStories": stories, "optimization": optimization}))


def test_setting_a_key_keeps_the_others_and_their_order(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _file(root).parent.mkdir(parents=True)
    _file(root).write_text('share = true\nproject = "Shop # 1"\ninject = true\n')
    assert _run(root, "set", "inject", "off") == 0
    assert _file(root).read_text() == 'share = true\nproject = "Shop # 1"\ninject = false\n'
    assert capsys.readouterr() == ("inject is now false  (.agent-os/progress/config.toml)\n", "")


def test_a_list_is_written_with_commas_and_a_key_can_be_taken_out_again(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(root, "set", "prioritize", "gotchas,table") == 0
    assert _run(root, "unset", "prioritize") == 0
    assert _file(root).read_text() == ""
    assert capsys.readouterr().out == (
        "prioritize is now gotchas,table  (.agent-os/progress/config.toml)\nprioritize is now (none)  (default)\n"
    )


def test_ones_own_file_is_apart_from_the_projects(
    root: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(root, "set", "promote.auto", "true", "--user") == 0
    capsys.readouterr()
    assert _run(root, "path", "--user") == 0
    own = Path(capsys.readouterr().out.strip())
    assert own.is_relative_to(home)
    assert own.read_text() == "[promote]\nauto = true\n"
    assert not (root / ".agent-os").exists()
    assert _run(root, "unset", "promote.auto", "--user") == 0
    assert own.read_text() == ""


def test_what_only_the_user_may_set_is_refused_for_a_project(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(root, "set", "summary_path", "docs/p.md") == 1
    assert capsys.readouterr().err == (
        "agent-progress: summary_path counts only in your own configuration; set it there with --user\n"
    )
    assert not _file(root).exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("set", "max_learnings", "-1"),
            "max_learnings = -1 is not allowed; allowed is a whole number from 0 to 1000",
        ),
        (("set", "max_learning", "1"), "max_learning is not a setting; did you mean max_learnings?"),
        (("get", "injec"), "injec is not a setting; did you mean inject?"),
    ],
)
def test_a_wrong_key_or_value_is_one_line_and_changes_nothing(
    root: Path, words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(root, *words) == 2
    assert capsys.readouterr().err == f"agent-progress: {message}\n"
    assert not _file(root).exists()


def test_a_file_that_is_no_toml_is_never_overwritten(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _file(root).parent.mkdir(parents=True)
    _file(root).write_text("inject = \n")
    assert _run(root, "set", "inject", "on") == 2
    assert _file(root).read_text() == "inject = \n"
    assert "mend it by hand, nothing was changed" in capsys.readouterr().err


def test_a_change_that_a_stronger_source_hides_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_MAX_LEARNINGS", "9")
    assert _run(root, "set", "max_learnings", "4") == 0
    out, err = capsys.readouterr()
    assert out == "max_learnings is now 9  (AGENT_PROGRESS_MAX_LEARNINGS)\n"
    assert err == f"{_file(root)} was changed, but AGENT_PROGRESS_MAX_LEARNINGS is stronger\n"


def test_the_list_shows_every_setting_its_value_and_where_that_comes_from(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _plan(root, {"progressSummary": {"maxLearnings": 8}, "maxContextTokens": "many"})
    assert _run(root, "list") == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == [each.key for each in SETTINGS.values()]
    assert "max_learnings         8  (prd.json)\n" in out
    assert "inject                true  (default)\n" in out
    assert err == (
        "prd.json: optimization.maxContextTokens = 'many' is ignored; allowed is a whole number from 0 to 100000\n"
    )


def test_one_value_is_printed_bare(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _plan(root, {"prioritize": ["recent", "learnings"]})
    assert [_run(root, "get", key) for key in ("prioritize", "inject", "project")] == [0, 0, 0]
    assert capsys.readouterr().out == "recent,learnings\ntrue\n\n"


def test_sharing_changes_what_our_directory_ignores(root: Path) -> None:
    assert _run(root, "set", "share", "yes") == 0
    assert "!shared/\n" in (_file(root).parent / ".gitignore").read_text()
    assert _run(root, "unset", "share") == 0
    assert "!shared/\n" not in (_file(root).parent / ".gitignore").read_text()


def test_a_link_out_of_the_project_is_not_followed(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text("share = true\n")
    _file(root).parent.mkdir(parents=True)
    _file(root).symlink_to(elsewhere)
    assert _run(root, "set", "inject", "off") == 1
    assert elsewhere.read_text() == "share = true\n"
