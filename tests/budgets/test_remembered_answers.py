"""What a stale start need not find out again: learnings judged before, looked up by their words."""

from __future__ import annotations

import functools
import inspect
import json
import os
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from progress_plugin.authored import heading as heading_module
from progress_plugin.authored import reader as authored_reader
from progress_plugin.authored.reader import AuthoredLog, read_log
from progress_plugin.core.caches import checked_marshal
from progress_plugin.core.caches.persistent_memo import Memo
from progress_plugin.core.project import find_project
from progress_plugin.learnings import extract as extract_module
from progress_plugin.learnings import logged_learnings, merge_cache, subjects
from progress_plugin.learnings import merge as merge_module
from progress_plugin.learnings.extract import extract
from progress_plugin.learnings.learning_kind import kind_by_words
from progress_plugin.learnings.logged_learnings import merged_facts
from progress_plugin.learnings.merge import merge
from progress_plugin.log import events as log_events
from progress_plugin.log import markdown_output
from progress_plugin.model.event import Event
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.passages import entry_passages
from progress_plugin.passages import reader as passages_reader
from progress_plugin.passages.noise import is_bare_status, is_of_its_moment, telling
from progress_plugin.passages.passage import Reading
from progress_plugin.passages.reader import read_passages
from progress_plugin.plans import attribution
from progress_plugin.summary.tokens import estimate
from progress_plugin.text.paths_in_text import said_of_files
from progress_plugin.text.safe_output import cell, item, one_line, summary_item
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.summarizing import file_notes, learning_cache
from progress_plugin.usecases.summarizing.summary_files import prepare, regenerate
from progress_plugin.worth.features import said_in
from progress_plugin.worth.said_already import words_of

_NAMES = ("anchor", "beacon", "cable", "davit", "fender", "hawser", "jetty", "lantern", "pilot", "winch")


def _agents_log(entries: int) -> str:
    """Return a log whose learnings are alike enough to be compared, merged and corrected."""
    dice = random.Random(entries)
    lines = ["# Progress Log", ""]
    for number in range(1, entries + 1):
        first, second = dice.choice(_NAMES), dice.choice(_NAMES)
        lines += [
            f"## 2026-01-{number % 28 + 1:02} - US-{number:04}: Mend the {first}", f"- Mended src/{first}.py",
            "**Learnings:**", f"- Gotcha: the {first} must be checked before `{second}_{number % 7}` is opened",
            f"- The {second} in src/{second}_{number % 5}.py now needs tide {number}", f"- US-{number:04} done", "",
        ]  # fmt: skip
    return "\n".join(lines)


def _found(text: str, memo: Memo | None) -> tuple[list[Learning], list[Learning]]:
    log = read_log(text, "progress.md")
    found = extract(log.document, log.owner_of_line, "progress.md", memo)
    return found, merge(found, memo)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a log long enough for its answers to be kept."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "progress.md").write_text(_agents_log(120), "utf-8")
    return tmp_path


def _renew(root: Path) -> list[Learning]:
    project = find_project(str(root))
    prepare(project)
    return list(regenerate(project, 10).facts.learnings)


def test_learnings_are_the_same_with_answers_of_an_earlier_process(project: Path) -> None:
    before = _renew(project)
    known = learning_cache.recall(str(project))
    assert known._before, "nothing was kept"
    assert _found(_agents_log(120), known) == _found(_agents_log(120), None)
    assert _renew(project) == before


