"""The one reader of outside files: inside its root, regular, bounded, and nothing that waits."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.core.fast.link_records import links_on_path
from progress_plugin.core.files import safe_read
from progress_plugin.core.files.safe_read import LeadsOut


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with a file in a folder, beside a file outside."""
    root = tmp_path / "root"
    (root / "a/b").mkdir(parents=True)
    (root / "a/b/file").write_bytes(b"inside")
    (tmp_path / "file").write_bytes(b"outside")
    return root


LEADING_OUT: dict[str, Callable[[Path], object]] = {
    "a/out": lambda root: (root / "a/out").symlink_to(root.parent / "file"),
    "a/relative": lambda root: (root / "a/relative").symlink_to("../../file"),
    "a/folder/file": lambda root: (root / "a/folder").symlink_to(root.parent),
    "first": lambda root: (
        (root / "first").symlink_to("a/second"),
        (root / "a/second").symlink_to("../../file"),
    ),
    "climb/file": lambda root: (root / "climb").symlink_to("a/../.."),
    "proc": lambda root: (root / "proc").symlink_to("/proc/self/environ"),
    "nowhere": lambda root: (root / "nowhere").symlink_to("../nothing"),
}


@pytest.mark.parametrize("name", LEADING_OUT)
@pytest.mark.parametrize("by_parts", [True, False])
def test_no_link_is_followed_that_leads_out(root: Path, name: str, by_parts: bool) -> None:
    LEADING_OUT[name](root)
    if by_parts:
        with pytest.raises(LeadsOut, match="is a link out of the project; remove the link"):
            safe_read.read(name, str(root))
        with pytest.raises(LeadsOut):
            safe_read.read(str(root / name), str(root))
        assert safe_read.part(name, str(root), 10) == b""
    else:
        with pytest.raises(LeadsOut):
            safe_read.opened_and_compared(name, str(root), os.O_RDONLY)


@pytest.mark.parametrize("path", ["../file", "a/../../file", "/etc/hostname", ".."])
def test_no_way_that_is_written_leads_out(root: Path, path: str) -> None:
    with pytest.raises(LeadsOut):
        safe_read.read(path, str(root))


def test_links_inside_are_followed_whole_relative_and_through_the_outside(root: Path) -> None:
    (root / "whole").symlink_to(root / "a/b/file")
    (root / "relative").symlink_to("a/b")
    (root / "back").symlink_to("../root/a")
    (root / "chain").symlink_to("back/b")
    for name in ("whole", "relative/file", "back/b/file", "chain/file", "a/./b/../b/file"):
        assert safe_read.read(name, str(root)) == b"inside", name
        handle = safe_read.opened_and_compared(name, str(root), os.O_RDONLY)
        assert os.read(handle, 10) == b"inside"
        os.close(handle)
    assert safe_read.names("chain", str(root)) == ["file"]


def test_a_root_that_is_a_link_itself_is_resolved_first(root: Path, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to("root")
    (root / "link").symlink_to(tmp_path / "short/a/b/file")
    assert safe_read.read("a/b/file", str(tmp_path / "short")) == b"inside"
    assert safe_read.read("link", str(tmp_path / "short")) == b"inside"


def test_a_circle_of_links_is_no_file(root: Path) -> None:
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    with pytest.raises(BadInput, match="cannot read"):
        safe_read.read("one", str(root))


def test_what_is_not_there_is_none_and_what_is_too_large_is_said(root: Path) -> None:
    assert safe_read.read("a/nothing", str(root)) is None
    assert safe_read.read("a/b/file/below", str(root)) is None
    assert safe_read.read("nul\0", str(root)) is None
    assert safe_read.names("a/nothing", str(root)) == []
    with pytest.raises(BadInput, match="larger than"):
        safe_read.read("a/b/file", str(root), 3)
    assert safe_read.part("a/b/file", str(root), 3) == b"ins"
    assert safe_read.part("a/b/file", str(root), 3, from_end=True) == b"ide"


def test_no_handle_stays_open_whatever_is_read(root: Path) -> None:
    os.mkfifo(root / "pipe")
    for put in LEADING_OUT.values():
        put(root)
    before = len(os.listdir("/proc/self/fd"))
    for name in (*LEADING_OUT, "pipe", "a", "a/b/file", "nothing", "a/b/file/x"):
        try:
            safe_read.read(name, str(root))
            safe_read.names(name, str(root))
        except (BadInput, LeadsOut):
            continue
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_named_file_is_judged_by_the_project_around_it(root: Path, tmp_path: Path) -> None:
    (root / "link").symlink_to("../file")
    assert safe_read.read_named(str(root / "link")) == b"outside"
    (root / ".git").mkdir()
    with pytest.raises(LeadsOut):
        safe_read.read_named(str(root / "link"))
    (root / "way").symlink_to(tmp_path)
    with pytest.raises(LeadsOut):
        safe_read.read_named(str(root / "way/file"))


def test_a_walk_below_a_folder_follows_no_link(root: Path) -> None:
    (root / "a/out").symlink_to(root.parent)
    (root / "a/in").symlink_to("b")
    found = sorted(safe_read.below(str(root)))
    assert found == [("a/b/file", False), ("a/in", True), ("a/out", True)]


def test_the_links_on_a_way_end_where_it_leaves(root: Path) -> None:
    assert links_on_path(str(root), "a/b/file") == b""
    (root / "first").symlink_to("a/second")
    (root / "a/second").symlink_to("../../file")
    assert links_on_path(str(root), "first") == b"/first\0a/second\0\0/a/second\0../../file"
    (root / "whole").symlink_to(f"{root}/first")
    assert links_on_path(str(root), "whole").startswith(b"/whole\0")
    assert links_on_path(str(root), "whole").endswith(b"../../file")
