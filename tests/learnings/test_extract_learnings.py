"""Learnings where they stand: one test per rule, with a log of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.learnings.extract import extract
from progress_plugin.text.markdown import read_blocks


def nobody(_: int) -> tuple[str | None, int]:
    return None, 0


def learnt(text: str) -> list[tuple[int, str, str]]:
    """Return line, first letter of the kind and text of every learning."""
    found = extract(read_blocks(text), nobody)
    return [(learning.lines[0], learning.kind.value[0], learning.text) for learning in found]


def lines(text: str) -> list[int]:
    return [line for line, _, _ in learnt(text)]


def test_bullets_below_a_bold_bullet_are_learnings_until_the_next_label() -> None:
    text = (
        "## A-1\n- built it\n- **Learnings for future iterations:**\n  - oil the wheel\n  - stones wear\n    out\n"
        "- **Files:**\n  - a.py\n---\n- loose\n"
    )
    assert learnt(text) == [(4, "p", "oil the wheel"), (5, "p", "stones wear out")]


@pytest.mark.parametrize(
    "text",
    [
        "**Learnings:**\n- oil it\n",
        "**Learnings:**\n\n- oil it\n",
        "### Learnings\n* oil it\n",
        "Key findings for the next agent:\n- oil it\n",
        "- **Learnings:**\n- oil it\n",
        "- Gotchas:\n    1. oil it\n",
        "- **Learnings:**\n  - Patterns discovered\n    - oil it\n",
        "## Lessons Learned\n### Session 1\n- oil it\n",
        "**Lesson Learned**:\noil it\n",
        "- **Learnings:** oil it\n",
        "> **Note:** always oil it\n",
        "**What I learned:**\n\n**Wheel:**\n- oil it\n",
        "本次发现与说明：\n- oil it\n",
        "## Aprendizajes\n- oil it\n",
    ],
)
def test_every_way_to_write_a_learning_is_read(text: str) -> None:
    assert [found[-6:] for _, _, found in learnt(text)] == ["oil it"]


@pytest.mark.parametrize(
    "line",
    ["No new learnings", "None", "N/A", "All 56 tests pass", "12/12 tests passing", "Typecheck passes", "TODO",
     "Build and lint are clean", "<!-- add patterns here -->", "[Add learnings here]", "(none yet)", "{placeholder}",
     "Browser verification not performed (no browser)", "feature 5 is marked as passing", "Next ticket: the belt",
     "This story completes the wheel", "All terms are now verified", "`out/` stays untracked", "[x] oil it",
     "Branch: `mill/wheel`", "PRD: `tasks/prd-wheel.md`", "Project: Harbour Mill", "Status: in progress",
     "All wheel errors are now fixed", "14 unit tests", "No regressions found", "暂无", "feature 4 已标记为通过"],
)  # fmt: skip
def test_status_and_placeholders_are_none_even_among_learnings(line: str) -> None:
    assert learnt(f"**Learnings:**\n- {line}\n- oil it\n") == [(3, "p", "oil it")]


@pytest.mark.parametrize(
    "line",
    ["Tests pass only when the mill stands still", "No separate wheel needed, the belt drives both", "Check the wheel twice",
     "None of the stones may be wet", "Next.js pages need a default export", "Testing: use `mill test`, not `mill`",
     "Branch: cut one from main for each wheel", "Status: in progress until the miller has signed",
     "All API routes must be authenticated before they are deployed to the mill"],
)  # fmt: skip
def test_sentences_that_only_begin_like_status_are_learnings(line: str) -> None:
    assert len(learnt(f"**Learnings:**\n- {line}\n")) == 1


def test_a_sub_label_is_none_and_gives_its_kind() -> None:
    text = "- **Learnings:**\n  - Gotchas encountered\n    - the belt is long\n  - Patterns discovered:\n    - oil it\n"
    assert learnt(text) == [(3, "g", "the belt is long"), (5, "p", "oil it")]


def test_names_that_only_contain_the_word_open_nothing() -> None:
    assert (
        learnt(
            "**Learnings sections** (all files)\n- a\n**Insights enabled:**\n- b\n**Scope constraints:**\n- c\n"
        )
        == []
    )


def test_findings_alone_announce_and_findings_with_a_text_report() -> None:
    assert lines("- Findings: 3 issues\n  - wheel: dry\n") == []
    assert lines("**Findings:**\n- the wheel runs dry in winter\n") == [2]


def test_a_label_of_another_meaning_ends_the_section() -> None:
    text = "## Learnings\n**Wheel:**\n- oil it\n**Next steps:**\n- buy oil\n**Test results:**\n- fine\n"
    assert lines(text) == [3]


def test_code_is_never_a_learning() -> None:
    assert learnt("**Learnings:**\n```\n- Gotcha: x\n⚠️ Warning: y\n```\n") == []


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("- ⚠️ **Gotcha:** the mill stops at noon", "the mill stops at noon"),
        ("Warning (again): wet flour clogs", "wet flour clogs"),
        (
            "- Note: use the small stone, because the large one cracks",
            "use the small stone, because the large one cracks",
        ),
        (
            "- Route order: `/all` MUST come last to avoid shadowing",
            "Route order: `/all` MUST come last to avoid shadowing",
        ),
        ("- NEVER grind wet corn", "NEVER grind wet corn"),
        ("- `--slow` required because the wheel is old", "`--slow` required because the wheel is old"),
        ("[2026-01-05 10:00] LESSON: oil it", "oil it"),
        ("- 注意：不要停", "不要停"),
        ("- 🚨 don't stop the wheel by hand", "don't stop the wheel by hand"),
    ],
)
def test_inline_warnings_count_outside_of_sections(line: str, text: str) -> None:
    assert [found for _, _, found in learnt(f"## A-1\n{line}\n")] == [text]


@pytest.mark.parametrize(
    "line",
    ["- prints an insecure warning when run", "- Note: added the belt", "- CRITICAL: Fixed the wheel",
     "- the plan was NEVER carried out", "- **Warnings reduced** from 9 to 2", "⚠️ 2 wheels", "- Note: see the wheel"],
)  # fmt: skip
def test_warnings_that_only_report_do_not_count(line: str) -> None:
    assert learnt(f"## A-1\n{line}\n") == []


def test_of_notes_only_advice_counts() -> None:
    text = "**Notes:**\n- Added the belt\n- The wheel must be dry before it is oiled\n- Stones are grey\n"
    assert lines(text) == [3]


def test_of_an_error_table_only_orders_count() -> None:
    text = (
        "## Error Log\n| Time | Error | Resolution |\n|--|--|--|\n| 1 | wheel stuck | Use the small stone |\n"
        "| 2 | belt lost | Implemented a new one |\n"
    )
    assert learnt(text) == [(4, "p", "wheel stuck — Use the small stone")]


def test_rows_of_a_table_of_lessons_count_without_its_header() -> None:
    assert lines("## Lessons Learned\n| What | Why |\n|--|--|\n| Oil the wheel | it squeaks |\n") == [4]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The wheel fails silently when it is dry", "g"),
        ("`error_handler` catches `fails`", "p"),
        ("No separate belt needed", "p"),
        ("Keep stones in `src/`", "p"),
        ("Builds on the belt of US-003", "d"),
        ("The belt relies on the wheel", "d"),
        ("UTF-8 is written everywhere", "p"),
        ("必须先停机", "g"),
    ],
)
def test_the_words_tell_the_kind(text: str, kind: str) -> None:
    assert learnt(f"**Learnings:**\n- {text}\n")[0][1] == kind


def test_a_learning_that_names_its_own_story_depends_on_nothing() -> None:
    found = extract(
        read_blocks("**Learnings:**\n- A wheel as of US-003\n"), lambda _: ("US-003", 7), "log.md"
    )[0]
    assert (found.kind.value, found.story, found.position, found.source) == ("pattern", "US-003", 7, "log.md")


def test_files_are_named() -> None:
    text = "**Learnings:**\n- Settings stand in `src/mill.py`, not in config/mill.toml\n"
    assert extract(read_blocks(text), nobody)[0].files == ("src/mill.py", "config/mill.toml")


LINE = st.sampled_from(
    ["**Learnings:**", "- **Gotchas:**", "  - oil it", "- All tests pass", "## Codebase Patterns", "| Error | Fix |",
     "| wet | Use dry |", "```", "---", "Warning: hot", "1. MUST run", "Notes:", "- [ ] x", "", "> Note: never", "注意：x"]
) | st.text(max_size=24)  # fmt: skip


@given(st.lists(LINE, max_size=30))
def test_any_text_gives_learnings_with_lines_of_the_file_that_line_ends_do_not_change(
    rows: list[str],
) -> None:
    rows = [row.replace("\n", " ").replace("\r", " ") for row in rows]
    text = "\n".join(rows)
    found = learnt(text)
    assert all(1 <= line <= len(rows) and words for line, _, words in found)
    assert learnt("\ufeff" + "".join(f"{row} \t\r\n" for row in rows)) == found
    assert learnt(text + "\n") == found


def test_a_quoted_paragraph_introduces_a_section_and_is_no_learning_in_it() -> None:
    text = "## Patterns\n\n> Put here what the next\n> miller should know.\n\n- oil the wheel\n"
    assert lines(text) == [6]


@pytest.mark.parametrize(
    "nothing", ["Ninguno adicional — son los de siempre.", "None — same as before", "Keine neuen", "Nenhuma."]
)
def test_nothing_is_nothing_in_other_languages_and_with_a_reason(nothing: str) -> None:
    assert lines(f"## Learnings\n- {nothing}\n- oil it\n") == [3]


def test_sub_labels_written_at_the_depth_of_their_items_sort_them() -> None:
    text = (
        "- **Learnings:**\n  - Patterns discovered\n  - stones turn left\n"
        "  - Gotchas encountered\n  - the left stone is soft\n"
    )
    assert learnt(text) == [(3, "p", "stones turn left"), (5, "g", "the left stone is soft")]


def test_a_short_sentence_in_another_script_is_no_sub_label() -> None:
    assert lines("## 교훈\n- 물레는 주의 필요\n- 맷돌은 왼쪽으로 돈다\n") == [2, 3]


def test_a_paragraph_that_only_announces_states_nothing() -> None:
    assert lines("## Discoveries\n\nWhat to share across sessions:\n\n## Notes\n\n- always oil it\n") == [7]


@pytest.mark.parametrize(
    "label", ["【気をつけること】", "**踩坑**", "## Cose imparate", "### Valkuilen", "## Lärdomar"]
)
def test_labels_of_many_languages_announce_learnings(label: str) -> None:
    assert lines(f"{label}\n- x oil\n") == [2]


@pytest.mark.parametrize(
    "record",
    [
        "`mill.json` criado para a roda, não existia",
        "Creado el molino porque no existe",
        "Ajouté `wheel()` si besoin",
        "Hinzugefügt, wenn nötig: Öl",
        "已添加水车，需要时用",
        "`mill.py` was renamed because of the stone",
    ],
)
def test_notes_that_record_what_was_done_teach_nothing_in_any_language(record: str) -> None:
    assert lines(f"## Notes\n- {record}\n") == []


def test_an_order_behind_a_dash_makes_a_note_advice() -> None:
    assert lines(
        "## Notes\n- Each stone has a mark - follow it exactly\n- The wheel has a list. Add bells there.\n"
    ) == [2]


def test_a_date_among_learnings_is_none() -> None:
    stamps = "Started: Tue Mar  3 13:56:46 UTC 2026\n- Last updated: 2026-03-04 10:00\n- Вт 3 мар 2026 13:56:46 EET - MILL-006\n"
    assert learnt(f"## Codebase Patterns\n- oil the wheel\n\n- {stamps}") == [(2, "p", "oil the wheel")]
    assert lines("## Codebase Patterns\n- Updated: 3 wheels turn the same stone now\n") == [2]
