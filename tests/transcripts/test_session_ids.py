"""What is printed of a session's id tells it from all others, and is taken for it."""

from __future__ import annotations

import pytest

from progress_plugin.transcripts.session_ids import short_ids


@pytest.mark.parametrize(
    ("ids", "shown"),
    [
        (["0f0e0d0c-0000-4000-8000-000000000001"], ["0f0e0d0c"]),
        (
            ["0f0e0d0c-0000-4000-8000-000000000001", "0f0e0d0c-0000-4000-8000-000000000002"],
            ["0f0e0d0c-0000-4000-8000-000000000001", "0f0e0d0c-0000-4000-8000-000000000002"],
        ),
        (["019ac5a0-8a10-7000-8000-000000000001"], ["019ac5a0-8a10"]),
        (["ses_dfddbbb99ffeaALBSCd7LDAN2i"], ["ses_dfddbbb99"]),
        (
            ["ses_dfddbb1e0ffe5hzSwbO1O5cHF8", "ses_dfddbb1e0ffeZhzS", "ses_dfddbbb99ffeaALB"],
            ["ses_dfddbb1e0ffe5", "ses_dfddbb1e0ffeZ", "ses_dfddbbb99"],
        ),
        (["session-1", "session-10", "session-12"], ["session-1", "session-10", "session-12"]),
        (["a", "", "b", "a"], ["a", "", "b", "a"]),
        ([], []),
    ],
)
def test_the_beginning_of_an_id_is_as_long_as_it_takes(ids: list[str], shown: list[str]) -> None:
    assert [short_ids(ids)[each] for each in ids] == shown
