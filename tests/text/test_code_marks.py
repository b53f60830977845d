"""Which code stands without its backticks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.text.safe_output import summary_item, without_marks


@pytest.mark.parametrize(
    "code",
    [
        "web/cart.py", "web/", "./web/cart.py", "../cart.py", ".env", "cart.py", "cart.py:12", "foo_bar", "API_KEY", "setState()",
        "camelCase", "std::path::Path", "US-001", "ab12", "/etc/hosts", "tick_coffin.asm", ".github/workflows/ci.yml",
    ],
)  # fmt: skip
def test_what_can_be_nothing_but_code_needs_no_marks(code: str) -> None:
    assert without_marks(f"Keep `{code}`, and `{code}`.") == f"Keep {code}, and {code}."


@pytest.mark.parametrize(
    "span",
    [
        "`use`", "`@scope/pkg`", "`@docs/keys.md`", "`TABLE`", "`dry-run`", "`make verify`", "`__init__`", "`_private`", "`a_b_`", "`1.2`", "`v1`", "`...`", "`x*y_z`",
        "`<b>x_y</b>`", "`a_b|c_d`", "`http://ab.cd/e`", "`A_B=ab1`", "`src/**/*.py`", "`[x_y](z_a)`", "``x_y``", "`foo_bar`s",
        "a`foo_bar`", "\\`foo_bar`", "`--dry_run`", "`$HOME_DIR`", "`ab@cd.ef`", "`#a_b`",
    ],
)  # fmt: skip
def test_what_could_be_taken_for_words_or_for_more_than_text_keeps_them(span: str) -> None:
    assert without_marks(f"Keep {span}") == f"Keep {span}"


@given(st.text(alphabet="`ab_./:-*<>|\\ 1A@()", max_size=60))
def test_only_backticks_go_and_once_for_all(text: str) -> None:
    bare = without_marks(text)
    assert bare.replace("`", "") == text.replace("`", "")
    assert without_marks(bare) == bare


@given(st.text(alphabet="`ab_./:-*<>|\\ 1A@()#[]", max_size=60))
def test_an_item_is_the_same_when_it_is_made_again(text: str) -> None:
    assert summary_item(summary_item(text)) == summary_item(text)


def test_an_item_hides_a_secret_that_stood_in_code() -> None:
    secret = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    assert "4eC39" not in summary_item(f"The key `{secret}` of web/pay.py")
