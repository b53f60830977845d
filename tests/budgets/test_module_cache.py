"""Compiled modules kept in one file from one process to the next."""

from __future__ import annotations

import ast
import marshal
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.fast import kept_modules

REPOSITORY = Path(__file__).resolve().parents[2]
IMPORT = """
import importlib, sys
asked = []
importlib._bootstrap._find_spec = lambda name, *others, find=importlib._bootstrap._find_spec: asked.append(name) or find(name, *others)
from progress_plugin.core.caches import module_cache
module_cache.recall("mill", is_alone=True)
from progress_plugin import model
from progress_plugin.model import story
import progress_plugin.text.normalise_title
found = sys.modules["progress_plugin.text.normalise_title"]
taken = sorted(name for name, module in sys.modules.items() if type(getattr(module, "__loader__", None)).__name__ == "_Finder")
module_cache.keep()
sys.stderr.write("".join(f"{name} asked\\n" for name in asked if name in taken))
sys.stdout.write(f"{len(taken)} {found.__file__} {model.__path__} {found.normalised('The  Mill!')} {story.Plan._fields}")
"""

MISSING = f"""{IMPORT}
try:
    from progress_plugin.text.normalise_title import mill
except ImportError as error:
    sys.stdout.write(f" {{error}} {{error.name}} {{isinstance(found, type(sys))}}")
sys.stdout.write(f" {{getattr(found, 'mill', None)}} {{hasattr(found, '__path__')}} {{hasattr(model, '__path__')}}")
"""
DATETIME = """
import sys
from progress_plugin.core.caches import module_cache
module_cache.recall("mill", is_alone=True)
import datetime
names = sorted(name for name in vars(datetime) if name != "sys" and not name.startswith("_"))
module_cache.keep()
sys.stdout.write(f"{names} {sorted(datetime.__all__)} {datetime.__doc__} {datetime.__file__} {datetime.datetime.strptime('7', '%d')}")
"""
QUICK_LOOK = """
import os, sys
from progress_plugin.core.fast import kept_modules
root, name = os.getcwd() + "/", "progress_plugin.text.normalise_title"
source = kept_modules.source_of(root, name, False)
code = compile(open(source, "rb").read(), source, "exec")
sys.meta_path.insert(0, kept_modules.KeptModules(root, {name: (*kept_modules.state_of(source), False, code)}))
"""


