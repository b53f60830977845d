"""Read the word lists of `words.json`, in several languages, e.g. pronouns, or phrases that correct."""

from __future__ import annotations

from functools import cache, partial

from progress_plugin.core.tables import read_json_table, word_set

word_list = partial(word_set, __file__, "words.json")  # by name, e.g. `pronouns`


@cache
def phrase_list(name: str) -> tuple[str, ...]:
    return tuple(read_json_table(__file__, "words.json")[name])


@cache
def word_groups(name: str) -> dict[str, tuple[str, ...]]:
    """Return the words of each group: `words` are whole words, `stems` occur anywhere in a text."""
    groups = read_json_table(__file__, "words.json")[name]
    return {group: tuple(words.split()) for group, words in groups.items()}


@cache
def group_of_word() -> dict[str, str]:
    return {word: group for group, words in word_groups("words").items() for word in words}
