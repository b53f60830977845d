"""Which commands check something, what a check is called, and how it ended."""

from __future__ import annotations

import pytest

from progress_plugin.transcripts.checks import check_results, covers, informative_line, may_edit_after_checks
from tests.transcripts.tables import rows

RESULTS = {True: "passed", False: "failed", None: "unknown"}
PUBLIC = rows("public_commands.tsv")


@pytest.mark.parametrize(("kind", "name", "folder", "line"), rows("check_names.tsv"))
def test_a_check_is_named_by_its_program_paths_and_selecting_options(
    kind: str, name: str, folder: str, line: str
) -> None:
    found = [(check.name, check.folder) for check in check_results(line, 0, "")]
    assert found == ([] if kind == "none" else [(name, folder)])


@pytest.mark.parametrize(("ended", "code", "line", "output"), rows("check_results.tsv"))
def test_a_result_is_known_only_if_the_exit_code_or_the_checks_own_output_shows_it(
    ended: str, code: str, line: str, output: str
) -> None:
    found = [RESULTS[check.passed] for check in check_results(line, int(code) if code else None, output)]
    assert found == ended.replace("-", "").split()


@pytest.mark.parametrize(("telling", "output"), rows("telling_lines.tsv"))
def test_the_most_informative_line_names_the_test_or_the_error(telling: str, output: str) -> None:
    assert informative_line(output) == telling


@pytest.mark.parametrize("is_aside", [False, True])
def test_commands_of_public_repositories_are_told_apart(*, is_aside: bool) -> None:
    """The tables were tuned on the commands that are not set aside: 1.0 and 0.89; those aside have 0.97 and 0.88."""
    commands = [(kind, line) for _, aside, kind, line in PUBLIC if bool(aside) is is_aside]
    found = [(kind, line) for kind, line in commands if check_results(line, 0, "")]
    right = [kind for kind, _ in found if kind != "none"]
    assert len(right) / len(found) >= 0.95
    assert len(right) / sum(kind != "none" for kind, _ in commands) >= 0.85


@pytest.mark.parametrize(
    "text", ["pytest; " + "true " * 900, "cat > a <<E\n" + "x\n" * 90_000 + "E\npytest | a"]
)
def test_a_line_that_is_too_long_proves_nothing(text: str) -> None:
    assert all(check.passed is None for check in check_results(text, 0, ""))


@pytest.mark.parametrize(
    "line",
    [
        "( " * 20_000 + "pytest",
        "bash -c '" * 9_000,
        "<<E " * 9_000 + "\n" * 9_000,
        "a'" * 9_001,
        "#'" * 9_000,
    ],
)
def test_a_damaged_line_is_read_without_an_error(line: str) -> None:
    assert not any(check.passed for check in check_results(line, 0, ""))


@pytest.mark.parametrize(("after", "may_edit"), [("git diff", False), ("git show HEAD:a.py > a.py", True)])
def test_a_redirection_after_a_check_may_edit_a_file(after: str, *, may_edit: bool) -> None:
    assert may_edit_after_checks(f"pytest; {after}") is may_edit


@pytest.mark.parametrize(("covered", "whole", "part"), rows("covering_checks.tsv"))
def test_a_run_covers_the_smaller_ones_of_its_program_and_folder(covered: str, whole: str, part: str) -> None:
    assert covers(whole, part) is (covered == "yes")
