"""The templates that come with the plugin, rendered by Jinja."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from progress_plugin.core.environment import PLUGIN_ROOT

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = os.path.join(PLUGIN_ROOT, "templates")


def load_template(name: str, filters: Mapping[str, Callable[..., Any]] | None = None) -> Template:
    """Return a template of the plugin; values are escaped in `*.html.j2`, and an unknown name is an error."""
    from jinja2 import (  # noqa: PLC0415 - most processes render nothing
        Environment,
        FileSystemLoader,
        StrictUndefined,
        select_autoescape,
    )

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html.j2"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(filters or {})
    return environment.get_template(name)
