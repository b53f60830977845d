"""Which paths a sentence names."""

from __future__ import annotations

import pytest

from progress_plugin.text.paths_in_text import paths_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("src/$id.tsx loads lazily", ["src/$id.tsx"]),
        ("`app/routes/users.$id.tsx` loads lazily", ["app/routes/users.$id.tsx"]),
        ("`src/it's.ts` must be quoted", ["src/it's.ts"]),
        ("`src/a&b.ts:14` must be escaped", ["src/a&b.ts"]),
        ("`src/c#/x.cs` comes first", ["src/c#/x.cs"]),
        ("`./src/$id.tsx`, `src/[id]/page.tsx`", ["src/$id.tsx", "src/[id]/page.tsx"]),
        ("it's 'src/a.ts' & 'src/b.ts'", ["src/a.ts", "src/b.ts"]),
        ("see `src/a.ts#L10`", ["src/a.ts"]),
        ("`npm test && sh run.sh`", ["run.sh"]),
    ],
)
def test_a_path_is_found_whatever_signs_its_names_have(text: str, found: list[str]) -> None:
    assert list(paths_in(text)) == found
