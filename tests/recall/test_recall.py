"""What the history says is found by a question, a name of code or a path, with where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import find_project
from progress_plugin.recall.search import Hit
from progress_plugin.usecases.recalling.answer_text import hit_line, recall_text
from progress_plugin.usecases.recalling.recall import Recalled, recall, since

Ask = Callable[..., Recalled]
First = Callable[..., Hit]


def said(found: Recalled) -> list[str]:
    """Return each statement of an answer, hits and what stands beside them."""
    return [text for hit in found.hits for text in (hit.text, *filter(None, hit.around.split(" … ")))]


def test_a_hit_says_where_and_when_it_was_written_and_about_what(first: First) -> None:
    found = first("which rows does parse_tide_row drop?")
    assert (
        found.text == "`parse_tide_row` drops rows without a height, so the heights must be filled in first"
    )
    assert (found.path, found.line, found.when[:10], found.stories, found.kind) == (
        "progress.md", 12, "2026-03-01", ("US-001",), "gotcha",
    )  # fmt: skip
    assert hit_line(found).startswith(
        "progress.md:12 (2026-03-01, US-001 done, gotcha): `parse_tide_row` drops"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("assignBerth", "Berths are numbered"),
        ("assign berth", "Berths are numbered"),
        ("assign_berth", "Berths are numbered"),
        ("parse tide row", "`parse_tide_row` drops"),
        ("parseTideRow", "`parse_tide_row` drops"),
        ("is_shut", "A gate that is shut twice"),
        ("src/berths/assign.ts", "Berths are numbered"),
        ("assign.ts", "Berths are numbered"),
        ("numb", "Berths are numbered"),
        ("潮汐表", "港口办公室每天早上"),
        ("潮汐", "港口办公室每天早上"),
        ("winter storage", "US-003: Winter storage (pending)"),
        ("HEIGHTS FEET", "The office sends its heights in feet"),
    ],
)
def test_it_is_found_however_it_is_spelt(first: First, words: str, said: str) -> None:
    assert first(words).text.startswith(said)


@pytest.mark.parametrize("words", ["Überprüfung", "Ueberpruefung", "überprüfung"])
@pytest.mark.parametrize("written", ["Die Überprüfung der Kräne", "Die Ueberpruefung der Kraene"])
def test_german_is_found_with_umlauts_and_without(ask: Ask, root: Path, words: str, written: str) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        file.write(f"\n## 2026-04-01 - US-009: x\n\n- {written} steht aus\n")
    assert [hit.text for hit in ask(words).hits] == [f"{written} steht aus"]


def test_words_that_only_ask_do_not_sink_the_match(first: First) -> None:
    plain = first("gate jams").text
    assert plain.startswith("A gate that is shut twice jams")
    assert first("Why does the gate jam, and what must be done about it before it does?").text == plain


def test_who_asks_is_not_looked_for(first: First, root: Path) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as log:
        log.write("\n## 2026-03-09 - US-009: Sign\n- I told my mate that I am doing it\n")
    assert first("how do I run my tests") == first("how to run tests")


def test_what_nothing_says_is_said_in_one_line(ask: Ask) -> None:
    found = ask("lighthouse keeper")
    assert found.hits == []
    assert recall_text(found).startswith("Nothing in the history fits (")
    assert "\n" not in recall_text(found)


@pytest.mark.parametrize("words", ["US-999", "us-999", "`US-999`?", "US-0"])
def test_an_id_that_is_nowhere_is_not_answered_with_others(ask: Ask, words: str) -> None:
    assert recall_text(ask(words)).startswith("Nothing in the history fits (")
    assert {hit.stories for hit in ask("us-002", 20).hits} <= {("US-002",), ()}


def test_for_an_id_what_stands_below_its_heading_comes_before_the_heading(ask: Ask, root: Path) -> None:
    (root / "prd.json").unlink()
    for words in ("US-002", "us-002 quay gate", "what was done for US-002?"):
        best = ask(words).hits[0]
        assert "Quay gate" not in best.text, words
        assert best.stories == ("US-002",)
    with (root / "progress.md").open("a", encoding="utf-8") as log:
        log.write("\n## 2026-03-09 - US-004: Harbour light\n")
    assert ask("US-004").hits[0].text == "2026-03-09 US-004: Harbour light"


def test_where_only_the_other_words_of_a_question_are_known_that_is_said(ask: Ask) -> None:
    told = recall_text(ask("US-999 gate jams"))
    assert "A gate that is shut twice jams" in told
    assert told.endswith("\nNothing in the history names US-999.")
    assert "names" not in recall_text(ask("US-002 gate jams"))


def test_where_the_work_stands_is_told_also_in_words_that_nothing_says(ask: Ask, root: Path) -> None:
    assert (
        ask("what is next and what remains?").hits[0].text
        == "Next and open: US-003: Winter storage (pending)"
    )
    assert "2 of 3 stories done, 1 open" in said(ask("how far is the project?", 3))
    assert "Last finished: US-002: Quay gate" in said(ask("what was finished last?"))
    (root / "prd.json").unlink()
    assert ask("what was done last?").hits[0].when[:10] == "2026-03-04"
    assert ask("how far is the lighthouse?").hits == []


def test_a_project_without_a_history_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty/.git").mkdir(parents=True)
    assert recall_text(recall(find_project(str(tmp_path / "empty")), "gate")) == "There is no history yet."


def test_a_history_that_says_next_to_nothing_is_one(tmp_path: Path) -> None:
    log = tmp_path / ".agent-os/progress/progress.json"
    log.parent.mkdir(parents=True)
    entry = {
        "id": "a",
        "timestamp": "2026-11-20T10:00:00Z",
        "type": "task_completed",
        "task_id": "US-1",
        "data": {"description": "x"},
    }
    log.write_text(json.dumps({"version": "1.0", "entries": [entry]}), "utf-8")
    found = recall_text(recall(find_project(str(tmp_path)), "x"))
    assert found == "Nothing in the history fits (1 passage searched)."
    assert "2026-11-20 US-1" in recall_text(recall(find_project(str(tmp_path)), "US-1"))


def test_no_more_than_the_number_asked_for_is_given_and_nothing_twice(ask: Ask, root: Path) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        for day in range(10, 20):
            file.write(
                f"\n## 2026-04-{day} - US-{day:03}: x\n\n- The gate shuts by itself at low water\n- Gate {day} rusts\n"
            )
    texts = [hit.text for hit in ask("gate", 7).hits]
    assert len(texts) == len(set(texts)) == 7
    assert len(ask("gate shuts by itself at low water", 20).hits) > 1


def test_the_newest_of_equals_comes_first(ask: Ask, root: Path) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        file.write("\n## 2026-03-05 - US-003: x\n\n- Dredging costs 100 a metre\n")
        file.write("\n## 2026-03-06 - US-004: y\n\n- Dredging costs 200 a metre\n")
    assert [hit.text for hit in ask("dredging costs a metre", 2).hits] == [
        "Dredging costs 200 a metre", "Dredging costs 100 a metre",
    ]  # fmt: skip


def test_a_file_narrows_to_what_names_it_and_to_entries_that_list_it(ask: Ask) -> None:
    hits = ask("gate", 20, file="src/gate/shut.py").hits
    assert any("The gate now shuts by itself at low water" in f"{hit.text} {hit.around}" for hit in hits)
    assert ask("gate", file="other/shut.py").hits == []
    assert {hit.path for hit in ask("gate", 20, file="prd.json").hits} == {"prd.json"}


def test_a_story_a_kind_and_a_time_narrow_it(ask: Ask) -> None:
    assert {hit.stories for hit in ask("gate tide", 20, story="us-002").hits} == {("US-002",)}
    assert {hit.kind for hit in ask("gate tide", 20, kind="pattern").hits} == {"pattern"}
    assert {hit.kind for hit in ask("gate tide berths", 20, kind="learnings").hits} <= {
        "gotcha",
        "pattern",
        "dependency",
    }
    late = ask("gate tide", 20, since=datetime(2026, 3, 2, tzinfo=UTC)).hits
    assert {hit.when[:10] for hit in late} == {"2026-03-04"}


def test_without_words_the_newest_that_are_wanted_are_given(ask: Ask) -> None:
    assert {hit.stories for hit in ask("", 20, story="US-001").hits} == {("US-001",)}
    with pytest.raises(BadInput, match=r"^name what to look for"):
        ask(" ")
    with pytest.raises(BadInput, match=r"^nothing can be looked for in '!!'"):
        ask("!!")


def test_a_kind_that_there_is_not_is_refused_with_those_there_are(ask: Ask) -> None:
    with pytest.raises(BadInput, match=r"^there is no kind trap; there are learnings, pattern, gotcha"):
        ask("gate", kind="trap")


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2026-03-01", "2026-03-01T00:00"), ("2026-03-01T10:00:00Z", "2026-03-01T10:00"), ("12h", "2026-03-09T12:00"),
        ("7d", "2026-03-03T00:00"), ("2w", "2026-02-24T00:00"),
    ],
)  # fmt: skip
def test_a_time_is_a_day_or_so_long_ago(text: str, when: str) -> None:
    assert since(text, datetime(2026, 3, 10, tzinfo=UTC)).isoformat().startswith(when)


@pytest.mark.parametrize("text", ["yesterday", "99999d", "d", "-1d", "٣d", "7m"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"is no time; name a day"):
        since(text, datetime(2026, 3, 10, tzinfo=UTC))


def logged(root: Path, *words: str) -> str:
    assert main(["-C", str(root), "log", *words]) == 0
    return str(
        json.loads((root / ".agent-os/progress/progress.json").read_text("utf-8"))["entries"][-1]["id"]
    )


def test_an_entry_of_our_log_and_of_its_archive_is_found_at_its_line(ask: Ask, root: Path) -> None:
    for number in range(3):
        logged(
            root,
            "debug_resolved",
            "-m",
            f"Crane {number} was stuck",
            "--data",
            json.dumps({"root_cause": f"Ice in gear {number}"}),
        )
    path = root / ".agent-os/progress/progress.json"
    found = ask("crane ice gear 1").hits[0]
    assert found.text == "Root cause: Ice in gear 1"
    assert "Ice in gear 1" in path.read_text("utf-8").split("\n")[found.line - 1]
    assert main(["-C", str(root), "archive", "--days", "0", "--at-least", "0"]) == 0
    moved = ask("crane ice gear 1").hits[0]
    assert moved.path.startswith(".agent-os/progress/archive/20")
    assert "Ice in gear 1" in (root / moved.path).read_text("utf-8").split("\n")[moved.line - 1]


def test_what_was_retracted_or_muted_is_not_found(ask: Ask, root: Path) -> None:
    entry = logged(root, "milestone_reached", "-m", "The lighthouse burns gas")
    assert ask("lighthouse gas").hits
    assert main(["-C", str(root), "retract", entry, "--reason", "wrong"]) == 0
    assert not any("burns gas" in hit.text for hit in ask("lighthouse gas").hits)
    muted = "The office sends its heights in feet, which nobody here has used since the war ended"
    assert ask("heights in feet").hits[0].text == muted
    assert main(["-C", str(root), "mute", muted]) == 0
    assert not any("heights in feet" in hit.text + hit.around for hit in ask("heights in feet", 50).hits)


def test_an_archived_entry_that_is_retracted_later_is_not_found(ask: Ask, root: Path) -> None:
    entry = logged(root, "milestone_reached", "-m", "The lighthouse burns gas")
    assert main(["-C", str(root), "archive", "--days", "0", "--at-least", "0"]) == 0
    assert ask("lighthouse gas").hits
    assert main(["-C", str(root), "retract", entry, "--reason", "wrong"]) == 0
    assert not any("burns gas" in hit.text for hit in ask("lighthouse gas").hits)


def test_what_a_start_left_out_is_found_by_an_identifier(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        for number in range(300):
            file.write(
                f"\n## 2026-05-{number % 28 + 1:02} {number // 28 + 1:02}:00 - US-{number + 10:03}: Berth {number}\n\n"
                f"- **Learnings:**\n  - `mooring_ring_{number}` must be greased before `tieUp{number}` in src/rings/r{number}.py\n"
            )
    assert main(["-C", str(root), "context"]) == 0
    context = capsys.readouterr().out
    assert re.search(r"; \d+ statements left out, see `recall`\.\n", context)
    left_out = next(number for number in range(300) if f"mooring_ring_{number}`" not in context)
    assert main(["-C", str(root), "recall", f"tieUp{left_out}", "-n", "1"]) == 0
    assert f"`mooring_ring_{left_out}` must be greased" in capsys.readouterr().out


def test_the_command_prints_lines_or_one_json_object(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(root), "recall", "is", "the", "gate", "shut", "twice", "-n", "1"]) == 0
    assert capsys.readouterr().out == (
        "progress.md:20 (2026-03-04, US-002 done, pattern): A gate that is shut twice jams and has to be freed by hand: ask "
        "`isShut` first\n  beside it: 2026-03-04 US-002: Quay gate … Files: src/gate/shut.py, src/gate/db.ts … The gate "
        "now shuts by itself at low water, at whatever hour of the day that may be … 港口办公室每天早上更新一次潮汐表，"
        "所以必须在每天的第一班船离开之前重新读取它，否则高度是昨天的\n"
    )
    assert (
        main(
            [
                "-C",
                str(root),
                "recall",
                "shut twice",
                "--json",
                "--since",
                "2026-03-02",
                "--kind",
                "pattern",
                "-n",
                "1",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["query"], told["count"]) == ("shut twice", 1)
    assert told["hits"][0] == {
        "file": "progress.md", "line": 20, "last_line": 20, "when": "2026-03-04", "stories": ["US-002"],
        "story_status": "done", "kind": "pattern", "blocker": None, "writer": None,
        "text": "A gate that is shut twice jams and has to be freed by hand: ask `isShut` first", "later": None,
        "around": "港口办公室每天早上更新一次潮汐表，所以必须在每天的第一班船离开之前重新读取它，否则高度是昨天的",
    }  # fmt: skip
    assert main(["-C", str(root), "recall"]) == 2


def test_criteria_of_a_plan_are_found_at_their_story_and_so_is_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stories = [
        {"id": "US-1", "title": "Berths", "acceptanceCriteria": ["Overlap gives 409"], "passes": False},
        {"id": "US-2", "title": "Cranes", "acceptanceCriteria": ["A crane has a name"], "passes": True},
    ]
    (tmp_path / "prd.json").write_text(json.dumps({"userStories": stories}, indent=1))
    assert main(["-C", str(tmp_path), "recall", "overlap", "409"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("prd.json:4 (US-1 pending, notes): Asked for: Overlap gives 409\n")
    assert main(["-C", str(tmp_path), "recall", "stories", "done", "next", "open", "-n", "1"]) == 0
    told = capsys.readouterr().out
    assert re.match(r"prd\.json:\d+ \(status\): (1 of 2 stories done|Next and open: US-1: Berths)", told)


@pytest.mark.parametrize("more", [[], ["--json"], ["-n", "7"], ["-n7"]])
def test_a_question_that_nothing_answers_ends_as_grep_does(root: Path, more: list[str]) -> None:
    assert main(["-C", str(root), "recall", "zeppelin", *more]) == 1


def test_a_passage_of_any_length_is_shown_cut(ask: Ask, root: Path) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        file.write("\n## 2026-04-01 - US-009: x\n\n- Dredging" + " deeper" * 20_000 + "\n")
    found = ask("dredging")
    assert 0 < max(len(hit.text) for hit in found.hits) <= 2000
    assert max(len(line) for line in recall_text(found).splitlines()) < 800


def test_nothing_is_told_twice_in_one_answer(ask: Ask, root: Path) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        file.write(
            "\n## 2026-04-01 - US-009: Gate lamp\n\n- Gate lamp wired\n- Paint dried\n- Gate lamp lit\n"
        )
    for words in ("gate lamp", "gate", "gate shut", "tide table", "what is next", "US-002 quay gate"):
        told = said(ask(words, 20))
        assert len(told) == len(set(told)), words


def test_what_our_log_says_of_a_blocker_is_a_blocker(ask: Ask, root: Path) -> None:
    logged(root, "task_blocked", "--task", "US-003", "-m", "The crane is not certified")
    data = json.dumps({"blocker": "Its papers were lost", "learnings": ["Ask the office for papers in May"]})
    logged(root, "task_blocked", "--task", "US-003", "-m", "No papers", "--data", data)
    told = "; ".join(f"{hit.text} {hit.around}" for hit in ask("", 20, kind="blocker").hits)
    assert all(
        text in told for text in ("The crane is not certified", "No papers", "Blocker: Its papers were lost")
    )
    assert "Ask the office" not in told
    assert ask("ask the office for papers in May").hits[0].kind in {"pattern", "gotcha"}


def test_what_a_plan_asks_of_a_finished_story_does_not_come_next(ask: Ask, root: Path) -> None:
    plan = json.loads((root / "prd.json").read_text("utf-8"))
    plan["userStories"][0]["description"] = "Tides are read each morning"
    (root / "prd.json").write_text(json.dumps(plan), "utf-8")
    assert ask("tides are read each morning").hits[0].kind == "story"
    assert ask("boats craned out in October").hits[0].kind == "next"
