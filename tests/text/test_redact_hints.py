"""What is looked for before a pattern is tried spares no text that the pattern would change."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from progress_plugin.text.redact import _without, redact
from progress_plugin.text.secret_patterns import NAMED
from progress_plugin.text.secret_tokens import TOKENS
from tests.text.option_tables import IN_COMMANDS
from tests.text.passphrase_tables import NAMED_PASSPHRASES
from tests.text.password_tables import ASSIGNED, CONTINUED, IN_ADDRESSES, IN_STATEMENTS, IN_TABLES
from tests.text.place_tables import FILLED
from tests.text.remark_tables import REPLACED, TOLD
from tests.text.secret_tables import INNOCENT, SECRETS
from tests.text.spelling_tables import ABOUT_SECRETS, SPELLED
from tests.text.test_redact import ASSIGNMENTS
from tests.text.test_redact import SECRETS as TOKENS_BY_KIND

SHAPES = (*TOKENS, *NAMED)
_FILLED = (
    SECRETS,
    IN_COMMANDS,
    IN_ADDRESSES,
    IN_STATEMENTS,
    CONTINUED,
    IN_TABLES,
    ASSIGNED,
    FILLED,
    SPELLED,
    REPLACED,
    TOLD,
    NAMED_PASSPHRASES,
)
KNOWN = (
    *(secret for _, secret in TOKENS_BY_KIND),
    *(text.format(secret) for text, secret, _ in ASSIGNMENTS),
    *(text.replace("{}", secret) for table in _FILLED for text, secret in table),
)
HINTS = sorted({needle for shape in SHAPES for needle in (*shape.hints, *shape.within)})
PIECES = st.sampled_from(KNOWN) | st.sampled_from(HINTS) | st.sampled_from(INNOCENT) | st.text(max_size=6)
GLUE = st.sampled_from(["", " ", "\n", "=", ": ", "'", '"', "\\", "-", " to ", " is ", "@"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Return pieces of texts with and without secrets, cut and glued anywhere, in letters of any size."""
    parts = []
    for piece in draw(st.lists(PIECES, max_size=5)):
        start = draw(st.integers(0, len(piece)) | st.just(0))
        parts += [piece[start:], draw(GLUE)]
    change = draw(st.sampled_from([str, str, str.lower, str.upper, str.title]))
    return change("".join(parts))


def _left(text: str) -> list[str]:
    """Return the kinds of secrets that a redacted text still holds, by every pattern tried without a look."""
    redacted = redact(text)[0]
    return [shape.kind for shape in SHAPES if _without(shape, redacted)[1]]


def test_no_known_secret_is_spared() -> None:
    found = {shape for text in KNOWN for shape in NAMED if _without(shape, text)[1]}
    assert len(found) > len(NAMED) * 0.8, [shape.hints for shape in NAMED if shape not in found]
    assert {text: left for text in (*KNOWN, *INNOCENT, *ABOUT_SECRETS) if (left := _left(text))} == {}


@settings(deadline=None)
@given(texts())
def test_no_text_gets_through_that_all_patterns_together_would_change(text: str) -> None:
    assert _left(text) == []
