"""What failed in a session: which failures are kept, and which success makes one good again.

A command's failure is over when the same line ends with 0, a tool's at a file, when a tool writes that file.
Of checks (`pytest`) the last run counts, and a later session's: `transcripts.record`
(`SessionRecord.failing`) and `transcripts.passes_in_later_sessions`.
"""

from progress_plugin.transcripts.kept_text import safe
from progress_plugin.transcripts.record_items import Failure

_MOST = 12
_LINE = 200
_PATCH = "apply_patch"
_WRITING = (
    "Edit", "Write", "MultiEdit", "NotebookEdit", "write_file", "replace", "edit", "write", "create", _PATCH,
)  # fmt: skip
"""The tools whose failure is made good by a later success on the same file."""


class Failures(dict[str, Failure]):
    """The commands and tool calls that failed and were not repeated with success, by what was called."""

    def add(self, what: str, says: str, when: str) -> None:
        """Note that something failed; the newest are kept."""
        name = safe(what, _LINE)
        self.pop(name, None)
        self[name] = Failure(name, safe(says, _LINE), when)
        if len(self) > _MOST:
            del self[next(iter(self))]

    def command_succeeded(self, line: str) -> None:
        """Forget the failure of a command line that has now ended well."""
        self.pop(safe(line, _LINE), None)

    def file_written(self, name: str) -> None:
        """Forget that tools failed to write a file: one has written it."""
        for tool in _WRITING:
            self.pop(f"{tool} {name}", None)
        self.pop(_PATCH, None)
