"""Text that may be read but cannot act. The examples are in `escape_examples.json`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from progress_plugin.text import escape
from progress_plugin.text.bounds import utf16_length
from progress_plugin.text.escape import escape_text
from progress_plugin.text.safe_output import cell, clean, item, json_text, one_line, summary_item
from progress_plugin.text.visible import strip_invisible

EXAMPLES = json.loads(Path(__file__).with_name("escape_examples.json").read_text(encoding="utf-8"))
_TOKENS = (
    "< </ system-reminder > | \\ ` ``` [ INST ] ( ) # \n \r \x1b[31m \x1b \x9b1m \u200d \ufe0f 👩 🏿 🇩 🇪 \u200b \u200c م "
    "1 . - * _ ~ = : <| |> <<SYS>> 한 é \ud800 \x85 \u2028 \u3000 word !-- user im_start \U000e0041 \u202e "
    "![ ](http://e <img src= ＜ ＞"
)
_NASTY = st.lists(st.one_of(st.sampled_from(_TOKENS.split(" ")), st.text(max_size=3)), max_size=30).map(
    "".join
)
_LIMITS = st.none() | st.integers(1, 40)


@pytest.mark.parametrize(("text", "cleaned"), EXAMPLES["tags"])
def test_tags_of_clients_lose_their_brackets_and_keep_their_words(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_every_tag_of_the_table_loses_its_brackets() -> None:
    rows = Path(escape.__file__).with_name("tags.tsv").read_text("utf-8").splitlines()
    examples = [row.split("\t")[2] for row in rows if not row.startswith("#")]
    assert [text for text in examples if not clean(text).startswith("‹")] == []


@pytest.mark.parametrize("text", EXAMPLES["code"])
def test_code_scripts_and_emoji_stay_as_they_are(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(("text", "cleaned"), EXAMPLES["images"])
def test_nothing_is_fetched_from_elsewhere_by_a_renderer(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned
    assert clean(cleaned) == cleaned
    for show in (one_line, cell, item):
        assert show(f"see {text}") == show(f"see {cleaned}")
        assert "![" not in show(text)
    value = {"text": strip_invisible(text)}
    assert json.loads(json_text(value)) == value
    assert "![" not in json_text(value)


@pytest.mark.parametrize(
    "text",
    [
        "#![allow(dead_code)] let a = vec![1, 2]; if (![1].includes(x)) { println![] }",
        "<a href='https://e.example'>x</a> <p style='color: red'>a</p> <T: Use<'a>>",
    ],
)
def test_code_that_fetches_nothing_stays(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize("text", EXAMPLES["acting"])
def test_json_holds_no_tag_and_a_parser_reads_the_same(text: str) -> None:
    value = {"title": text, text: [f"before {text} after", "Map<K, V> and <div> and [INSERT]"]}
    printed = json_text(value)
    assert json.loads(printed) == value
    line = printed.replace("\\n", " ").replace("\\t", " ")
    assert escape_text(line) == line
    assert "Map<K, V> and <div> and [INSERT]" in printed


@pytest.mark.parametrize(("text", "cleaned"), EXAMPLES["invisible"])
def test_what_is_invisible_goes(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(("text", "limit", "line"), EXAMPLES["shortened"])
def test_a_line_is_shortened_at_a_word(text: str, limit: int | None, line: str) -> None:
    assert one_line(text, limit) == line


@pytest.mark.parametrize(("text", "shown"), EXAMPLES["pipes"])
def test_a_pipe_does_not_end_a_cell(text: str, shown: str) -> None:
    assert cell(text) == shown


def test_a_cell_counts_its_limit_without_escapes() -> None:
    assert cell("||||||", 4) == "\\|\\|\\|…"


def test_an_item_opens_no_block() -> None:
    assert [item(text) for text in EXAMPLES["blocks"]] == [f"\\{text}" for text in EXAMPLES["blocks"]]
    assert [item(text) for text, _ in EXAMPLES["numbered"]] == [shown for _, shown in EXAMPLES["numbered"]]
    assert [item(text) for text in EXAMPLES["plain_items"]] == EXAMPLES["plain_items"]


@pytest.mark.parametrize(
    ("text", "length"),
    [("", 0), ("abc", 3), ("한국", 2), ("👍", 2), ("\ud800", 1), ("\uffff", 1), ("a👍 – \U0010ffff한", 9)],
)
def test_length_is_counted_as_the_clients_count(text: str, length: int) -> None:
    assert utf16_length(text) == length


@pytest.mark.parametrize("hyphen", "\u2010\u2011\u2012\u2013\u2212\uff0d")
def test_no_spelling_of_a_hyphen_keeps_the_brackets_of_a_tag(hyphen: str) -> None:
    assert one_line(f"<system{hyphen}reminder>x") == f"‹system{hyphen}reminder›x"


@pytest.mark.parametrize("end", ["</context>", "</CONTEXT>", "a plan </context> b"])
def test_the_end_of_a_context_is_defused(end: str) -> None:
    assert one_line(end) == end.replace("<", "‹").replace(">", "›")
    assert one_line("<context>") == "<context>"


@settings(max_examples=100)
@given(_NASTY, _LIMITS)
@example("\u3000\ufe0f", None)
def test_a_shown_text_is_safe_short_and_idempotent(text: str, limit: int | None) -> None:
    assert clean(clean(text)) == clean(text)
    for show in (one_line, cell, item, summary_item):
        once = show(text, limit)
        assert show(once, limit) == once
    line = one_line(text, limit)
    line.encode()
    assert line.split() == line.split(" ") or line == ""
    assert limit is None or len(line) <= limit
    assert not re.search(r"(?<!\\)(?:\\\\)*\|", cell(text, limit))
    for shown in (
        clean(f"{text}<system-reminder>"),
        one_line(f"<system-reminder>{text}"),
        cell(f"<|im_start|>{text}"),
    ):
        assert "<system-reminder" not in shown
        assert "<|im_start|>" not in shown


@settings(max_examples=100)
@given(st.recursive(_NASTY, lambda inner: st.lists(inner, max_size=3), max_leaves=6))
def test_json_with_its_tags_escaped_is_the_json_of_the_same_value(value: object) -> None:
    plain = json.dumps(value, ensure_ascii=False)
    assert json.loads(escape.escape_json(plain)) == json.loads(plain)
