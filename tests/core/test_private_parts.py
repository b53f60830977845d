"""Private parts of the standard library are short cuts: without them everything is as ever."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PROGRAM = """
import builtins, runpy, sys
door, *arguments = sys.argv[1:]
real = builtins.__import__
def guarded(name, globals=None, locals=None, fromlist=(), level=0):
    ours = str((globals or {}).get("__name__", "")).startswith("progress_plugin")
    private = [each for each in (name, *(fromlist or ())) if each.startswith("_") and not each.startswith("__")]
    if ours and not name.startswith("progress_plugin") and private and name != "_thread":
        print(*private, file=sys.stderr)
        raise ImportError(f"no {private} in this Python")
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = guarded
if hasattr(sys, "_base_executable"):
    del sys._base_executable
sys.argv = [door, *arguments]
runpy.run_path(door, run_name="__main__")
"""
STORIES = (
    '{"project": "Quarry", "userStories": [{"id": "US-001", "title": "Raise the roof", "passes": false}]}'
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "prd.json").write_text(STORIES)
    return tmp_path


def start(project: Path, home: Path, *command: str) -> tuple[str, set[str]]:
    """Run a door, and return its output and which private modules it asked for in vain."""
    told = {"session_id": "s", "cwd": str(project), "hook_event_name": "SessionStart"}
    done = subprocess.run(
        [sys.executable, "-X", f"pycache_prefix={home}/pycache", *command],
        env={"HOME": str(home), "PATH": os.environ["PATH"], "AGENT_PROGRESS_NO_INSTALL": "1"},
        input=json.dumps(told).encode(),
        capture_output=True,
        check=True,
    )
    return done.stdout.decode(), set(done.stderr.decode().split())


def test_a_start_without_them_says_the_same(project: Path, home: Path) -> None:
    door = str(REPOSITORY / "hooks" / "start.py")
    usual, _ = start(project, home / "usual", door, "SessionStart")
    assert "Raise the roof" in usual
    for _ in range(2):  # the second finds what the first kept
        without, missed = start(project, home / "without", "-c", PROGRAM, door, "SessionStart")
        assert without == usual
        assert {"_signal", "_blake2"} <= missed


def test_whatever_is_private_stands_behind_a_check() -> None:
    # `_thread` is documented; the rest has its fallback beside it, or in the one function that calls it.
    known = {
        "core/fast/kept_modules.py: _imp",
        "core/fast/whole_bytecode.py: _frozen_importlib_external",
        "core/fast/hook_process.py: _signal",
        "core/fast/mcp_handshake.py: _signal",
        "core/fast/minimal_os.py: _blake2",
        "core/caches/pattern_cache.py: _compiler",
        "core/caches/pattern_cache.py: _sre",
    }
    found = set()
    top = REPOSITORY / "progress_plugin"
    for path in top.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            )
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(names if node.module in sys.stdlib_module_names else [])]
            private = [
                name for name in names if name.startswith("_") and name not in {"_thread", "__future__"}
            ]
            found |= {f"{path.relative_to(top).as_posix()}: {name}" for name in private}
    assert found == known
