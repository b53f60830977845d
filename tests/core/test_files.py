"""Files are read inside their root and written whole."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import (
    LeadsOutside,
    append_line,
    list_inside,
    read_beginning,
    read_inside,
    resolve_inside,
    scan_inside,
    walk_inside,
    write_atomic,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with a file `a/file`, and a folder with a file outside it."""
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
        assert read_beginning(str(root), path, 10) == b""
    assert list_inside(str(root), "away") == []
    assert read_inside(None, str(root / "away/file")) == b"outside"


def test_the_root_may_be_a_link_itself(root: Path) -> None:
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
    for path in ("pipe", "a"):
        with pytest.raises(BadInput, match=f"{path} is not a regular file; move it out of the way"):
            read_inside(str(root), path)
        with pytest.raises(BadInput, match="is not a regular file"):
            write_atomic(str(root / path), b"x")
        assert read_beginning(str(root), path, 10) == b""
    with pytest.raises(BadInput, match="large is larger than"):
        read_inside(str(root), "large", 10)
    assert read_inside(str(root), "large", 11) == b"x" * 11


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
from progress_plugin.core.files import write_atomic
def stop(*_): raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
sync = os.fsync
os.fsync = lambda handle: (os.kill(os.getpid(), signal.SIGALRM), time.sleep(5))
try:
    write_atomic(sys.argv[1], b"new")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupted_write_leaves_the_old_file_and_no_temporary_one(root: Path) -> None:
    command = [sys.executable, "-B", "-c", INTERRUPTED, str(root / "a/file")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "interrupted\n"
    assert {path.name: path.read_bytes() for path in (root / "a").iterdir()} == {"file": b"inside"}


AS_ANOTHER_USER = """
import os, sys
from progress_plugin.core.files import write_atomic
os.setuid(65534)
write_atomic(sys.argv[1] + "/file", b"new")
"""


def test_a_file_is_written_in_a_folder_that_cannot_be_listed() -> None:
    if os.geteuid() != 0:
        pytest.skip("NOT ROOT HERE: only root can become another user")
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, 65534, -1)
        os.chmod(folder, 0o300)
        subprocess.run([sys.executable, "-B", "-c", AS_ANOTHER_USER, folder], check=True)
        assert Path(folder, "file").read_bytes() == b"new"


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
