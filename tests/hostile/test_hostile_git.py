"""Git is started one way, and starts nothing that a repository names."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.git import git_command
from progress_plugin.core.git.commit_files import files_of
from progress_plugin.core.git.git_files import checkout_at
from tests.hostile.test_hostile_links import every_way_in
from tests.hostile.trap import Trap, trap
from tests.torture.workplace import Workplace

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
    """Arm the repository with a program in every place that can name one; return the file that it would leave."""
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


def test_nothing_that_a_repository_names_runs_in_any_command_hook_or_tool(trap: Trap, armed: Path) -> None:
    trap.place.hooks.environment["PATH"] = f".:{os.environ['PATH']}"
    every_way_in(trap)
    assert not armed.exists(), armed.read_text()


def test_the_programs_would_run_where_git_is_started_any_other_way(trap: Trap, armed: Path) -> None:
    subprocess.run(["git", "ls-files"], cwd=trap.place.root, capture_output=True)
    assert "program.sh" in armed.read_text()


def test_what_a_commit_changed_is_looked_for_without_the_programs_of_a_driver(
    trap: Trap, armed: Path
) -> None:
    (trap.place.root / ".git/info").mkdir(exist_ok=True)
    (trap.place.root / ".git/info/attributes").write_text("* diff=evil\n")
    words = ["log", "HEAD~1", "-1", "--format=%H", "-SUS-004", "--", "prd.json"]
    assert git_command.output_of(str(trap.place.root), words)
    assert not armed.exists(), armed.read_text()


def test_a_signature_is_not_looked_at(trap: Trap, armed: Path) -> None:
    root = trap.place.root
    trap.place.git("config", "log.showSignature", "true")
    commit = subprocess.run(["git", "cat-file", "commit", "HEAD"], cwd=root, capture_output=True, check=True)
    for kind in ("SIGNED MESSAGE", "PGP SIGNATURE", "SSH SIGNATURE"):
        head, _, words = commit.stdout.decode().partition("\n\n")
        signed = f"{head}\ngpgsig -----BEGIN {kind}-----\n AAAA\n -----END {kind}-----\n\n{words}"
        hash_object = ["git", "hash-object", "-t", "commit", "-w", "--stdin"]
        made = subprocess.run(hash_object, cwd=root, input=signed.encode(), capture_output=True, check=True)
        (root / ".git/refs/heads" / kind.split()[0]).write_bytes(made.stdout)
    assert git_command.output_of(str(root), ["log", "--all", "-5", "--format=%H"])
    assert not armed.exists(), armed.read_text()


@pytest.mark.parametrize(
    "variable", ["GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_PAGER", "PAGER", "GIT_EDITOR"]
)
def test_variables_that_name_programs_are_not_handed_on(
    trap: Trap, armed: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, str(trap.place.root / "git"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(trap.place.root / "git"))
    trap.command("doctor")
    assert not armed.exists()
    assert variable not in git_command.environment() or variable == "GIT_PAGER"
    assert git_command.environment()["GIT_PAGER"] == "cat"


def test_a_repository_named_by_a_variable_is_not_the_one_that_is_asked(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap.place.plan(done=4)
    commit = trap.place.commit()
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert files_of(str(trap.place.root), commit) == ["prd.json"]


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


@pytest.mark.parametrize(
    "name", ["config", "config.worktree", "index", "info/exclude", "packed-refs", "HEAD"]
)
def test_git_is_not_started_where_it_would_wait_for_a_file_of_its_own(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    started = tmp_path / "started"
    program = tmp_path / "bin/git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho $$ >>{started}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert git_command.output_of(str(trap.place.root), ["ls-files"]) == b""
    assert started.read_text().count("\n") == 1
    file = trap.place.root / ".git" / name
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    assert git_command.output_of(str(trap.place.root), ["ls-files"]) is None
    trap.command("doctor")
    assert started.read_text().count("\n") == 1


def test_a_start_does_not_wait_for_a_pipe_that_the_settings_of_a_repository_include(trap: Trap) -> None:
    root = trap.place.root
    os.mkfifo(root / "pipe")
    (root / ".git/config").write_text("[core]\n\tbare = false\n[include]\n\tpath = ../pipe\n")
    for text in ("stow the anchor", "coil the ropes"):
        trap.place.log(text)
    log = trap.place.ours / "progress.json"
    whole = json.loads(log.read_text())
    (trap.place.ours / "recovery").mkdir(exist_ok=True)
    (trap.place.ours / "recovery/progress-000001-20260102-00000000.json").write_text(json.dumps(whole))
    log.write_text(json.dumps({**whole, "entries": whole["entries"][:1]}))
    assert "stow the anchor" in trap.start()


def test_git_that_took_too_long_is_left_alone_about_that_checkout_for_a_while(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    slow = tmp_path / "bin/git"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\necho $$ >>{started}\nexec sleep 600\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    for _ in range(3):
        assert git_command.output_of(str(trap.place.root), ["ls-files"], timeout=0.2) is None
    assert started.read_text().count("\n") == 1


def test_what_git_prints_is_bounded_and_so_is_its_time(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "bin/git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\ncase $* in *endless*) exec cat /dev/zero;; *) sleep 600 & wait;; esac\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    assert git_command.output_of(str(trap.place.root), ["endless"], most=100_000) is None
    assert git_command.output_of(str(trap.place.root), ["hanging"], timeout=0.2) is None
    monkeypatch.setenv("PATH", "bin:.")
    assert git_command.output_of(str(tmp_path), ["version"]) is None


@pytest.mark.parametrize("into", [".git", ".git/worktrees/side"])
def test_a_forged_git_file_tells_nothing_of_the_repository_that_it_names(tmp_path: Path, into: str) -> None:
    secret = Workplace(tmp_path / "secretrepo")
    secret.plan(done=1)
    (secret.root / "merger-with-acme.md").write_text("x")
    secret.git("checkout", "-q", "-b", "merger-branch")
    commit = secret.commit()
    secret.git("worktree", "add", "-q", "-b", "merger-side", str(tmp_path / "side"))
    root = tmp_path / "forged"
    root.mkdir()
    (root / ".git").write_text(f"gitdir: ../secretrepo/{into}\n")
    assert checkout_at(str(root)) is None
    assert files_of(str(root), commit) == []


def test_every_checkout_that_git_makes_is_known_by_its_way_back(tmp_path: Path) -> None:
    place = Workplace(tmp_path / "harbour")
    place.plan(done=1)
    commit = place.commit()

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *words],
            check=True,
            capture_output=True,
            cwd=place.root,
        )

    git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    git(
        "clone",
        "-q",
        "--separate-git-dir",
        str(tmp_path / "kept.git"),
        str(place.root),
        str(tmp_path / "apart"),
    )
    assert checkout_at(str(tmp_path / "apart")) is None  # git notes no way back there
    git("--git-dir", str(tmp_path / "kept.git"), "config", "core.worktree", str(tmp_path / "apart"))
    git("submodule", "add", "-q", str(tmp_path / "apart"), "parts/crane")
    tops = (tmp_path / "side", tmp_path / "apart", place.root / "parts/crane")
    found = [checkout_at(str(top)) for top in tops]
    assert [checkout.head()[1] for checkout in found if checkout is not None] == [commit] * 3
    assert found[0] is not None
    assert found[0].worktree == "side"
