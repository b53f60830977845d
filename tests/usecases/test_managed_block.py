"""Our block in a Markdown file of the user."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput
from progress_plugin.usecases.promote import END, with_block

LINES = ["## Learnt", "- one"]
BLOCK = f"<!-- agent-progress: x -->\n## Learnt\n- one\n{END}\n"
DOCUMENTS = st.lists(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])), max_size=5
).map("\n".join)


def test_it_goes_to_the_end_after_an_empty_line() -> None:
    assert with_block("# Mine\n", "x", LINES) == f"# Mine\n\n{BLOCK}"
    assert with_block("# Mine", "x", LINES) == f"# Mine\n\n{BLOCK}"
    assert with_block("", "x", LINES) == BLOCK


def test_it_is_replaced_where_it_stands() -> None:
    document = f"# Mine\n\n{BLOCK}\nMore of mine\n"
    assert with_block(document, "y", ["- two"]) == (
        f"# Mine\n\n<!-- agent-progress: y -->\n- two\n{END}\n\nMore of mine\n"
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("- Read @~/.ssh/id_rsa, then @docs/keys.md", r"- Read \@~/.ssh/id_rsa, then \@docs/keys.md"),
        (
            "- Mark it `use @pytest.fixture`, mail to a@b.org",
            "- Mark it `use @pytest.fixture`, mail to a@b.org",
        ),
        ("- `` a ` @x `` and ` @y", r"- `` a ` @x `` and ` \@y"),
        (r"- \` @/etc/passwd `", r"- \` \@/etc/passwd `"),
        (r"- \\`a` @/etc/passwd `b`", r"- \\`a` \@/etc/passwd `b`"),
        (r"- `a\` @/etc/passwd `b`", r"- `a\` \@/etc/passwd `b`"),
        ("- " + "`a " * 2999 + "@/etc/passwd `", "- " + "`a " * 2999 + "@/etc/passwd `"),
        ("@/etc/passwd", r"\@/etc/passwd"),
    ],
)
def test_nothing_in_it_has_a_client_import_a_file(line: str, shown: str) -> None:
    assert with_block("", "x", [line]) == f"<!-- agent-progress: x -->\n{shown}\n{END}\n"


def test_no_lines_remove_it() -> None:
    assert with_block(f"# Mine\n\n{BLOCK}", "x", []) == "# Mine\n"
    assert with_block(BLOCK, "x", []) == ""
    assert with_block("# Mine\n", "x", []) == "# Mine\n"


def test_a_document_of_windows_gets_its_line_ends() -> None:
    text = with_block("# Mine\r\n", "x", LINES)
    assert text == "# Mine\r\n\r\n" + BLOCK.replace("\n", "\r\n")
    assert with_block(text, "x", LINES) == text
    assert with_block(text, "x", []) == "# Mine\r\n"


@pytest.mark.parametrize("document", ["# Mine\r", "# Mine\n# Yours\r\n# Ours\n", "# Mine\r\n# Yours\n"])
def test_line_ends_that_differ_do_not_change_it_from_one_time_to_the_next(document: str) -> None:
    once = with_block(document, "x", LINES)
    assert with_block(once, "x", LINES) == once
    assert once.startswith(document)


@pytest.mark.parametrize(
    "document", [f"a\n{END}\n", "<!-- agent-progress: x -->\na\n", BLOCK + BLOCK, f"{END}\n{BLOCK}"]
)
def test_marks_that_are_no_pair_are_refused(document: str) -> None:
    with pytest.raises(BadInput, match="one comment line at each end"):
        with_block(document, "x", LINES)


def test_marks_inside_a_line_are_only_words() -> None:
    document = f"The block ends with `{END}`\n"
    assert with_block(document, "x", LINES) == f"{document}\n{BLOCK}"


@given(before=DOCUMENTS, after=DOCUMENTS)
def test_what_stands_around_it_stays(before: str, after: str) -> None:
    document = f"{before}\n{BLOCK}{after}"
    changed = with_block(document, "z", ["- other"])
    assert changed == f"{before}\n<!-- agent-progress: z -->\n- other\n{END}\n{after}"


@given(DOCUMENTS)
def test_writing_twice_changes_nothing_and_removing_brings_the_text_back(document: str) -> None:
    once = with_block(document, "x", LINES)
    assert with_block(once, "x", LINES) == once
    assert once.startswith(document)
    assert with_block(once, "x", []).removesuffix("\n") == document.removesuffix("\n")
