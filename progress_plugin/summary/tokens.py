"""Token figures: estimates, made from a text's bytes without a tokenizer (S10.2)."""

from __future__ import annotations

_WEIGHTS = (
    (b"abcdefghijklmnopqrstuvwxyz", 0.12),
    (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.3),
    (b"0123456789", 0.45),
    (b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 0.55),
    (b" ", 0.35),
    (b"\n", 0.6),
    (bytes(range(0xC2, 0xE0)), 0.6),
    (bytes(range(0xE0, 0xF0)), 0.9),
    (bytes(range(0xF0, 0xF5)), 2.2),
)


def estimate(text: str) -> int:
    """Return about how many tokens a model counts for `text`; 0 for the empty text only."""
    data = text.encode("utf-8", "surrogatepass")
    total = sum(weight * (len(data) - len(data.translate(None, members))) for members, weight in _WEIGHTS)
    return max(round(total), 1) if text else 0
