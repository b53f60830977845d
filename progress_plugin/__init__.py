"""The version of the plugin, and the formats of its files; that of the database is in `memory/database.py`.

A number is raised if another version could misread the file. `docs/file-formats.md` says what becomes of
files in older and newer formats. Start cache and index of the history hold redacted text: their
numbers are also raised if the rules for secrets change.
"""

VERSION = "0.1.0"

LOG_FORMAT = "1.0"  # progress.json and the archive: a newer major version is read but not written
PENDING_EVENTS = "spool"  # folder in the private state of a project
PENDING_EVENT_ENDING = ".json"  # a later format gets another ending: older versions leave its files alone
LAST_SEEN_FORMAT = 1  # last-seen.json: a file without a number is read as 1, one with another number ignored
TEAM_STATE_FORMAT = 4  # team/state: if it has another format, the server is compared again
START_CACHE_FORMAT = 31  # a start cache in another format is made again
RECALL_FORMAT = 28  # an index of the history in another format is made again
