"""Whatever there is more of in a file, reading it takes no more than so many times as long."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.log.archive import Limits
from progress_plugin.log.blockers import read_blockers
from progress_plugin.log.document import parse
from progress_plugin.log.merge import effective
from progress_plugin.log.progress_md import render
from progress_plugin.log.repair import repair
from progress_plugin.log.verify import verify
from progress_plugin.memory import json_text, observations
from progress_plugin.plans.documents import read_plans
from progress_plugin.recall.file_mentions import names_file
from progress_plugin.recall.question import MAX_CHARACTERS, question_of
from progress_plugin.recall.terms import terms_of
from progress_plugin.selection.merge import find_overtaken, merge
from progress_plugin.text.paths_in_text import paths_in
from tests.hostile.growth import grows_with_its_input, lines_run, takes_time_with_its_input
from tests.hostile.structures import LOGS, LONG_LINES, MARKDOWN, PLANS, Made
from tests.torture.figures import LONG_FORM

NOW = datetime(2026, 3, 14, tzinfo=UTC)
_FIRST = 40
_FIRST_OF_LINES = 20
_FIRST_IN_TIME = 400


def _read_log(text: str) -> None:
    log = read_agent_log("progress.md", text)
    merge(log.learnings)
    find_overtaken(log.statements)


def _read_plan(name: str) -> Callable[[str], None]:
    def read(text: str) -> None:
        try:
            read_plans(name, text)
        except BadInput:
            return

    return read


def _read_own_log(text: str) -> None:
    log = parse(text.encode())
    entries = effective(log.entries)
    read_blockers(entries)
    render(log.document, entries)


def _ask(text: str) -> None:
    terms_of(text)
    question_of(text[:MAX_CHARACTERS])
    names_file(text, ("src", "a.py"))


READERS: dict[str, tuple[Callable[[str], None], dict[str, Made], int]] = {
    "an agent's log": (_read_log, MARKDOWN, _FIRST),
    "a long line of it": (_read_log, LONG_LINES, _FIRST_OF_LINES),
    "task_plan.md": (_read_plan("task_plan.md"), MARKDOWN, _FIRST),
    "tasks.md": (_read_plan("specs/x/tasks.md"), MARKDOWN, _FIRST),
    "prd.json": (_read_plan("prd.json"), PLANS, _FIRST),
    "tasks.json": (_read_plan(".agent-os/specs/x/tasks.json"), PLANS, _FIRST),
    "progress.json": (_read_own_log, LOGS, _FIRST),
    "what is indexed and asked": (_ask, LONG_LINES, _FIRST_OF_LINES),
}


@pytest.mark.parametrize("reader", READERS)
def test_the_work_of_a_reader_grows_with_what_it_reads(reader: str) -> None:
    read, structures, first = READERS[reader]
    steep = {
        name: told for name, made in structures.items() if (told := grows_with_its_input(read, made, first))
    }
    assert steep == {}


@LONG_FORM
@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_the_time_of_a_reader_grows_with_what_it_reads(reader: str) -> None:
    read, structures, _ = READERS[reader]
    steep = {
        name: told for name, made in structures.items() if (told := takes_time_with_its_input(read, made, _FIRST_IN_TIME))
    }  # fmt: skip
    assert steep == {}


@pytest.mark.parametrize("unit", ["+", "a+", "(a/", "a/(", "`a/", "a.", "./", "@-", "a.py"])
def test_paths_are_found_in_a_long_line_in_linear_steps(unit: str) -> None:
    """Each of these took minutes as a line of 200 KB, under the project's lock."""
    assert len(paths_in(f"`{unit * 100_000}` and src/a.py")) <= 100_000
    assert "src/a.py" in paths_in(f"`{unit * 100_000}` and src/a.py")


def test_a_path_in_a_long_line_without_spaces_is_found_all_the_same() -> None:
    assert paths_in("改了、" * 400 + "`src/a.py`" + "，然后" * 400) == ("src/a.py",)


def test_a_document_is_refused_for_its_size_before_it_is_looked_at() -> None:
    text = '{"' + '": 1, "'.join(["k"] * 200_000) + '": 1}'
    assert len(text) > observations.MAX_CONTENT_BYTES

    def parsed() -> None:
        with pytest.raises(BadInput, match="bytes, at most"):
            json_text.parse(text)

    assert lines_run(parsed) < 30


def test_a_name_that_stands_twice_is_named_in_linear_work() -> None:
    def refused(text: str) -> None:
        with pytest.raises(BadInput, match="occurs twice"):
            json_text.parse(text)

    def made(number: int) -> str:
        return "{" + ", ".join(f'"k{at}": 1' for at in range(number)) + f', "k{number - 1}": 2}}'

    assert not grows_with_its_input(refused, made, 200)
    refused(made(40_000))


def test_entries_behind_forty_thousand_damaged_ones_are_read() -> None:
    damaged = LOGS["every entry damaged"](20_000)
    whole = LOGS["completions"](50)
    log = parse((damaged[:-2] + ", " + whole.split("[", 1)[1]).encode())
    assert len(log.entries) == 50


def test_an_entry_longer_than_any_window_is_read_out_of_a_damaged_log() -> None:
    long = {
        "id": "entry-1",
        "timestamp": "2026-03-01T10:00:00Z",
        "type": "x",
        "data": {"notes": "n" * 3_000_000},
    }
    text = '{"entries": [{"id": "broken", ' + json.dumps(long) + "]"
    assert [entry["id"] for entry in parse(text.encode()).entries] == ["entry-1"]


def test_a_repair_after_losing_most_entries_takes_linear_work(tmp_path: Path) -> None:
    def project(number: int) -> str:
        place = tmp_path / f"p{number}"
        folder = place / ".agent-os/progress"
        (folder / "recovery").mkdir(parents=True)
        whole = json.loads(LOGS["completions"](number))
        (folder / "progress.json").write_text(json.dumps(whole | {"entries": whole["entries"][1::2]}))
        (folder / "recovery/original-vanished-20260301T000000Z.json").write_text(json.dumps(whole))
        return str(folder)

    def mend(folder: str) -> None:
        try:
            verify(folder, NOW)
            repair(folder, now=NOW, project_name="p", limits=Limits(entries=10**6))
        except AgentProgressError:
            raise AssertionError("nothing is wrong with this folder") from None

    assert not grows_with_its_input(mend, project, 200)


def test_entries_that_come_back_stand_where_their_time_puts_them(tmp_path: Path) -> None:
    folder = tmp_path / ".agent-os/progress"
    (folder / "recovery").mkdir(parents=True)
    whole = json.loads(LOGS["completions"](28))
    (folder / "progress.json").write_text(json.dumps(whole | {"entries": whole["entries"][::3]}))
    (folder / "recovery/original-vanished-20260301T000000Z.json").write_text(json.dumps(whole))
    repair(str(folder), now=NOW, project_name="p", limits=Limits(entries=10**6))
    mended = json.loads((folder / "progress.json").read_bytes())["entries"]
    assert [entry["id"] for entry in mended] == [f"entry-{at}" for at in range(28)]
