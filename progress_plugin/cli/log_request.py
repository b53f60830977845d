"""What `log` takes and answers, whoever reads the command line: click, or `log_plain` where it is missing.

Both take their options, texts and limits from here, so that neither can know something the other does not.
"""

import json
import sys
from datetime import UTC, datetime
from typing import Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import find_project
from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.text.safe_output import clean, json_text
from progress_plugin.usecases.recording.log_entry import log_entry, session_from_environment

NAME = "log"
TYPE = "TYPE"
"""How the one argument is shown."""
HELP = f"Append an entry of TYPE to the progress log.\n\nTYPE: {', '.join(ENTRY_TYPES)}."
EPILOG = 'Example: agent-progress log task_completed --task US-013 -m "Berths can be moved" --duration 40'


class Option(NamedTuple):
    """One option of the command."""

    field: str
    """Its name among the values."""
    names: tuple[str, ...]
    help: str
    metavar: str | None = None
    """How its value is shown; None for one that takes none."""
    least: int | None = None
    """The smallest value of one that takes a whole number."""
    repeats: bool = False


OPTIONS = (
    Option("description", ("--description", "-m"), "What was done, in a sentence.", "TEXT"),
    Option("task", ("--task",), "The story or task it is about, such as US-013.", "ID"),
    Option("spec", ("--spec",), "The spec the task belongs to, where tasks are numbered per spec.", "NAME"),
    Option("duration", ("--duration",), "How long it took.", "MINUTES", least=0),
    Option("notes", ("--notes",), "Anything worth keeping.", "TEXT"),
    Option("next_steps", ("--next",), "What comes next.", "TEXT"),
    Option("learnings", ("--learning",), "A reusable learning; repeatable.", "TEXT", repeats=True),
    Option("resolves", ("--resolves",), "Id of the task_blocked entry that this one resolves.", "ENTRY"),
    Option("data", ("--data",), "Further fields as a JSON object.", "JSON"),
    Option("as_json", ("--json",), "Print the stored entries as JSON."),
)


class Answer(NamedTuple):
    """What the command prints, line by line."""

    out: list[str]
    err: list[str]

    def tell(self) -> None:
        """Print it, by the standard library alone."""
        sys.stdout.writelines(f"{line}\n" for line in self.out)
        sys.stderr.writelines(f"{line}\n" for line in self.err)


def answer(project_dir: str | None, type_: str, values: dict[str, Any]) -> Answer:
    """Append the entry asked for, and return what is to be printed; raises what `log_entry` raises."""
    logged = log_entry(
        find_project(project_dir),
        type_,
        now=datetime.now(UTC),
        description=values["description"],
        task_id=values["task"],
        spec=values["spec"],
        learnings=values["learnings"],
        resolves=values["resolves"],
        data=_data(values),
        session=session_from_environment(),
    )
    if values["as_json"]:
        return Answer([json_text({"entries": logged.entries, "notes": logged.notes})], [])
    return Answer(
        [f"{entry['id']} {entry['type']}" for entry in logged.entries],
        [clean(f"note: {note}") for note in logged.notes],
    )


def _data(values: dict[str, Any]) -> dict[str, Any]:
    data: Any = {}
    if values["data"] is not None:
        try:
            data = json.loads(values["data"])
        except (ValueError, RecursionError) as error:
            raise BadInput(
                f'--data is not JSON ({error}); give an object such as \'{{"reason": "…"}}\''
            ) from None
        if not isinstance(data, dict):
            raise BadInput('--data must be a JSON object such as \'{"reason": "…"}\'')
    named = {
        "duration_minutes": values["duration"],
        "notes": values["notes"],
        "next_steps": values["next_steps"],
    }
    return {**data, **{name: value for name, value in named.items() if value is not None}}
