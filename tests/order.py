"""In which order files of tests are begun: the longest first, so that no process is at one when all else is done.

A file goes to one process as a whole, and xdist by itself begins with the files of most tests. The longest, of
real clients and real servers, have ten tests each and would come last.
"""

from __future__ import annotations

import pytest

LONGEST = (
    "tests/clients/test_install_command.py",
    "tests/clients/test_other_clients.py",
    "tests/installed/test_installed_journeys.py",
    "tests/team/test_interrupted_sync.py",
    "tests/torture/test_torture_kills.py",
    "tests/launcher/test_environment_build.py",
    "tests/journeys/test_contention_journeys.py",
    "tests/clients/test_session.py",
    "tests/mcp/test_protocol.py",
    "tests/clients/test_session_transcripts.py",
    "tests/journeys/test_vanished_journeys.py",
    "tests/journeys/test_journeys_one_answer.py",
    "tests/torture/test_torture_disk.py",
    "tests/plans/test_plans_properties.py",
    "tests/hostile/test_hostile_links.py",
    "tests/torture/test_torture_clone.py",
    "tests/corpus/test_corpus_recall.py",
    "tests/clients/test_client_file_notes.py",
    "tests/transcripts/test_damaged_transcripts.py",
    "tests/team/test_team_memory.py",
    "tests/team/test_team_documents.py",
)
"""Files that take more than a minute of a processor, the longest first."""


def long_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests with those of the longest files in front, all others as they were collected."""
    places = {path: place for place, path in enumerate(LONGEST)}
    return sorted(items, key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))
