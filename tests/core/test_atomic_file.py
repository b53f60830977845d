"""Files are replaced whole or not at all (core.files.atomic_file)."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.errors import AgentProgressError, BadInput, Refused
from progress_plugin.core.files import atomic_file, safe_read


def test_a_new_file_has_the_content_and_nothing_else_is_left(tmp_path: Path) -> None:
    atomic_file.replace(str(tmp_path / "a.json"), b"x")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.json": b"x"}


def test_the_mode_of_an_existing_file_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old")
    target.chmod(0o640)
    before = os.umask(0o077)
    try:
        atomic_file.replace(str(target), b"new")
    finally:
        os.umask(before)
    assert (stat.S_IMODE(target.stat().st_mode), target.read_bytes()) == (0o640, b"new")


def test_a_reader_that_has_it_open_keeps_the_old_content(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old content")
    with target.open("rb") as reader:
        atomic_file.replace(str(target), b"new")
        assert reader.read() == b"old content"


def test_what_can_be_made_again_is_written_before_the_old_file_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cache"
    path.write_bytes(b"old")
    seen = []
    unlink = os.unlink
    with monkeypatch.context() as patched:  # what pytest removes of the test is no part of it
        patched.setattr(os, "unlink", lambda name: seen.append(sorted(os.listdir(tmp_path))) or unlink(name))
        atomic_file.replace(str(path), b"new", unlink_first=True)
    assert path.read_bytes() == b"new"
    assert [len(names) for names in seen] == [2]  # the old one and the new one, ready to take its place


def test_a_link_inside_the_root_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    atomic_file.replace(str(tmp_path / "link"), b"new", root=str(tmp_path))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_link_that_leads_outside_is_refused_and_its_target_untouched(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "outside").write_bytes(b"mine")
    (root / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(Refused, match=r"link leads to .*outside, outside .*root: nothing is written"):
        atomic_file.replace(str(root / "link"), b"new", root=str(root))
    assert (tmp_path / "outside").read_bytes() == b"mine"


def test_a_sibling_whose_name_begins_like_the_root_is_outside(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root-2").mkdir()
    with pytest.raises(Refused):
        atomic_file.ensure_inside(str(tmp_path / "root"), str(tmp_path / "root-2" / "a"))


def test_a_root_that_is_itself_reached_through_a_link_is_no_escape(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to("disk")
    assert atomic_file.ensure_inside(str(tmp_path / "home"), str(tmp_path / "home" / "a")) == str(
        tmp_path / "disk" / "a"
    )


def test_a_directory_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(BadInput, match="a is a directory, not a file; move it out of the way"):
        atomic_file.replace(str(tmp_path / "a"), b"x")
    with pytest.raises(BadInput, match="a is a directory"):
        safe_read.read(str(tmp_path / "a"), None)


def test_a_named_pipe_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="pipe is a named pipe, not a file"):
        safe_read.read(str(tmp_path / "pipe"), None)
    with pytest.raises(BadInput, match="pipe is a named pipe, not a file"):
        atomic_file.replace(str(tmp_path / "pipe"), b"x")


def test_reading_what_is_not_there_gives_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert safe_read.read(str(tmp_path / "nothing"), None) is None
    assert safe_read.read(str(tmp_path / "file" / "below"), None) is None


def test_a_missing_directory_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        AgentProgressError,
        match=r"cannot write .*: No such file or directory; a folder on the way is not there",
    ):
        atomic_file.replace(str(tmp_path / "no" / "a"), b"x")


FILL = """
import resource, signal, sys
from progress_plugin.core.files import atomic_file, safe_read
from progress_plugin.core.errors import AgentProgressError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    atomic_file.replace(sys.argv[1], b"x" * 10_000)
except AgentProgressError as error:
    print(error)
"""


def test_a_disk_that_takes_no_more_leaves_the_old_file_and_no_temporary_one(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old")
    run = subprocess.run(
        [sys.executable, "-c", FILL, str(target)], capture_output=True, text=True, check=True
    )
    assert (
        run.stdout
        == f"cannot write {target}: File too large; the file is as it was; files may not get that large there: see `ulimit -f`\n"
    )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old"}


def test_a_new_name_is_found_where_one_is_taken(tmp_path: Path) -> None:
    names = [
        os.path.basename(atomic_file.create_new(str(tmp_path / "a"), data)) for data in (b"1", b"2", b"3")
    ]
    assert names == ["a", "a-2", "a-3"]
    assert (tmp_path / "a").read_bytes() == b"1"


def test_a_very_long_name_still_finds_room_for_the_temporary_one(tmp_path: Path) -> None:
    name = "n" * 250
    atomic_file.replace(str(tmp_path / name), b"x")
    assert os.listdir(tmp_path) == [name]


def test_without_hard_links_a_new_name_is_found_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    names = [os.path.basename(atomic_file.create_new(str(tmp_path / "a"), data)) for data in (b"1", b"2")]
    assert names == ["a", "a-2"]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"1", "a-2": b"2"}


def test_a_new_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(AgentProgressError, match=r"cannot write .*/no/a: No such file or directory"):
        atomic_file.create_new(str(tmp_path / "no" / "a"), b"x")


def test_below_the_root_each_link_is_followed_and_what_is_not_there_yet_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    root = tmp_path / "root"
    root.symlink_to("home")
    (tmp_path / "home/a").mkdir()
    (tmp_path / "home/to-a").symlink_to("a")
    for name in ("a", "a/new", "to-a", "to-a/new/er", "a/../a/x", "none/at/all"):
        path = f"{root}/{name}"
        assert atomic_file.ensure_inside(str(root), path) == os.path.realpath(path)
