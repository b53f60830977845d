"""An environment that lost files, and a Python whose private parts are others."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.lock import FileLock
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.old_environments import lost_files
from tests.conftest import REPOSITORY
from tests.hooks.real_doors import SITE, Repository

LAUNCHER = str(REPOSITORY / "bin/agent-progress")


@pytest.fixture
def site(home: Path) -> Path:
    """Return the packages of a standing environment: links to real ones, each of which can be taken away."""
    place = home / ".local/share/agent-progress/env" / environment.identity()
    (place / "site-packages").mkdir(parents=True)
    (place / "python").write_text(environment.interpreter() + "\n")
    for name in os.listdir(SITE):
        (place / "site-packages" / name).symlink_to(Path(SITE, name))
    return place / "site-packages"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    place = Repository(tmp_path / "lighthouse")
    place.plan(done=4)
    return place


def launched(root: Path, home: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    told = json.dumps({"cwd": str(root), "session_id": "s-1", "source": "startup"})
    variables = {"HOME": str(home), "PATH": "/usr/bin:/bin", "CLAUDECODE": "1", **more}
    return subprocess.run(
        ["sh", LAUNCHER, *words],
        input=told,
        env=variables,
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
    )


def half(site: Path, package: str, inner: str | None) -> None:
    """Take a package away, or one file of it."""
    original = (site / package).resolve()
    (site / package).unlink()
    if inner is not None:
        shutil.copytree(original, site / package, ignore=shutil.ignore_patterns("__pycache__"))
        (site / package / inner).unlink()


LOST = [
    ("click", None),
    ("click", "core.py"),
    ("jinja2", "environment.py"),
]
NEEDS = {
    "click": ("status",),
    "jinja2": ("report", "--json", "--output", "x.html"),
}


@pytest.mark.parametrize(("package", "inner"), LOST)
def test_packages_that_lost_files_are_said_so_in_a_line_and_given_up(
    repository: Repository, home: Path, site: Path, package: str, inner: str | None
) -> None:
    half(site, package, inner)
    words = ("report", "--output", "x.html") if package == "jinja2" else NEEDS[package]
    done = launched(repository.root, home, *words)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert "agent-progress setup" in done.stderr
    assert not (site.parent / "python").exists()
    assert any(site.iterdir())


def test_the_next_start_builds_it_anew_in_the_background_and_shows_a_summary(
    repository: Repository, home: Path, site: Path
) -> None:
    half(site, "jinja2", None)
    with FileLock(
        str(site.parents[1] / "build.lock"), 0
    ):  # as if it were being built: nothing is fetched here
        done = launched(
            repository.root,
            home,
            "hook",
            "SessionStart",
            PATH=f"{Path(environment.interpreter()).parent}:/usr/bin:/bin",
        )
    answer: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert "installing its Python packages" in answer["systemMessage"]
    assert "4/14" in answer["hookSpecificOutput"]["additionalContext"]
    assert not (site.parent / "python").exists()


def test_where_nothing_may_be_installed_a_broken_environment_is_left_as_it_is(
    repository: Repository, home: Path, site: Path
) -> None:
    half(site, "click", None)
    done = launched(repository.root, home, "status", AGENT_PROGRESS_NO_INSTALL="1")
    assert done.returncode == 3
    assert "agent-progress setup" in done.stderr
    assert (site.parent / "python").exists()


def test_packages_that_are_gone_as_a_whole_are_an_environment_that_does_not_stand(
    repository: Repository, home: Path, site: Path
) -> None:
    shutil.rmtree(site)
    done = launched(
        repository.root, home, "status", AGENT_PROGRESS_NO_INSTALL="1",
        PATH=f"{Path(environment.interpreter()).parent}:/usr/bin:/bin",
    )  # fmt: skip
    assert done.returncode == 3
    remedy = f"run: sh {environment.PLUGIN_ROOT}/bin/agent-progress setup"
    assert done.stderr == f"agent-progress: its Python packages are not installed; {remedy}\n"


def test_setup_finds_every_file_that_a_package_lost(tmp_path: Path) -> None:
    record = tmp_path / "lamp-1.0.dist-info/RECORD"
    record.parent.mkdir()
    (tmp_path / "lamp").mkdir()
    (tmp_path / "lamp/__init__.py").write_text("")
    record.write_text(
        'lamp/__init__.py,sha256=x,0\n"lamp/a, b.py",,\nlamp/wick.py,sha256=x,0\n../../bin/lamp,,\nlamp/x.pyc,,\n'
    )
    assert lost_files(str(tmp_path)) == ["lamp/a, b.py", "lamp/wick.py"]


def test_a_file_that_is_cut_or_empty_is_found_and_one_that_is_as_large_by_its_content(tmp_path: Path) -> None:
    record = tmp_path / "lamp-1.0.dist-info/RECORD"
    record.parent.mkdir()
    (tmp_path / "lamp.py").write_bytes(b"")
    (tmp_path / "wick.py").write_bytes(b"\0\0")
    (tmp_path / "oil.py").write_bytes(b"x\n")
    digest = "sha256=c8s4WKaHqElMozIwUwFigvPa051Cz2LKTnndoqrH2aw"
    assert hashlib.sha256(b"x\n").hexdigest() == base64.urlsafe_b64decode(digest[7:] + "=").hex()
    record.write_text(f"lamp.py,{digest},2\nwick.py,{digest},2\noil.py,{digest},2\n")
    assert lost_files(str(tmp_path)) == ["lamp.py"]
    assert lost_files(str(tmp_path), with_content=True) == ["lamp.py", "wick.py"]
    record.write_text("")
    assert lost_files(str(tmp_path)) == ["lamp-1.0.dist-info/RECORD"]
