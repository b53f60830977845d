"""A spec that nobody knows: who logs for it is told, and told which story it was taken for."""

from __future__ import annotations

from tests.journeys.project_life import Life

_CARDS = ".chief/prds/loyalty/prd.json"


def _notes(life: Life, *words: str) -> str:
    """Return what somebody who logs is told besides."""
    done = life.try_command("log", *words, session="s")
    assert done.returncode == 0, done.stderr
    return done.stderr


def _two_plans(life: Life) -> None:
    life.plan("US-001 Quay", "US-002 Orders", branch="main")
    life.plan("US-001 Stamps", "US-002 Cards", path=_CARDS, name="Customers")


def test_a_misspelt_spec_is_named_with_the_story_it_was_taken_for_and_what_is_called_alike(
    life_alone: Life,
) -> None:
    _two_plans(life_alone)
    blocked = ("task_blocked", "-m", "Other trouble", "--data", '{"issue": "Typo"}')
    told = _notes(life_alone, *blocked, "--task", "US-002", "--spec", "loyalti")
    assert "no plan or spec here is called loyalti; it is taken for US-002 of prd.json (Orders)" in told
    assert f"called alike: {_CARDS}" in told
    assert not _notes(life_alone, "task_completed", "-m", "Printed", "--task", "US-002", "--spec", "loyalty")


def test_it_is_said_where_the_words_were_logged_before_too(life_alone: Life) -> None:
    _two_plans(life_alone)
    laid = ("task_completed", "-m", "Laid", "--task", "US-001")
    assert not _notes(life_alone, *laid, "--spec", "prd.json")
    told = _notes(life_alone, *laid, "--spec", "nosuch")
    assert "no plan or spec here is called nosuch" in told
    assert "recorded already" in told


def test_a_spec_is_free_text_without_plans_and_known_by_its_folder_without_a_plan(life_alone: Life) -> None:
    assert not _notes(life_alone, "task_completed", "-m", "Lit", "--task", "7", "--spec", "lamp")
    life_alone.write(".agent-os/specs/2026-01-05-lamp/spec.md", "# Lamp\n")
    assert not _notes(life_alone, "task_completed", "-m", "Lit again", "--task", "8", "--spec", "lamp")
    told = _notes(life_alone, "task_completed", "-m", "Fed", "--task", "9", "--spec", "lamb")
    assert "no plan or spec here is called lamb" in told
