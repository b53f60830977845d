"""Every regular expression of the package takes linear steps, or is given texts of bounded length alone."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import progress_plugin
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_patterns import NAMED
from progress_plugin.text.secret_tokens import TOKENS
from tests.hostile.regex_steps import Steps, TooManyError, attacks
from tests.torture.figures import LONG_FORM

_LENGTH = 60
_STEEPER = 2.6
"""Times the steps of a text half as long; a square has four, all else is bounded look-ahead that fills up."""
_FEW = 12
"""Steps a character below which nothing needs to be looked at."""
_MOST_STEPS = 2_000_000
_BOUNDED_STEPS = 300_000
"""Steps that a pattern may take for one text that is as long as its caller lets any be."""
BOUNDED = {
    "authored.heading": 400,
    "authored.headingless_entries._REMARK": 400,
    "authored.run_markers._SUMMARY": 400,
    "authored.chronology": 400,
    "learnings.non_learnings._GOOD_NEWS": 200,
    "learnings.non_learnings._NOTHING": 200,
    "learnings.non_learnings._NOT_DONE": 200,
    "learnings.non_learnings._STANDING": 200,
    "log.timestamp": 100,
    "passages.noise": 120,
    "report.page": 400,
    "text.escape._SPAN": 1000,
    "text.secret_values": 400,
}
"""Modules, or patterns of them, whose texts are bounded by the code beside them, and to how many characters."""
MATCHED = (
    "authored.heading._NAME",
    "plans.agent_os_markdown._TASK",
    "plans.planning_files._PHASE",
)
"""Patterns that another name or module matches at the beginning of a text."""


class Pattern(NamedTuple):
    """One pattern of the package, and whether it is only ever matched at the beginning of a text."""

    name: str
    compiled: re.Pattern[str]
    anchored: bool


def _modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(progress_plugin.__path__, "progress_plugin."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _in(name: str, value: Any) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, LazyPattern):
        yield name, value.compiled
    elif isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield name, value
    elif isinstance(value, tuple | list | set | frozenset):
        for at, inner in enumerate(value):
            yield from _in(f"{name}[{at}]", inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _in(f"{name}[{key}]", inner)


@cache
def _patterns() -> tuple[Pattern, ...]:
    found = []
    for module in _modules():
        source = Path(module.__file__).read_text(encoding="utf-8")
        own = {target.id for node in ast.parse(source).body for target in _targets(node)}
        for variable in sorted(own):
            used = set(re.findall(rf"\b{variable}\.(\w+)", source))
            for name, pattern in _in(variable, getattr(module, variable, None)):
                short = module.__name__.removeprefix("progress_plugin.")
                whole = f"{short}.{name}"
                anchored = whole.startswith(MATCHED) or (bool(used) and used <= {"match", "fullmatch"})
                found.append(Pattern(whole, pattern, anchored))
        found += _written_out(module.__name__.removeprefix("progress_plugin."), source)
    for number, shape in enumerate((*TOKENS, *NAMED)):
        found += [
            Pattern(f"shape {number} {shape.kind}", re.compile(pattern, re.DOTALL), False)
            for pattern in (shape.pattern, shape.each)
            if pattern
        ]
    return tuple({(each.compiled, each.anchored): each for each in found}.values())


def _targets(node: ast.stmt) -> list[ast.Name]:
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [target for target in targets if isinstance(target, ast.Name)]


def _written_out(module: str, source: str) -> Iterator[Pattern]:
    """Yield the patterns that a call of `re` has written into it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            pattern = node.args[0]
            called = ast.unparse(node.func).removeprefix("re.")
            if (
                isinstance(pattern, ast.Constant)
                and isinstance(pattern.value, str)
                and called not in ("escape", "compile")
            ):
                yield Pattern(
                    f"{module}:{node.lineno}", re.compile(pattern.value), called in ("match", "fullmatch")
                )


@cache
def _counter(pattern: str, flags: int) -> Steps:
    return Steps(pattern, flags, _MOST_STEPS)


