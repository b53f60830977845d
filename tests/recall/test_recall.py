"""A question, a name of code or a path finds what the history says, with its source and its present status."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.cli.main import main
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import find_project
from progress_plugin.recall.filters import file_pattern, parse_time
from progress_plugin.recall.search import Hit
from progress_plugin.text.search_terms import question_of, spellings, terms_of
from progress_plugin.transcripts.events import AgentReply, CommandRun, FileEdit, UserRequest
from progress_plugin.transcripts.record_builder import RecordBuilder
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.memory.location import memory_location
from progress_plugin.usecases.recalling.recall import Answer, hit_line, recall, recall_text
from tests.memory.calls import mem_save
from tests.recall.conftest import EXAMPLES

Ask = Callable[..., Answer]
First = Callable[..., Hit]
NOW = datetime(2026, 3, 10, tzinfo=UTC)


def statements(found: Answer) -> list[str]:
    """Return each statement of an answer, hits and those around them."""
    return [text for hit in found["hits"] for text in (hit["text"], *(hit["around"] or "").split(" … "))]


def logged(root: Path, *words: str) -> str:
    """Append an entry to our log and return its id."""
    assert main(["-C", str(root), "log", *words]) == 0
    entries = json.loads((root / ".agent-os/progress/progress.json").read_text("utf-8"))["entries"]
    return str(entries[-1]["id"])


def append(root: Path, entry: str, *lines: str) -> None:
    """Append an entry to the agent's log."""
    with (root / "progress.md").open("a", encoding="utf-8") as file:
        file.write("\n".join((f"\n## {entry}\n", *lines, "")))


def archive(root: Path) -> None:
    assert main(["-C", str(root), "archive", "--days", "0", "--at-least", "0"]) == 0


def line_of(root: Path, hit: Hit) -> str:
    return (root / hit["file"]).read_text("utf-8").split("\n")[hit["line"] - 1]


