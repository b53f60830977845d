"""The version of this plugin and the format number of each of its files.

How the memory database is migrated is in `memory.migrations` (`STEPS`).
"""

VERSION = "0.1.0"

# The format of each file of ours, raised when another version could take it for what it is not. What becomes
# of an older and of a newer one is in `docs/file-formats.md`; the memory database has its number in
# `memory.migrations`. Where the rules for secrets change, so do the numbers of what holds text that they let
# through: of start cache, file index, answers and index of the history.
LOG_FORMAT = "1.0"
"""`progress.json` and the months of the archive: an older one is migrated, a newer one only read."""
ARCHIVE_INDEX_FORMAT = 7
"""Made again where it is another."""
STORY_TABLE_FORMAT = 4
"""Made again where it is another."""
START_CACHE_FORMAT = 18
"""Made again where it is another."""
FILE_INDEX_FORMAT = 10
"""Made again where it is another, as is one of another version."""
TEAM_STATE_FORMAT = 1
"""Of another number it counts as none: all that the team's server has is compared anew."""
BASELINE_FORMAT = 1
"""One without a number is read as 1; a newer one counts as none."""
PENDING_EVENT_ENDING = ".json"
"""Format 1. A later format gets another ending, so that an older version leaves its files alone."""
ANSWERS_FORMAT = 13
"""Answers of another format are computed again."""
RECALL_FORMAT = 14
"""The index of the history in the user's cache: thrown away and made again where it is another."""