def _steps(pattern: Pattern, text: str) -> int:
    flags = pattern.compiled.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE)
    steps = _counter(pattern.compiled.pattern, flags).over(text)
    try:
        return steps.anchored() if pattern.anchored else steps.everywhere()
    except TooManyError:
        return _MOST_STEPS


def _steepest(pattern: Pattern, most: int) -> str:
    """Return the attack whose steps grow faster than its text, told in a line; nothing where none does."""
    flags = pattern.compiled.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE)
    for before, unit, end in attacks(pattern.compiled.pattern, flags, most):
        length = _LENGTH
        while True:
            half, whole = (before + unit * (size // len(unit)) + end for size in (length, 2 * length))
            few, many = _steps(pattern, half), _steps(pattern, whole)
            if many < _MOST_STEPS and (many <= _FEW * len(whole) or many <= _STEEPER * few):
                break
            if many >= _MOST_STEPS or length >= 16 * _LENGTH:
                return f"{pattern.name}: {few} steps, then {many}, on {before!r} and {unit!r} over and over, {end!r}"
            length *= 4
    return ""


def _with_deep_stack(of: Callable[[], Any]) -> Any:
    """Return what a function returns that nests as deep as a text is long."""
    answers: list[Any] = []
    size = threading.stack_size(512 * 1024 * 1024)
    limit = sys.getrecursionlimit()
    thread = threading.Thread(target=lambda: answers.append(of()))
    thread.start()
    thread.join()
    threading.stack_size(size)
    sys.setrecursionlimit(limit)
    return answers[0]


def _bound(pattern: Pattern) -> int | None:
    return next((bound for name, bound in BOUNDED.items() if pattern.name.startswith(name)), None)


def _dearest(pattern: Pattern, bound: int, most: int) -> str:
    """Return the text of this length that costs too many steps, told in a line; nothing where none does."""
    flags = pattern.compiled.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE)
    for before, unit, end in attacks(pattern.compiled.pattern, flags, most):
        steps = _steps(pattern, (before + unit * bound)[: bound - len(end)] + end)
        if steps > _BOUNDED_STEPS:
            return f"{pattern.name}: {steps} steps for {bound} characters, {before!r} and {unit!r}"
    return ""


def _faults(most: int) -> list[str]:
    """Return what is steep, or dear within its bound, after so many attacks on each pattern."""
    bounds = [(pattern, _bound(pattern)) for pattern in _patterns()]
    told = [_dearest(each, bound, most) if bound else _steepest(each, most) for each, bound in bounds]
    return [line for line in told if line]


def test_the_engine_that_counts_finds_what_pythons_own_engine_finds() -> None:
    texts = [
        "",
        "a",
        "US-001: x",
        "2026-03-01 10:00 - y",
        "**Status:** done",
        "- [x] 1. a",
        "## a ##",
        "`src/a.py`",
        "ab" * 9,
    ]
    wrong = []
    for pattern in _patterns():
        flags = pattern.compiled.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE)
        for text in texts:
            ours: list[int] = []
            steps = _counter(pattern.compiled.pattern, flags).over(text)
            steps.node(0, lambda at, ours=ours: ours.append(at) or True)
            found = pattern.compiled.match(text)
            if (ours[0] if ours else None) != (found.end() if found else None):
                wrong.append((pattern.name, text))
    assert wrong == []


def test_a_square_and_a_power_are_told_from_what_is_linear() -> None:
    def told(pattern: str) -> bool:
        return bool(
            _with_deep_stack(lambda: _steepest(Pattern("x", re.compile(pattern), anchored=False), 40))
        )

    assert told(r"\s+$")
    assert told(r"(a+)+b")
    assert told(r"[\w.]+\.py")
    assert not told(r"(?<!\s)\s+$")
    assert not told(r"a{1,20}b")
    assert not told(r"(?<!\w)\w++:")


def test_every_pattern_takes_linear_steps() -> None:
    assert _with_deep_stack(lambda: _faults(6)) == []


@LONG_FORM
@pytest.mark.slow
def test_every_pattern_takes_linear_steps_whatever_is_tried() -> None:
    assert _with_deep_stack(lambda: _faults(120)) == []
