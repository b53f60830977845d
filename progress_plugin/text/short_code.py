"""Fenced code so short that it ends the sentence before it: `Run this before every commit:` and the command.

Which lines are fenced is decided in `text.hidden_lines` (`_hide_fences`); longer code states nothing.
"""

from collections.abc import Iterable, Mapping, Sequence

from progress_plugin.text.section_names import TEACHING, section_of

_MOST_LINES = 3
_LONGEST = 160
"""Characters of such code, its lines in one."""
_REMARKS = ("#", "//", "--")


def short_code(lines: Sequence[str], fences: Iterable[range]) -> Mapping[int, str]:
    """Return by the number of its first line what each short fence holds, its lines as code spans."""
    found = {}
    for fence in fences:
        if len(fence) > 2 * _MOST_LINES + 2:
            continue
        inside = (lines[number - 1].strip() for number in fence[1:-1])
        code = [line for line in inside if line and not line.startswith(_REMARKS)]
        text = "; ".join(f"`{line}`" for line in code)
        if 0 < len(code) <= _MOST_LINES and len(text) <= _LONGEST and text.count("`") == 2 * len(code):
            found[fence.start] = text
    return found


def leads_to_code(text: str) -> bool:
    """Return whether a text ends as one does that is completed by what is below it.

    `Learnings:` does not: a learning is no code.
    """
    return text.rstrip("*_ ")[-1:] in {":", "："} and section_of(text) not in TEACHING
