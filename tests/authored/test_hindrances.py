"""What makes an entry without a status blocked, or in progress, and what does not."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.model.event import Event


def entry(body: str, heading: str = "## 2026-03-02 - US-002: Cart") -> Event:
    text = (
        f"# Progress\n\n## 2026-03-01 - US-001: Login\n- Form\n\n{heading}\n- Table in web/cart.sql\n{body}\n"
    )
    return read_log(text, "progress.md").events[-1]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("- Blocked: the password is missing", "the password is missing"),
        ("- BLOCKED - the password is missing", "the password is missing"),
        ("### Blockers\n- the password is missing", "the password is missing"),
        ("**Blockers:**\n- [ ] the password is missing", "the password is missing"),
        ("- **Blocked by:** the firewall", "the firewall"),
        ("- [!] form: no key", "form: no key"),
        ("- Blocked: S3 is down", "S3 is down"),
        ("- Blocked: valve 3 sticks\n- Valve 2 is replaced", "valve 3 sticks"),
        ("- Blockiert: das Ventil klemmt", "das Ventil klemmt"),
        ("- ブロック: パスワードがまだ届いていない", "パスワードがまだ届いていない"),
        ("### Bloqueado\n- la llave", "la llave"),
        ("\n⛔ valve 3 sticks", "valve 3 sticks"),
        ("\n⛔ valve 3 sticks\n✅ the pipe", "valve 3 sticks"),
        ("- Blocked: US-002 needs a key", "US-002 needs a key"),
        ("- Blocked: the password is missing\n- Fixed the cart table", "the password is missing"),
        ("- Blocked: the password is missing\n- The password is not resolved yet", "the password is missing"),
    ],
)
def test_what_blocks_an_entry_without_a_status_is_its_status(body: str, reason: str) -> None:
    told = entry(body)
    assert (told.status.value, told.trouble, told.is_inferred) == ("blocked", (reason,), True)


@pytest.mark.parametrize(
    "body",
    [
        "- [x] table\n- [ ] form",
        "### Parts\n- [x] table\n- [ ] form",
        "- Not finished: the form is missing",
        "- Started: table made, nothing else yet\n- Next: the form",
        "- **Started:** the form, without its checks",
        "\nHalf done. The rest comes later.",
        "\nThe form is made. It does not work yet: the server answers 500.",
        "\nThe form is made, but the mail is still missing.",
        "\nThe server answers 500, and I have no idea why.",
        "\nThe form is made. Left to do for it: the mail.",
        "- Form begun, sending is not implemented yet\n- Next: finish the sending",
        "- Das Senden ist noch nicht umgesetzt\n- Next: das Senden",
        "- 送信はまだできない\n- Next: 送信",
    ],
)
def test_an_entry_with_an_open_part_is_in_progress(body: str) -> None:
    assert entry(body).status.value == "active"


@pytest.mark.parametrize(
    "body",
    [
        "- Blockers: None",
        "- Blocked: the port was taken. Solved: we use another",
        "- Blocked: valve 3 sticks\n- Valve 3 is replaced",
        "- Blockiert: nein, nichts",
        "\n⛔ Never open the valve by hand",
        "- Blocked: no",
        "### Blockers\nNone",
        "### Blockers\n- None.",
        "- No blockers",
        "- Unblocked: US-003",
        "- Blocked by: US-001 (done)",
        "- Blocked: US-003 needs the password",
        "### Blockers\n- US-003: no password",
        "### Blocked tasks\n- the mail",
        "### Potential Blockers\n- the rate limit",
        "- Blocked: the password was missing (resolved)",
        "- Blocked: the password was missing, since resolved by Ana",
        "- ~~Blocked: the password is missing~~",
        "- ✅ Blocked: the password came",
        "- Blocked: the password is missing\n- Resolved: Ana sent it",
        "- Blocked: the password is missing\n- Ana: password received",
        "- Blocked requests are logged",
        "- Blocked self.postMessage in the sandbox",
        "- **Learnings:**\n  - Blocked: requests to localhost, by CORS",
        "### Next steps\n- Blocked: the mail\n- [ ] the mail",
        "### Tests\n- [x] unit\n- [ ] browser",
        "- Incomplete rows are skipped",
        "- Windows is not implemented yet",
        "- The form is done\n### Learnings\n- The mailer is not implemented yet\n### Next steps\n- The mail",
        "\nThe form did not work. It does now.",
        "\nIt does not work without a password, and says so.",
        "\nIt does not work yet. Fixed: the server had the wrong password.",
        "\nLeft to do: nothing.",
        "\nAn order that is half-finished for an hour is dropped.",
        "- Not finished: nothing",
        "- Done\n- **Blockers:** no printer in the office",
        "- **Blockers:** the tide API was down",
        "- Status: done\n- Blocked: the mail",
        "- Started: 2026-03-02 10:00 UTC",
        "- Started: 10:30",
        "- Started: the form is next\n- Finished: the form posts",
        "- Started: the form\n- Done",
        "- **Started**: 2026-03-02 10:00\n- **Completed**: 2026-03-02 11:00",
        "### Next steps\n- Started: nothing of the form",
    ],
)
def test_a_remark_leaves_an_entry_finished(body: str) -> None:
    told = entry(body)
    assert (told.status.value, told.trouble, told.is_inferred) == ("done", (), False)


def test_what_names_no_story_is_at_most_in_progress() -> None:
    blocked = "- Blocked: the password is missing"
    assert entry(blocked, "## 2026-03-02 - Cart work").status.value == "active"
    assert entry(blocked, "## Session 4").status.value == "done"


def test_of_several_stories_a_blocker_of_one_leaves_the_others_open() -> None:
    assert entry("- Blocked: US-003 needs a key", "## US-002, US-003: Cart and mail").status.value == "active"


@pytest.mark.parametrize(
    ("heading", "body", "reason"),
    [
        ("## US-002: Cart", "**Status:** Blocked\n- the password is missing", "the password is missing"),
        ("## US-002: Cart", "- Status: ⚠️ Blocked - no password", "no password"),
        ("## US-002: Cart", "- Status: Blocked\n- Blocked: no password", "no password"),
        ("## US-002 BLOCKED", "", "Table in web/cart.sql"),
    ],
)
def test_a_stated_block_has_the_reason_that_stands_beside_it(heading: str, body: str, reason: str) -> None:
    told = entry(body, heading)
    assert (told.status.value, told.trouble, told.is_inferred) == ("blocked", (reason,), False)


def test_the_paragraph_that_begins_an_entry_says_that_it_is_unfinished() -> None:
    text = (
        "# Notes\n\n**2026-03-02, evening** — Quay: the crane turns, but the rope is still missing. More later.\n\n"
        "**2026-03-01** — Oiled the crane.\n"
    )
    assert [event.status.value for event in read_log(text, "progress.md").events] == ["done", "active"]
