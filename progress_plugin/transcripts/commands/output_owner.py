"""Whether what a command line printed can be the words of its one check alone.

A check's words may go through filters that show or leave out whole lines, and through a file that is shown.
Whatever shows something else, or writes itself what a check would say, could have said it.
"""

import re
from collections.abc import Sequence

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.commands.check_names import program_of
from progress_plugin.transcripts.commands.check_table import unwrapped
from progress_plugin.transcripts.commands.exit_code_owner import bare
from progress_plugin.transcripts.commands.line_commands import Command

_TOLD_SILENT = """
cd pushd popd export source . set unset true : [ test mkdir touch sleep pwd cp mv rm } fi done exit wait chmod
chown ln kill date } echo printf ts then do else deactivate local declare shift return trap umask ulimit
apt-get apt brew pip pip3
"""
_SILENT = frozenset(_TOLD_SILENT.split())
"""Commands that show nothing which stands elsewhere, only words of the line and of their own."""
_SILENT_BY_WORD = {
    "git": frozenset("add commit push fetch stash status mv rm restore branch tag config rev-parse".split()),  # noqa: SIM905
    "npm": frozenset(("ci", "install", "i")),
    "pnpm": frozenset(("install", "i")),
    "yarn": frozenset(("install",)),
    "uv": frozenset(("sync", "pip", "venv")),
    "poetry": frozenset(("install",)),
    "pdm": frozenset(("install",)),
    "bundle": frozenset(("install",)),
    "composer": frozenset(("install",)),
    "cargo": frozenset(("fetch",)),
    "go": frozenset(("mod",)),
}
_SHOWING_TOLD = "cat head tail grep egrep rg less more sort uniq column nl fold"
_SHOWING = frozenset(_SHOWING_TOLD.split())
"""Commands that show whole lines, of files or of what comes through a pipe."""
_CHOOSING = ("grep", "egrep", "rg")
_CUTTING = LazyPattern(r"--(?:only-matching|count|replace|quiet|files?-.*)|-[A-Za-z]*[ocrqlL][A-Za-z]*")
"""Options of `grep` that do not show whole lines."""
_SAYS_OF_SUCCESS = LazyPattern(r"(?i)ok\b|pass|succe|clean|no issues")
_SAYS_OF_FAILURE = LazyPattern(r"(?i)fail|error|\bFAILED|not ok")
_WHOLE_ROWS = LazyPattern(r"(?:\d+|\$)?(?:,(?:\d+|\$))?p")
_NUMBER = LazyPattern(r"[+-]?\d+[a-z]?")
_VARIABLE = LazyPattern(r"\$(?:\{(\w{1,80}+)[^}]{0,80}+\}|(\w{1,80}+|\?)|(.?))", re.DOTALL)
_CODES = ("?", "PIPESTATUS", "SECONDS", "pipestatus")
"""Variables that hold numbers."""
_CAPTURED = LazyPattern(r"([A-Za-z_]\w*)=\$")
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/tty")
_FAITHFUL, _CHOSEN, _OTHER = "faithful", "chosen", "other"


class OwnWords:
    """Whose words the output of a line can be, which has one check."""

    def __init__(self, commands: Sequence[Command], check: int, says: LazyPattern) -> None:
        self._commands = commands
        self._check = check
        self._says = says
        self._kept = {target for target in commands[check].targets if target not in _STREAMS}
        """Where the check's words are kept, instead of being printed."""
        captured = _CAPTURED.fullmatch(commands[check].words[0])
        self._variable = captured[1] if captured else ""
        self._is_hidden = bool(self._kept or captured)
        self.is_chosen = False
        """Whether only lines are shown which may leave out that something failed."""
        self.are_alone = self._look() and not self._is_hidden

    def _look(self) -> bool:
        return all(self._is_harmless(at) for at in range(len(self._commands)) if at != self._check)

    def _is_harmless(self, at: int) -> bool:
        command = self._commands[at]
        if at and self._commands[at - 1].after == "|" and bare(command.words)[:1] != (":",):
            return self._filters(at, command)
        words = unwrapped(bare(command.words))
        if not words or words[0] in ("}", "fi", "done"):
            return True
        if program_of(words[0]) in _SHOWING and not command.targets:
            return self._shows_own(at, words)
        is_removed = program_of(words[0]) == "rm" and at < self._check
        if not is_removed and self._kept.intersection((*words, *command.targets)):
            return False
        return bool(command.targets) or self._is_silent(words)

    def _filters(self, at: int, command: Command) -> bool:
        words = bare(command.words)
        program, operands = program_of(words[0]), _operands(words)
        is_of_check = all(each.after == "|" for each in self._commands[self._check : at])
        if program == "tee":
            self._kept.update(operands if is_of_check else ())
        elif program in _CHOOSING:
            if len(operands) > 1 or any(_CUTTING.fullmatch(word) for word in words[1:]):
                return False
            self._choose(words, operands)
        elif program == "sed":
            if len(operands) != 1 or not _WHOLE_ROWS.fullmatch(operands[0]) or "-n" not in words:
                return False
            self.is_chosen = True
        elif program in _SHOWING:
            self.is_chosen = self.is_chosen or program == "head"
            if operands:
                return False
        elif program not in ("wc", "}", "ts") and not (
            program == "cut" and words[1:2] and words[1][:4] == "-c1-"
        ):
            return False
        if command.targets and is_of_check:
            self._kept.update(command.targets)
            self._is_hidden = True
        return True

    def _choose(self, words: Sequence[str], operands: Sequence[str]) -> None:
        told = " ".join(operands)
        leaves_out = any(
            word.startswith("-") and "v" in word and not word.startswith("--") for word in words[1:]
        )
        if _SAYS_OF_FAILURE.search(told):
            self.is_chosen = self.is_chosen or leaves_out
        elif _SAYS_OF_SUCCESS.search(told) and not leaves_out:
            self.is_chosen = True

    def _shows_own(self, at: int, words: Sequence[str]) -> bool:
        """Return whether a command shows what the check wrote, and that it wrote it in this line."""
        operands = _operands(words)
        if program_of(words[0]) in _CHOOSING:
            self._choose(words, operands[:1])
            operands = operands[1:]
            if any(_CUTTING.fullmatch(word) for word in words[1:]):
                return False
        is_own = bool(operands) and self._kept.issuperset(operands) and at > self._check
        if is_own and self._commands[self._check].is_reached:
            self._is_hidden = False
            self.is_chosen = self.is_chosen or program_of(words[0]) == "head"
            return True
        return False

    def _is_silent(self, words: Sequence[str]) -> bool:
        program = program_of(words[0])
        if words[1:2] and words[1] in _SILENT_BY_WORD.get(program, ()):
            return program != "git" or words[1:3] not in (("stash", "list"), ("stash", "show"))
        if program not in _SILENT:
            return False
        said = " ".join(words[1:])
        if self._says.search(re.sub(r"\\[nt]", "\n", said)) or "`" in said or "$(" in said:
            return False
        if program in ("echo", "printf"):
            return self._says_nothing_else(said)
        return True

    def _says_nothing_else(self, said: str) -> bool:
        named = [found[1] or found[2] or found[3] for found in _VARIABLE.finditer(said)]
        if self._variable and self._variable in named:
            self._is_hidden = False
        is_formed = "%s" in said and _SAYS_OF_SUCCESS.search(said) is not None
        return not is_formed and all(name in (*_CODES, self._variable) for name in named)


def _operands(words: Sequence[str]) -> list[str]:
    """Return the words of a command that are neither options nor numbers."""
    return [word for word in words[1:] if not word.startswith("-") and not _NUMBER.fullmatch(word)]
