"""The summary's template compiled by Jinja, as `remake` writes it and a test compares it."""

from __future__ import annotations

import re

from jinja2 import Environment, StrictUndefined

from progress_plugin.core.fast.minimal_os import content_digest
from tests.conftest import REPOSITORY

TEMPLATE = "templates/progress-summary.md.j2"
COMPILED = "progress_plugin/summary/compiled_template.py"
_HEAD = '''"""Made from {template} by Jinja's compiler: `python -m tests.documents.remake`; not to be edited."""
# mypy: ignore-errors

SOURCE = {digest!r}
"""Digest of the template it was made from."""
'''
_RUNTIME = "from progress_plugin.summary.template_runtime import "
_IMPORT = re.compile(r"from jinja2\.runtime import (.*)\n")
_SUPPLIED = "environment"
"""Jinja puts it into the namespace of the compiled code."""


def compiled() -> str:
    """Return the module that renders the summary without Jinja."""
    source = (REPOSITORY / TEMPLATE).read_bytes()
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    code = environment.compile(source.decode(), raw=True)
    offered = _IMPORT.search(code)[1].split(", ")
    body = _IMPORT.sub("", code)
    used = [name for name in [*offered, _SUPPLIED] if re.search(rf"\b{name}\b", body)]
    head = _HEAD.format(template=TEMPLATE, digest=content_digest(source))
    return f"{head}\n{_RUNTIME}{', '.join(sorted(used))}\n\n{body}"
