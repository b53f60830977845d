"""Files are read inside their root and written whole (core.files)."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import (
    LeadsOutside,
    append_line,
    create_new,
    find_irregular_sqlite_file,
    find_unreadable,
    list_inside,
    read_inside,
    read_named,
    read_range,
    resolve_inside,
    scan_inside,
    walk_inside,
    write_atomic,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with a file `a/file`, beside a file and a folder that are outside."""
    (tmp_path / "root/a").mkdir(parents=True)
    (tmp_path / "root/a/file").write_bytes(b"inside")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_bytes(b"outside")
    return tmp_path / "root"


def test_reading_follows_links_inside_the_root_and_no_others(root: Path) -> None:
    (root / "within").symlink_to("a")
    (root / "away").symlink_to(root.parent / "outside")
    (root / "a/away").symlink_to("../../outside/file")
    assert read_inside(str(root), "within/file") == read_inside(str(root), str(root / "a/file")) == b"inside"
    for path, link in (("away/file", "away"), ("a/away", "a/away"), ("../outside/file", "..")):
        with pytest.raises(LeadsOutside) as refused:
            read_inside(str(root), path)
        assert refused.value.link == link
        assert read_range(str(root), path, 0, 10) == b""
    with pytest.raises(LeadsOutside):
        list_inside(str(root), "away")
    assert read_inside(None, str(root / "away/file")) == b"outside"


def test_a_root_that_is_a_link_itself_is_as_good_as_any(root: Path) -> None:
    (root.parent / "home").symlink_to("root")
    assert read_inside(str(root.parent / "home"), "a/file") == b"inside"
    assert resolve_inside(str(root.parent / "home"), str(root.parent / "home/new")) == str(root / "new")
    (root.parent / "root-2").mkdir()
    with pytest.raises(LeadsOutside):
        resolve_inside(str(root), str(root.parent / "root-2/a"))


def test_missing_files_are_none_and_others_than_regular_ones_are_refused(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "large").write_bytes(b"x" * 11)
    assert [read_inside(str(root), path) for path in ("none", "a/file/below", "nul\0")] == [None] * 3
    for path, reason in (("pipe", "a named pipe, not a file"), ("a", "a directory, not a file")):
        with pytest.raises(BadInput, match=f"{path} is {reason}; move it out of the way"):
            read_inside(str(root), path)
        with pytest.raises(BadInput, match=reason):
            write_atomic(str(root / path), b"x")
        assert read_range(str(root), path, 0, 10) == b""
    with pytest.raises(BadInput, match="large is larger than"):
        read_inside(str(root), "large", 10)
    assert read_inside(str(root), "large", 11) == b"x" * 11
    assert list(find_unreadable(str(root), ["pipe", "a/file", "none"])) == [str(root / "pipe")]
    assert find_irregular_sqlite_file(str(root / "a/file")) is None
    (root / "a/file-wal").symlink_to(root / "pipe")
    assert find_irregular_sqlite_file(str(root / "a/file")) == str(root / "a/file-wal")


def test_parts_of_a_file(root: Path) -> None:
    parts = [
        read_range(str(root), "a/file", start, size) for start, size in ((0, 3), (2, 2), (-3, 9), (9, 1))
    ]
    assert parts == [b"ins", b"si", b"ide", b""]
    assert read_range(str(root), "a/file", -100, 100) == b"inside"


def test_the_root_of_a_named_file_is_the_project_around_it(root: Path) -> None:
    (root / "link").symlink_to("../outside/file")
    assert read_named(str(root / "link")) == b"outside"
    (root / ".git").mkdir()
    with pytest.raises(LeadsOutside):
        read_named(str(root / "link"))


def test_folders_are_listed_without_following_links(root: Path) -> None:
    (root / "away").symlink_to("../outside")
    assert scan_inside(str(root), "") == [("a", False), ("away", True)]
    assert sorted(walk_inside(str(root), str(root))) == [("a/file", False), ("away", True)]
    assert list(walk_inside(str(root), str(root / "away"))) == []
    assert list_inside(str(root), "a/file") == list_inside(str(root), "none") == []


