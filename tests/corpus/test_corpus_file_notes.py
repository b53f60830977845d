"""How much of what people marked as needed about a file is told by the start and at that file?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PROGRAM = [sys.executable, str(REPOSITORY / "tests/corpus/file_facts.py"), "--corpus"]


@pytest.mark.corpus
def test_start_and_hook_tell_nineteen_of_twenty_facts_that_name_a_file(corpus: Path) -> None:
    done = subprocess.run([*PROGRAM, str(corpus)], capture_output=True, text=True)
    figures = re.match(
        r"(\d+) facts name a file: the start tells [\d.]+, start and hook ([\d.]+)", done.stdout
    )
    assert figures is not None, done.stderr
    assert int(figures[1]) >= 100
    assert float(figures[2]) >= 0.95


def test_without_the_corpus_the_measure_says_that_it_measured_nothing(tmp_path: Path) -> None:
    done = subprocess.run([*PROGRAM, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("NOTHING MEASURED: no resume facts in ")
