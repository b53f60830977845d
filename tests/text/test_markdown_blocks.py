"""The block reader: one line in, one judgement out, and what each block stands under."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.text.markdown import BlockKind, cells, is_bare_label, read_blocks


def outline(text: str) -> list[tuple[str, int, str, int]]:
    """Return kind, line, text and line of the parent (0 for none) of every block."""
    document = read_blocks(text)
    lines = {-1: 0} | {index: block.line for index, block in enumerate(document.blocks)}
    return [(block.kind.name, block.line, block.text, lines[block.parent]) for block in document.blocks]


def test_blocks_stand_under_headings_labels_and_items() -> None:
    text = """# Log
Branch: main

## 2026-02-01 - US-001
**Done:**
- built the mill
  - and its wheel
    which turns
- **Learnings:**
  1. Oil it

after the list
| a | b |
|---|---|
| 1 | 2 |
---
loose
"""
    assert outline(text) == [
        ("HEADING", 1, "Log", 0),
        ("LABEL", 2, "Branch: main", 1),
        ("HEADING", 4, "2026-02-01 - US-001", 1),
        ("LABEL", 5, "**Done:**", 4),
        ("ITEM", 6, "built the mill", 5),
        ("ITEM", 7, "and its wheel which turns", 6),
        ("ITEM", 9, "**Learnings:**", 5),
        ("ITEM", 10, "Oil it", 9),
        ("TEXT", 12, "after the list", 5),
        ("ROW", 13, "| a | b |", 5),
        ("ROW", 15, "| 1 | 2 |", 5),
        ("RULE", 16, "", 0),
        ("TEXT", 17, "loose", 0),
    ]


def test_a_flat_list_below_a_bold_bullet_belongs_to_it_until_the_next_one() -> None:
    text = "- **Learnings:**\n- one\n- two\n- **Files:**\n- a.py\n\n**Next:**\n- three\n"
    parents = {line: parent for _, line, _, parent in outline(text)}
    assert parents == {1: 0, 2: 1, 3: 1, 4: 0, 5: 4, 7: 0, 8: 7}


def test_code_comments_and_front_matter_are_left_out() -> None:
    text = "---\nstatus: done\nlist:\n  - x\n---\nseen\n```js\n# not a heading\n```\n<!-- hint\nmore -->\nend <!-- c -->\n"
    assert [(line, words) for _, line, words, _ in outline(text)] == [(6, "seen"), (12, "end")]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("- did a <!--\n  Always run b\n  --> c\n- d\n", ["did a", "c", "d"]),
        ("- <!--\n  Always run b\n\n  - and c\n  -->\n- d\n", ["d"]),
        ("> <!--\n> Always run b\n> -->\n> d\n", ["d"]),
        ("1. a <!-- b --> c <!-- d\n   e --> f\n", ["a  c f"]),
        ("a <!--\nb -->c<!--\nd --> e\n", ["a c e"]),
        ("Use `<!--` in\nhtml, and `-->` too\n", ["Use `<!--` in html, and `-->` too"]),
        ("- a <!-- b\n- c --> d\n", ["a <!-- b", "c --> d"]),
        ("a <!--\n\nb -->\n", ["a <!--", "b -->"]),
        ("- <!-- a\nb -->\n", ["<!-- a", "b -->"]),
        ("## a <!-- b\nc --> d\n", ["a <!-- b", "c --> d"]),
    ],
)
def test_what_a_comment_encloses_is_left_out_wherever_nobody_sees_it(text: str, read: list[str]) -> None:
    """A person who reads the rendered file sees nothing of it: it would be for agents alone."""
    assert [block.text for block in read_blocks(text).blocks] == read


def test_a_comment_in_code_is_what_the_code_says() -> None:
    said = "- Both `<!-- moor -->` and `<b>` <!-- not this --> pause, `<!-- a --> <!-- b -->`<!-- nor `this --> too\n"
    assert outline(said)[0][2] == "Both `<!-- moor -->` and `<b>`  pause, `<!-- a --> <!-- b -->` too"
    assert outline("- An open ` mark <!-- not this -->\n")[0][2] == "An open ` mark"


def test_a_fence_that_is_never_closed_hides_its_paragraph_only() -> None:
    text = "before\n```\nlost\n\nfound\n## still a heading\n```python\nx = 1\n```\nlast\n"
    assert [line for _, line, _, _ in outline(text)] == [1, 5, 6, 10]


def test_backticks_inside_a_line_open_no_fence() -> None:
    assert [line for _, line, _, _ in outline("say ```x``` twice\n\n- item\n")] == [1, 3]


def test_lines_between_rules_of_equals_signs_are_a_title() -> None:
    text = "=====\nSession 4: Mill\nDate: 2026-02-01\n=====\n- ground\nStatus: 3/9\n=====\nSession 5\n=====\n"
    assert [(kind, line) for kind, line, _, _ in outline(text) if kind == "HEADING"] == [
        ("HEADING", 2),
        ("HEADING", 8),
    ]


def test_a_line_underlined_with_equals_signs_is_a_title_but_a_long_rule_is_not() -> None:
    assert outline("Mill log\n========\n\n== Notes ==\ntext\n")[0] == ("HEADING", 1, "Mill log", 0)
    assert outline("a line of text\n" + "=" * 60)[0][0] == "TEXT"


def test_a_line_underlined_with_as_many_dashes_is_a_title() -> None:
    assert outline("Session 3\n---------\ntext\n")[0] == ("HEADING", 1, "Session 3", 0)
    assert outline("- item\n------\n")[1][0] == "RULE"


def test_a_text_below_dashes_is_no_title() -> None:
    assert [kind for kind, *_ in outline("**Status**: done\n---\n")] == ["LABEL", "RULE"]


def test_a_dated_line_begins_a_block_of_its_own() -> None:
    assert [line for _, line, _, _ in outline("[2026-01-01] a\n[2026-01-02] b\nmore\n")] == [1, 2]


def test_a_colon_in_a_sentence_broken_at_the_margin_makes_no_label() -> None:
    broken = "The keeper restores the safe state of the lock as soon as the\ncrane fails: guarded by day, shut at night.\n"
    assert [kind for kind, *_ in outline(broken)] == ["TEXT"]
    ended = (
        "The keeper restores the safe state of the lock, whatever the tide.\ncrane fails: guarded by day.\n"
    )
    assert [kind for kind, *_ in outline(ended)] == ["TEXT", "LABEL"]
    assert [kind for kind, *_ in outline("Short line\ncrane fails: guarded\n")] == ["TEXT", "LABEL"]


def test_code_that_had_no_room_before_the_margin_makes_no_label() -> None:
    text = "Taken from a pass over the twenty-six\n`harbour_models/notes/<quay>.md` files (four have none:\n`north` and `south`)."
    assert [kind for kind, *_ in outline(text)] == ["TEXT"]


def test_a_word_that_was_hyphenated_at_the_margin_makes_no_label() -> None:
    text = "It is arguably blocked by the key of the harbour master, too. Multi-\nquay mode has no such need: it waits.\n"
    assert [kind for kind, *_ in outline(text)] == ["TEXT"]


def test_a_word_that_was_broken_behind_its_hyphen_is_whole_again() -> None:
    text = (
        "The tide was at its initial-\ncondition of 1000-\n1500 feet, pre-\nand post-war - \nall the same.\n"
    )
    assert outline(text) == [
        ("TEXT", 1, "The tide was at its initial-condition of 1000-1500 feet, pre- and post-war - all the same.", 0)
    ]  # fmt: skip


def test_a_plus_at_the_margin_begins_no_item_and_a_list_of_them_does() -> None:
    sentence = "The quay has forty berths for sailing ships, six for the barges\n+ two for the pilots, which stay free).\n"
    assert [kind for kind, *_ in outline(sentence)] == ["TEXT"]
    listed = "+ a berth for the sailing ships that come from the north of here\n+ another for the barges\n"
    assert [kind for kind, *_ in outline(listed)] == ["ITEM", "ITEM"]
    assert [kind for kind, *_ in outline("It has:\n+ berths\n+ barges\n")] == ["LABEL", "ITEM", "ITEM"]


@pytest.mark.parametrize(
    "line",
    [
        "**all berths are listed** in the map of the harbour.",
        "Berths **far out at sea**: there is none.",
        "so are its ropes: all are wet.",
    ],
)
def test_bold_words_and_colons_within_a_sentence_begin_no_label(line: str) -> None:
    before = "**State as of this writing:** the crane of the old harbour is mended and"
    before = f"{before[:-4]};" if line.startswith("so") else before
    assert [block.text for block in read_blocks(f"{before}\n{line}\n").blocks] == [f"{before} {line}"]


def test_a_bold_label_below_another_stays_one() -> None:
    lines = ["**Crane:** it was mended by the people of the old harbour and", "**rope:** it is wet."]
    assert [block.text for block in read_blocks("\n".join(lines)).blocks] == lines


def test_the_lines_of_a_narrow_paragraph_show_where_its_margin_is() -> None:
    narrow = "   The lamp is lit again when the last moth\n   is gone. What it costs the town to leave it\n   off: two ships each year. It is\n"
    assert [kind for kind, *_ in outline(f"1. The lamp of the pier is shut in a storm\n{narrow}")] == ["ITEM"]
    short = "The lamp is lit again when the moth is gone\nand oiled\noff: two ships each year\n"
    assert [kind for kind, *_ in outline(short)] == ["TEXT", "LABEL"]


def test_the_sentence_that_a_paragraph_ends_with_announces_what_follows() -> None:
    text = "The crane was built in the spring, well under the budget of\n0-9 months. Six steps:\n\n1. Dig\n\nIt stands.\n"
    assert outline(text) == [
        ("TEXT", 1, "The crane was built in the spring, well under the budget of 0-9 months.", 0),
        ("LABEL", 2, "Six steps:", 0),
        ("ITEM", 4, "Dig", 2),
        ("TEXT", 6, "It stands.", 0),
    ]
    whole = "What cost the keepers of the harbour their time this year, and\nthe ropes that held:\n\n- hemp\n"
    assert [kind for kind, *_ in outline(whole)] == ["LABEL", "ITEM"]
    dated = f"2026-03-01 - US-1 - The lamp was lit{' again' * 12}. What was found:"
    assert outline(f"{dated}\n- moths\n")[0] == ("TEXT", 1, dated, 0)


@pytest.mark.parametrize(
    ("behind", "parent"),
    [
        ("\nThe quay was swept.", 1),
        ("2026-03-02: The quay was swept.", 1),
        ("\nNote: the quay was swept.", 1),
        ("The quay was swept.", 2),
        ("\n  The quay was swept.", 3),
    ],
)
def test_a_label_is_over_where_a_paragraph_begins_behind_its_list(behind: str, parent: int) -> None:
    *_, last = outline(f"# Log\nWhat is next:\n- oil the crane\n{behind}\n")
    assert last[3] == parent


def test_a_bold_label_is_one_of_the_paragraphs_behind_its_list_too() -> None:
    assert outline("# Log\n**Learnings**\n- a\n\nThe quay sinks.\n")[-1][3] == 2


def test_a_title_between_rules_on_its_own_line_is_a_heading() -> None:
    for line in (
        "---- Ropes worth keeping --------",
        "── Ropes worth keeping ──",
        "══ Ropes worth keeping ══",
    ):
        assert outline(f"{line}\n- hemp\n") == [
            ("HEADING", 1, "Ropes worth keeping", 0),
            ("ITEM", 2, "hemp", 1),
        ]
    for line in ("--- a/quay.py ---x---", "-- moor --", "---moor---", "--- a/quay.py"):
        assert outline(line)[0][0] != "HEADING"


def test_a_rule_right_below_a_heading_ends_nothing() -> None:
    assert outline("## Patterns\n---\n- oil\n")[2] == ("ITEM", 3, "oil", 1)


def test_cells_keep_bars_that_are_escaped_or_code() -> None:
    assert cells(r"| a \| b | `c|d` | e |") == [r"a \| b", "`c|d`", "e"]


def test_bare_labels_name_what_follows() -> None:
    assert [text for text in ("**A**", "A:", "**A:**", "**A** b", "A") if is_bare_label(text)] == [
        "**A**",
        "A:",
        "**A:**",
    ]


LINES = st.lists(
    st.sampled_from(
        ["# h", "## 2026-01-01 - US-001", "- a", "  - b", "* **L:**", "1. n", "```", "~~~", "```js", "text", "**B:** x", "",
         "---", "====", "| a |", "|--|", "<!--", "-->", "<!-- x -->", "   ", "> q", "-", "注意：", "key: v", "\t- t", "#x"]
    )
    | st.text(alphabet="ab #-*`|:=<>!\t", max_size=8),
    max_size=40,
)  # fmt: skip


@given(LINES)
def test_every_block_has_a_line_of_the_file_and_a_parent_before_it(lines: list[str]) -> None:
    document = read_blocks("\n".join(lines))
    for index, block in enumerate(document.blocks):
        assert 1 <= block.line <= max(1, len(lines))
        assert -1 <= block.parent < index
        assert (block.kind is BlockKind.HEADING) == bool(block.level)
    numbers = [block.line for block in document.blocks]
    assert numbers == sorted(numbers)


@given(LINES)
def test_line_ends_trailing_spaces_and_a_bom_make_no_difference(lines: list[str]) -> None:
    plain = read_blocks("\n".join(lines) + "\n")
    assert read_blocks("\ufeff" + "".join(f"{line}  \r\n" for line in lines)).blocks == plain.blocks
    assert read_blocks("\n".join(lines)).blocks == plain.blocks


def test_short_code_ends_the_sentence_that_leads_to_it() -> None:
    assert outline(
        "Before each commit run:\n```bash\n# all of it\nmake quay\nmake crane\n```\nIt takes a minute.\n"
    ) == [
        ("LABEL", 1, "Before each commit run: `make quay`; `make crane`", 0),
        ("TEXT", 7, "It takes a minute.", 1),
    ]
    assert outline("- **Start:**\n  ```\n  make quay\n  ```\n")[0][2] == "**Start:** `make quay`"


def test_code_of_many_lines_or_after_a_whole_sentence_is_left_out() -> None:
    long = "\n".join(f"line {number}" for number in range(4))
    assert outline(f"Run:\n```\n{long}\n```\n") == [("LABEL", 1, "Run:", 0)]
    assert outline("It is built.\n```\nmake quay\n```\n") == [("TEXT", 1, "It is built.", 0)]
    assert outline("Run:\n```\necho `date`\n```\n") == [("LABEL", 1, "Run:", 0)]


def test_commands_of_a_shell_are_told_below_their_heading_and_other_code_is_not() -> None:
    text = (
        "# Quay\n\n## How to run\n\n```bash\ncd quay\nnpm  install\n# opens the port\nnpm run build   # and checks\n```\n\n"
        "```json\n{}\n```\n\n```console\n$ make crane\nlifted 3 crates\n```\n\nRun this:\n\n```sh\nmake tide\n```\n"
    )
    found = outline(text)
    told = [(line, said) for kind, line, said, _ in found if kind == "COMMANDS"]
    assert told == [(5, "`cd quay`; `npm install`; `npm run build # and checks`"), (16, "`make crane`")]
    assert found[-1][2] == "Run this: `make tide`"


@pytest.mark.parametrize(
    "script",
    [
        "for berth in 1 2; do\n  lift `berth`\ndone",
        "tide() {\n  echo ebb\n}",
        "\n".join(f"lift {number}" for number in range(11)),
        "",
    ],
)
def test_a_script_is_no_list_of_commands(script: str) -> None:
    assert not [kind for kind, *_ in outline(f"# Quay\n\n```bash\n{script}\n```\n") if kind == "COMMANDS"]


def test_of_many_long_commands_those_are_told_that_there_is_room_for() -> None:
    long = f"lift --crate {'x' * 300}"
    [*_, (_, _, said, _)] = outline(f"# Quay\n\n```sh\nmake crane\n{long}\nmake tide\n```\n")
    assert said == "`make crane`; `make tide`"


def test_no_space_comes_between_the_lines_of_a_language_without_spaces() -> None:
    assert outline("起重机已经\n加油，\n水位 3\nm\n")[0][2] == "起重机已经加油，水位 3 m"
    assert outline("부두의 크레인을\n고쳤다\n")[0][2] == "부두의 크레인을 고쳤다"