@pytest.mark.parametrize("name", ["is_decoy", "_judged"])
def test_of_a_log_that_has_grown_only_the_new_lines_are_judged(
    project: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _renew(project)
    asked = _watched(monkeypatch, name)
    with (project / "progress.md").open("a", encoding="utf-8") as file:
        file.write("**Learnings:**\n- Gotcha: the new crane must be greased\n")
    _renew(project)
    assert [text for text, *_ in asked] == ["the new crane must be greased"]


def test_of_a_log_that_has_grown_only_new_statements_are_searched_for_what_they_say_of_files(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _renew(project)
    asked = _watched(monkeypatch, "said_of_files", file_notes)
    with (project / "progress.md").open("a", encoding="utf-8") as file:
        file.write("- The crane in src/crane.py is greased from above\n")
    _renew(project)
    assert [text for text, *_ in asked] == ["The crane in src/crane.py is greased from above"]


def _watched(
    monkeypatch: pytest.MonkeyPatch, name: str, module: ModuleType = extract_module
) -> list[tuple[Any, ...]]:
    """Have the calls of a function of a module noted, by default of extraction."""
    asked: list[tuple[Any, ...]] = []
    original: Callable[..., Any] = getattr(module, name)

    @functools.wraps(original)  # answers are found by the function's name
    def noted(*arguments: Any) -> Any:
        asked.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(module, name, noted)
    return asked


def test_nothing_about_a_text_with_a_secret_in_it_is_kept(project: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    with (project / "progress.md").open("a", encoding="utf-8") as file:
        file.write(f"**Learnings:**\n- Gotcha: the crane takes {secret}\n")
    _renew(project)
    place = learning_cache.place(str(project))
    assert place is not None
    kept = Path(place).read_bytes()
    assert b"tide 100" in kept
    assert secret.encode() not in kept
    assert secret.lower().encode() not in kept


def test_every_function_that_answers_is_among_the_code_whose_change_is_noticed(project: Path) -> None:
    _renew(project)
    place = learning_cache.place(str(project))
    assert place is not None
    _, tables = checked_marshal.read(place)
    known = (
        extract_module.is_decoy,
        extract_module._judged,
        merge_module.words_of,
        merged_facts,
        logged_learnings._taught,
        telling,
        said_in,
        words_of,
        log_events._facts,
        said_of_files,
        cell,
        item,
        estimate,
        summary_item,
        one_line,
        is_of_its_moment,
        is_bare_status,
        kind_by_words,
        inspect.unwrap(subjects._named_in),
        inspect.unwrap(subjects._spoken_in),
    )
    readers = (authored_reader, passages_reader, extract_module, merge_cache, heading_module)
    assert set(tables) == {f"{function.__module__}.{function.__name__}" for function in known} | {
        f"{reader.__name__}.{what}"
        for reader, what in zip(readers, ("body", "entry", "entry", "places", "heading"), strict=True)
    }
    for each in (*known, *readers):
        assert os.path.dirname(inspect.getfile(each)) in learning_cache._CODE


OLD_SECRET = "ghp_" + "z9Y8" * 9


@pytest.fixture
def logged(tmp_path: Path) -> Path:
    """Return a project with a long log of ours, in which an older version stored a secret."""
    (tmp_path / ".git").mkdir()
    ours = tmp_path / ".agent-os/progress"
    ours.mkdir(parents=True)
    entries: list[dict[str, Any]] = [
        {"id": f"e-{number}", "timestamp": "2026-01-05T10:00:00Z", "type": "task_completed",
         "task_id": f"T-{number}", "data": {"description": f"Mend the crane at berth {number}"}}
        for number in range(200)
    ]  # fmt: skip
    entries[7]["data"]["notes"] = f"Deployed with {OLD_SECRET}"
    (ours / "progress.json").write_text(json.dumps({"version": "1.0", "entries": entries}))
    return tmp_path


def test_how_an_entry_is_written_is_kept_for_the_newest_day_and_where_its_day_is_not(logged: Path) -> None:
    log = logged / ".agent-os/progress/progress.json"
    document = json.loads(log.read_bytes())
    for number, entry in enumerate(document["entries"]):
        entry["timestamp"] = f"2026-01-{5 + number // 50:02}T10:00:00Z"
    log.write_text(json.dumps(document))
    _log(logged, "Lit the lamp")
    place = learning_cache.place(str(logged))
    assert place is not None
    _, tables = checked_marshal.read(place)
    days, parts = (tables[f"{markdown_output.__name__}.{name}"] for name in ("day", "_parts"))
    assert sorted(len(numbers) for _, *numbers in days) == [1, 50, 50, 50], "one day has a secret in it"
    assert len(parts) == 1 + 49
    assert sum("Lit the lamp" in rest for _, rest in parts.values()) == 1


def _log(root: Path, words: str) -> None:
    log_entry(find_project(str(root)), "task_completed", now=datetime.now(UTC), description=words)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (log_events, "_facts"),
        (markdown_output, "_parts"),
        (entry_passages, "_statements"),
        (logged_learnings, "_taught"),
    ],
)
def test_of_our_own_log_only_the_new_entry_is_worked_out(
    logged: Path, module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _log(logged, "Lit the lamp")
    asked = _watched(monkeypatch, name, module)
    _log(logged, "Drew the map")
    worked_out = sorted(entry["data"]["description"] for (entry,) in asked)
    assert worked_out == ["Drew the map", "Mend the crane at berth 7"], "the latter has a secret in it"


def test_each_event_is_attributed_once_however_many_ask(
    logged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stories = [{"id": f"T-{number}", "title": f"Crane {number}", "passes": True} for number in range(60)]
    (logged / "prd.json").write_text(json.dumps({"project": "Cranes", "userStories": stories}))
    prepare(find_project(str(logged)))
    asked: list[int] = []
    concern = attribution.may_concern
    monkeypatch.setattr(attribution, "may_concern", lambda *about: asked.append(1) or concern(*about))
    named: list[Event] = []
    unplanned = attribution.Attribution.unplanned
    monkeypatch.setattr(
        attribution.Attribution, "unplanned", lambda own, event: named.append(event) or unplanned(own, event)
    )
    found = _watched(monkeypatch, "_facts", log_events)
    events = regenerate(find_project(str(logged)), 10).facts.events
    assert len(events) == 200
    assert 200 <= len(asked) < 210, "an entry that blocks is asked about by itself, too"
    assert len(named) == 200, "which of its ids no plan has is asked once, too"
    assert 200 <= len(found) < 210, "learnings do not have entries of ours read once more"


def test_nothing_about_an_entry_with_a_secret_in_it_is_kept(logged: Path) -> None:
    _log(logged, "Lit the lamp")
    place = learning_cache.place(str(logged))
    assert place is not None
    kept = Path(place).read_bytes()
    assert b"berth 150" in kept
    assert OLD_SECRET.encode() not in kept
    assert b"Deployed" not in kept
    for function in (log_events._facts, markdown_output._parts):
        assert os.path.dirname(inspect.getfile(function)) in learning_cache._CODE


def _whole_reading(text: str, memo: Memo | None) -> tuple[AuthoredLog, Reading, list[Learning]]:
    log = read_log(text, "progress.md", {"US-0007": "Dig the dock"}, memo)
    found = extract(log.document, log.owner_of_line, "progress.md", memo, log.apart)
    return log._replace(apart=()), read_passages(log, memo=memo), found


_PIECES = (
    "- Mended src/{a}.py; 12 tests passed", "- [ ] Grease the {b}", "**Learnings:**", "**Gotchas:**", "Status: blocked",
    "- Gotcha: the {a} must be shut before `{b}_1` opens", "  - The {b} leads to src/{a}_2.py", "### Notes", "#### Findings",
    "---", "| File | What |", "|---|---|", "| src/{a}.py | never sink the {b} |", "```", "the {a} is code", "## Blockers",
    "- None", "Problem: the {a} leaks", "Fix: caulk it with {b}", "- {a}", "- {b}", "Next steps:", "1. Paint the {a}", "",
    "> quoted {b}", "- Patterns discovered", "Title of the {a}", "==========", "## Codebase Patterns", "- Use the {b} for all",
)  # fmt: skip
"""Lines of which any may stand below a heading of an entry, beside or between entries."""


def _random_log(dice: random.Random, entries: int) -> list[str]:
    """Return the parts of a log whose entries say anything, some of them several times or within another."""
    parts = []
    for number in range(entries):
        level, name = dice.choice(("##", "##", "###", "#")), dice.randrange(1, 1 + entries)
        heading = dice.choice(
            (
                f"{level} 2026-01-{name % 28 + 1:02} - US-{name:04}",
                f"{level} US-{name:04}: Mend it {number}",
                "## Session 3",
            )
        )
        lines = [dice.choice(_PIECES) for _ in range(dice.randrange(12))]
        a, b = dice.choice(_NAMES), dice.choice(_NAMES)
        parts.append("\n".join([heading, *(line.format(a=a, b=b) for line in lines)]))
    return parts


@pytest.mark.parametrize("seed", [*range(8), 1047])
def test_whatever_is_remembered_of_entries_a_log_reads_the_same(seed: int) -> None:
    dice = random.Random(seed)
    parts, memo = ["# Progress Log", *_random_log(dice, 14)], Memo()
    for _ in range(8):
        text = "\n".join(parts)
        assert _whole_reading(text, memo) == _whole_reading(text, None)
        memo = Memo(memo._asked)
        at = dice.randrange(len(parts))
        change = dice.randrange(4)
        if change == 0:
            parts += _random_log(dice, 1)
        elif change == 1:
            parts[at] += "\n" + dice.choice(_PIECES).format(a="winch", b="pilot")
        elif change == 2:
            parts.insert(at, _random_log(dice, 1)[0])
        else:
            del parts[max(at, 1)]


def test_what_is_remembered_of_a_heading_holds_for_the_ids_of_its_plan() -> None:
    text, memo = (
        "# Progress Log\n\n## dock-gate, opened at low tide\n- Done\n\n## US-2: Mend it\n- Done\n",
        Memo(),
    )
    plans: tuple[dict[str, str], ...] = ({}, {"dock-gate": "Open the gate"}, {"low-tide": "Wait"}, {})
    named = []
    for titles in plans:
        log = read_log(text, "progress.md", titles, memo)
        assert log._replace(apart=()) == read_log(text, "progress.md", titles)._replace(apart=())
        named.append(log.events[0].stories)
        memo = Memo(memo._asked)
    assert named == [("US-2",), ("dock-gate",), ("US-2",), ("US-2",)]


@pytest.mark.parametrize("where", ["end", "top", "middle"])
def test_of_a_log_that_was_edited_anywhere_only_the_edited_entry_is_read_again(
    project: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _renew(project)
    asked = _watched(monkeypatch, "read_body", authored_reader)
    path = project / "progress.md"
    text = path.read_text("utf-8")
    if where == "end":
        path.write_text(f"{text}\n## 2026-02-01 - US-0121: Tar the hull\n- Tarred it\n", "utf-8")
    elif where == "top":
        path.write_text(
            text.replace("# Progress Log\n", "# Progress Log\n\n## Codebase Patterns\n- Use tar\n", 1),
            "utf-8",
        )
    else:
        path.write_text(text.replace("US-0060 done", "US-0060 done at last", 1), "utf-8")
    _renew(project)
    lines = {"end": [843], "top": [], "middle": [416]}[where]
    assert [entry.line for _, entry in asked] == lines


def test_nothing_of_an_entry_with_a_secret_in_it_is_kept_but_of_the_others(project: Path) -> None:
    secret = "ghp_" + "q4R5" * 9
    text = (project / "progress.md").read_text("utf-8")
    (project / "progress.md").write_text(
        text.replace("- US-0060 done", f"- US-0060 sent {secret} ashore"), "utf-8"
    )
    _renew(project)
    place = learning_cache.place(str(project))
    assert place is not None
    assert secret.encode() not in Path(place).read_bytes()
    _, tables = checked_marshal.read(place)
    kept = tables[f"{authored_reader.__name__}.body"]
    lists = (each for body in kept.values() for each in body if isinstance(each, tuple))
    said = [line for each in lists for line in each]
    assert len(kept) == 119
    assert not [line for line in said if "ashore" in line or "US-0060" in line]


def _random_learnings(dice: random.Random, number: int) -> list[Learning]:
    """Return learnings that say the same, contradict and correct each other more often than real ones."""
    found = []
    for at in range(number):
        first, second, tide = dice.choice(_NAMES), dice.choice(_NAMES), dice.randrange(4)
        text = dice.choice(
            (
                f"The {first} must be shut before `{second}_gate` opens", f"`{second}_gate` is no longer shut by the {first}",
                f"Grease the {first} of src/{second}_{tide}.py at tide {tide}", f"The {first} now needs tide {tide}",
                f"Use the {first} with the {second}, the {dice.choice(_NAMES)} and the {dice.choice(_NAMES)} at tide {tide}",
            )
        )  # fmt: skip
        kind = dice.choice(list(LearningKind))
        found.append(Learning(kind, text, "progress.md", (at + 1,), position=at // 3))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_remembered_of_it_learnings_are_merged_the_same(seed: int) -> None:
    dice = random.Random(seed)
    learnings, memo = _random_learnings(dice, 200), Memo()
    for _ in range(6):
        settled = learnings[: dice.choice((0, 0, 5))]
        rest = learnings[len(settled) :]
        assert merge(rest, memo, settled) == merge(rest, None, settled)
        memo = Memo(memo._asked)
        change = dice.randrange(3)
        if change == 0:
            learnings = [*learnings, *_random_learnings(dice, 200 + dice.randrange(90))[200:]]
        elif change == 1:
            del learnings[dice.randrange(len(learnings))]
        else:
            learnings.insert(dice.randrange(len(learnings)), _random_learnings(dice, 1)[0])


@pytest.mark.parametrize("number", [1, merge_cache._STEP - 1, merge_cache._STEP, 2 * merge_cache._STEP + 7])
def test_learnings_that_are_what_they_were_are_not_compared_however_many(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnings, first = _random_learnings(random.Random(number), number), Memo()
    merged = merge(learnings, first)
    compared = _watched(monkeypatch, "_find", merge_module)
    assert merge(learnings, Memo(first._asked)) == merged
    assert compared == []


def test_of_learnings_that_have_grown_only_the_new_ones_are_compared(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _renew(project)
    compared = _watched(monkeypatch, "_find", merge_module)
    with (project / "progress.md").open("a", encoding="utf-8") as file:
        file.write("## 2026-02-01 - US-0121\n**Learnings:**\n- Gotcha: the new crane must be greased\n")
    _renew(project)
    assert 0 < len(compared) <= merge_cache._STEP
    assert "the new crane must be greased" in {learning.text for learning, *_ in compared}
