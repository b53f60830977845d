"""Clients for the tests of `install`: scripts on PATH, and a folder of Cursor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import run

__all__ = ["run"]


AddProgram = Callable[[str, str], None]


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Hide the clients of this machine; return a folder on PATH."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return programs


@pytest.fixture
def add_program(programs: Path) -> AddProgram:
    """Return a function that puts a program, a shell script, on PATH."""

    def add(name: str, script: str) -> None:
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)

    return add


@pytest.fixture
def cursor(home: Path) -> Path:
    """Make Cursor look installed; return the folder in which it looks for the plugin."""
    (home / ".cursor").mkdir()
    return home / ".cursor" / "plugins" / "local" / "progress"
