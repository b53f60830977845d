"""What a command may load and compile before it does its work, and how it ends."""

from __future__ import annotations

import marshal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from progress_plugin.core.fast import kept_modules

REPOSITORY = Path(__file__).resolve().parents[2]
MAIN = str(REPOSITORY / "progress_plugin/__main__.py")
PYTHON = getattr(sys, "_base_executable", sys.executable)
LOG = ("log", "milestone_reached", "-m", "The lamp is lit")
NOT_TO_LOG = {
    "asyncio", "click", "dataclasses", "email", "hashlib", "importlib.util", "jinja2", "mcp", "pydantic", "rich", "selectors",
    "shutil", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "tomllib", "typing", "watchdog",
}  # fmt: skip


def _counted(*words: str) -> str:
    """Return a program that runs a command and says which regular expressions it compiles."""
    return f"""
import sys
sys.argv = [{MAIN!r}, *{words!r}]
import re
original = re._compiler.compile
def compile(pattern, *others):
    sys.stderr.write(f"compiled {{pattern!r}}\\n")
    return original(pattern, *others)
re._compiler.compile = compile
code = __builtins__.compile(open({MAIN!r}).read(), {MAIN!r}, "exec")
exec(code, {{"__file__": {MAIN!r}, "__name__": "__main__"}})
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository without anything of ours."""
    (tmp_path / "harbour/.git").mkdir(parents=True)
    return tmp_path / "harbour"


def _run(
    project: Path, home: Path, *words: str, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Run Python as the launcher does, in an environment that stands."""
    site = home / "site-packages"
    if not site.exists():
        site.mkdir()
        (site / "click").symlink_to(Path(click.__file__).parent)
    variables = {"HOME": str(home), "AGENT_PROGRESS_SITE": str(site)}
    flags = ("-I", "-S", "-X", "utf8", "-X", f"pycache_prefix={home}/pycache")
    return subprocess.run(
        [PYTHON, *flags, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=variables,
        cwd=project,
        text=True,
    )


def test_an_entry_by_command_loads_nothing_that_only_others_need(project: Path, home: Path) -> None:
    _run(project, home, MAIN, *LOG)  # the first of a project tidies up among old copies, too
    done = _run(project, home, "-X", "importtime", MAIN, *LOG)
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if "|" in line}
    assert done.stdout.endswith(" milestone_reached\n")
    assert {"progress_plugin.cli.log_plain", "progress_plugin.usecases.recording.log_entry"} <= loaded
    assert sorted(NOT_TO_LOG & loaded) == []
    assert len(loaded) <= 248


def test_a_question_to_an_index_that_is_current_loads_nothing_that_reads_sources(
    project: Path, home: Path
) -> None:
    (project / "progress.md").write_text("# Log\n\n## 2026-03-01 - US-001: x\n\n- The lamp is lit at dusk\n")
    asked = (MAIN, "recall", "lamp")
    first = _run(project, home, *asked)
    done = _run(project, home, "-X", "importtime", *asked)
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if "|" in line}
    assert done.stdout == first.stdout
    assert "progress.md:5" in done.stdout
    sources = {
        "progress_plugin.usecases.recalling.history_passages",
        "progress_plugin.usecases.summarizing.sources",
    }
    others = {
        "asyncio",
        "click",
        "dataclasses",
        "jinja2",
        "pathlib",
        "pydantic",
        "rich",
        "shutil",
        "subprocess",
        "tempfile",
        "typing",
    }
    assert sorted((sources | others) & loaded) == []
    assert "sqlite3" in loaded
    assert len(loaded) <= 131


def _size(path: Path) -> int:
    """Return how much is kept, of modules only our own: what is Python's belongs to the first who needs it."""
    if not path.name.startswith("modules"):
        return path.stat().st_size
    kept = kept_modules.read(str(path))[1].items()
    return sum(len(marshal.dumps(each)) for name, each in kept if name.startswith("progress_plugin"))


def test_a_question_takes_over_nothing_that_only_making_the_index_needs(project: Path, home: Path) -> None:
    (project / "progress.md").write_text("# Log\n\n## 2026-03-01 - US-001: x\n\n- The lamp is lit at dusk\n")
    asked = (MAIN, "recall", "lamp")
    for _ in range(2):
        _run(project, home, *asked)
    for kept in ("patterns", "modules"):
        files = {path.name.partition(".")[0]: path for path in home.glob(f"pycache/**/{kept}-*")}
        assert sorted(files) == [f"{kept}-indexing", f"{kept}-recall"]
        assert _size(files[f"{kept}-recall"]) < _size(files[f"{kept}-indexing"]) / 2
    done = _run(project, home, "-c", _counted("recall", "lamp"))
    assert "progress.md:5" in done.stdout
    assert done.stderr.count("compiled '") == 0


def test_the_second_command_compiles_no_regular_expression(project: Path, home: Path) -> None:
    first, second = (_run(project, home, "-c", _counted(*LOG)) for _ in range(2))
    assert second.stdout.endswith(" milestone_reached\n")
    assert first.stderr.count("compiled '") > 50
    assert second.stderr.count("compiled '") == 0  # those for bytes, three of Python's own, are not kept


def test_log_takes_over_nothing_that_only_other_commands_or_hooks_need(project: Path, home: Path) -> None:
    _run(project, home, MAIN, "status")
    _run(project, home, MAIN, *LOG)
    for kept in ("patterns", "modules"):
        names = sorted(path.name.partition(".")[0] for path in home.glob(f"pycache/**/{kept}*"))
        assert names == [f"{kept}-commands", f"{kept}-log"]


def test_a_command_whose_output_cannot_be_written_says_so_in_a_line(project: Path, home: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no device here that is always full")
    with full.open("w") as device:
        done = _run(project, home, MAIN, *LOG, stdout=device.fileno())
    assert done.returncode == 3
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code"), [(LOG, 0), (("log", "no_such_type"), 2), (("no-such-command",), 2)]
)
def test_a_command_ends_with_its_own_exit_code(
    project: Path, home: Path, words: tuple[str, ...], code: int
) -> None:
    assert _run(project, home, MAIN, *words).returncode == code
