"""What failed in a session and was not made good: a command by the same line, a tool by the same file."""

from progress_plugin.transcripts.kept_text import safe
from progress_plugin.transcripts.record_items import Failure

_MAX_FAILURES, _MAX_CHARS = 12, 200
_PATCH = "apply_patch"
_WRITING = (
    "Edit", "Write", "MultiEdit", "NotebookEdit", "write_file", "replace", "edit", "write", "create", _PATCH,
)  # fmt: skip


class Failures(dict[str, Failure]):
    """The commands and tool calls that failed and were not repeated with success, by what was called."""

    def add(self, what: str, says: str, when: str) -> None:
        """Note that something failed; the newest are kept."""
        name = safe(what, _MAX_CHARS)
        self.pop(name, None)
        self[name] = Failure(name, safe(says, _MAX_CHARS), when)
        if len(self) > _MAX_FAILURES:
            del self[next(iter(self))]

    def command_succeeded(self, line: str) -> None:
        """Forget the failure of a command line."""
        self.pop(safe(line, _MAX_CHARS), None)

    def file_written(self, name: str) -> None:
        """Forget that tools failed to write a file."""
        for tool in _WRITING:
            self.pop(f"{tool} {name}", None)
        self.pop(_PATCH, None)