def test_writing_replaces_a_file_and_keeps_its_mode(root: Path) -> None:
    target = root / "a/file"
    target.chmod(0o640)
    before = os.umask(0o077)
    try:
        with target.open("rb") as reader:
            write_atomic(str(target), b"new", root=str(root))
            assert reader.read() == b"inside"
        write_atomic(str(root / ("n" * 250)), b"a long name")
    finally:
        os.umask(before)
    assert (stat.S_IMODE(target.stat().st_mode), target.read_bytes()) == (0o640, b"new")
    write_atomic(str(target), b"private", private=True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert os.listdir(root / "a") == ["file"]


def test_writing_follows_a_link_inside_the_root_and_no_other(root: Path) -> None:
    (root / "within").symlink_to("a/file")
    (root / "away").symlink_to("../outside/file")
    write_atomic(str(root / "within"), b"new", root=str(root))
    assert ((root / "within").is_symlink(), (root / "a/file").read_bytes()) == (True, b"new")
    with pytest.raises(LeadsOutside, match="away is a link out of the project; remove the link"):
        write_atomic(str(root / "away"), b"new", root=str(root))
    assert (root.parent / "outside/file").read_bytes() == b"outside"


INTERRUPTED = """
import os, signal, sys, time
from progress_plugin.core.errors import HookTimeout
from progress_plugin.core.files import write_atomic
def stop(*_): raise HookTimeout
signal.signal(signal.SIGALRM, stop)
sync = os.fsync
os.fsync = lambda handle: (os.kill(os.getpid(), signal.SIGALRM), time.sleep(5))
try:
    write_atomic(sys.argv[1], b"new")
except HookTimeout:
    print("interrupted")
"""
FULL = """
import resource, signal, sys
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import write_atomic
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomic(sys.argv[1], b"x" * 10_000)
except AgentProgressError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("program", "output"), [(INTERRUPTED, "interrupted"), (FULL, "the file is as it was")]
)
def test_an_interrupted_write_leaves_the_old_file_and_no_temporary_one(
    root: Path, program: str, output: str
) -> None:
    command = [sys.executable, "-B", "-c", program, str(root / "a/file")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert output in done.stdout
    assert {path.name: path.read_bytes() for path in (root / "a").iterdir()} == {"file": b"inside"}


def test_a_killed_write_leaves_the_old_file(root: Path) -> None:
    program = INTERRUPTED.replace("SIGALRM)", "SIGKILL)", 2).replace(
        "signal.signal(signal.SIGKILL, stop)", ""
    )
    program = program.replace("signal.signal(signal.SIGALRM, stop)\n", "")
    done = subprocess.run([sys.executable, "-B", "-c", program, str(root / "a/file")], capture_output=True)
    assert done.returncode == -signal.SIGKILL
    assert (root / "a/file").read_bytes() == b"inside"


def test_a_disk_that_refuses_is_one_line_with_a_remedy(root: Path) -> None:
    for write in (write_atomic, create_new):
        with pytest.raises(
            AgentProgressError, match=r"cannot write .*/no/a: No such file .*; a folder on the way"
        ):
            write(str(root / "no/a"), b"x")


def test_a_new_file_takes_the_next_free_name(root: Path) -> None:
    names = [os.path.basename(create_new(str(root / "copy"), data)) for data in (b"1", b"2", b"3")]
    assert names == ["copy", "copy-2", "copy-3"]
    assert (root / "copy").read_bytes() == b"1"


def test_a_line_is_appended_to_a_file_and_to_nothing_else(root: Path) -> None:
    (root / "away").symlink_to("../outside/file")
    os.mkfifo(root / "pipe")
    for line in (b"one\n", b"two\n"):
        append_line(str(root / "notes"), line)
    assert (root / "notes").read_bytes() == b"one\ntwo\n"
    for name in ("away", "pipe"):
        with pytest.raises(OSError):
            append_line(str(root / name), b"line\n")
    assert (root.parent / "outside/file").read_bytes() == b"outside"
