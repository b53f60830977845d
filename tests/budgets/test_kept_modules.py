"""The modules of a hook's quick look, kept in one file from one process to the next (core.fast.kept_modules)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import jinja2
import pytest

from progress_plugin.core.caches import hook_module_cache
from progress_plugin.core.fast import kept_modules
from tests.conftest import REPOSITORY

PYTHON = getattr(sys, "_base_executable", sys.executable)
SITE = str(Path(jinja2.__file__).parents[1])
LOOKS: dict[str, tuple[str, str, dict[str, object]]] = {
    "a start with nothing new": ("start", "SessionStart", {"source": "resume"}),
    "a start where nothing is": ("start", "SessionStart", {"source": "startup"}),
    "a tool at a file that nobody names": (
        "record",
        "PostToolUse",
        {"tool_name": "Read", "tool_input": {"file_path": "/src/mill.ts"}},
    ),
    "an edit of another file": (
        "record",
        "PostToolUse",
        {"tool_name": "Edit", "tool_input": {"file_path": "/src/mill.ts"}},
    ),
    "the end of a turn": ("record", "Stop", {}),
}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is kept there: paths name drives")


class Copy:
    """A copy of the plugin that may be changed, a project, and a home with a place for what Python compiles."""

    def __init__(self, folder: Path) -> None:
        self.root, self.cache, self.home = folder / "plugin", folder / "pycache", folder / "home"
        for name in ("progress_plugin", "hooks", "templates"):
            shutil.copytree(REPOSITORY / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("plugin.json", "requirements.lock"):
            shutil.copy(REPOSITORY / name, self.root)
        self.home.mkdir()
        self.project, self.empty = folder / "mill", folder / "empty"
        for project in (self.project, self.empty):
            project.mkdir()
            subprocess.run(["git", "init", "-q", str(project)], check=True)
        (self.project / "progress.md").write_text(
            "# Progress\n\n## 2026-11-02 - US-001 Wheel\n\nTurns.\n", "utf-8"
        )

    def kept(self, entry_point: str) -> Path:
        """Where the modules of an entry point are kept; there may be nothing."""
        return next(self.cache.rglob(f"hook-{entry_point}.*"), self.cache / "nothing")

    def run(self, entry_point: str, event: str, fields: dict[str, object], *, empty: bool = False) -> bytes:
        """Run a hook and return what it printed; the log of the imports is left in `imported`."""
        said = {
            "session_id": "s-1",
            "cwd": str(self.empty if empty else self.project),
            "hook_event_name": event,
        }
        flags = ["-I", "-S", "-X", "utf8", "-X", f"pycache_prefix={self.cache}", "-v"]
        done = subprocess.run(
            [PYTHON, *flags, str(self.root / f"hooks/{entry_point}.py"), event],
            env={"HOME": str(self.home), "AGENT_PROGRESS_SITE": SITE, "CLAUDECODE": "1"},
            input=json.dumps({**said, **fields}).encode(),
            capture_output=True,
            check=True,
        )
        self.imported = done.stderr.decode()
        return done.stdout

    def modules_read_alone(self) -> list[str]:
        """Return our modules that the last run read from files of their own."""
        marks = [line for line in self.imported.splitlines() if line.startswith("# code object from")]
        return sorted(
            line.rpartition("/")[2].partition(".")[0] for line in marks if "/progress_plugin/" in line
        )


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """One that has made a summary, so that all is kept."""
    copy = Copy(tmp_path_factory.mktemp("kept"))
    copy.run("start", "SessionStart", {"source": "startup"})
    copy.run("record", "Stop", {})
    return copy


@pytest.fixture
def kept(begun: Copy) -> Iterator[Path]:
    """Where the modules of starts are kept; they are there again afterwards."""
    path = begun.kept("start")
    data = path.read_bytes()
    yield path
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)
    path.write_bytes(data)


@pytest.mark.parametrize("look", LOOKS)
def test_a_quick_look_reads_no_module_of_ours_from_a_file_of_its_own_but_those_that_keep_them(
    begun: Copy, look: str
) -> None:
    begun.run(*LOOKS[look], empty="where nothing is" in look)
    assert begun.modules_read_alone() == ["kept_modules", "whole_bytecode"]


def test_a_module_that_was_changed_is_read_anew_and_kept_as_it_is_at_the_next_long_work(begun: Copy) -> None:
    source = begun.root / "progress_plugin/core/fast/start_hook.py"
    source.write_text(source.read_text("utf-8") + "\nimport sys\nsys.stdout.write('changed')\n", "utf-8")
    assert b"changed" in begun.run(*LOOKS["a start with nothing new"])
    (begun.project / "progress.md").write_text(
        "# Progress\n\n## 2026-11-03 - US-002 Sails\n\nSpread.\n", "utf-8"
    )
    begun.run("start", "SessionStart", {"source": "startup"})
    assert b"changed" in begun.run(*LOOKS["a start with nothing new"])
    assert begun.modules_read_alone() == ["kept_modules", "whole_bytecode"]


def test_a_module_that_cannot_be_run_costs_a_note_and_no_exit_code(begun: Copy) -> None:
    source = begun.root / "progress_plugin/core/fast/hook_filter.py"
    text = source.read_text("utf-8")
    source.write_text(text + "\nraise ValueError('the sails are stuck')\n", "utf-8")
    begun.run("record", "Stop", {})
    source.write_text(text, "utf-8")
    assert "the sails are stuck" in next(begun.home.parent.rglob("swallowed.log")).read_text("utf-8")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def _link(path: Path) -> None:
    other = path.rename(path.with_name("elsewhere"))
    path.symlink_to(other)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "damage", [Path.unlink, lambda path: path.write_bytes(b""), _cut, _flip, _link, _folder, _pipe]
)
def test_what_is_damaged_or_something_else_is_passed_over_and_the_answer_is_the_same(
    begun: Copy, kept: Path, damage: Callable[[Path], object]
) -> None:
    first = begun.run(*LOOKS["a start with nothing new"])
    damage(kept)
    assert begun.run(*LOOKS["a start with nothing new"]) == first
    assert "start_hook" in begun.modules_read_alone()


def test_nothing_is_kept_where_python_is_to_keep_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    hook_module_cache.keep()
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / str(REPOSITORY / "progress_plugin").lstrip("/")).mkdir(parents=True)
    hook_module_cache.keep()
    assert len(list(tmp_path.rglob("hook-*"))) == 2
    assert kept_modules.read(kept_modules.place(f"{REPOSITORY}/", "start"))