FIRST_WRITE = """
import sys
from progress_plugin.core.caches import module_cache
module_cache.recall("mill", is_alone=True)
import shutil
from progress_plugin.text import normalise_title
module_cache.keep()
sys.stdout.write(str(normalise_title.normalised.__annotations__))
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

    def read(self) -> Any:
        """Return what is kept: of which version, the modules, and what is made ready before which."""
        return kept_modules.read(str(self.kept))

    def has_docstring(self, name: str, kept: dict[str, Any]) -> bool:
        """Return whether a module is kept with its docstring."""
        source = self.root / f"{name.replace('.', '/')}.py"
        docstring = ast.get_docstring(ast.parse(source.read_text("utf-8")), clean=False)
        assert docstring
        return docstring.encode() in marshal.dumps(kept[name][3])

    def write(self, *kept: object) -> None:
        """Keep that in the place of what is kept."""
        content = marshal.dumps(kept)
        self.kept.write_bytes(kept_modules.checksum(content) + content)

    def run(self, *flags: str) -> tuple[int, str]:
        """Return how many modules came from what was kept, and what was printed besides."""
        taken, _, told = self._done(*flags).stdout.decode().partition(" ")
        return int(taken), told

    def run_and_tell_who_was_asked_for(self, *flags: str) -> tuple[str, set[str]]:
        """Return what was printed, and for which of the modules kept the import system was asked."""
        done = self._done(*flags)
        asked = {line.split()[0] for line in done.stderr.decode().splitlines() if line.endswith(" asked")}
        return done.stdout.decode(), asked

    def run_and_ask_for_what_is_missing(self) -> str:
        """Return what was printed by a run that asks a module for a name that it does not have."""
        return self._done(program=MISSING).stdout.decode().partition(" ")[2]

    def run_and_show_datetime(self) -> bytes:
        """Return what `datetime` holds and says of itself where it may have been kept."""
        return self._done(program=DATETIME).stdout

    def run_and_show_annotations(self) -> str:
        """Return what was printed of the annotations of a function of ours, by a run that imports `shutil`, too."""
        return self._done(program=FIRST_WRITE).stdout.decode()

    def run_after_a_quick_look(self) -> None:
        """Have a module found where a hook's quick look keeps its own."""
        self._done(program=QUICK_LOOK + IMPORT)

    def run_what_needs_models(self, *first: str) -> None:
        """Have a module imported that needs some of `model`, after what comes first."""
        names = (*first, "progress_plugin.plans.plan_and_story_identity")
        lines = "".join(f"import {name}\n" for name in names)
        self._done(
            program=f"{IMPORT.split('from progress_plugin import model', maxsplit=1)[0]}{lines}module_cache.keep()"
        )

    def _done(self, *flags: str, program: str = IMPORT) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-X", f"pycache_prefix={self.cache}", *flags, "-c", program],
            capture_output=True,
            check=True,
            cwd=self.root,
            env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
            | {"PYTHONUTF8": "1"},
        )


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_a_second_process_takes_every_module_from_one_file_and_they_are_the_same(copy: Copy) -> None:
    none, first = copy.run()
    every, second = copy.run()
    assert (none, second) == (0, first)
    assert every >= 5
    assert f"{copy.titles} " in second


def test_what_python_defines_twice_is_taken_as_it_is_in_the_end(copy: Copy) -> None:
    first, second, third = (copy.run_and_show_datetime() for _ in range(3))
    assert first == second == third
    _, modules, _ = copy.read()
    assert len(modules["datetime"][3]) < 1000 or sys.version_info >= (3, 12)


def test_a_module_that_was_changed_is_read_anew_and_kept_as_it_is_now(copy: Copy) -> None:
    copy.run()
    every, _ = copy.run()
    copy.titles.write_text(copy.titles.read_text("utf-8").replace('uvwxyz"', 'uvwxyz".upper()'), "utf-8")
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
    (form, _, *rest), *known = copy.read()
    copy.write((form, 1, *rest), *known)
    assert copy.run()[0] == 0


def test_nothing_is_kept_where_python_may_keep_no_compiled_code(copy: Copy) -> None:
    copy.run("-B")
    assert not list(copy.cache.rglob("modules*"))


def test_the_file_does_not_change_while_nothing_new_is_imported(copy: Copy) -> None:
    copy.run()
    copy.run()  # sees in which order modules are ready
    before = copy.kept.stat().st_ino
    copy.run()
    assert copy.kept.stat().st_ino == before


def test_modules_that_nobody_imports_any_more_make_room_for_new_ones(copy: Copy) -> None:
    copy.run()
    version, known, _ = copy.read()
    old = {f"progress_plugin.old_{number}": next(iter(known.values())) for number in range(400)}
    copy.write(version, old, {})
    assert copy.run()[0] == 0
    assert copy.run()[0] > 0
    assert "progress_plugin.old_7" not in copy.read()[1]


def test_a_place_that_cannot_be_written_costs_nothing(copy: Copy) -> None:
    copy.run()
    kept = copy.kept
    kept.unlink()
    kept.mkdir()
    assert copy.run()[0] == 0


def test_what_came_with_a_module_is_ready_before_it_so_that_the_import_system_is_asked_for_few(
    copy: Copy,
) -> None:
    copy.run()
    copy.run()
    before = copy.read()[2]["progress_plugin.model.story"]
    assert before
    last: dict[str, str] = {}
    for number in range(2):
        told, asked = copy.run_and_tell_who_was_asked_for()
        last[str(number)] = told
        assert "progress_plugin.model.story" in asked
        assert not set(before) & asked
    assert last["0"] == last["1"]


