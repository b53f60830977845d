"""Our template runs compiled, without Jinja, and says what Jinja would say."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.summary import compiled_template, render
from progress_plugin.summary.story_table import StoryTableRow
from progress_plugin.summary.template_runtime import TemplateRuntimeError, rendered
from progress_plugin.summary.view_model import Content, RecentStory, Statement, WorkState
from tests.conftest import REPOSITORY
from tests.documents import remake, template

_TEXT = st.text(max_size=12)
_TEXTS = st.lists(_TEXT, max_size=3)
_STATEMENTS = st.lists(
    _TEXT.map(lambda text: Statement(text, Learning(kind=LearningKind.PATTERN, text=text, source="a.md"))),
    max_size=3,
)
_CONTENTS = st.builds(
    Content,
    name=_TEXT, branch=_TEXT, started=_TEXT, updated=_TEXT, stories=_TEXT, current=_TEXT, next=_TEXT,
    sources=_TEXT, blocked=_TEXTS, notes=_TEXTS, receipt=_TEXTS,
    work=st.none()
    | st.builds(WorkState, goal=_TEXT, completed=_TEXTS, next_steps=_TEXTS, blockers=_TEXTS, other=_TEXT, note=_TEXT),
    rows=st.lists(st.builds(StoryTableRow, id=_TEXT, title=_TEXT, mark=_TEXT, agent=_TEXT, attempts=_TEXT), max_size=3),
    patterns=_STATEMENTS, gotchas=_STATEMENTS, dependencies=_STATEMENTS,
    recent=st.lists(
        st.builds(RecentStory, label=_TEXT, title=_TEXT, mark=_TEXT, bullets=_TEXTS, files=_TEXTS), max_size=2
    ),
)  # fmt: skip
_JINJA = Environment(
    loader=FileSystemLoader(render.TEMPLATES), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def _grouped(learnings: Sequence[Learning]) -> list[tuple[str | None, Sequence[Learning]]]:
    return [("Tides", learnings[:1]), (None, learnings[1:])] if learnings else []


def test_the_compiled_template_is_the_one_made_from_the_template_now() -> None:
    assert remake.read(template.COMPILED) == template.compiled(), (
        "run: .venv/bin/python -m tests.documents.remake"
    )


@given(_CONTENTS)
def test_compiled_and_by_jinja_a_summary_is_the_same(content: Content) -> None:
    values = render._values(content, _grouped)
    by_jinja = _JINJA.get_template(render.TEMPLATE).render(values)
    assert rendered(compiled_template.root, values) == by_jinja


def test_a_name_that_no_summary_has_is_an_error_and_no_gap() -> None:
    with pytest.raises(TemplateRuntimeError, match="'name' is undefined"):
        rendered(compiled_template.root, {})


def test_a_template_that_was_edited_since_is_rendered_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (REPOSITORY / template.TEMPLATE).read_text("utf-8").replace("# Progress", "# Our progress")
    (tmp_path / render.TEMPLATE).write_text(text, "utf-8")
    monkeypatch.setattr(render, "TEMPLATES", str(tmp_path))
    assert render.render(Content(name="Harbour"), _grouped, text.encode()).startswith(
        "# Our progress Summary"
    )


def test_the_digest_is_that_of_the_template() -> None:
    assert content_digest((REPOSITORY / template.TEMPLATE).read_bytes()) == compiled_template.SOURCE


def test_a_summary_is_rendered_by_the_standard_library_alone() -> None:
    code = (
        "from progress_plugin.summary.view_model import Content\n"
        "from progress_plugin.summary.render import render\n"
        "print(render(Content(name='Harbour'), lambda some: []).splitlines()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env={"PYTHONPATH": str(REPOSITORY), "PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "# Progress Summary: Harbour\n"
