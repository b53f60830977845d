"""Compiled modules kept in one file from one process to the next."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.caches import checked_marshal

REPOSITORY = Path(__file__).resolve().parents[2]
IMPORT = """
import sys
from progress_plugin.core.caches import module_cache
module_cache.recall("mill")
from progress_plugin import model
from progress_plugin.model import story
import progress_plugin.text.normalise_title
found = sys.modules["progress_plugin.text.normalise_title"]
taken = sorted(name for name, module in sys.modules.items() if type(getattr(module, "__loader__", None)).__name__ == "_Loader")
module_cache.keep()
sys.stdout.write(f"{len(taken)} {found.__file__} {model.__path__} {found.normalised('The  Mill!')} {story.Plan.__doc__!r}")
"""


class Copy:
    """A copy of the package that may be changed, and a place for what Python compiles."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "plugin"
        shutil.copytree(
            REPOSITORY / "progress_plugin",
            self.root / "progress_plugin",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        self.titles = self.root / "progress_plugin/text/normalise_title.py"
        self.cache = folder / "pycache"

    @property
    def kept(self) -> Path:
        """Where the modules are kept."""
        return next(self.cache.rglob("modules-mill.*"))

    def run(self, *flags: str) -> tuple[int, str]:
        """Return how many modules came from what was kept, and what was printed besides."""
        done = subprocess.run(
            [sys.executable, "-X", f"pycache_prefix={self.cache}", *flags, "-c", IMPORT],
            capture_output=True,
            check=True,
            cwd=self.root,
            env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
            | {"PYTHONUTF8": "1"},
        )
        taken, _, told = done.stdout.decode().partition(" ")
        return int(taken), told


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_a_second_process_takes_every_module_from_one_file_and_they_are_the_same(copy: Copy) -> None:
    none, first = copy.run()
    every, second = copy.run()
    assert (none, second) == (0, first)
    assert every >= 5
    assert f"{copy.titles} " in second


def test_a_module_that_was_changed_is_read_anew_and_kept_as_it_is_now(copy: Copy) -> None:
    copy.run()
    every, _ = copy.run()
    copy.titles.write_text(copy.titles.read_text("utf-8").replace(".casefold()", ".upper()"), "utf-8")
    fewer, told = copy.run()
    assert fewer == every - 1
    assert "THE MILL" in told
    assert copy.run() == (every, told)


def test_a_module_that_is_gone_is_found_no_more(copy: Copy) -> None:
    copy.run()
    copy.titles.unlink()
    with pytest.raises(subprocess.CalledProcessError) as error:
        copy.run()
    assert b"ModuleNotFoundError" in error.value.stderr


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\xe3\x00\x00", b"i\x01\x00\x00\x00"])
def test_a_damaged_file_is_passed_over_and_made_anew(copy: Copy, damage: bytes) -> None:
    _, told = copy.run()
    copy.kept.write_bytes(damage)
    assert copy.run() == (0, told)
    assert copy.run()[0] > 0


def test_what_another_python_kept_is_passed_over(copy: Copy) -> None:
    copy.run()
    (form, _, *rest), known = checked_marshal.read(str(copy.kept))
    checked_marshal.write(str(copy.kept), ((form, 1, *rest), known))
    assert copy.run()[0] == 0


def test_nothing_is_kept_where_python_may_keep_no_compiled_code(copy: Copy) -> None:
    copy.run("-B")
    assert not list(copy.cache.rglob("modules*"))


def test_the_file_does_not_change_while_nothing_new_is_imported(copy: Copy) -> None:
    copy.run()
    before = copy.kept.stat().st_ino
    copy.run()
    assert copy.kept.stat().st_ino == before


def test_modules_that_nobody_imports_any_more_make_room_for_new_ones(copy: Copy) -> None:
    copy.run()
    version, known = checked_marshal.read(str(copy.kept))
    old = {f"progress_plugin.old_{number}": next(iter(known.values())) for number in range(400)}
    checked_marshal.write(str(copy.kept), (version, old))
    assert copy.run()[0] == 0
    assert copy.run()[0] > 0
    assert "progress_plugin.old_7" not in checked_marshal.read(str(copy.kept))[1]


def test_a_place_that_cannot_be_written_costs_nothing(copy: Copy) -> None:
    copy.run()
    kept = copy.kept
    kept.unlink()
    kept.mkdir()
    assert copy.run()[0] == 0
