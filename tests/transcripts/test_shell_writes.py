"""Which source files a shell command writes, by the shape of its line."""

from __future__ import annotations

import pytest

from progress_plugin.transcripts.commands.shell_writes import edits_of, written_by


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("sed -i 's/a/b/' tides.py", ["tides.py"]),
        ("sed -i.bak -e 's/a.py/b.py/' src/a.ts src/b.ts", ["src/a.ts", "src/b.ts"]),
        ("sed -n 1,80p tides.py", []),
        ("sed 's/a/b/' tides.py", []),
        ("perl -pi -e 's/a/b/' lib/a.pm", ["lib/a.pm"]),
        ("cat > tides.py <<'EOF'\nprint('x > y.py')\nEOF", ["tides.py"]),
        ("cat >> 'src/a file.go' << END\nx\nEND", ["src/a file.go"]),
        ("printf '%s' x > a.rs && cargo test", ["a.rs"]),
        ("echo x | tee -a conf/app.yml >/dev/null", ["conf/app.yml"]),
        ("python3 make.py 2> errors.py", []),
        ("make test > out.txt 2>&1", []),
        ("cp a.py b.py; mv c.py pkg/d.py", ["b.py", "c.py", "pkg/d.py"]),
        ("rm -f old.py notes.txt", ["old.py"]),
        ("git add tides.py && git commit -m 'x > y.py'", []),
        ("cat tides.py | head > /dev/null", []),
        ("npx tsc > dist/a.js", []),
        ("cd api && env A=1 sed -i s/a/b/ main.go", ["api/main.go"]),
        ("grep -rn x . > .cache/found.py", []),
        ("", []),
        ("sed -i s/1/2/ config.json", ["config.json"]),
        ("sed -i s/1/2/ Makefile Dockerfile", ["Makefile", "Dockerfile"]),
        ("cat > package.json <<'EOF'\n{}\nEOF", ["package.json"]),
        ("npm audit --json > audit.json", []),
        ("jq .x=2 config.json > new.json && mv new.json config.json", ["new.json", "config.json"]),
        ("echo '<p>' > web/index.html", ["web/index.html"]),
        ("mv a.py old/", ["a.py", "old/a.py"]),
        ("cp a.py src/", ["src/a.py"]),
        ("rm -rf src", ["src"]),
        ("rm -rf build node_modules .pytest_cache", []),
        ("(cd web && sed -i s/a/b/ a.ts); sed -i s/a/b/ b.ts", ["web/a.ts", "b.ts"]),
        ("cd src && cd .. && sed -i s/a/b/ a.ts", ["a.ts"]),
        ("bash -c 'cd api && sed -i s/a/b/ main.go'", ["api/main.go"]),
        ("git checkout -- a.py", ["a.py"]),
        ("git checkout -q HEAD -- a.py b.py", ["a.py", "b.py"]),
        ("git restore a.py", ["a.py"]),
        ("git checkout -f", ["*"]),
        ("git checkout -qf main", ["*"]),
        ("git switch -f main", ["*"]),
        ("git switch --discard-changes main", ["*"]),
        ("git checkout -f -- a.py", ["a.py"]),
        ("git switch -c feature", []),
        ("printf x > $F", ["*"]),
        ('cat a > "$DIR/$NAME"', ["*"]),
        ('echo x > "$DIR/a.py"', ["$DIR/a.py"]),
        ('pytest > "$LOG"', []),
        ("echo x > /tmp/$X.log", []),
        ("git restore --staged a.py", []),
        ("git checkout -- .", ["*"]),
        ("git checkout -b tides", []),
        ("git switch main && git pull", []),
        ("git apply fix.patch", ["*"]),
        ("git apply --check fix.patch", []),
        ("git stash", ["*"]),
        ("git stash list", []),
        ("git reset --hard HEAD~1", ["*"]),
        ("git reset HEAD a.py", []),
        ("ruff format", ["*"]),
        ("ruff format tides.py", ["tides.py"]),
        ("ruff check --fix .", ["*"]),
        ("ruff format --check .", []),
        ("npx prettier --write src/a.ts", ["src/a.ts"]),
        ("prettier --check .", []),
        ("black .", ["*"]),
        ("cargo fmt", ["*"]),
        ("find . -name '*.py' | xargs sed -i s/a/b/", ["*"]),
        ("find . -name '*.py' -exec sed -i s/a/b/ {} +", ["*"]),
        ("sed -i s/a/b/ $(grep -rl a src)", ["*"]),
        ("sed -i s/a/b/ notes.txt", []),
        ("printf '# Guide' > guide.md", ["guide.md"]),
        ("cat >> docs/guide.rst <<'EOF'\nTides\nEOF", ["docs/guide.rst"]),
        ("sed -i s/a/b/ README.md && pytest > report.md", ["README.md"]),
        ("install -m 755 a.sh bin/b.sh", ["bin/b.sh"]),
        ("patch -p1 < fix.diff", ["*"]),
        ("npm run format", ["*"]),
        ("make lint-fix", ["*"]),
        ("npm run format:check", []),
        ("make test", []),
        ("cargo fmt -- --check", []),
    ],
)
def test_the_files_that_a_line_writes_are_those_it_names(line: str, written: list[str]) -> None:
    assert written_by(line) == written


def test_a_formatter_that_says_it_changed_nothing_has_edited_nothing() -> None:
    assert edits_of("ruff format .", "12 files left unchanged") == []
    assert [
        edit.path for edit in edits_of("ruff format .", "1 file reformatted, 11 files left unchanged")
    ] == ["*"]
