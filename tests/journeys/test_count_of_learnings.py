"""How many learnings are shown is what is said of it: by the receipt, by the limit that is set, by the notes of files."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

TAUGHT = (
    "cookies need SameSite=Lax",
    "bcrypt cost must stay at 12",
    "the LDAP pool leaks when a bind fails",
    "umlauts break the NTLM header",
    "redirect after logout loops on Safari",
    "rate limiter counts proxies twice",
)
MIGRATIONS = [
    f"Gotcha: migration 000{number} must run before the crane restarts in db/migrate.py"
    for number in range(1, 6)
]


def shown(text: str, learnings: tuple[str, ...]) -> list[str]:
    """Return which of these a text has."""
    return [learning for learning in learnings if learning in text]


@pytest.mark.parametrize("most", [1, 2, 5])
def test_a_limit_is_one_for_what_statements_of_the_log_teach_too(life_alone: Life, most: int) -> None:
    session = life_alone.starts()
    for learning in TAUGHT:
        session.logs("milestone_reached", f"Quay {learning.split()[0]}", learning=f"Gotcha: {learning}")
    life_alone.command("config", "set", "max_learnings", str(most))
    assert len(shown(life_alone.context, TAUGHT)) == most
    assert f"{most} of 6 learnings shown" in life_alone.context


def test_a_limit_is_one_for_an_agents_log_too(life_alone: Life) -> None:
    rules = "".join(f"- {learning}\n" for learning in TAUGHT)
    life_alone.write(
        "progress.md", f"# Log\n\n## Gotchas\n{rules}\n## 2026-03-01 - US-001: Crane\n- Turned the crane\n"
    )
    life_alone.command("config", "set", "max_learnings", "2")
    assert len(shown(life_alone.context, TAUGHT)) == 2
    assert "2 of 6 learnings shown" in life_alone.context


def test_learnings_that_differ_in_a_figure_are_counted_where_they_are_told(life_alone: Life) -> None:
    session = life_alone.starts()
    for number, learning in enumerate(MIGRATIONS):
        session.logs("milestone_reached", f"Quay {number}", learning=learning)
    life_alone.write("db/migrate.py", "")
    session = life_alone.session()
    told = tuple(MIGRATIONS)
    started = session.starts()
    assert f"{len(shown(started, told))} of 5 learnings shown" in started
    noted = session.reads("db/migrate.py")
    assert {*shown(started, told), *shown(noted, told)} == {*told}
