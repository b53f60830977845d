""""""

from __future__ import annotations

import re
from pathlib import Path

import progress_plugin

_SOURCE = Path(progress_plugin.__file__).parent
_DECIDES = re.compile(r"\blead\.name\b|\bsettings\.project\b|\brepository_name\(\)")
_ITS_PLACE = {"usecases/summarizing/project_name.py", "core/project.py"}


def test_nothing_but_its_one_function_decides_what_a_project_is_called() -> None:
    found = {
        str(path.relative_to(_SOURCE)) for path in _SOURCE.rglob("*.py") if _DECIDES.search(path.read_text())
    }
    assert found <= _ITS_PLACE
    assert "usecases/summarizing/project_name.py" in found
