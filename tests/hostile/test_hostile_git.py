"""Git is started in one way only, and starts no program that a repository names."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.git import Repository, find_repository, git_variables
from progress_plugin.transcripts.work_on_disk import edits_since
from tests.hostile.test_hostile_links import every_way_in
from tests.hostile.trap import Trap, trap

__all__ = ["trap"]

PROGRAMS = (
    "core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.gitProxy", "core.askPass", "core.alternateRefsCommand",
    "diff.external", "diff.evil.command", "diff.evil.textconv", "merge.evil.driver", "filter.evil.smudge", "filter.evil.clean",
    "filter.evil.process", "credential.helper", "gpg.program", "gpg.ssh.program", "gpg.x509.program", "pager.ls-files", "pager.diff-tree",
    "uploadpack.packObjectsHook", "remote.origin.uploadpack", "sequence.editor", "interactive.diffFilter", "web.browser",
    "alias.ls-files", "alias.diff-tree", "alias.status", "trace2.eventTarget",
)  # fmt: skip
HOOKS = (
    "post-index-change",
    "fsmonitor-watchman",
    "reference-transaction",
    "pre-commit",
    "post-checkout",
    "pre-auto-gc",
)


@pytest.fixture
def armed(trap: Trap, tmp_path: Path) -> Path:
    """Name a program in every git setting that can; return the file that the program would write."""
    acted = tmp_path / "acted"
    program = tmp_path / "program.sh"
    program.write_text(f'#!/bin/sh\necho "$0 $@" >> {acted}\n')
    program.chmod(0o755)
    root = trap.place.root
    trap.place.plan(done=4)
    (root / ".gitattributes").write_text("* diff=evil filter=evil merge=evil\n")
    trap.place.commit()
    trap.start()
    trap.place.plan(done=5)
    trap.command("log", "milestone_reached", "-m", "a stone")
    (root / ".agent-os/progress/tracked").write_text("x")
    trap.place.git("add", "-f", ".agent-os/progress/tracked")
    commit = trap.place.commit()
    for key in PROGRAMS:
        value = f"!{program}" if key.startswith("alias.") else str(program)
        trap.place.git("config", key, value)
    hooks = tmp_path / "hooks"
    for folder in (hooks, root / ".git/hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).write_text(program.read_text())
            (folder / name).chmod(0o755)
    for key, value in {
        "core.hooksPath": str(hooks), "remote.origin.url": f"ext::{program}", "remote.origin.promisor": "true",
        "protocol.ext.allow": "always", "extensions.partialClone": "origin", "core.repositoryFormatVersion": "1",
        "core.attributesFile": str(root / ".gitattributes"), "core.untrackedCache": "true", "submodule.recurse": "true",
    }.items():  # fmt: skip
        trap.place.git("config", key, value)
    (root / "git").symlink_to(program)
    tree = trap.place.git_id(f"{commit}^{{tree}}")
    (root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    acted.unlink(missing_ok=True)
    return acted


def repository(trap: Trap) -> Repository:
    found = find_repository(str(trap.place.root))
    assert found is not None
    return found


def test_nothing_that_a_repository_names_runs_in_any_command_hook_or_tool(trap: Trap, armed: Path) -> None:
    trap.place.hooks.environment["PATH"] = f".:{os.environ['PATH']}"
    every_way_in(trap)
    assert not armed.exists(), armed.read_text()


def test_looking_for_edited_files_starts_no_filter(trap: Trap, armed: Path) -> None:
    root = trap.place.root
    os.utime(root / "prd.json")
    assert "prd.json" in [path for _, path in edits_since(repository(trap), str(root), 0)]
    assert not armed.exists(), armed.read_text()


def test_the_programs_would_run_where_git_is_started_any_other_way(trap: Trap, armed: Path) -> None:
    subprocess.run(["git", "ls-files"], cwd=trap.place.root, capture_output=True)
    assert "program.sh" in armed.read_text()


def test_variables_that_name_programs_are_not_handed_on(
    trap: Trap, armed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = ("GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "PAGER", "GIT_EDITOR")
    for variable in variables:
        monkeypatch.setenv(variable, str(trap.place.root / "git"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(trap.place.root / "git"))
    trap.command("doctor")
    assert not armed.exists()
    assert not {*variables} & git_variables().keys()
    assert git_variables()["GIT_PAGER"] == "cat"


def test_a_repository_named_by_a_variable_is_not_the_one_that_is_asked(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap.place.plan(done=4)
    commit = trap.place.commit()
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert repository(trap).files_of(commit) == ["prd.json"]


def test_the_settings_of_a_repository_name_no_other_worktree(trap: Trap, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/private.md").touch()
    trap.place.git("config", "core.worktree", str(tmp_path / "other"))
    assert repository(trap).run(["ls-files", "--others"]) == b""


def test_a_bare_repository_that_came_along_in_our_directory_is_not_asked(trap: Trap, tmp_path: Path) -> None:
    acted = tmp_path / "acted"
    program = tmp_path / "program.sh"
    program.write_text(f"#!/bin/sh\ntouch {acted}\n")
    program.chmod(0o755)
    trap.place.plan(done=4)
    trap.start()
    subprocess.run(["git", "init", "-q", "--bare", str(trap.place.ours)], check=True, capture_output=True)
    with (trap.place.ours / "config").open("a") as config:
        config.write(f"[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = {program}\n")
    trap.command("doctor")
    assert not acted.exists()


@pytest.mark.slow
def test_a_start_does_not_wait_for_a_pipe_that_the_settings_of_a_repository_include(trap: Trap) -> None:
    root = trap.place.root
    for text in ("stow the anchor", "coil the ropes"):
        trap.place.log(text)
    os.mkfifo(root / "pipe")
    (root / ".git/config").write_text("[core]\n\tbare = false\n[include]\n\tpath = ../pipe\n")
    log = trap.place.ours / "progress.json"
    whole = json.loads(log.read_text())
    log.write_text(json.dumps({**whole, "entries": whole["entries"][:1]}))
    assert "stow the anchor" in trap.start()
