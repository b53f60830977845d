"""Which commands only look at something: that they find nothing is an answer, and no failure."""

from progress_plugin.transcripts.commands.check_names import program_of
from progress_plugin.transcripts.commands.check_table import unwrapped
from progress_plugin.transcripts.commands.shell_line import Part, parts_of

_PROGRAMS = frozenset(
    """
ls which whereis type hash grep egrep fgrep rg ag ack find fd cat head tail less more wc file stat test [ [[
diff cmp comm pgrep pidof readlink realpath dirname basename du df tree cd pushd popd pwd echo printf true
""".split()  # noqa: SIM905
)
_BY_WORD = {
    "git": frozenset("status log diff show grep rev-parse ls-files blame merge-base describe".split()),  # noqa: SIM905
    "command": frozenset(("-v", "-V")),
}
"""Programs that do other things, too, by their first word."""


def only_looks(line: str) -> bool:
    """Return whether a command line does nothing but look."""
    parts = parts_of(line)
    return bool(parts) and all(_looks(part) for part in parts)


def _looks(part: Part) -> bool:
    program = program_of(part.words[0])
    if program in _BY_WORD:
        return len(part.words) > 1 and part.words[1] in _BY_WORD[program]
    words = unwrapped(part.words)
    return bool(words) and program_of(words[0]) in _PROGRAMS
