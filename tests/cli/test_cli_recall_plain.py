"""`recall` by the standard library alone, and by click: one command, whoever reads its line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.cli.main import main
from progress_plugin.cli.recall import command
from progress_plugin.cli.recall_plain import parsed, run
from progress_plugin.cli.recall_request import FILTERS, Request
from tests.conftest import REPOSITORY

PLAIN = [
    ["gate"], ["why is", "the", "gate"], ["gate", "-n", "1"], ["-n", "50", "gate"], ["gate", "--json"], ["--json", "gate", "--json"],
    ["gate", "--file", "src/quay.ts"], ["gate", "--file=src/quay.ts"], ["--story", "US-001"], ["--story=US-001", "gate"],
    ["gate", "--kind", "gotcha", "--since", "2026-01-01"], ["gate", "--since=2026-03-02"], ["--", "--gate"], ["gate", "--kind", "--json"],
    ["gate", "--file="], ["--story", "A", "--story", "US-001"], ["-"], [], ["gate", "--kind", "none"], ["gate", "--since", "soon"],
]  # fmt: skip
"""Lines that are read without click, mistakes that the question itself has among them."""
FOR_CLICK = [
    ["-h"], ["gate", "--help"], ["--files", "x"], ["--fil", "x"], ["gate", "--file"], ["gate", "-n"], ["gate", "-n", "0"],
    ["gate", "-n", "51"], ["gate", "-n", "x"], ["gate", "-n5"], ["gate", "-n", "٥"], ["gate", "--json=1"], ["-x"], ["--number", "3"],
    ["gate", "-n", "005"],
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with a short history."""
    (tmp_path / "quay/.git").mkdir(parents=True)
    (tmp_path / "quay/progress.md").write_text(
        "# Log\n\n## 2026-03-01 - US-001: Quay gate\n\n- The gate in `src/quay.ts` shuts at dusk\n"
    )
    return tmp_path / "quay"


def _told(capsys: Any, door: Any, words: list[str]) -> tuple[int, str, str]:
    code = door(words)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize("words", PLAIN, ids=" ".join)
@pytest.mark.parametrize("place", [["-C", "DIR"], ["--project-dir", "DIR"], ["--project-dir=DIR"], ["-CDIR"]])
def test_a_plain_line_gets_the_same_answer(
    capsys: Any, root: Path, words: list[str], place: list[str]
) -> None:
    line = [*(word.replace("DIR", str(root)) for word in place), "recall", *words]
    answer = _told(capsys, run, line)
    assert answer == _told(capsys, main, line)
    assert answer[0] in {0, 1, 2}
    assert (answer[1] + answer[2]).count("agent-progress:") == (answer[0] == 2)


@pytest.mark.parametrize("words", FOR_CLICK, ids=" ".join)
def test_what_may_be_a_mistake_is_left_to_click(words: list[str]) -> None:
    assert parsed(words) is None
    assert run(["-C", "/nowhere", "recall", *words]) is None


WORDS = st.lists(
    st.sampled_from(
        [*(f"--{name}" for name in FILTERS), "-n", "--json", "x", "", "-", "--", "5", "05", "-5", "--file=a=b", "--sinc", "-h"]
    )
    | st.text(alphabet="-=n5j ", max_size=5),
    max_size=6,
)  # fmt: skip


@given(WORDS)
def test_a_line_that_is_read_without_click_is_read_as_click_does(words: list[str]) -> None:
    found = parsed(words)
    if found is None:
        return
    context = command.make_context("recall", list(words), help_option_names=["-h", "--help"])
    assert found == Request(**context.params)


def test_a_question_is_answered_where_no_package_is_installed(root: Path, tmp_path: Path) -> None:
    words = [str(REPOSITORY / "progress_plugin/__main__.py"), "-C", str(root), "recall", "gate"]
    python = getattr(sys, "_base_executable", sys.executable)
    for _ in range(2):  # the index is made, and asked
        done = subprocess.run(
            [python, "-I", "-S", "-X", "utf8", "-X", f"pycache_prefix={tmp_path}/cache", *words],
            env={"HOME": str(tmp_path / "home"), "AGENT_PROGRESS_NO_INSTALL": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.startswith("progress.md:5 (2026-03-01, US-001")


def test_click_still_describes_it() -> None:
    names = {name for each in command.params for name in each.opts}
    assert names == {"words", "-n", "--json", *(f"--{name}" for name in FILTERS)}
    assert isinstance(command, click.Command)
