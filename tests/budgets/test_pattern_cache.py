"""Regular expressions kept compiled from one process to the next."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.caches import checked_marshal, pattern_cache

REPOSITORY = Path(__file__).resolve().parents[2]
COMPILE = """
import sys, re
from progress_plugin.core.caches import pattern_cache
pattern_cache.recall()
called = []
original = re._compiler.compile
def counted(*arguments):
    called.append(arguments)
    return original(*arguments)
re._compiler.compile = counted
found = re.compile("(?P<day>[0-9]+)-é+", re.IGNORECASE).match("12-ÉÉ")
wide = re.compile("[α-ω]{2,3}(?=x)").search("..αβx")
for pattern in filter(None, [sys._xoptions.get("also")]):
    made = re.compile(pattern)
    assert made.pattern == pattern
    assert isinstance(made, re.Pattern)
pattern_cache.keep()
sys.stdout.write(f"{len(called)} {found['day']} {found.end()} {wide.span()} {found.re.groupindex}")
"""


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Return the file that patterns are kept in."""
    return tmp_path / f"patterns.{sys.implementation.cache_tag}"


def _run(folder: Path, *flags: str) -> str:
    prefix = f"pycache_prefix={folder}"
    done = subprocess.run(
        [sys.executable, "-X", prefix, *flags, "-c", COMPILE],
        capture_output=True,
        check=True,
        cwd=REPOSITORY,
        env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        | {"PYTHONUTF8": "1"},
    )
    return done.stdout.decode()


def test_a_second_process_compiles_nothing_and_matches_the_same(kept: Path) -> None:
    assert _run(kept.parent) == "2 12 5 (2, 4) {'day': 1}"
    assert kept.exists()
    assert _run(kept.parent) == "0 12 5 (2, 4) {'day': 1}"


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\xe3\x00\x00", b"i\x01\x00\x00\x00"])
def test_a_damaged_file_is_passed_over_and_made_anew(kept: Path, damage: bytes) -> None:
    _run(kept.parent)
    kept.write_bytes(damage)
    assert _run(kept.parent).startswith("2 ")
    assert _run(kept.parent).startswith("0 ")


def test_what_another_python_kept_is_passed_over(kept: Path) -> None:
    _run(kept.parent)
    kept.write_bytes(kept.read_bytes().replace(b"little", b"middle").replace(b"big", b"gib"))
    assert _run(kept.parent).startswith("2 ")


def test_nothing_is_kept_where_python_may_keep_no_compiled_code(kept: Path) -> None:
    _run(kept.parent, "-B")
    assert not kept.exists()


def test_the_file_does_not_change_while_nothing_new_is_compiled_or_used(kept: Path) -> None:
    _run(kept.parent)
    _run(kept.parent)
    before = kept.stat().st_ino
    _run(kept.parent)
    assert kept.stat().st_ino == before


def test_code_that_the_engine_refuses_is_passed_over_and_made_anew(kept: Path) -> None:
    _run(kept.parent)
    version, known, used = checked_marshal.read(str(kept))
    odd = {key: (code[0], b"\xff" * 12, *code[2:]) for key, code in known.items()}
    checked_marshal.write(str(kept), (version, odd, used))
    assert _run(kept.parent) == "2 12 5 (2, 4) {'day': 1}"
    assert _run(kept.parent) == "0 12 5 (2, 4) {'day': 1}"


def test_what_no_process_has_used_is_made_when_it_is_used_and_at_once_from_then_on(kept: Path) -> None:
    _run(kept.parent)
    version, known, used = checked_marshal.read(str(kept))
    assert used == frozenset()
    refused = {key: (code[0], b"\xff" * 12, *code[2:]) for key, code in known.items()}
    unused = ("never used", 0)
    checked_marshal.write(str(kept), (version, {**known, unused: next(iter(refused.values()))}, used))
    assert _run(kept.parent, "-X", "also=never used") == "0 12 5 (2, 4) {'day': 1}"
    _, after, used = checked_marshal.read(str(kept))
    assert used == known.keys()
    assert after.keys() == known.keys() | {unused}


def test_what_stands_for_a_pattern_is_one_to_those_who_are_given_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_cache, "_known", {})
    made: Any = pattern_cache._Later("ro+pe", 0)
    assert isinstance(made, re.Pattern)
    assert re.compile(made) is made
    assert re.sub(made, "oil", "a roope") == "a oil"


def test_patterns_that_nobody_asks_for_make_room_for_new_ones(kept: Path) -> None:
    _run(kept.parent)
    version, known, used = checked_marshal.read(str(kept))
    code = next(iter(known.values()))
    old = {(f"pattern {number}", 0): code for number in range(pattern_cache._MOST)}
    checked_marshal.write(str(kept), (version, old, used))
    assert _run(kept.parent).startswith("2 ")
    assert _run(kept.parent).startswith("0 ")
    _, known, _ = checked_marshal.read(str(kept))
    assert ("pattern 7", 0) not in known


def test_what_nobody_asks_for_is_not_made_ready(kept: Path) -> None:
    _run(kept.parent)
    version, known, used = checked_marshal.read(str(kept))
    refused = (0, b"\xff" * 12, 0, {}, (None,))
    checked_marshal.write(str(kept), (version, {("of another call", 0): refused, **known}, used))
    assert _run(kept.parent).startswith("0 ")
    _, known, _ = checked_marshal.read(str(kept))
    assert known["of another call", 0] == refused


def test_what_is_asked_for_stays_where_others_make_room(kept: Path) -> None:
    _run(kept.parent)
    version, known, used = checked_marshal.read(str(kept))
    asked, code = known.popitem()
    old = {(f"pattern {number}", 0): code for number in range(pattern_cache._MOST - 1)}
    checked_marshal.write(str(kept), (version, {**old, asked: code}, used))
    assert _run(kept.parent).startswith("1 ")
    _, known, _ = checked_marshal.read(str(kept))
    assert len(known) == 2
    assert asked in known


def test_what_a_start_can_need_has_room() -> None:
    """It came to 501 of 500: then each start compiled what the one before had made room for."""
    modules = (REPOSITORY / "progress_plugin").rglob("*.py")
    compiled = sum(path.read_text("utf-8").count("re.compile(") for path in modules)
    assert 0.5 * pattern_cache._MOST < compiled < 0.8 * pattern_cache._MOST  # a table may make several of one
