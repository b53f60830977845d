"""How a statement is shown: without marks of emphasis."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.passages.reader import read_passages


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            "**Never** moor at `quays/**/*.ts` or **`north/**`**",
            "Never moor at `quays/**/*.ts` or `north/**`",
        ),
        ("Replaced `- [ ]` with `- **` in **all** lists", "Replaced `- [ ]` with `- **` in all lists"),
        ("**Ropes** in src/**/*.rope and **/*.oil are wet", "Ropes in src/**/*.rope and **/*.oil are wet"),
        ("**An open ` mark** of code", "An open ` mark of code"),
    ],
)
def test_marks_of_emphasis_go_and_what_code_and_paths_say_stays(written: str, shown: str) -> None:
    text = f"# Log\n\n- {written}\n"
    [said] = read_passages(read_log(text, "progress.md"), text).passages
    assert said.shown == shown
