"""The fast path loads neither `os` nor `json`, whichever of its modules is imported (core.fast)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY

PYTHON = getattr(sys, "_base_executable", sys.executable)
MODULES = sorted(
    path.stem for path in (REPOSITORY / "progress_plugin/core/fast").glob("*.py") if path.stem != "__init__"
)
NOT_TO_LOAD = {"_json", "collections", "enum", "functools", "hashlib", "json", "os", "pathlib", "re", "stat", "typing"}  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="there `os` is loaded before any program runs")
@pytest.mark.parametrize("module", MODULES)
def test_a_module_of_the_fast_path_loads_nothing_heavy(module: str) -> None:
    program = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r}); import progress_plugin.core.fast.{module}; print(*sys.modules)"
    done = subprocess.run(
        [PYTHON, "-I", "-S", "-B", "-c", program], capture_output=True, check=True, text=True
    )
    loaded = set(done.stdout.split())
    assert f"progress_plugin.core.fast.{module}" in loaded
    assert sorted(NOT_TO_LOAD & loaded) == []
