"""Make anew what documents repeat from the code: `.venv/bin/python -m tests.documents.remake`.

It renews the server's list of tools, the table in docs/formats.md, the example's summary, the settings in the skill and in
docs/configuration.md, their JSON Schemas, the help texts in docs/commands.md, version and publisher in the manifests, and
the output in console blocks.
The tests in this directory only compare.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import click
from pydantic.json_schema import GenerateJsonSchema

from progress_plugin.cli.main import COMMANDS, load_command
from progress_plugin.config.settings import SETTINGS
from progress_plugin.mcp.calls import TOOLS, Tool
from progress_plugin.sources.names import ANY_FOLDER, NameRow, rows
from progress_plugin.usecases.summaries import demo
from tests.conftest import REPOSITORY
from tests.documents.console import Place, renewed
from tests.documents.manifests import MARKETPLACE, VERSIONED, with_publisher, with_version
from tests.documents.settings_pages import reference, schemas

LISTING = "progress_plugin/mcp/tools.json"
SUMMARY = "examples/harbour/progress-summary.md"
SKILL = "skills/recording-progress/SKILL.md"
REFERENCE = "docs/commands.md"
FORMATS = "docs/formats.md"
CONFIGURATION = "docs/configuration.md"
README = "README.md"
WITH_CONSOLES = (README, REFERENCE, "docs/troubleshooting.md", "docs/file-formats.md")
_SETTINGS = re.compile(r"(?<=<!-- settings -->\n).*?(?=<!-- /settings -->)", re.DOTALL)
_SECTIONS = re.compile(r"(?<=<!-- reference -->\n).*?(?=<!-- /reference -->)", re.DOTALL)
_FORMATS = re.compile(r"(?<=<!-- formats -->\n).*?(?=<!-- /formats -->)", re.DOTALL)
_HELP = re.compile(r"(<!-- help: (\S+) -->\n).*?(<!-- /help -->)", re.DOTALL)


def read(path: str) -> str:
    """Return a file of the repository as text."""
    return (REPOSITORY / path).read_text("utf-8")


def summary() -> str:
    """Return the summary of the example."""
    return str(demo()["summary"])


def listing() -> str:
    """Return the tools as the server lists them."""
    return json.dumps([listing_of(name, tool) for name, tool in TOOLS.items()], indent=1) + "\n"


class CompactSchema(GenerateJsonSchema):
    """Leaves out titles, defaults and null: an agent pays for every token of a schema."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Leave out the title of a field, which repeats its name."""
        return False

    def nullable_schema(self, schema: Any) -> dict[str, Any]:
        """Describe an optional argument by its type; clients leave it out."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """Leave out the default, which is always null."""
        return self.generate_inner(schema["schema"])


def listing_of(name: str, tool: type[Tool]) -> dict[str, Any]:
    """Return the entry of a tool for `tools/list`."""
    schema = tool.model_json_schema(schema_generator=CompactSchema)
    short = {key: schema[key] for key in ("type", "properties", "required") if key in schema}
    hints = {"annotations": {"readOnlyHint": True}} if tool.is_read_only else {}
    return {"name": name, "description": tool.__doc__, "inputSchema": short, **hints}


def with_settings(text: str) -> str:
    """Return the skill with every key and its default."""
    return _SETTINGS.sub(lambda _: settings(), text)


def settings() -> str:
    """Return the settings as a list, one line each."""
    lines = []
    for setting in SETTINGS.values():
        shown = "none" if setting.default in (None, ()) else str(setting.default).lower()
        lines.append(f"- `{setting.key}` ({shown}): {setting.help}")
    return "\n".join(lines) + "\n"


def with_reference(text: str) -> str:
    """Return the page about the configuration with a section for each setting."""
    return _SECTIONS.sub(lambda _: f"\n{reference()}\n", text)


def with_formats(text: str) -> str:
    """Return the page about formats with the table of names that are looked for."""
    table = "".join(f"| {row.format} | {row.kind} | {_files(row)} |\n" for row in rows())
    return _FORMATS.sub(lambda _: f"| Format | Kind | Names in a folder |\n|---|---|---|\n{table}", text)


def _files(row: NameRow) -> str:
    names = ", ".join(f"`{name}`" for name in row.names)
    return f"{names} in `{row.folder}`" if row.folder != ANY_FOLDER else names


def with_help(text: str) -> str:
    """Return the command reference with the help texts as they are; sections that are missing are added."""
    for name in COMMANDS:
        if f"<!-- help: {name} -->" not in text:
            text += f"\n## {name}\n\n<!-- help: {name} -->\n<!-- /help -->\n"
    return _HELP.sub(lambda found: f"{found[1]}\n{_fenced(found[2])}\n{found[3]}", text)


def _fenced(name: str) -> str:
    command = load_command(name)
    texts = [_help(command, f"agent-progress {name}")]
    if isinstance(command, click.Group):
        texts += [_help(each, f"agent-progress {name} {sub}") for sub, each in command.commands.items()]
    return "".join(f"```text\n{text}\n```\n" for text in texts)


def _help(command: click.Command, name: str) -> str:
    context = click.Context(
        command, info_name=name, terminal_width=100, help_option_names=["-h", "--help"], color=False
    )
    return command.get_help(context)


def documents(scratch: Path) -> dict[str, str]:
    """Return every document that repeats something, as it should be, by its path."""
    texts = {
        LISTING: listing(),
        SUMMARY: summary(),
        SKILL: with_settings(read(SKILL)),
        FORMATS: with_formats(read(FORMATS)),
        REFERENCE: with_help(read(REFERENCE)),
        CONFIGURATION: with_reference(read(CONFIGURATION)),
        **{f"docs/schemas/{name}": text for name, text in schemas().items()},
        **{path: with_version(with_publisher(read(path))) for path in VERSIONED},
        MARKETPLACE: with_publisher(read(MARKETPLACE)),
        README: with_publisher(read(README)),
    }
    for path in WITH_CONSOLES:
        place = scratch / path.replace("/", "-")
        place.mkdir()
        texts[path] = renewed(texts.get(path) or read(path), Place(place))
    return texts


def main() -> None:
    """Write what has changed, in a home of its own, and say what that was."""
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HOME"] = scratch
        for path, text in documents(Path(scratch)).items():
            target = REPOSITORY / path
            if not target.exists() or target.read_text("utf-8") != text:
                target.write_text(text, "utf-8")
                print(f"made anew: {path}")  # noqa: T201 - a program for people


if __name__ == "__main__":
    main()
