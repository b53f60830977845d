"""Make the first lines of a summary: counts, current and next work, blockers, notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from progress_plugin.model.work import Item, Line, Source, Statement
from progress_plugin.selection.score import CODE
from progress_plugin.selection.words import word_list
from progress_plugin.state.decide import MIN_COMMITS
from progress_plugin.state.matching import shares_words
from progress_plugin.state.state import PlanState, State, Work
from progress_plugin.summary.project_facts import MAX_COMMITS, Facts
from progress_plugin.summary.shown_text import name_all, name_item, name_work, safe_line
from progress_plugin.text.bounds import counted, shortened
from progress_plugin.text.patterns import LazyPattern

MAX_WORK_CHARS = 260
MAX_CRITERION_CHARS = 240
MAX_LINES = 4  # of one kind, e.g. blockers
MAX_OTHER_CHARS = 70  # of the first open item of another plan
MAX_SUBJECTS = 3
MAX_SUBJECT_CHARS = 72
MAX_COMMANDS = 3
MAX_COMMAND_CHARS = 60
# Code with an ellipsis, a bracket, `python -c` or `\` at its end is no whole command.
NOT_A_WHOLE_COMMAND = LazyPattern(r"(?<!/)\.\.\.|[(\[\]…]| -[ce] |\\$")
REJECTED = LazyPattern(r"\b(?:not|never|instead of|rather than) `[^`]*`")  # a text advises against it
SCRIPT = LazyPattern(r"[^/@]+|.*\.\w+")  # not a folder or package
LETTERS = LazyPattern(r"[a-z]+")
VARIABLES = LazyPattern(r"^(?:[A-Z_]+=(?:\"[^\"]*\"|\S*)\s+)+")  # `CI=1 npm test`
RESULT = LazyPattern(r"([^`]{4,80}?) (?:pass|succeed|exit)(?:s|es)?\b")  # `npm test passes`, not in backticks
MAX_FILES = 8
MAX_NOTE_CHARS = 300


class SummaryHead(NamedTuple):
    """The lines below the heading Completion Status."""

    stories: Line
    current: Line | None
    asked: tuple[Line, ...]  # what the current item asks for: criteria, files, notes
    next: Line | None
    blocked: tuple[Line, ...]
    steps: tuple[Line, ...]  # further steps that documents state
    notes: tuple[Line, ...]  # conflicts, unknown statuses, other plans, commands, problems of reading

    def lines(self) -> list[Line]:
        """Return all lines in the order in which they are shown."""
        works = (self.current, *self.asked, self.next)
        return [self.stories, *filter(None, works), *self.blocked, *self.steps, *self.notes]


def make_head(facts: Facts) -> SummaryHead:
    """Make the head of a summary."""
    state = facts.state
    at_hand = (state.current or state.next) if state.is_kept else None
    asked = item_lines(at_hand.item) if at_hand and at_hand.item else []
    further = further_steps(state)
    steps = (
        safe_line(name, each.source, limit=MAX_WORK_CHARS)
        for name, each in zip(name_all(further), further, strict=True)
    )
    return SummaryHead(
        stories=safe_line(describe_count(state)),
        current=_work_line(state.current),
        asked=tuple(safe_line(each.text, *each.sources, limit=MAX_CRITERION_CHARS) for each in asked),
        next=_work_line(state.next),
        blocked=tuple(_first_lines("Blocked", _blocked_lines(state))),
        steps=tuple(_first_lines("Further steps", steps)),
        notes=tuple(_note_lines(facts)),
    )


def describe_count(state: State) -> str:
    """Return `3/7 complete (42%)`; without a list of the work, how many entries were logged."""
    if state.total is None or state.done is None:
        if state.items:
            return f"nothing to do: {len(state.items)} skipped"
        if not state.entries:
            return "no plan and no entries"
        return f"{counted(state.entries, 'entry')} logged"
    if state.is_complete:
        return f"{state.done}/{state.total} complete (100%)"
    if state.done == state.total:
        return f"{state.done}/{state.total} done; what is still open is named below"
    if not state.is_kept:
        return f"{state.done}/{state.total} marked done"
    percent = min(99, round(100 * state.done / max(1, state.total)))
    return f"{state.done}/{state.total} complete ({percent}%)"


def _work_line(work: Work | None) -> Line | None:
    return safe_line(name_work(work), work.source, limit=MAX_WORK_CHARS) if work else None


def _blocked_lines(state: State) -> list[Line]:
    lines = []
    for name, work in zip(name_all(state.blocked), state.blocked, strict=True):
        reason, by = work.reason and f" - {work.reason}", work.writer and f" (by {work.writer})"
        lines.append(safe_line(f"{name}{reason}{by}", work.source))
    return lines


def further_steps(state: State) -> list[Work]:
    """Return the stated next steps that are not shown as the current or next work already."""
    shown = [work.text for work in (state.current, state.next) if work]
    return [step for step in state.steps if not any(shares_words(step.text, text) for text in shown)]


def boxes_left_at_end(state: State) -> tuple[Item, ...]:
    """Return the open boxes that are not items of the plan, if all items are done or there is no plan."""
    return state.open_boxes if state.done == state.total and not state.is_complete else ()


def _note_lines(facts: Facts) -> Iterator[Line]:
    state = facts.state
    claims = (
        f"{each.story}: claimed by {each.by} since {each.since}, until {each.until}" for each in facts.claims
    )
    yield from _first_lines("Claims", map(safe_line, claims))
    yield from _first_lines("Plan and log disagree", map(safe_line, state.conflicts))
    yield from map(safe_line, state.unknown)
    for name, items in (("Left for later", state.left_for_later), ("Still open", boxes_left_at_end(state))):
        lines = (safe_line(f"{name}: {name_item(item)}", item.source) for item in items)
        yield from _first_lines(name, lines)
    yield from _later_commits(facts)
    others = (safe_line(f"Other plan: {each.text}", *each.sources) for each in other_plan_lines(state.plans))
    yield from _first_lines("Plans with open items", others)
    statements = [each for log in facts.logs for each in log.statements]
    if commands := commands_line([each.item for each in state.items], statements):
        yield safe_line(commands.text, *commands.sources)
    problems = dict.fromkeys((*facts.problems, *state.problems))
    yield from _first_lines("Not read", (safe_line(f"Not read: {text}") for text in problems))


def _later_commits(facts: Facts) -> Iterable[Line]:
    """Yield a line about the commits since plans and logs last changed, if there are several."""
    subjects = facts.later_commits
    if len(subjects) >= MIN_COMMITS:
        doubt = "" if facts.state.is_kept else " and the plan has no mark (check what is done)"
        newest = "; ".join(shortened(each, MAX_SUBJECT_CHARS, "…") for each in subjects[:MAX_SUBJECTS])
        at_least = "at least " if len(subjects) == MAX_COMMITS else ""
        yield safe_line(
            f"{at_least}{len(subjects)} commits since plans and logs changed{doubt}, the newest: {newest}"
        )


def _first_lines(name: str, lines: Iterable[Line]) -> list[Line]:
    """Return the first lines of a kind, and a line that says how many more there are."""
    shown = list(lines)
    more = Line(f"{name}, {len(shown) - MAX_LINES} more: `agent-progress status`")
    return [*shown[:MAX_LINES], more] if len(shown) > MAX_LINES else shown


def item_lines(item: Item) -> list[Line]:
    """Return the criteria, files and notes of an item."""
    lines = [_line_of(item, text) for text in item.criteria]
    if item.files:
        lines.append(Line(f"Files: {', '.join(item.files[:MAX_FILES])}", (item.source,)))
    if item.notes:
        lines.append(_line_of(item, item.notes, f"Notes: {shortened(item.notes, MAX_NOTE_CHARS)}"))
    return lines


def _line_of(item: Item, text: str, shown: str = "") -> Line:
    return Line(shown or text, (item.source._replace(line=item.lines.get(text) or item.source.line),))


def commands_line(items: Iterable[Item], statements: Sequence[Statement]) -> Line | None:
    """Return one line with the commands that build, test or check, those named most often first.

    Commands in criteria of the plan come before those in logs. A command is left out if a longer one begins
    with it.
    """
    in_plan: Counter[str] = Counter()
    in_logs: Counter[str] = Counter()
    sources: dict[str, Source] = {}
    for line in (_line_of(item, text) for item in items for text in item.criteria):
        found = RESULT.match(line.text)
        for command in _commands_in([*CODE.findall(line.text), *([found[1]] if found else [])]):
            in_plan[command] += 1
            sources.setdefault(command, line.sources[0])
    for statement in statements:
        spans = CODE.findall(REJECTED.sub("", statement.text)) if "`" in statement.text else []
        for command in _commands_in([statement.text] if statement.form == "code" else spans):
            in_logs[command] += 1
            sources[command] = statement.source
    if not sources:
        return None
    longest = [each for each in sources if not any(other.startswith(f"{each} ") for other in sources)]
    shown = sorted(longest, key=lambda each: (-in_plan[each], -in_logs[each], len(each), each))[:MAX_COMMANDS]
    commands = ", ".join(f"`{command}`" for command in shown)
    return Line(f"Commands: {commands}", tuple(sources[command] for command in shown))


def _commands_in(code: Iterable[str]) -> set[str]:
    lines = (each.removeprefix("$ ").strip() for each in code)
    return {line for line in lines if len(line) <= MAX_COMMAND_CHARS and _is_check(line)}


def _is_check(code: str) -> bool:
    """Return whether a piece of code is a command that builds, tests or checks, e.g. `cd web && npm test`."""
    parts = [part for part in code.split("&&") if not part.strip().startswith("cd ")]
    return bool(parts) and not NOT_A_WHOLE_COMMAND.search(code) and all(map(_is_one_check, parts))


def _is_one_check(command: str) -> bool:
    program, _, rest = VARIABLES.sub("", command.strip()).removeprefix("./").partition(" ")
    is_command = bool(rest) and program in word_list("tools")
    named = [each for each in command.split() if not each.startswith("--") and SCRIPT.fullmatch(each)]
    words = [word for each in named for word in LETTERS.findall(each)]
    return is_command and "install" not in words and not word_list("checks").isdisjoint(words)


def other_plan_lines(plans: Sequence[PlanState]) -> list[Line]:
    """Return a line for each other plan with a next item: how many items are open, and which is next.

    For a plan that is older than the leading one its date is shown instead: its next item may be done. If
    nothing is done in an older plan, it is not in use and gets no line.
    """
    lines = []
    for state in plans[1:]:
        plan, is_older = state.plan, state.plan.changed_s < plans[0].plan.changed_s
        if state.next and state.done < state.total and (state.done or not is_older):
            left = f"{state.total - state.done} of {state.total} open"
            first = f", next: {shortened(state.next.text, MAX_OTHER_CHARS, '…')}"
            rest = f" on {plan.date}" if is_older else first
            lines.append(Line(f"{plan.path}: {left}{rest}", (state.next.source,)))
    return lines
