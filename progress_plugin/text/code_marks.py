"""Code spans that need no marks, since what is in them can be nothing but code.

A span's two backticks take one to two tokens, and a summary has fifty spans: a twentieth of its room. A path,
a file, a name with `_`, a digit, `::` or a capital within is known for what it is without them. A word such
as `use`, a command of several words, and what Markdown, HTML or a client could take for more than text keep
theirs: in a file that a client imports, `@docs/keys.md` in code is text, and bare another file to import.
"""

from __future__ import annotations

from progress_plugin.text.patterns import LazyPattern

_SPAN = LazyPattern(
    r"(?<![`\w\\])`"
    r"(?=[^`]{0,120}(?:[a-z\d][A-Z]|[_\d/.]|::|\(\)))(?=[^`]{0,40}[A-Za-z]{2})"
    r"((?:\.{0,2}/)?\.?[A-Za-z\d](?:[\w-]|[./](?=[\w-])|::(?=\w)|:(?=\d))*(?:\(\)|/)?)(?<!_)"
    r"`(?![`\w])"
)


def without_marks(text: str) -> str:
    """Return a line in which code that cannot be taken for words stands without its backticks."""
    return _SPAN.sub(r"\1", text) if "`" in text else text
