"""Settings from all their sources: which source wins, and the messages about faults."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomlkit

from progress_plugin.config.settings import SETTINGS, Settings, load
from tests.conftest import REPOSITORY

FAULTS = (Path(__file__).with_name("data") / "faults.txt").read_text("utf-8")
VALUES = json.loads((Path(__file__).with_name("data") / "values.json").read_text("utf-8"))


def test_the_strongest_source_wins_and_is_named() -> None:
    user, plan, project = b"max_learnings = 1", {"progressSummary": {"maxLearnings": 2}}, b"max_learnings = 3"
    environ = {"AGENT_PROGRESS_MAX_LEARNINGS": "4"}
    rising = [
        load(None, {}, user, {}),
        load(None, plan, user, {}, plan_path="tasks/prd.json"),
        load(project, plan, user, {}),
        load(project, plan, user, environ),
    ]
    assert [loaded.effective.max_learnings for loaded in rising] == [1, 2, 3, 4]
    assert [loaded.origin["max_learnings"] for loaded in rising] == [
        "your own config.toml",
        "tasks/prd.json",
        ".agent-os/progress/config.toml",
        "AGENT_PROGRESS_MAX_LEARNINGS",
    ]
    assert rising[-1].origin["inject"] == "default"
    assert load(None, {}, None, {}).effective == Settings()


def test_the_seeds_names_are_understood_and_a_partial_object_keeps_the_other_defaults() -> None:
    optimization = {
        "maxContextTokens": 0,
        "prioritize": ["learnings", "table"],
        "progressSummary": {"enabled": False, "recentStoriesCount": 0, "autoGenerate": False},
        "somebodyElses": {"key": 1},
    }
    loaded = load(None, optimization, None, {})
    assert loaded.stored == Settings(
        max_context_tokens=0,
        prioritize=("learnings", "table"),
        summary_enabled=False,
        recent_stories_count=0,
        auto_generate=False,
    )
    assert loaded.faults == ()


def test_all_faults_are_told_at_once_with_source_key_and_what_is_allowed() -> None:
    loaded = load(
        b'max_learnings = -1\nshar = true\nlog_files = ["../x"]\nsummary_path = "x.md"\n[promote]\nauto = true',
        {"progressSummary": {"recentStoriesCount": "3"}, "maxContextTokens": True},
        b"max_learnings = 2\n[[inject]]\n[promote]\nauto = true",
        {"AGENT_PROGRESS_INJECT": "maybe", "AGENT_PROGRESS_SHARE": "1", "AGENT_PROGRESS_PLAN": ""},
    )
    assert loaded.faults == tuple(FAULTS.splitlines())
    assert loaded.effective == loaded.stored == Settings(promote_auto=True, max_learnings=2)
    for optimization, named in (
        ([], "optimization"),
        ({"progressSummary": 3}, "optimization.progressSummary"),
    ):
        [fault] = load(None, optimization, None, {}).faults
        assert fault == f"prd.json: {named} is ignored; allowed is an object"


@pytest.mark.parametrize(
    "data",
    [b"a = ", b"\xff\xfe", b"a = 1\na = 2", b"[" * 3000, b"a = " + b"9" * 5000, b"a = 0x" + b"f" * 5000],
)
def test_a_file_that_is_no_toml_is_ignored_as_a_whole_and_named(data: bytes) -> None:
    loaded = load(data, {}, b"inject = false", {})
    assert loaded.stored == Settings(inject=False)
    assert len(loaded.faults) == 1
    assert loaded.faults[0].startswith(
        ".agent-os/progress/config.toml: the whole file is ignored; it is not valid TOML: "
    )


def test_a_file_of_windows_is_read() -> None:
    loaded = load(b"\xef\xbb\xbfshare = true\r\narchive_days = 7\r\n", {}, None, {})
    assert loaded.stored == Settings(share=True, archive_days=7)


OUTSIDE = ["/etc/passwd", "~/x", "../x", "a/../../x", "C:/x", "a\\b", "", "a\n", "a\x00", ".."]


@pytest.mark.parametrize("path", [*OUTSIDE, "prd.json", "a/b..c/d.md", ".hidden/x", "…/x", "a b.md"])
def test_no_configured_path_leads_out_of_the_project(path: str) -> None:
    stored = load(tomlkit.dumps({"plan": path}).encode(), {}, None, {}).stored
    assert stored == Settings(plan=None if path in OUTSIDE else path)


@pytest.mark.parametrize(("name", "text", "value"), VALUES["variables"])
def test_variables_are_read_as_what_they_stand_for(name: str, text: str, value: object) -> None:
    loaded = load(None, {}, None, {f"AGENT_PROGRESS_{name.upper()}": text})
    value = tuple(value) if isinstance(value, list) else value
    assert (getattr(loaded.effective, name), loaded.faults) == (value, ())


@pytest.mark.parametrize(("name", "value"), VALUES["not converted"])
def test_values_are_not_converted_to_the_type_of_a_setting(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(SETTINGS[name].allowed)):
        SETTINGS[name].validate(value)


def test_the_shipped_schemas_accept_the_defaults_and_refuse_the_rest() -> None:
    shipped = {
        path.name: json.loads(path.read_text("utf-8")) for path in (REPOSITORY / "docs/schemas").iterdir()
    }
    for schema in shipped.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    defaults = {each.key: each.default for each in SETTINGS.values()}
    known = {key: value for key, value in defaults.items() if value is not None and "." not in key}
    document = tomllib.loads(tomlkit.dumps(known))
    jsonschema.validate(document, shipped["config.schema.json"])
    for wrong in ({"max_learnings": -1}, {"unknown": 1}, {"plan": "../x"}, {"promote": {"auto": 1}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, shipped["config.schema.json"])
    jsonschema.validate({"other": 1, "progressSummary": {"x": 1}}, shipped["prd-optimization.schema.json"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"prioritize": ["all"]}, shipped["prd-optimization.schema.json"])
