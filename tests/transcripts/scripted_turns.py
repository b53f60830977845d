"""More than forty turns in which a task is called done, with what their transcripts prove of it.

A step is `ask`, `new` or `edit` (file), `run` (command, exit code, output), `shell` (the same, and a file that it
changes on the disk), `agent` (steps of a sub-agent), and `done`, optionally with the files that a commit names; the last `done` is the one that is asked about.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Step = tuple[Any, ...]

PASS: Step = ("run", "pytest -q", 0, "3 passed in 0.02s")
FAIL: Step = ("run", "pytest -q", 1, "E   assert 3.3 == 3.5\n1 failed in 0.02s")
ASK: Step = ("ask", "Add the tide table.")
EDIT: Step = ("edit", "tides.py")
DONE: Step = ("done",)
PLAN: Step = ("edit", "prd.json")
NO_CHECK = "claimed, no check seen"
VERIFIED, FAILED = "verified: pytest passed", "claimed, pytest failed"
STALE = "claimed, pytest ran before the last edit only"
UNKNOWN = "claimed, pytest ran, its result is not known"


class Turn(NamedTuple):
    """One scripted turn."""

    name: str
    steps: list[Step]
    proves: str


TURNS = [
    Turn("a check after the edit passes", [ASK, EDIT, PASS, DONE], VERIFIED),
    Turn("a check after the edit fails", [ASK, EDIT, FAIL, DONE], FAILED),
    Turn("no check at all", [ASK, EDIT, DONE], NO_CHECK),
    Turn("a check before the edit", [ASK, EDIT, PASS, EDIT, DONE], STALE),
    Turn("a failing check before the last edit", [ASK, EDIT, FAIL, EDIT, DONE], STALE),
    Turn("failing, mended, passing", [ASK, EDIT, FAIL, EDIT, PASS, DONE], VERIFIED),
    Turn("passing, edited, failing", [ASK, EDIT, PASS, EDIT, FAIL, DONE], FAILED),
    Turn("the plan is edited after the check", [ASK, EDIT, PASS, PLAN, DONE], VERIFIED),
    Turn("the log is edited after the check", [ASK, EDIT, PASS, ("edit", "progress.md"), DONE], VERIFIED),
    Turn("the documents are edited after the check", [ASK, EDIT, PASS, ("edit", "README.md"), DONE], VERIFIED),
    Turn("only documents are edited", [ASK, ("edit", "docs/tides.md"), DONE], NO_CHECK),
    Turn("only documents, and a check after them",
         [ASK, ("edit", "docs/tides.md"), ("run", "mkdocs build", 0, ""), PASS, DONE], VERIFIED),
    Turn("called done first, checked after", [ASK, EDIT, DONE, PASS], VERIFIED),
    Turn("called done first, failing after", [ASK, EDIT, DONE, FAIL], FAILED),
    Turn("called done first, mended and passing after", [ASK, EDIT, DONE, FAIL, EDIT, PASS], VERIFIED),
    Turn("called done first, edited after and not checked", [ASK, EDIT, FAIL, DONE, EDIT], FAILED),
    Turn("proven when it was called done, edited for the next request",
         [ASK, EDIT, PASS, DONE, ("ask", "And the pier."), EDIT, FAIL], VERIFIED),
    Turn("checked in the next turn before anything changes",
         [ASK, EDIT, DONE, ("ask", "Run the tests."), PASS], VERIFIED),
    Turn("checked in the next turn after another edit",
         [ASK, EDIT, DONE, ("ask", "And the pier."), ("edit", "pier.py"), PASS], NO_CHECK),
    Turn("the task before was checked, this one was not",
         [ASK, ("edit", "pier.py"), PASS, DONE, EDIT, DONE], NO_CHECK),
    Turn("two tasks called done at once after one check",
         [ASK, ("edit", "pier.py"), EDIT, PASS, DONE, DONE], VERIFIED),
    Turn("checked once more for the second task",
         [ASK, ("edit", "pier.py"), FAIL, DONE, EDIT, PASS, DONE], VERIFIED),
    Turn("a commit names the file, another one is edited after the check",
         [ASK, EDIT, PASS, ("edit", "pier.py"), ("done", "tides.py")], VERIFIED),
    Turn("a commit names the file that is edited after the check",
         [ASK, EDIT, ("edit", "pier.py"), PASS, EDIT, ("done", "tides.py")], STALE),
    Turn("a linter passes and no test runs", [ASK, EDIT, ("run", "ruff check .", 0, ""), DONE],
         "verified: ruff check . passed"),
    Turn("the tests pass and the linter fails",
         [ASK, EDIT, PASS, ("run", "ruff check .", 1, "Found 2 errors."), DONE], "claimed, ruff check . failed"),
    Turn("a part fails, then the whole passes",
         [ASK, EDIT, ("run", "pytest tests/test_a.py", 1, "1 failed"), PASS, DONE], VERIFIED),
    Turn("the whole fails, then a part passes",
         [ASK, EDIT, FAIL, ("run", "pytest tests/test_a.py", 0, "1 passed"), DONE], FAILED),
    Turn("a pipe hides the code, the output says passed",
         [ASK, EDIT, ("run", "pytest -q | tail -3", 0, "3 passed in 0.02s"), DONE], VERIFIED),
    Turn("a pipe hides the code, the output says failed",
         [ASK, EDIT, ("run", "pytest -q | tail -3", 0, "1 failed, 2 passed in 0.02s"), DONE], FAILED),
    Turn("a pipe hides the code, the output says nothing",
         [ASK, EDIT, ("run", "pytest -q | wc -l", 0, "12"), DONE], UNKNOWN),
    Turn("an operator hides the code", [ASK, EDIT, ("run", "pytest -q || true", 0, "1 failed"), DONE], FAILED),
    Turn("a later command hides the code", [ASK, EDIT, ("run", "pytest -q; echo end", 0, "end"), DONE], UNKNOWN),
    Turn("a pipe that keeps the code",
         [ASK, EDIT, ("run", "set -o pipefail; pytest -q | tail -1", 1, "…"), DONE], UNKNOWN),
    Turn("checked together with a change of directory",
         [ASK, EDIT, ("run", "cd api && uv run pytest -q && git add -A", 0, "3 passed"), DONE],
         "verified: pytest (in api) passed"),
    Turn("words of a check in another command", [ASK, EDIT, ("run", "echo 'pytest: 3 passed'", 0, ""), DONE],
         NO_CHECK),
    Turn("a sub-agent checks", [ASK, EDIT, ("agent", [PASS]), DONE], "verified: pytest passed (by test-runner)"),
    Turn("a sub-agent's check fails", [ASK, EDIT, ("agent", [FAIL]), DONE],
         "claimed, pytest failed (by test-runner)"),
    Turn("a sub-agent edits after the check", [ASK, EDIT, PASS, ("agent", [("edit", "tides.py")]), DONE], STALE),
    Turn("the shell edits after the check",
         [ASK, EDIT, PASS, ("shell", "sed -i 's/3.3/3.5/' tides.py", 0, "", "tides.py"), DONE], STALE),
    Turn("the shell writes a file after the check",
         [ASK, EDIT, PASS, ("shell", "cat > tides.py <<'EOF'\nLOW = 1\nEOF", 0, "", "tides.py"), DONE], STALE),
    Turn("the shell edits and checks in one line",
         [ASK, EDIT, ("shell", "sed -i 's/3.3/3.5/' tides.py && pytest -q", 0, "3 passed", "tides.py"), DONE], VERIFIED),
    Turn("the shell writes no source file after the check",
         [ASK, EDIT, PASS, ("shell", "git log --oneline > history.txt", 0, "", "history.txt"), DONE], VERIFIED),
    Turn("the shell edits outside of the project after the check",
         [ASK, EDIT, PASS, ("run", "cp tides.py /tmp/tides.py", 0, ""), DONE], VERIFIED),
    Turn("one target of make fails, its default passes",
         [ASK, EDIT, ("run", "make test", 2, "make: *** [test] Error 1"), ("run", "make", 0, ""), DONE],
         "claimed, make test failed"),
    Turn("the same check fails in one folder and passes in another",
         [ASK, EDIT, ("run", "cd api && pytest", 1, "1 failed"), ("run", "cd web && pytest", 0, "1 passed"), DONE],
         "claimed, pytest (in api) failed"),
    Turn("the failing tests alone pass", [ASK, EDIT, FAIL, ("run", "pytest --lf", 0, "1 passed"), DONE], FAILED),
    Turn("a file of settings is edited by the shell after the check",
         [ASK, EDIT, PASS, ("shell", "sed -i s/1/2/ config.json", 0, "", "config.json"), DONE], STALE),
    Turn("git throws the work away after the check", [ASK, EDIT, PASS, ("shell", "git reset -q --hard", 0, "", "tides.py"), DONE],
         STALE),
    Turn("a formatter runs after the check", [ASK, EDIT, PASS, ("shell", "ruff format .", 0, "1 file reformatted", "tides.py"), DONE],
         STALE),
    Turn("a formatter finds nothing to do after the check",
         [ASK, EDIT, PASS, ("run", "ruff format .", 0, "3 files left unchanged"), DONE], VERIFIED),
    Turn("a linter mends and passes after a test failed",
         [ASK, EDIT, FAIL, ("shell", "ruff check --fix .", 0, "Found 1 error (1 fixed, 0 remaining).", "tides.py"), DONE], STALE),
    Turn("a linter mends after a test passed",
         [ASK, EDIT, PASS, ("shell", "ruff check --fix .", 0, "Found 1 error (1 fixed, 0 remaining).", "tides.py"), DONE],
         "verified: ruff check . passed"),
    Turn("a linter that mends finds nothing to do",
         [ASK, EDIT, PASS, ("run", "ruff check --fix .", 0, "All checks passed!"), DONE],
         "verified: ruff check ., pytest passed"),
    Turn("a linter mends before a test passes",
         [ASK, EDIT, ("shell", "ruff check --fix . && pytest", 0, "Found 1 error (1 fixed).\n3 passed", "tides.py"), DONE], "verified: pytest, ruff check . passed"),
    Turn("a linter mends some, and fails",
         [ASK, EDIT, ("shell", "ruff check --fix .", 1, "Found 3 errors (1 fixed, 2 remaining).", "tides.py"), DONE],
         "claimed, ruff check . failed"),
    Turn("the tests of something else pass", [ASK, EDIT, ("run", "cd /tmp && pytest", 0, "3 passed"), DONE], NO_CHECK),
    Turn("every test is skipped", [ASK, EDIT, ("run", "pytest", 0, "3 skipped in 0.1s"), DONE], UNKNOWN),
    Turn("the check ran without the work, which git had put away",
         [ASK, EDIT, ("shell", "git stash && pytest -q; git stash pop", 0, "3 passed in 0.1s", "tides.py"), DONE], STALE),
    Turn("a file is written and run after the check, which fails",
         [ASK, EDIT, PASS, ("shell", "cat > tides.py <<'EOF'\nx(\nEOF\npython3 tides.py", 1, "SyntaxError", "tides.py"), DONE], STALE),
    Turn("an edit by the shell fails after the check",
         [ASK, EDIT, PASS, ("run", "sed -i s/a/b/ tides.py", 1, "No such file"), DONE], VERIFIED),
    Turn("a dry run", [ASK, EDIT, ("run", "make -n test", 0, "pytest"), DONE], NO_CHECK),
    Turn("the shell edits behind the check of one line",
         [ASK, EDIT, ("shell", "pytest -q && sed -i 's/a/b/' tides.py", 0, "3 passed", "tides.py"), DONE], STALE),
    Turn("the shell would have edited behind a failing check of one line",
         [ASK, EDIT, ("run", "pytest -q && sed -i 's/a/b/' tides.py", 1, "1 failed"), DONE], FAILED),
    Turn("the shell edits, checks, edits and checks in one line",
         [ASK, EDIT, ("shell", "pytest -q && sed -i 's/a/b/' tides.py && pytest -q", 0, "3 passed", "tides.py"), DONE], VERIFIED),
    Turn("what ran behind the check failed, and the check may have",
         [ASK, EDIT, ("run", "pytest -q && git push", 1, "error: failed to push"), DONE], UNKNOWN),
    Turn("a script writes a file after the check",
         [ASK, EDIT, PASS, ("shell", "python3 - <<E\nopen('tides.py', 'w')\nE", 0, "", "tides.py"), DONE], STALE),
    Turn("a check writes a report", [ASK, EDIT, ("shell", "pytest -q", 0, "3 passed", "report.json"), DONE], VERIFIED),
    Turn("a generator writes a new file after the check",
         [ASK, EDIT, PASS, ("shell", "npx generate-api", 0, "", "api.py"), DONE], STALE),
    Turn("the tests fail, and pass with another option",
         [ASK, EDIT, ("run", "pytest -n 4", 1, "1 failed"), ("run", "pytest -n auto", 0, "3 passed"), DONE], VERIFIED),
    Turn("npm test fails, and npm run test passes",
         [ASK, EDIT, ("run", "npm test", 1, "1 failing"), ("run", "npm run test", 0, ""), DONE],
         "verified: npm test passed"),
    Turn("what is called a test deploys", [ASK, EDIT, ("run", "npm run ci:deploy", 0, ""), DONE], NO_CHECK),
    Turn("a sub-agent edits, the main one checks", [ASK, ("agent", [("new", "tides.py")]), PASS, DONE], VERIFIED),
]  # fmt: skip
