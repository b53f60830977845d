"""What comes next once the leading plan is complete and another one is not."""

from __future__ import annotations

from tests.journeys.project_life import Life

AUCTION = "plans/prd.json"
NEXT = f"AU-2: Close an auction ({AUCTION})"


def test_the_next_story_of_another_plan_is_next_once_the_leading_one_is_complete(life_alone: Life) -> None:
    life_alone.plan("US-001 Reserve a tool", "US-002 Export")
    life_alone.plan("AU-1 List lots", "AU-2 Close an auction", path=AUCTION, name="Auction")
    life_alone.story("AU-1", AUCTION, passes=True)
    life_alone.command("config", "set", "plan", "prd.json")
    life_alone.story("US-001", passes=True)
    assert "AU-2" not in (life_alone.told_as_json("status")["next"] or "")
    life_alone.story("US-002", passes=True)
    assert life_alone.told_as_json("status")["next"] == NEXT
    assert f"Next: {NEXT}" in life_alone.context
    life_alone.story("AU-2", AUCTION, passes=True)
    assert life_alone.told_as_json("status")["next"] is None
