"""Which statements are chosen, how they are shortened, and which are out of date."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from progress_plugin.model.work import Item, Line, Source, Statement
from progress_plugin.selection.choose import Choice, prepare
from progress_plugin.selection.merge import find_overtaken, group_by_topic, merge
from progress_plugin.selection.moment import drop_past_moments
from progress_plugin.selection.score import find_features, score_statements, shipped_weights
from progress_plugin.selection.wording import reword
from progress_plugin.summary.head_lines import commands_line, item_lines
from progress_plugin.text.bounds import estimate_tokens

HERE = Path(__file__).parent
OVERTAKEN = json.loads((HERE / "overtaken.json").read_text("utf-8"))


def read_table(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def statement(text: str, line: int = 1, **fields: object) -> Statement:
    return Statement(text, Source("progress.md", line), **fields)  # type: ignore[arg-type]


def log(*texts: str) -> list[Statement]:
    """One statement for each text, each in an entry of its own, the oldest first."""
    return [statement(text, line, entry=line) for line, text in enumerate(texts, 1)]


def choose(statements: list[Statement], room: int, **options: object) -> list[Statement]:
    choice = Choice(prepare(statements), room, **options)  # type: ignore[arg-type]
    choice.fill(range(len(statements)))
    return choice.chosen()


def texts(statements: list[Statement]) -> list[str]:
    return [each.text for each in statements]


LOG = log(
    "Berths must be numbered from the sea, because pilots count that way",
    "Added the quay to the list of things beside the water",
    "The crane fails silently at ebb unless `crane.py` is started with a tide table",
    "Added a lamp to the northern mole",
)


@pytest.mark.parametrize("example", OVERTAKEN, ids=lambda example: example["why"])
def test_statements_that_newer_ones_overtake(example: dict[str, object]) -> None:
    statements = [statement(line=at, **fields) for at, fields in enumerate(example["statements"])]
    assert sorted(find_overtaken(statements)) == example["overtaken"]


@pytest.mark.parametrize("row", read_table("moments.tsv"), ids=lambda row: f"{row['entry']} {row['text']}")
def test_statements_about_a_past_moment_are_left_out(row: dict[str, str]) -> None:
    newest = statement("Drew the map of the harbour", 9, entry=2)
    one = statement(row["text"], section=row["section"], entry=int(row["entry"]))
    kept = drop_past_moments([one, newest])
    assert texts(kept) == [*([row["shown"]] if row["shown"] else []), newest.text]


@pytest.mark.parametrize("row", read_table("wording.tsv"), ids=lambda row: f"{row['label']} {row['text']}")
def test_statement_gets_its_subject_or_is_dropped(row: dict[str, str]) -> None:
    shown = reword([statement(row["text"], label=row["label"], story=row["story"] or None, entry=1)])
    assert texts(shown) == ([row["shown"]] if row["shown"] else [])


@pytest.mark.parametrize("row", read_table("long.tsv"), ids=lambda row: row["why"])
def test_long_statement_ends_after_a_clause(row: dict[str, str]) -> None:
    (shown,) = reword([statement(row["text"])])
    assert shown.text == (row["shown"] or row["text"])


def test_same_statements_are_merged_with_all_their_sources() -> None:
    merged = merge(
        log("Oil the hinges of the gate weekly", "Paint the mole", "Oil the hinges of the gate weekly")
    )
    assert [each.statement.text for each in merged] == ["Oil the hinges of the gate weekly", "Paint the mole"]
    assert [source.line for source in merged[0].sources] == [1, 3]


def test_other_figures_or_names_keep_statements_apart() -> None:
    assert len(merge(log("Wait 20 seconds for the tide gate", "Wait 30 seconds for the tide gate"))) == 2
    assert len(merge(log("Call openGate before the ebb", "Call closeGate before the ebb"))) == 2


def test_choice_keeps_to_its_room_and_prefers_what_is_needed() -> None:
    for room in (0, 30, 60, 500):
        chosen = choose(LOG, room)
        assert sum(estimate_tokens(f"- {each.text}\n") for each in chosen) <= max(room, 20)
    assert LOG[0] in choose(LOG, 60)
    assert choose(LOG, 500) == LOG


def test_nothing_is_shown_twice() -> None:
    twice = [*LOG, statement(LOG[0].text, 9)]
    assert texts(choose(twice, 500)).count(LOG[0].text) == 1
    assert LOG[0] not in choose(LOG, 500, shown=[f"- {LOG[0].text}"])


def test_statement_that_is_not_worth_its_tokens_leaves_the_room_empty() -> None:
    worthless = dict.fromkeys(shipped_weights(), 0.0) | {"every": -20.0}
    assert choose(LOG, 500, weights=worthless) == []


def test_features_that_decide() -> None:
    features = find_features(LOG)
    assert {"time=newest", "says=made"} <= set(features[3])
    assert {"says=duty", "says=cause", "time=old", "word=must"} <= set(features[0])


def test_warning_scores_more_than_a_record() -> None:
    scores = score_statements(LOG)
    assert scores[2] > scores[1]
    assert all(0 < score < 1 for score in scores)


def test_words_of_other_languages_are_known() -> None:
    (german, chinese) = find_features([statement("Das Tor muss immer zu sein"), statement("门必须关闭")])
    assert "says=duty" in german
    assert "says=duty" in chinese


def test_topics_are_names_that_gather_statements() -> None:
    statements = log(
        "`crane.py` needs oil", "Oil is in the shed", "Start `crane.py` at dawn", "Paint the mole"
    )
    topics = group_by_topic(statements)
    assert [(name, len(lines)) for name, lines in topics] == [("", 2), ("crane.py", 2)]
    assert group_by_topic(log("Oil is in the shed", "Paint the shed")) == [
        ("", log("Oil is in the shed", "Paint the shed"))
    ]


def test_next_item_shows_all_its_criteria() -> None:
    item = Item(
        ("plan.json", "US-7"),
        "Tide gate",
        Source("plan.json", 3),
        criteria=("Opens", "Closes"),
        files=("gate.py",),
    )
    assert item_lines(item) == [Line(text, (item.source,)) for text in ("Opens", "Closes", "Files: gate.py")]


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (
            lambda: log("Run `cargo fmt`", "`cargo vet` twice: `cargo vet`", "`make test` must pass"),
            "Commands: `cargo vet`, `make test`",
        ),
        (
            lambda: log("`npx jest <file>` or `bash ci/test.sh`"),
            "Commands: `bash ci/test.sh`, `npx jest <file>`",
        ),
        (
            lambda: log(
                "`npm add jest@2 @playwright/test`, `go build/test`, `python -c 'test()'`, `test.py`"
            ),
            None,
        ),
    ],
)
def test_commands_that_check_the_project(make: Callable[[], list[Statement]], shown: str | None) -> None:
    line = commands_line([], make())
    assert (line.text if line else None) == shown


def test_commands_that_a_plan_asks_for_come_first() -> None:
    item = Item(("A-1",), "Hull", Source("prd.json", 3), criteria=("npm test passes", "`npx tsc` is clean"))
    item.lines = {"npm test passes": 5}
    line = commands_line([item], log("`make test` and `make test` again", "`make test`"))
    assert line is not None
    assert line.text == "Commands: `npx tsc`, `npm test`, `make test`"
    assert [source.line for source in line.sources][:2] == [3, 5]


def test_tokens_of_parts_add_up() -> None:
    parts = ["Berths are numbered\n", "from `quay.py`, 12 at a time\n", "门必须关闭\n"]
    assert estimate_tokens("") == 0
    assert abs(sum(map(estimate_tokens, parts)) - estimate_tokens("".join(parts))) <= len(parts)
