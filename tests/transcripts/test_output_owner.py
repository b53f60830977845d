"""Whose words a line's output is: a check's alone where nothing else of the line could have said them."""

from __future__ import annotations

import pytest

from progress_plugin.transcripts.commands.check_results import checks_of

PASSED = "3 passed in 0.1s"


@pytest.mark.parametrize(
    "line",
    [
        "pytest -q >/dev/null; echo '3 passed'", "pytest || echo '3 passed in 0.1s'", "false && pytest; printf '3 passed\\n'",
        "pytest >/dev/null || true; printf '%s passed\\n' 3", "pytest > log 2>&1; tail -1 old.log; true", "pytest | tail -1; cat old.log",
        "pytest | tail -1 | sed 's/failed.*/passed/'", "git log -1; pytest | cat", "pytest | awk '{print}'", "pytest | tail -1 old.log",
        "pytest | grep -o '[0-9]* passed'", "pytest --junitxml=x.xml; grep tests x.xml; true", "x=$(pytest); echo done; true",
        "false && pytest > log; tail -1 log; true", "[ -f x ] && pytest > log; cat log; true", "python old.py; pytest | tail -1",
        "pytest > log; cp old.log log; cat log; true", "pytest > log; echo $LAST; true", "pytest >/dev/null; echo -e 'a\\n3 passed'; true",
        "pytest | tee log; sort old.log", "pytest >/dev/null; bash -c 'echo 3 passed'; true", "pytest; git log -1 --format=%s",
        "pytest > log; curl -s x; true", "pytest >/dev/null; echo `cat old.log`; true", "pytest || grep passed old.log",
    ],
)  # fmt: skip
def test_words_that_another_command_may_have_printed_prove_nothing(line: str) -> None:
    assert [check.passed for check in checks_of(line, 0, PASSED)] == [None]


@pytest.mark.parametrize(
    "line",
    [
        "pytest | tail -5", "pytest 2>&1 | tee log | tail -1", "pytest > log 2>&1; tail -1 log; true", "pytest | grep passed; true",
        'pytest | tail -1; echo "exit ${PIPESTATUS[0]}"', "npm ci && pytest | tail -3", "cd x && pytest > log; tail -3 log; echo $?",
        "git add a && pytest | tail -1", 'out=$(pytest); echo "$out"; true', "pytest | grep -E 'passed|failed' | tail -1", "pytest | cut -c1-200",
        "pytest | tee log >/dev/null; grep passed log; true", "pytest | sed -n '1,40p'", "pytest; git push", "pytest | head -40; echo done",
        "{ pytest; } 2>&1 | tail -1", "bash -c 'pytest | tail -1'", "rm -f log; pytest > log; cat log; true", "pytest || true",
        "pip install -e . >/dev/null; python x.py > y; pytest | grep -v Warning",
    ],
)  # fmt: skip
def test_a_checks_own_words_count_through_a_pipe_and_through_its_own_file(line: str) -> None:
    assert [check.passed for check in checks_of(line, 0, PASSED)] == [True]


@pytest.mark.parametrize("filters", ["head -5", "grep ok", "grep -v FAIL", "sed -n 1,3p"])
def test_lines_that_may_leave_out_a_failure_prove_no_success(filters: str) -> None:
    """`go test` says of each package by itself how it ended."""
    assert [check.passed for check in checks_of(f"go test ./... | {filters}", 0, "ok  x 0.1s")] == [None]


@pytest.mark.parametrize(
    "line", ["[ -d tests ] && pytest", "test -f x && pytest", "grep -q x y && pytest", "false && pytest"]
)
def test_a_question_that_is_answered_with_no_is_no_failure_of_the_check_behind_it(line: str) -> None:
    assert [check.passed for check in checks_of(line, 1, "")] == [None]
