"""Tables of examples: `secrets.tsv` and `near_misses.tsv`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_LINE_ENDS = str.maketrans({"⏎": "\n", "⇥": "\t", "␍": "\r"})


class Example(NamedTuple):
    """A text, and the secrets in it."""

    group: str
    text: str
    secrets: tuple[str, ...] = ()

    def parts_left_in(self, redacted: str) -> list[str]:
        """Return the parts of secrets that are left in a text: four characters in a row, or a short secret."""
        around = self.text
        for secret in self.secrets:
            around = around.replace(secret, "")
        parts = {
            secret[at : at + 4] for secret in self.secrets for at in range(max(1, len(secret) - 3))
        }  # fmt: skip
        return [part for part in parts if part in redacted and part not in around]


def read_examples(name: str) -> list[Example]:
    """Return the rows of a table."""
    return [_example(*row.split("\t", 1)) for row in _rows(name)]


def secrets_of(group: str) -> list[Example]:
    """Return the rows of a group of `secrets.tsv`."""
    return [example for example in read_examples("secrets.tsv") if example.group == group]


def _rows(name: str) -> Iterator[str]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return (line for line in text.split("\n") if line and not line.startswith("#"))


def _example(group: str, text: str) -> Example:
    text = text.translate(_LINE_ENDS)
    secrets = re.findall("«(.*?)»", text, re.DOTALL)
    if secrets:
        text = text.replace("·", "")
    plain = text.replace("«", "").replace("»", "") if secrets else text
    return Example(group, plain, tuple(secret.replace("·", "") for secret in secrets))
