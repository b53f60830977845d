"""Commands as lists of words: what is found around their options is what is in the whole text."""

import random

import pytest

from progress_plugin.text import secret_arguments
from progress_plugin.text.redact import _WORDS_OF_COMMAND
from progress_plugin.text.secret_arguments import _CommandLine
from progress_plugin.text.secret_pattern_kind import places_of

_PIECES = (
    "- mysql", "  - -u", "- root", '- "-pTide9Crane"', "- '-x", "\t- y", "- a\\n- -pTide9\\n- b", "args:\\n- mysql\\n- -pTide9\\n- db", "Run it:", "", "   ",
    '["mysql", "-u", "root",', '  "-pTide9Crane"]', "'curl',", ",", "[", "n, t, r", "\\n \\t,", 'It\'s "so"', "don't", "- - -",
    'mysql "-pTide9Crane" db', '\\"-p\\", \\"x\\"', '"a", "-b"', "> - -p", "- **Learnings:**", "# Title - -x", "a 'b' -c",
)  # fmt: skip
"""Lines of which some begin, go on with, end or only look like a list of words."""


def _lists_of_whole(text: str) -> list[_CommandLine]:
    """Return what the patterns of lists find where they look at every line."""
    found = []
    for lists, item in (
        (secret_arguments._ITEMS, secret_arguments._ITEM),
        (secret_arguments._LINES, secret_arguments._LINE),
    ):
        for each in lists.finditer(text):
            items = list(item.finditer(text, *each.span()))
            if any(word["word"].startswith("-") for word in items):
                words, places = [word["word"] for word in items], [word.start("word") for word in items]
                found.append(secret_arguments._line(words, places))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_around_options_all_is_found_that_is_in_the_whole_text(seed: int) -> None:
    dice = random.Random(seed)
    number = 0
    for _ in range(300):
        text = "\n".join(dice.choice(_PIECES) for _ in range(dice.randrange(1, 12)))
        options = sorted(at for sign in _WORDS_OF_COMMAND for at in places_of(text, sign))
        expected = _lists_of_whole(text)
        quoted = list(secret_arguments._QUOTED_OPTION.finditer(text))
        found = list(secret_arguments._command_lines(text, options))
        assert found[: len(expected)] == expected, text
        around = list(secret_arguments._quoted_options(text, options))
        assert [each.span() for each in around] == [each.span() for each in quoted], text
        number += len(expected)
    assert number > 100, "hardly a text had a list"


def test_of_a_log_that_is_one_long_list_only_the_lines_around_an_option_are_looked_at() -> None:
    plain = "".join(f"- Mended the crane at berth {number}\n" for number in range(1000))
    text = f"{plain}\n- mysql\n- -u\n- root\n\n{plain}"
    options = list(places_of(text, "- -"))
    parts = list(secret_arguments._parts(text, options, secret_arguments._may_hold_lines))
    assert [text[begin:end] for begin, end in parts] == ["- mysql\n- -u\n- root\n"]
