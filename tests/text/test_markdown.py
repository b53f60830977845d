"""How Markdown that is not regular is read."""

from __future__ import annotations

import pytest

from progress_plugin.text.markdown import parse


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("- [ ] Sail <!-- id: 3 -->", ["[ ] Sail"]),
        ("<!-- a\n\nb -->\nSail", ["Sail"]),
        ("Marks (`<!-- x -->`) stay.", ["Marks (`<!-- x -->`) stay."]),
        ("<!-- Sail", ["<!-- Sail"]),  # nothing disappears behind a comment that is not closed
        ("-[x] Sail\n- ☐ Oar", ["[x] Sail", "[ ] Oar"]),
        ("```\na\n\n- [ ] Sail", ["a", "[ ] Sail"]),  # nor behind a fence
    ],
)
def test_the_text_of_blocks(text: str, blocks: list[str]) -> None:
    assert [block.text for block in parse(text).blocks] == blocks
