"""How often one of the first five passages of `recall` answers the question."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.recall_exam import examined

pytestmark = pytest.mark.corpus


def test_the_fact_asked_for_is_among_the_first_five_for_85_of_100(corpus: Path, tmp_path: Path) -> None:
    results = list(examined(corpus / "logs", corpus / "resume" / "facts", None, tmp_path))
    assert len(results) >= 336
    names = sorted({each.name for each in results})
    for half in (names, names[1::2]):  # the weights were fitted to every second log, the first one included
        shown = [each.shown for each in results if each.name in half]
        assert sum(shown) / len(shown) >= 0.85