@pytest.mark.parametrize(("text", "terms"), EXAMPLES["terms"])
def test_a_text_has_these_terms(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


def test_a_letter_beyond_ascii_does_not_split_a_word() -> None:
    assert spellings("für") == ("fuer",)
    assert spellings("für_alle") == ("fur alle", "furall", "fuer alle")


@pytest.mark.parametrize(("words", "terms"), EXAMPLES["questions"])
def test_words_that_only_ask_are_not_looked_for_beside_others(words: str, terms: list[str]) -> None:
    assert [term.text for term in question_of(words).terms] == terms


@pytest.mark.parametrize(("words", "text"), EXAMPLES["found"])
def test_it_is_found_in_any_spelling(first: First, root: Path, words: str, text: str) -> None:
    append(root, "2026-03-02 - US-009: x", "- Die Ueberpruefung der Kräne steht aus")
    assert first(words)["text"].startswith(text)


@pytest.mark.parametrize("words", ["lighthouse keeper", "US-999", "`us-999`?", "US-0"])
def test_a_question_that_nothing_answers_says_so_in_one_line(ask: Ask, root: Path, words: str) -> None:
    found = recall_text(ask(words))
    assert found.startswith("Nothing in the history fits (")
    assert "\n" not in found
    assert main(["-C", str(root), "recall", words]) == 1
    shutil.rmtree(root)
    (root / ".git").mkdir(parents=True)
    assert recall_text(ask(words)) == "There is no history yet."


def test_a_story_is_found_by_its_id_and_an_unknown_one_is_named(ask: Ask, root: Path) -> None:
    assert {tuple(hit["stories"]) for hit in ask("us-002", 20)["hits"]} <= {("US-002",), ()}
    text = recall_text(ask("US-999 gate jams"))
    assert text.endswith("\nNothing in the history names US-999.")
    (root / "prd.json").unlink()
    assert "Quay gate" not in ask("what was done for US-002?")["hits"][0]["text"]  # what is below the heading


def test_the_newest_of_equals_comes_first_and_nothing_twice(ask: Ask, root: Path) -> None:
    append(root, "2026-03-05 - US-003: x", "- Dredging costs 100 a metre")
    append(root, "2026-03-06 - US-004: y", "- Dredging costs 200 a metre", "- Dredging costs 100 a metre")
    assert ask("dredging costs a metre")["hits"][0]["text"].startswith("Dredging costs 200")
    for words in ("dredging", "gate", "what is next", "US-002 quay gate"):
        texts = statements(ask(words, 20))
        assert len(texts) == len(set(texts)), words


# Questions about the state


def test_the_state_answers_questions_about_it(
    ask: Ask, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    append(root, "2026-04-01 - US-009: x", "- Ruff I001: import blocks must be sorted")
    for words in ("what is blocked", "any blockers?"):
        assert recall_text(ask(words)) == "Nothing is recorded as blocked."
    assert ask("what should I do next")["state"] == ["Current: US-003: Winter storage"]
    logged(root, "task_blocked", "--task", "US-003", "-m", "The crane is not certified")
    text = recall_text(ask("what is blocked"))
    assert text.startswith("Blocked: US-003: Winter storage: The crane is not certified\n")
    assert ask("what is blocked")["state"] == [text.split("\n")[0]]
    assert main(["-C", str(root), "recall", "what", "is", "blocked"]) == 0
    assert "import blocks" not in capsys.readouterr().out


def test_how_to_run_the_tests_is_answered_with_a_command_or_not_at_all(ask: Ask, root: Path) -> None:
    assert ask("how do I run the tests")["hits"][0]["text"] == "Run `make lint` before each commit"
    (root / "progress.md").write_text(
        "# Log\n\n## 2026-03-01 - US-001: x\n\n- The tests were tedious\n", "utf-8"
    )
    assert recall_text(ask("how do I run the tests")) == "No command for it is recorded."


def test_how_far_a_plan_is_can_be_asked_in_words_that_nothing_says(ask: Ask) -> None:
    assert "2 of 3 stories done, 1 open" in statements(ask("how far is the project?", 3))
    assert "Last finished: US-002: Quay gate" in statements(ask("what was finished last?"))


def test_the_stories_of_a_leading_plan_in_markdown_are_found(ask: Ask, root: Path) -> None:
    for name in ("prd.json", "progress.md"):
        (root / name).unlink()
    (root / "plan.md").write_text(
        "# Plan\n\n## Task 1: Oil the crane\n- [ ] Buy oil\n## Task 2: Paint\n", "utf-8"
    )
    assert "Task 1" in recall_text(ask("oil crane"))


# Filters


@pytest.mark.parametrize(
    ("wanted", "named"),
    [
        ({"story": "US-999"}, "story US-999"),
        ({"file": "nowhere.ts"}, "file nowhere.ts"),
        ({"since": datetime(2030, 1, 1, tzinfo=UTC)}, "since 2030-01-01T00:00:00Z"),
        ({"story": "US-002", "kind": "blocker"}, "story US-002, kind blocker"),
    ],
)
def test_filters_that_leave_nothing_are_named(ask: Ask, wanted: dict[str, Any], named: str) -> None:
    text = recall_text(ask("gate", **wanted))
    assert text.startswith(f"Nothing in the history fits with {named} (")


def test_a_story_a_kind_and_a_time_narrow_it(ask: Ask) -> None:
    assert {tuple(hit["stories"]) for hit in ask("gate tide", 20, story="us-002")["hits"]} == {("US-002",)}
    assert {hit["kind"] for hit in ask("gate tide", 20, kind=" Patterns ")["hits"]} == {"pattern"}
    assert {hit["kind"] for hit in ask("gate tide", 20, kind="learnings")["hits"]} <= {"gotcha", "pattern"}
    late = ask("gate tide", 20, since=datetime(2026, 3, 2, tzinfo=UTC))["hits"]
    assert {hit["when"][:10] for hit in late} == {"2026-03-04"}
    assert {tuple(hit["stories"]) for hit in ask("", 20, story="US-001")["hits"]} == {("US-001",)}


@pytest.mark.parametrize(
    ("words", "wanted", "message"),
    [*EXAMPLES["bad"], ("x" * 2001, {}, "^the question has 2001 characters; at most 2000")],
)
def test_a_bad_question_is_refused(ask: Ask, words: str, wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        ask(words, **wanted)


@pytest.mark.parametrize(("text", "when"), EXAMPLES["times"])
def test_a_time_is_a_day_or_an_age(text: str, when: str) -> None:
    if when:
        assert parse_time(text, NOW).isoformat().startswith(when)
    else:
        with pytest.raises(BadInput, match=r"is not a time; name a day"):
            parse_time(text, NOW)


@pytest.mark.parametrize(("text", "path", "named"), EXAMPLES["file_mentions"])
def test_a_text_names_a_file_if_one_path_is_the_end_of_the_other(text: str, path: str, named: bool) -> None:
    assert bool(file_pattern(path).search(text)) is named


@pytest.mark.parametrize("path", EXAMPLES["files"])
def test_a_file_is_the_same_in_any_spelling(ask: Ask, root: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "link").symlink_to(root)
    named = path.replace("ROOT", str(root)).replace("LINK", str(tmp_path / "link"))
    texts = " ".join(statements(ask("", 20, file=named)))
    assert "shuts by itself" in texts
    assert "assignBerth" not in texts


def test_a_file_narrows_to_what_names_it_and_the_root_to_everything(ask: Ask, root: Path) -> None:
    assert ask("gate", file="other/shut.py")["hits"] == ask("gate", file="src/ga")["hits"] == []
    assert {hit["file"] for hit in ask("gate", 20, file="prd.json")["hits"]} == {"prd.json"}
    assert ask("gate", 20, file=str(root))["hits"] == ask("gate", 20)["hits"]
    assert ask("", file="/elsewhere/quay/src/gate/shut.py")["hits"] == []


def test_a_question_that_is_a_path_gives_what_names_it_also_with_a_story(ask: Ask, root: Path) -> None:
    append(root, "2026-03-05 - US-003: Winter storage", "- src/sheds/gate.py holds the gate's boats")
    assert all("shut.py" in hit["text"] for hit in ask("src/gate/shut.py:14")["hits"])
    assert {tuple(hit["stories"]) for hit in ask("src/gate/shut.py", story="US-002")["hits"]} == {("US-002",)}
    assert ask("src/gate/shut.py", story="US-001")["hits"] == []
    assert ask("src/berths/free.ts")["hits"]  # named nowhere: what comes near


# Our log, sessions, the memory


def test_an_entry_of_our_log_and_of_its_archive_is_found_at_its_line(ask: Ask, root: Path) -> None:
    for number in range(3):
        data = json.dumps({"root_cause": f"Ice in gear {number}"})
        entry = logged(root, "debug_resolved", "-m", f"Crane {number} was stuck", "--data", data)
    for _ in range(2):
        found = ask("crane ice gear 1")["hits"][0]
        assert found["text"] == "Root cause: Ice in gear 1"
        assert "Ice in gear 1" in line_of(root, found)
        archive(root)
    assert found["file"].startswith(".agent-os/progress/archive/20")
    assert main(["-C", str(root), "retract", entry, "--reason", "wrong"]) == 0
    assert not any("gear 2" in hit["text"] for hit in ask("crane ice gear 2")["hits"])


def test_from_a_linked_worktree_the_path_leads_to_the_log(root: Path, tmp_path: Path) -> None:
    (root / ".git").rmdir()
    for words in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "x"),
                  ("worktree", "add", "-q", str(tmp_path / "linked"))):  # fmt: skip
        author = ("-c", "user.name=x", "-c", "user.email=x@y")
        subprocess.run(["git", "-C", str(root), *author, *words], check=True, capture_output=True)
    logged(root, "milestone_reached", "-m", "The lighthouse burns gas")
    for _ in range(2):
        [hit] = recall(find_project(str(tmp_path / "linked")), "lighthouse gas")["hits"]
        assert "The lighthouse burns gas" in line_of(tmp_path / "linked", hit)
        archive(root)


def test_a_muted_learning_is_not_found_and_nothing_else_is_hidden(ask: Ask, root: Path) -> None:
    logged(root, "task_blocked", "--task", "US-003", "-m", "The crane of the office is not certified")
    muted = "The office sends its heights in feet, which nobody here has used since the war ended"
    assert ask("heights in feet")["hits"][0]["text"] == muted
    assert main(["-C", str(root), "mute", muted]) == 0
    assert not any(
        "heights in feet" in f"{hit['text']}{hit['around']}" for hit in ask("heights in feet", 50)["hits"]
    )
    assert main(["-C", str(root), "mute", "The crane of the office is not certified"]) == 2
    assert ask("crane office certified")["hits"][0]["kind"] == "blocker"


def test_an_observation_is_found(ask: Ask, root: Path) -> None:
    title, content = "Used codes", "Used codes are kept in sqlite, table used_codes"
    saved = mem_save(memory_location(str(root)), title, content, "decision", now=NOW)
    [hit, *_] = ask("where are used codes kept")["hits"]
    assert hit_line(hit) == f"memory:{saved['id']} (2026-03-10, memory): {title}: {content}"
    assert (hit["file"], hit["line"], hit["memory"]) == (None, saved["id"], "memory")


@pytest.mark.parametrize(("words", "text"), EXAMPLES["sessions"])
def test_a_recorded_session_is_found(ask: Ask, root: Path, words: str, text: str) -> None:
    builder = RecordBuilder("claude", "1a1b2c3d-0000", str(root))
    for event in (
        UserRequest("2026-11-20T09:00:00Z", "Do not touch celsius, the firmware relies on it."),
        FileEdit("2026-11-20T09:01:00Z", f"{root}/src/kelvin.py"),
        CommandRun("2026-11-20T09:02:00Z", "pytest tests/test_kelvin.py", 1, "E   assert absolute_zero == 0"),
        AgentReply("2026-11-20T09:04:00Z", "Decision: keep one digit; negative values are errors."),
    ):
        builder.take(event)
    record = builder.finished()
    SessionStore(find_project(str(root))).save(record)
    found = ask(words)
    assert hit_line(found["hits"][0]).startswith(f"session 1a1b2c3d-0000 (2026-11-20, session): {text}")
    hit = found["hits"][0]
    assert (hit["file"], hit["line"], hit["session"]) == (None, None, "1a1b2c3d-0000")
    (root / ".agent-os/progress").mkdir(parents=True)
    (root / ".agent-os/progress/config.toml").write_text("transcripts = false\n", "utf-8")
    assert all(hit["kind"] != "session" for hit in ask(words)["hits"])


# What still holds


def test_a_blocker_of_our_log_is_open_until_an_entry_resolves_it(ask: Ask, root: Path) -> None:
    entry = logged(root, "task_blocked", "--task", "US-003", "-m", "The crane is not certified")
    hit = ask("crane not certified")["hits"][0]
    assert "US-003 blocked, blocker open): The crane is not certified" in hit_line(hit)
    archive(root)
    assert ask("crane not certified")["hits"][0]["blocker"] == "open"
    logged(root, "milestone_reached", "-m", "Papers came", "--resolves", entry)
    hit = ask("crane not certified")["hits"][0]
    assert (hit["blocker"], hit["story_status"]) == ("resolved", "active")


def test_a_hit_has_the_status_of_its_story_today(ask: Ask, root: Path) -> None:
    append(root, "2026-04-01 - US-003: Winter storage", "- Cranes are greased")
    assert hit_line(ask("cranes greased")["hits"][0]).startswith(
        "progress.md:25 (2026-04-01, US-003 active, "
    )
    append(root, "2026-04-02 - US-001: Painting buoys", "- Red lead is used")
    assert ask("parse_tide_row")["hits"][0]["story_status"] == "done"
    assert ask("red lead")["hits"][0]["story_status"] is None  # a story of an earlier plan with this id
    other = {"userStories": [{"id": "US-001", "title": "Tide table", "passes": False}]}
    (root / "tasks").mkdir()
    (root / "tasks/prd.json").write_text(json.dumps(other), "utf-8")
    story = ask("parse_tide_row")["hits"][0]["story_status"]
    assert sorted(story.split(", ")) == ["done in prd.json", "pending in tasks/prd.json"]
    (root / "prd.json").unlink()
    (root / "tasks/prd.json").unlink()
    logged(root, "task_completed", "--task", "T-1", "-m", "Painted the pier")
    assert ask("painted the pier")["hits"][0]["story_status"] == "done"


def test_a_learning_that_a_later_one_changes_is_shown_with_it(ask: Ask, root: Path) -> None:
    old, new = (
        f"`parseRequest` {now}accepts bodies of {size} MB at most" for now, size in (("", 1), ("now ", 5))
    )
    logged(root, "milestone_reached", "-m", "x", "--learning", old)
    assert ask("parseRequest bodies")["hits"][0]["later"] is None
    logged(root, "milestone_reached", "-m", "y", "--learning", new)
    hits = {hit["text"]: hit for hit in ask("parseRequest bodies")["hits"]}
    assert f"\n  superseded by: .agent-os/progress/progress.json:{hits[new]['line']}: {new}" in hit_line(
        hits[old]
    )
    assert hits[new]["later"] is None
    assert main(["-C", str(root), "mute", new]) == 0
    assert ask("parseRequest bodies")["hits"][0]["later"] is None


def test_the_command_prints_lines_or_one_json_object(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(root), "recall", "is", "the", "gate", "shut", "twice", "-n", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(
        "progress.md:20 (2026-03-04, US-002 done, pattern): A gate that is shut twice jams"
    )
    assert lines[1].startswith("  context: 2026-03-04 US-002: Quay gate … Files: src/gate/shut.py")
    assert main(["-C", str(root), "recall", "shut twice", "--json", "--kind", "pattern", "-n", "1"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["query"], answer["count"]) == ("shut twice", 1)
    assert answer["hits"][0] == {
        "file": "progress.md", "line": 20, "last_line": 20, "when": "2026-03-04", "stories": ["US-002"],
        "story_status": "done", "kind": "pattern", "blocker": None, "writer": None,
        "text": "A gate that is shut twice jams and has to be freed by hand: ask `isShut` first", "later": None,
        "around": "港口办公室每天早上更新一次潮汐表，所以必须在每天的第一班船离开之前重新读取它，否则高度是昨天的",
    }  # fmt: skip
    assert main(["-C", str(root), "recall"]) == 2


def test_a_passage_of_any_length_is_shown_cut(ask: Ask, root: Path) -> None:
    append(root, "2026-04-01 - US-009: x", "- Dredging" + " deeper" * 20_000)
    found = ask("dredging")
    assert 0 < max(len(hit["text"]) for hit in found["hits"]) <= 2000
    assert max(len(line) for line in recall_text(found).splitlines()) < 800
