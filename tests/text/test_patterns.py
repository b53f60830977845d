"""A pattern that is compiled at its first use does what a compiled one does."""

import re

from progress_plugin.text.patterns import LazyPattern


def test_the_methods_are_those_of_the_compiled_expression() -> None:
    lazy = LazyPattern(r"(?P<word>[a-z]+)(\d)", re.IGNORECASE)
    compiled = re.compile(r"(?P<word>[a-z]+)(\d)", re.IGNORECASE)
    text = "Ab1 cd2 x"

    assert "search" not in vars(lazy)
    assert lazy.search(text, 2)["word"] == compiled.search(text, 2)["word"] == "cd"
    assert lazy.match(text).span() == compiled.match(text).span()
    assert lazy.fullmatch(text) is None is compiled.fullmatch(text)
    assert lazy.findall(text) == compiled.findall(text)
    assert [found.span() for found in lazy.finditer(text)] == [
        found.span() for found in compiled.finditer(text)
    ]
    assert lazy.split(text, maxsplit=1) == compiled.split(text, maxsplit=1)
    assert lazy.sub(r"\2", text) == compiled.sub(r"\2", text)
    assert lazy.subn("", text, count=1) == compiled.subn("", text, count=1)
