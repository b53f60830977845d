"""Environments really built, by the launcher, into empty homes, from the index the user has."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.packages.environment import interpreter, locked_hash
from progress_plugin.usecases import setup

LAUNCHER = Path(__file__).resolve().parents[2] / "bin" / "agent-progress"
FORTNIGHT = 14 * 24 * 3600.0

pytestmark = [pytest.mark.environment, pytest.mark.slow]

_START = (
    "import time; from progress_plugin.usecases import setup; print(setup.start_in_background(time.time()))"
)
_WAIT = "from progress_plugin.usecases import setup; print(setup.wait_for_environment(300))"


HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "client", "version": "1"},
}
ASKED = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


@dataclass
class Machine:
    """A home of its own, and what a command run in it gets as variables."""

    home: Path
    variables: dict[str, str]

    @property
    def environments(self) -> Path:
        return self.home / ".local" / "share" / "agent-progress" / "env"

    def built(self) -> list[Path]:
        return sorted(self.environments.glob(f"{locked_hash()}-*/site-packages"))

    def run(
        self, *words: str, cwd: Path | None = None, said: str = "", **changes: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(LAUNCHER), *words],
            cwd=cwd or self.home,
            env={**self.variables, **changes},
            input=said,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )


def machine(home: Path, *, with_uv: bool = True) -> Machine:
    """Return an empty machine; settings that say where packages come from are this one's."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
    path = os.environ["PATH"]
    if not with_uv:
        path = os.pathsep.join(place for place in path.split(os.pathsep) if not (Path(place) / "uv").exists())
    return Machine(home, {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", **kept})


def hostile_project(place: Path) -> Path:
    """Make a project whose settings for pip and uv would break or widen an installation."""
    place.mkdir()
    (place / "uv.toml").write_text('index-url = "http://127.0.0.1:9/simple"\n')
    (place / "pyproject.toml").write_text('[tool.uv]\nindex-url = "http://127.0.0.1:9/simple"\n')
    (place / "pip.conf").write_text("[install]\nindex-url = http://127.0.0.1:9/simple\n")
    (place / "extra.txt").write_text("no-such-package-of-ours==1.0 --hash=sha256:" + "0" * 64 + "\n")
    return place


@pytest.fixture(scope="module")
def first(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Machine, subprocess.CompletedProcess[str]]]:
    """Run `setup` once in an empty home, from a hostile project, beside what earlier versions left."""
    place = tmp_path_factory.mktemp("first")
    (place / "home").mkdir()
    ours = machine(place / "home")
    for name in ("0000000000000000-3.11", "1111111111111111-3.11", ".building-4194303"):
        (ours.environments / name).mkdir(parents=True)
    mark = ours.environments / "0000000000000000-3.11" / "superseded"
    mark.touch()
    long_ago = time.time() - FORTNIGHT - 60
    os.utime(mark, (long_ago, long_ago))
    project = hostile_project(place / "project")
    done = ours.run(
        "setup",
        cwd=project,
        PIP_CONFIG_FILE=str(project / "pip.conf"),
        PIP_REQUIREMENT=str(project / "extra.txt"),
        UV_CONFIG_FILE=str(project / "uv.toml"),
        AGENT_PROGRESS_NO_INSTALL="1",
    )
    yield ours, done
    shutil.rmtree(place)


def test_setup_builds_from_the_index_whatever_a_project_wants(
    first: tuple[Machine, subprocess.CompletedProcess[str]],
) -> None:
    ours, done = first
    assert done.returncode == 0, done.stderr
    (site,) = ours.built()
    assert done.stdout == f"ready: {site}\n"
    said = done.stderr.splitlines()
    assert said[0].startswith("agent-progress: installing its packages with ")
    assert said[-1] == f"agent-progress: the environment stands: {site.parent}"


def test_the_environment_names_a_python_that_loads_its_packages(
    first: tuple[Machine, subprocess.CompletedProcess[str]],
) -> None:
    (site,) = first[0].built()
    python = (site.parent / "python").read_text().strip()
    program = "import sys; sys.path.append(sys.argv[1]); import pydantic, jinja2; print(pydantic.__file__)"
    done = subprocess.run(
        [python, "-I", "-S", "-B", "-c", program, site], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(str(site))


def test_the_next_command_enters_it_without_a_word(
    first: tuple[Machine, subprocess.CompletedProcess[str]],
) -> None:
    done = first[0].run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, "agent-progress, version 0.1.0\n", "")


def test_leftovers_of_a_killed_build_are_gone(
    first: tuple[Machine, subprocess.CompletedProcess[str]],
) -> None:
    assert not list(first[0].environments.glob(".building-*"))


def test_a_superseded_environment_is_kept_for_14_days(
    first: tuple[Machine, subprocess.CompletedProcess[str]],
) -> None:
    kept = first[0].environments
    assert not (kept / "0000000000000000-3.11").exists()
    assert (kept / "1111111111111111-3.11" / "superseded").is_file()


def test_every_command_of_the_installer_is_in_the_log(
    first: tuple[Machine, subprocess.CompletedProcess[str]],
) -> None:
    log = (first[0].environments / "build.log").read_text()
    assert "--require-hashes --no-deps --only-binary :all: --requirement" in log


def test_the_environment_is_compiled_for_its_first_use(
    first: tuple[Machine, subprocess.CompletedProcess[str]],
) -> None:
    (site,) = first[0].built()
    compiled = first[0].home / ".cache/agent-progress/pycache" / site.relative_to("/")
    assert list((compiled / "pydantic").glob("__init__.*.pyc"))
    assert not list(site.glob("pydantic/__pycache__"))


def in_this_process(ours: Machine, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Build, or look again, as the launcher's Python would; return what was reported."""
    monkeypatch.setenv("HOME", str(ours.home))
    reported: list[str] = []
    site = setup.build(reported.append, now=time.time(), timeout=0)
    assert Path(site, "pydantic").is_dir()
    return reported


def test_an_environment_that_works_is_left_alone(
    first: tuple[Machine, subprocess.CompletedProcess[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (site,) = first[0].built()
    before = site.stat().st_ino, (site.parent / "python").read_text()
    assert in_this_process(first[0], monkeypatch) == []
    assert (site.stat().st_ino, (site.parent / "python").read_text()) == before


def test_setup_points_to_another_python_of_the_same_version_when_the_first_is_gone(
    first: tuple[Machine, subprocess.CompletedProcess[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (site,) = first[0].built()
    (site.parent / "python").write_text("/gone/python3\n")
    assert in_this_process(first[0], monkeypatch) == []
    assert (site.parent / "python").read_text() == f"{interpreter()}\n"


def test_setup_replaces_an_environment_that_no_longer_works(
    first: tuple[Machine, subprocess.CompletedProcess[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (site,) = first[0].built()
    shutil.rmtree(site / "click")
    (first[0].environments / ".building-4194302").mkdir()
    assert in_this_process(first[0], monkeypatch)[-1] == f"the environment stands: {site.parent}"
    assert (site / "click" / "__init__.py").is_file()
    assert not list(first[0].environments.glob(".building-*"))


def test_setup_by_hand_mends_it_although_the_command_line_itself_does_not_load(
    first: tuple[Machine, subprocess.CompletedProcess[str]],
) -> None:
    (site,) = first[0].built()
    shutil.rmtree(site / "click")
    done = first[0].run("setup")
    assert (done.returncode, done.stdout) == (0, f"ready: {site}\n"), done.stderr


def test_a_failure_in_this_process_is_one_line_and_counted(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS", "UV_CACHE_DIR", "PIP_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    reported: list[str] = []
    with pytest.raises(
        AgentProgressError, match=r"could not be installed: .* \(tried .*; its output: .*build\.log\)$"
    ):
        setup.build(reported.append, now=1000.0, timeout=0)
    assert reported
    assert (setup.last_failure() or "").startswith(
        "its Python packages could not be installed: the package index "
    )
    assert setup.start_in_background(1001.0) is None
    assert not list(home.glob(".local/share/agent-progress/env/.building-*"))


def test_pip_builds_it_where_there_is_no_uv(tmp_path: Path) -> None:
    ours = machine(tmp_path, with_uv=False)
    (tmp_path / ".config" / "pip").mkdir(parents=True)
    (tmp_path / ".config" / "pip" / "pip.conf").write_text(
        "[install]\nuser = true\n[global]\nrequire-virtualenv = true\n"
    )
    done = ours.run("setup")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("agent-progress: installing its packages with pip, pinned by hash")
    assert len(ours.built()) == 1


def test_the_users_own_pip_settings_are_honoured(tmp_path: Path) -> None:
    ours = machine(tmp_path, with_uv=False)
    (tmp_path / ".config" / "pip").mkdir(parents=True)
    (tmp_path / ".config" / "pip" / "pip.conf").write_text("[global]\nno-index = true\n")
    for name in ("PIP_FIND_LINKS", "PIP_INDEX_URL"):
        ours.variables.pop(name, None)
    done = ours.run("setup")
    assert done.returncode == 3
    assert "No matching distribution" in (ours.environments / "build.log").read_text()


def test_a_build_in_the_background_is_announced_and_outlives_its_starter(tmp_path: Path) -> None:
    ours = machine(tmp_path)

    def python(program: str) -> str:
        command = [sys.executable, "-c", program]
        with subprocess.Popen(
            command,
            cwd=LAUNCHER.parent.parent,
            env=ours.variables,
            stdout=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            out, _ = process.communicate(timeout=400)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # as a client ends what a hook left behind
        return out.decode()

    announced = python(_START)
    assert announced.startswith("installing its Python packages in the background, once, pinned by hash")
    assert Path(python(_WAIT).strip(), "pydantic").is_dir()


def test_a_persons_first_command_installs_says_so_and_goes_on(tmp_path: Path) -> None:
    ours = machine(tmp_path)
    done = ours.run("--version")
    assert (done.returncode, done.stdout) == (0, "agent-progress, version 0.1.0\n"), done.stderr
    assert done.stderr.startswith("agent-progress: installing its packages with ")
    assert len(ours.built()) == 1


def offline(ours: Machine) -> Machine:
    """Take the network and every local store of packages away."""
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS", "UV_CACHE_DIR", "PIP_CACHE_DIR"):
        ours.variables.pop(name, None)
    ours.variables.update(UV_OFFLINE="1", PIP_NO_INDEX="1")
    return ours


def test_a_failed_build_is_one_line_exit_3_and_counted(tmp_path: Path) -> None:
    ours = offline(machine(tmp_path))
    done = ours.run("status")
    assert (done.returncode, done.stdout) == (3, "")
    log = ours.environments / "build.log"
    assert done.stderr.splitlines()[-1].startswith(
        "agent-progress: its Python packages could not be installed: the package index "
    )
    assert done.stderr.endswith(f"; its output: {log})\n")
    (failed,) = ours.environments.glob("*.failed")
    assert failed.read_text().startswith("1 ")
    assert ours.built() == []


def test_the_server_lists_its_tools_and_installs_nothing_where_the_user_forbade_it(tmp_path: Path) -> None:
    done = machine(tmp_path).run(
        "mcp", AGENT_PROGRESS_NO_INSTALL="1", said="".join(f"{json.dumps(each)}\n" for each in ASKED)
    )
    assert done.returncode == 0
    assert "mem_progress" in done.stdout
    assert not (tmp_path / ".local" / "share" / "agent-progress" / "env").exists()


@pytest.mark.parametrize("words", ["status", "demo", "setup -h"])
def test_a_command_installs_nothing_where_the_user_forbade_it(tmp_path: Path, words: str) -> None:
    done = machine(tmp_path).run(*words.split(), AGENT_PROGRESS_NO_INSTALL="1")
    assert (done.returncode, done.stdout) == (3, "")
    assert re.fullmatch(
        r"agent-progress: its Python packages are not installed; run: sh /\S+/bin/agent-progress setup\n",
        done.stderr,
    )
    assert not (tmp_path / ".local" / "share" / "agent-progress" / "env").exists()


def test_a_hook_named_to_the_command_line_never_installs_and_never_fails(tmp_path: Path) -> None:
    done = machine(tmp_path).run("-C", str(tmp_path), "hook", "Stop")
    assert (done.returncode, done.stdout) == (0, "")


def test_with_nowhere_to_write_a_command_is_one_line_and_exit_3(tmp_path: Path) -> None:
    done = machine(tmp_path).run("status", HOME="/proc/nothing")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("agent-progress: its Python packages could not be installed: neither ")
    assert done.stderr.count("\n") == 1