def test_what_comes_with_a_module_is_seen_although_a_quick_look_keeps_some_of_it_itself(copy: Copy) -> None:
    for _ in range(3):
        copy.run_after_a_quick_look()
    modules, before = copy.read()[1:]
    assert "progress_plugin.text.normalise_title" in modules
    assert before["progress_plugin.model.story"]


def test_a_package_that_was_there_when_it_was_seen_what_comes_is_made_ready_where_it_is_not(
    copy: Copy,
) -> None:
    for _ in range(3):
        copy.run_what_needs_models("progress_plugin.model")
    copy.run_what_needs_models()


def test_where_a_module_has_changed_what_comes_before_others_is_found_out_anew(copy: Copy) -> None:
    copy.run()
    copy.run()
    status = copy.root / "progress_plugin/model/status.py"
    status.write_text(status.read_text("utf-8") + "\nimport progress_plugin.text.bounds\n", "utf-8")
    for _ in range(2):
        copy.run()
    assert "progress_plugin.text.bounds" in copy.read()[2]["progress_plugin.model.story"]


def test_each_import_is_shown_where_its_time_is_asked_for(copy: Copy) -> None:
    for _ in range(2):
        copy.run()
    before = copy.read()[2]["progress_plugin.model.story"]
    assert set(before) <= copy.run_and_tell_who_was_asked_for("-X", "importtime")[1]


def test_no_module_is_kept_that_has_not_been_imported_or_is_neither_ours_nor_pythons(copy: Copy) -> None:
    copy.run()
    kept = set(copy.read()[1])
    assert {"progress_plugin.model.story", "enum", "re"} <= kept
    assert {name.partition(".")[0] for name in kept} <= {"progress_plugin", *sys.stdlib_module_names}


def test_docstrings_are_kept_where_a_command_shows_them_alone(copy: Copy) -> None:
    copy.run_what_needs_models("progress_plugin.cli.log_plain")
    kept = copy.read()[1]
    told = [
        name
        for name in ("progress_plugin.cli.log_plain", "progress_plugin.model.story")
        if copy.has_docstring(name, kept)
    ]
    assert told == ["progress_plugin.cli.log_plain"]


def test_neither_annotations_of_functions_are_kept_nor_what_a_first_write_imports_alone(copy: Copy) -> None:
    first, second = copy.run_and_show_annotations(), copy.run_and_show_annotations()
    assert (first, second) == ("{'text': 'str', 'return': 'str'}", "{}")
    modules = copy.read()[1]
    assert "progress_plugin.text.normalise_title" in modules
    assert "shutil" not in modules


def test_no_function_of_ours_is_asked_for_its_annotations() -> None:
    asking = re.compile(
        r"get_type_hints|get_annotations|[^s]\.__annotations__|inspect\.signature|singledispatch"
    )
    places = [
        str(path.relative_to(REPOSITORY))
        for path in (REPOSITORY / "progress_plugin").rglob("*.py")
        if asking.search(path.read_text("utf-8"))
    ]
    assert not places


def test_a_module_that_was_kept_says_as_any_other_that_it_has_no_such_name(copy: Copy) -> None:
    first = copy.run_and_ask_for_what_is_missing()
    assert "cannot import name 'mill'" in first
    assert first.endswith("normalise_title True None False True")
    assert copy.run_and_ask_for_what_is_missing() == first


def test_no_module_of_ours_makes_up_what_it_is_asked_for() -> None:
    made_up = [
        path
        for path in (REPOSITORY / "progress_plugin").rglob("*.py")
        if "\ndef __getattr__(" in path.read_text("utf-8")
    ]
    assert made_up == []
