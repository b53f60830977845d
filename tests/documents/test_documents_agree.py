"""Documents agree with the code: what they repeat is compared, and what they name must exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin import VERSION
from progress_plugin.cli.main import COMMANDS
from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.mcp.calls import TOOLS
from tests.conftest import REPOSITORY
from tests.documents import remake
from tests.documents.console import HOME, Place, agrees, steps
from tests.documents.manifests import VERSIONED, with_version
from tests.documents.settings_pages import schemas

DOCUMENTS = sorted(
    str(path.relative_to(REPOSITORY))
    for folder in (".", "docs", "examples", "skills", "commands")
    for path in (REPOSITORY / folder).glob("*.md" if folder in {".", "docs"} else "**/*.md")
)
_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
_REMAKE = "run: .venv/bin/python -m tests.documents.remake"


def test_the_summary_of_the_example_is_the_one_made_from_it_now() -> None:
    assert remake.read(remake.SUMMARY) == remake.summary(), _REMAKE


def test_the_skill_lists_every_setting_with_its_default() -> None:
    text = remake.read(remake.SKILL)
    assert text == remake.with_settings(text), _REMAKE


def test_the_settings_have_a_section_each_and_a_schema() -> None:
    text = remake.read(remake.CONFIGURATION)
    assert text == remake.with_reference(text), _REMAKE
    for name, schema in schemas().items():
        assert remake.read(f"docs/schemas/{name}") == schema, _REMAKE


def test_the_page_about_plans_lists_every_format_with_its_files() -> None:
    text = remake.read(remake.FORMATS)
    assert text == remake.with_formats(text), _REMAKE
    assert "| prd | plan | `prd.json` |" in text


def test_the_reference_has_the_help_of_every_command() -> None:
    text = remake.read(remake.REFERENCE)
    assert text == remake.with_help(text), _REMAKE


@pytest.mark.parametrize("path", VERSIONED)
def test_every_manifest_has_the_version_of_the_code(path: str) -> None:
    text = remake.read(path)
    assert VERSION in text
    assert text == with_version(text), _REMAKE


@pytest.mark.slow
@pytest.mark.parametrize("path", remake.WITH_CONSOLES)
def test_what_is_shown_under_a_command_is_what_it_prints(path: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    shown = steps(remake.read(path))
    assert shown
    for step in shown:
        code, printed = place.run(step.command)
        assert code in {0, 1}, printed
        assert agrees(step.shown, printed), f"{step.command}\n{printed}\n{_REMAKE}"


def test_a_console_block_that_shows_something_else_is_noticed() -> None:
    assert agrees("one\ntwo\n", "one\ntwo\n")
    assert agrees("one\n...\nfour\n", "one\ntwo\nthree\nfour\n")
    assert agrees("entry-20260101-000000-abcdef logged\n", "entry-20270202-111111-zzzzzz logged\n")
    assert not agrees("one\n...\nfour\n", "one\ntwo\nthree\n")
    assert not agrees("one\n", "one\ntwo\n")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_every_link_to_a_file_of_ours_leads_somewhere(path: str) -> None:
    here = (REPOSITORY / path).parent
    targets = [target for target, _ in _LINK.findall(remake.read(path)) if "://" not in target and target]
    assert [target for target in targets if not (here / target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS)
def test_no_document_names_a_place_on_the_machine_it_was_written_on(path: str) -> None:
    text = remake.read(path).replace(HOME, "")
    named = [str(REPOSITORY), str(Path(sys.prefix).resolve()), "/root/", "/home/"]
    assert [word for word in named if word in text] == []


def test_the_readme_has_the_words_that_plugin_directories_ask_for() -> None:
    prose = re.sub(r"```.*?```", "", remake.read("README.md"), flags=re.DOTALL)
    assert len(prose.split()) > 40
    first = re.findall(r"^```bash\n(.*?)^```", remake.read("README.md"), re.MULTILINE | re.DOTALL)
    assert [block.strip() for block in first[:2]] == ["sh bin/agent-progress demo", "python3 tests/run.py"]


def test_people_and_agents_are_told_the_number_of_tools_that_the_server_lists() -> None:
    names = [*TOOLS]
    for path in ("README.md", "AGENTS.md"):
        assert [int(number) for number in re.findall(r"(\d+) tools", remake.read(path))] == [len(names)], path
    (line,) = [line for line in remake.read("AGENTS.md").splitlines() if "MCP server has" in line]
    assert sorted(re.findall(r"`(\w+)`", line)) == sorted(names)


def test_every_event_of_the_hooks_file_is_described() -> None:
    text = remake.read("docs/hooks.md")
    events = re.findall(r"hook (\w+)\"", remake.read("hooks/hooks.json"))
    assert events
    assert [event for event in events if event not in text] == []


def test_the_readme_names_no_command_that_does_not_exist() -> None:
    for path in DOCUMENTS:
        named = set(
            re.findall(
                r"(?<!made by )agent-progress(?: -C \S+)? ([a-z]+)\b", "\n".join(_code(remake.read(path)))
            )
        )
        assert named - set(COMMANDS) == set(), path


def _code(text: str) -> list[str]:
    """Return what a document shows as code: spans and blocks."""
    blocks = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    return blocks + re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    )


def test_the_command_in_the_readme_runs_from_the_top_of_the_repository() -> None:
    assert (Path(PLUGIN_ROOT) / "bin" / "agent-progress").is_file()
    shells = subprocess.run(["sh", "-n", "bin/agent-progress"], cwd=REPOSITORY, check=False)
    assert shells.returncode == 0
