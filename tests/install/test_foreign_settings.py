"""What `install` and `uninstall` leave alone: the user's own programs, links and folders."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from progress_plugin.usecases.install import register
from tests.install.conftest import AddProgram


def test_no_client_is_taken_from_the_project_or_started_in_it(
    add_program: AddProgram, programs: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = Path.cwd() / "node_modules" / ".bin"
    inside.mkdir(parents=True)
    (inside / "codex").write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    (inside / "codex").chmod(0o755)
    monkeypatch.setenv("PATH", f"{inside}:{programs}:/usr/bin:/bin")
    assert register((), wanted=True, dry_run=False) == []
    add_program("codex", f"{sys.executable} -c 'import os; print(os.getcwd())' >{tmp_path}/cwd")
    register((), wanted=True, dry_run=False)
    assert (tmp_path / "cwd").read_text() == f"{home}\n"
    assert not (tmp_path / "started").exists()


def test_anything_of_the_user_in_place_of_the_link_stays(cursor: Path, tmp_path: Path) -> None:
    (tmp_path / "their-progress").mkdir()
    cursor.parent.mkdir(parents=True)
    cursor.symlink_to(tmp_path / "their-progress")
    for done in (register((), wanted=True, dry_run=False), register((), wanted=False, dry_run=False)):
        assert done[0]["verdict"] == "failed"
    assert cursor.readlink() == tmp_path / "their-progress"
