"""Worth and choice: what is most likely needed comes first, nothing twice, as much as there is room for."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from types import FrameType

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.core.memo import Memo
from progress_plugin.passages.passage import Reading
from progress_plugin.passages.reader import read_passages
from progress_plugin.summary.tokens import estimate
from progress_plugin.worth import features, weights
from progress_plugin.worth.choice import CONSIDERED, Candidate, Prepared, Room, choose, choose_of
from progress_plugin.worth.features import NAMES, features_of
from progress_plugin.worth.said_already import Coverage, words_of
from progress_plugin.worth.score import worths

LOG = (
    "## Codebase Patterns\n- Every berth must be numbered from the sea, because pilots count that way\n---\n"
    "## 2026-03-01 - US-001\n- Added the quay to the list of things that stand beside the water\n---\n"
    "## 2026-03-02 - US-002\n- Not yet done: the crane still fails at ebb, see `crane.py`\n"
)


def reading(text: str = LOG) -> Reading:
    return read_passages(read_log(text, "progress.md"), text)


def price(text: str) -> int:
    return estimate(f"- {text}\n")


def candidates(*texts: str, worth: float = 0.5) -> list[Candidate]:
    return [Candidate(text, worth, "learnt") for text in texts]


def names_of(text: str, at: int) -> set[str]:
    place, said = list(features_of(reading(text)))[at]
    return {NAMES[number] for number in (*place, *said)}


def test_a_rule_of_the_repository_is_worth_more_than_a_record_of_old_work() -> None:
    rule, record, open_end = worths(reading())
    assert rule > record
    assert open_end > record


def test_worth_is_a_share() -> None:
    assert all(0 < worth < 1 for worth in worths(reading()))


def test_features_have_plain_names_each_once() -> None:
    assert len(NAMES) == len(set(NAMES))
    assert weights.WEIGHTS.keys() <= set(NAMES)
    assert len(weights.WEIGHTS) < 400


def test_the_weights_are_figures_and_name_their_program() -> None:
    tree = ast.parse(inspect.getsource(weights))
    assert "python -m training" in (ast.get_docstring(tree) or "")
    assert all(isinstance(value, float) for value in weights.WEIGHTS.values())


@pytest.mark.parametrize(
    ("item", "feature"),
    [
        ("The crane MUST be oiled", "says duty"),
        ("It stands still because of the ebb", "says cause"),
        ("Run `make crane` first", "names a command"),
        ("必须先运行测试", "says duty"),
        ("The crane failed", "says failure"),
        ("Der Kran muss vor der Fahrt geölt werden", "says duty"),
        ("La grue échoue sous la pluie", "says failure"),
        ("La grúa no se usa sin aceite", "says denial"),
        ("O guindaste não anda porque falta óleo", "says cause"),
        ("Dźwig nigdy nie działa na wietrze", "says never"),
        ("Кран нужно смазывать и проверять", "says duty"),
        ("クレーンは必ず給油する", "says always"),
        ("크레인은 항상 주유한다", "says always"),
    ],
)
def test_words_count_by_what_they_do(item: str, feature: str) -> None:
    assert feature in names_of(f"- {item}\n", 0)


def test_words_of_other_languages_count_in_no_english_log() -> None:
    text = "- The crane is oiled by the sailors\n- It is called Der Kran muss\n"
    assert "says duty" not in names_of(text, 0)


def test_what_is_said_again_counts_as_repeated() -> None:
    text = "".join(
        f"## 2026-03-0{day} - US-00{day}\n- Run `make crane` before each commit of this harbour\n"
        for day in (1, 2, 3)
    )
    assert "said 2 times" in names_of(text, 0)


def test_given_weights_take_the_place_of_the_built_in() -> None:
    rule, record, _ = worths(reading(), {"says made": 9.0, "no such feature": 1.0})
    assert record > rule


def test_places_are_shared_so_that_a_log_asks_for_each_once() -> None:
    text = "".join(f"## 2026-01-01 - US-{n:03}\n- Mended berth {n} from the outside\n" for n in range(400))
    asked = [place for place, _ in features_of(reading(text))]
    assert len(set(map(id, asked))) < 40


def test_no_pattern_is_run_over_a_text() -> None:
    assert "import re" not in inspect.getsource(features)


def test_the_best_for_its_price_comes_first() -> None:
    offered = [
        Candidate("the long tale of the crane and the quay " * 5, 0.6, "learnt"),
        Candidate("ebb at noon", 0.5, "learnt"),
    ]
    assert choose(offered, Room(1000, 9000), price)[0] == 1


def test_no_more_is_chosen_than_there_is_room_for() -> None:
    offered = candidates(*(f"berth {n} is closed at tide number {n} of the year" for n in range(50)))
    for tokens in (0, 30, 100, 300):
        chosen = choose(offered, Room(tokens, 9000), price)
        assert sum(price(offered[at].text) for at in chosen) <= tokens
    assert choose(offered, Room(1000, 60), price) == choose(offered, Room(1000, 60), price)
    assert len(choose(offered, Room(1000, 60), price)) == 1


def test_nothing_is_told_twice() -> None:
    offered = candidates(
        "The crane must be oiled before each start of the day",
        "the crane MUST be oiled before each start of the day!",
        "Pilots count berths from the sea",
    )
    assert sorted(choose(offered, Room(1000, 9000), price)) == [0, 2]


def test_of_lines_that_differ_in_figures_alone_a_few_are_told() -> None:
    offered = [Candidate(f"T-{n}: did thing number {n} of the quay", 0.5, "learnt") for n in range(400, 440)]
    offered.append(Candidate("T-9: mended the sluice", 0.1, "learnt"))
    said: list[int] = []
    chosen = choose(offered, Room(3_000, 9_000), price, said=said)
    assert (len(chosen), max(chosen)) == (4, 40)
    assert not said
    ports = [
        Candidate(f"The {name} listens on port {n}", 0.5, "learnt") for n, name in enumerate(("api", "web"))
    ]
    assert len(choose(ports, Room(3_000, 9_000), price)) == 2


def test_what_is_said_of_one_file_is_not_said_of_another() -> None:
    said = "Before the wheel turns in frost the axle in {} must be oiled twice"
    offered = candidates(*(said.format(file) for file in ("`mill/axle.py`", "`mill/belt.py`", "axle.py")))
    assert sorted(choose(offered, Room(1000, 9000), price))[:2] in ([0, 1], [1, 2])
    assert len(choose(offered, Room(1000, 9000), price)) == 2


def test_what_the_client_loads_anyway_counts_as_told() -> None:
    told = Coverage()
    told.add_text("# Rules\n- The crane must be oiled before each start.\n- Ropes are blue.\n", here=False)
    offered = candidates("The crane must be oiled before each start", "Pilots count berths from the sea")
    assert choose(offered, Room(1000, 9000), price, told=told) == [1]


def test_words_that_stand_elsewhere_make_nothing_less_worth() -> None:
    told = Coverage()
    told.add_text("crane\nrope\nblue\nstart\n", here=False)
    assert told.share_new(words_of("blue crane rope")) == 1.0


def test_a_section_gets_its_share_first() -> None:
    names = [f"{first}{last}o" for first in "abcdef" for last in "vwxyz"]
    offered = [Candidate(f"rule {name} about the harbour and {name}n ropes", 0.9, "learnt") for name in names]
    offered.append(Candidate("yesterday the sluice was opened by hand", 0.01, "recent"))
    assert 30 not in choose(offered, Room(150, 9000), price)
    assert choose(offered, Room(150, 9000), price, least={"recent": 0.15})[0] == 30


def test_what_concerns_the_next_story_is_preferred() -> None:
    offered = candidates("the crane stands on the left side", "the sluice stands on the right side")
    assert choose(offered, Room(12, 9000), price, concern=words_of("mend the sluice"))[:1] == [1]


def test_chinese_statements_are_compared_by_pairs_of_letters() -> None:
    assert choose(
        candidates("必须先给起重机加油", "必须先给起重机加油。", "泊位从海边开始编号"), Room(500, 9000), price
    ) == [0, 2]


def test_the_same_arguments_give_the_same_choice() -> None:
    offered = candidates(*(f"berth {n % 7} has rope {n % 5} and hook {n % 3}" for n in range(200)))
    assert len({tuple(choose(offered, Room(400, 9000), price)) for _ in range(3)}) == 1


def _calls(of: Callable[[], object]) -> int:
    count = 0

    def tell(_frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(tell)
    try:
        of()
    finally:
        sys.setprofile(None)
    return count


def _harbour(entries: range) -> Reading:
    return reading(
        "".join(
            f"## 2026-01-{n % 28 + 1:02} - US-{n:04}\n- Mended berth {n}, since `crane_{n}` must never fail at ebb\n"
            f"- Ropes of the {n}th quay are tied before the tide of its own moon comes in from the north\n"
            for n in entries
        )
    )


def test_a_passage_costs_few_calls() -> None:
    harbour, memo = _harbour(range(500)), Memo()
    assert _calls(lambda: worths(harbour, memo=memo)) < 31 * len(harbour.passages)
    again = memo.answers()
    assert _calls(lambda: worths(harbour, memo=Memo(again))) < 20 * len(harbour.passages)


def test_the_work_of_a_choice_grows_as_the_candidates_do() -> None:
    small, large = (
        [Candidate(p.shown, 0.5, "learnt") for p in _harbour(entries).passages]
        for entries in (range(100), range(1000, 1200))
    )
    room = Room(600, 9000)
    first = _calls(lambda: choose(small, room, price))
    assert _calls(lambda: choose(large, room, price)) < 2.2 * first + 500


def test_two_statements_that_name_different_variables_say_different_things() -> None:
    told = Coverage()
    told.add(words_of("Use `TAR_CACHE_DIR=/tmp/tar` for commands in this yard to avoid errors of access"))
    assert not told.says(
        words_of("Use `OIL_CACHE_DIR=/tmp/tar` for commands in this yard to avoid errors of access")
    )
    assert told.says(words_of("Use `TAR_CACHE_DIR=/tmp/tar` for commands in this yard"))


def test_what_was_made_ready_once_is_chosen_from_in_every_room_as_if_for_the_first_time() -> None:
    offered = candidates(*(f"Gate {number} of the mill sticks at {7 * number} bars" for number in range(30)))
    once = Prepared(offered, price, Coverage(), ["gate"])
    for tokens in (40, 200, 90):
        room = Room(tokens, 9000)
        first = choose(offered, room, price, concern=["gate"], least={offered[0].section: 0.5})
        assert choose_of(once, room, Coverage(), least={offered[0].section: 0.5}) == first


def test_a_section_that_gets_a_share_is_looked_at_however_many_others_are_worth_more() -> None:
    many = [
        Candidate(f"The wheel {chr(97 + at % 26)}{at // 26} turns over stone {at}", 0.9, "learnt")
        for at in range(CONSIDERED + 50)
    ]
    offered = [*many, Candidate("The newest gate is of oak", 0.1, "recent")]
    chosen = choose(offered, Room(400, 4000), lambda text: len(text) // 4 + 4, least={"recent": 0.2})
    assert len(many) in chosen
    assert chosen[0] == len(many)
