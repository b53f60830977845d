"""Make the lines an agent looks up first: the next item, the commands, other plans with open items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from progress_plugin.model.work import Item, Line, Source, Statement
from progress_plugin.selection.features import CODE
from progress_plugin.selection.words import word_list
from progress_plugin.state.state import PlanState

MAX_COMMANDS = 4
MAX_COMMAND_CHARS = 60
PLACEHOLDER = re.compile(r"(?<!/)\.\.\.|[<>\[\]@…]|\w/\w+/")
LETTERS = re.compile(r"[a-z]+")
RESULT = re.compile(
    r"([^`]{4,80}?) (?:pass|succeed|exit)(?:s|es)?\b"
)  # `npm test passes`, not marked as code
MAX_FILES = 8
MAX_NOTE_CHARS = 300


def item_lines(item: Item) -> list[Line]:
    """Return what an item asks for: every criterion, its files, its notes."""
    lines = [_line_of(item, text) for text in item.criteria]
    if item.files:
        lines.append(Line(f"Files: {', '.join(item.files[:MAX_FILES])}", (item.source,)))
    if item.notes:
        lines.append(_line_of(item, item.notes, f"Notes: {item.notes[:MAX_NOTE_CHARS]}"))
    return lines


def _line_of(item: Item, text: str, shown: str = "") -> Line:
    return Line(shown or text, (item.source._replace(line=item.lines.get(text) or item.source.line),))


def command_line(items: Iterable[Item], statements: Sequence[Statement]) -> Line | None:
    """Return one line with the commands that build, test or check, those named most often first.

    Commands that criteria of the plan name come before those of logs. A command that a longer one begins with
    is not shown beside it.
    """
    asked: Counter[str] = Counter()
    times: Counter[str] = Counter()
    sources: dict[str, Source] = {}
    for line in (_line_of(item, text) for item in items for text in item.criteria):
        found = RESULT.match(line.text)
        for command in _commands_in([*CODE.findall(line.text), *([found[1]] if found else [])]):
            asked[command] += 1
            sources.setdefault(command, line.sources[0])
    for statement in statements:
        code = [statement.text] if statement.form == "code" else CODE.findall(statement.text)
        for command in _commands_in(code):
            times[command] += 1
            sources[command] = statement.source
    if not sources:
        return None
    longest = [each for each in sources if not any(other.startswith(f"{each} ") for other in sources)]
    often = sorted(longest, key=lambda each: (-asked[each], -times[each], len(each), each))[:MAX_COMMANDS]
    commands = ", ".join(f"`{command}`" for command in often)
    return Line(f"Commands: {commands}", tuple(sources[command] for command in often))


def _commands_in(code: Iterable[str]) -> set[str]:
    lines = (each.removeprefix("$ ").strip() for each in code)
    return {line for line in lines if len(line) <= MAX_COMMAND_CHARS and _is_check(line)}


def _is_check(code: str) -> bool:
    """Return whether a piece of code is a command that builds, tests or checks, e.g. `cd web && npm test`."""
    return not PLACEHOLDER.search(code) and any(map(_is_one_check, code.split("&&")))


def _is_one_check(command: str) -> bool:
    program, _, rest = command.strip().removeprefix("./").partition(" ")
    is_command = bool(rest) and program in word_list("tools")
    return is_command and not word_list("checks").isdisjoint(LETTERS.findall(command))


def other_plan_lines(plans: Iterable[PlanState]) -> list[Line]:
    """Return a line for each plan with open items: how many, and the first of them."""
    lines = []
    for state in plans:
        if state.next and state.done < state.total:
            left = f"{state.total - state.done} of {state.total} open"
            text = f"{state.plan.path}: {left}, next: {state.next.text}"
            lines.append(Line(text, (state.next.source,)))
    return lines
