"""Twelve sessions as they go, with what the next agent needs to know of each: eight facts, by words that tell it.

A step is `ask`, `say`, `new`, `edit`, `run` (command, exit code, output), `plan` (task, status); between the
steps the agent looks around (`noise`), which is most of every real transcript.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Step = tuple[Any, ...]


class ExamSession(NamedTuple):
    """One session, and what has to be known of it."""

    steps: list[Step]
    facts: list[str]


def session(facts: list[str], *steps: Step) -> ExamSession:
    """Return a session; each fact is a text that has to stand in what is told."""
    assert len(facts) == 8
    return ExamSession(list(steps), facts)


EXAM = [
    session(
        ["rate limit", "429", "limiter.py", "test_limiter.py", "pytest tests/test_limiter.py", "assert 429 == 200",
         "Document the header", "counts per key"],
        ("ask", "Add a rate limit to the public API: 60 requests a minute per key, answer 429 beyond."),
        ("plan", "Write the limiter", "completed"), ("plan", "Document the header", "pending"),
        ("new", "api/limiter.py"), ("edit", "api/routes.py"), ("new", "tests/test_limiter.py"),
        ("run", "pytest tests/test_limiter.py -q", 1, "E   assert 429 == 200\n1 failed, 3 passed"),
        ("edit", "api/limiter.py"),
        ("run", "pytest tests/test_limiter.py -q", 1, "E   assert 429 == 200\n1 failed, 3 passed"),
        ("say", "The limiter counts per key, but the clock in the test is not advanced; one test still fails."),
    ),
    session(
        ["dark mode", "system preference", "theme.ts", "Toggle.tsx", "npm run build", "TS2322", "eslint", "localStorage"],
        ("ask", "Give the settings page a dark mode that follows the system preference."),
        ("new", "src/theme.ts"), ("new", "src/components/Toggle.tsx"), ("edit", "src/App.tsx"),
        ("run", "npx eslint src", 0, ""),
        ("run", "npm run build", 2, "src/theme.ts(12,5): error TS2322: Type 'string' is not assignable to type 'Theme'."),
        ("say", "The choice is kept in localStorage; the build fails on one type."),
    ),
    session(
        ["invoices", "rounding", "half to even", "money.rb", "invoice_spec.rb", "rspec", "passed", "fix: round"],
        ("ask", "Customers report invoices that are off by a cent. Find the rounding error."),
        ("run", "bundle exec rspec spec/invoice_spec.rb", 1, "Failure/Error: expected: 10.12\n1 example, 1 failure"),
        ("ask", "Round half to even everywhere, as accounting wants it."),
        ("edit", "app/models/money.rb"), ("edit", "spec/invoice_spec.rb"),
        ("run", "bundle exec rspec spec/invoice_spec.rb", 0, "5 examples, 0 failures"),
        ("run", "git commit -qam 'fix: round half to even'", 0, ""),
        ("commit", "fix: round half to even"),
        ("say", "All amounts are rounded half to even now, and the spec passes."),
    ),
    session(
        ["migrate", "PostgreSQL", "do not touch the importer", "settings.py", "docker-compose.yml", "manage.py test shop",
         "no such table", "Move the full-text index"],
        ("ask", "Migrate the shop from SQLite to PostgreSQL."),
        ("ask", "One thing: do not touch the importer, the other team rewrites it."),
        ("plan", "Change the settings", "completed"), ("plan", "Move the full-text index", "in_progress"),
        ("edit", "shop/settings.py"), ("new", "docker-compose.yml"), ("edit", "shop/search.py"),
        ("run", "python manage.py test shop", 1, "django.db.utils.OperationalError: no such table: shop_item\nFAILED (errors=3)"),
        ("ask", "Go on with the index, I am in a meeting until four."),
        ("edit", "shop/search.py"),
        ("say", "The settings are changed; the index is half moved, its trigger is missing."),
    ),
    session(
        ["memory leak", "websocket", "hub.go", "go test ./...", "DATA RACE", "unsubscribe", "go vet", "lock"],
        ("ask", "There is a memory leak in the websocket hub: connections are never removed."),
        ("edit", "internal/hub/hub.go"), ("edit", "internal/hub/hub_test.go"),
        ("run", "go vet ./...", 0, ""),
        ("run", "go test ./... -race", 1, "WARNING: DATA RACE\n--- FAIL: TestUnsubscribe (0.01s)\nFAIL"),
        ("say", "Connections are removed on unsubscribe now, but the map needs a lock: the race detector complains."),
    ),
    session(
        ["command line", "--json", "main.rs", "output.rs", "cargo test", "cargo clippy", "unused", "feat: json output"],
        ("ask", "Our command line needs a --json switch for every subcommand."),
        ("new", "src/output.rs"), ("edit", "src/main.rs"), ("edit", "src/list.rs"),
        ("run", "cargo test", 0, "test result: ok. 41 passed; 0 failed"),
        ("commit", "feat: json output"),
        ("run", "cargo clippy -- -D warnings", 101, "error: unused variable: `wide`\nerror: could not compile"),
        ("say", "The switch works everywhere; clippy still objects to one variable."),
    ),
    session(
        ["upgrade", "React 19", "Header.tsx", "Modal.tsx", "npx vitest run", "act(...)", "Replace forwardRef", "24 more"],
        ("ask", "Upgrade the front end to React 19 and replace what is deprecated."),
        ("plan", "Upgrade the packages", "completed"), ("plan", "Replace forwardRef", "in_progress"),
        *(("edit", f"src/pages/Page{number}.tsx") for number in range(30)),
        ("edit", "src/Header.tsx"), ("edit", "src/Modal.tsx"),
        ("run", "npx vitest run", 1, "Error: Warning: An update was not wrapped in act(...)\nTests  3 failed | 80 passed"),
        ("say", "Thirty pages are done; forwardRef is left in the form widgets."),
    ),
    session(
        ["flaky", "test_sync", "freeze the clock", "sync.py", "conftest.py", "passed", "mypy", "three hundred times"],
        ("ask", "test_sync is flaky in CI, please find out why."),
        ("run", "pytest tests/test_sync.py", 1, "E   assert 3 == 2\n1 failed"),
        ("ask", "Right, freeze the clock in a fixture instead of sleeping."),
        ("edit", "app/sync.py"), ("edit", "tests/conftest.py"),
        ("run", "pytest tests/test_sync.py", 0, "1 passed"),
        ("run", "pytest", 0, "212 passed"), ("run", "mypy app", 0, "Success: no issues found"),
        ("say", "It ran three hundred times without a failure."),
    ),
    session(
        ["terraform", "staging", "eu-central-1", "network.tf", "validate", "Unsupported argument", "not apply", "variables.tf"],
        ("ask", "Write terraform for a staging network in eu-central-1. Do not apply anything."),
        ("new", "infra/network.tf"), ("new", "infra/variables.tf"),
        ("run", "cd infra && terraform validate", 1, "Error: Unsupported argument\n on network.tf line 12"),
        ("say", "The network is written and was not applied; one argument is unknown to this provider version."),
    ),
    session(
        ["report", "slow", "N+1", "queries.py", "0.4 s", "pytest tests/test_report.py", "passed", "perf: one query"],
        ("ask", "The monthly report is slow: 40 s for a big customer."),
        ("say", "It is an N+1 in the line items."),
        ("ask", "Then fetch the N+1 in one query, but keep the order of the rows."),
        ("edit", "reports/queries.py"), ("edit", "reports/views.py"),
        ("run", "pytest tests/test_report.py", 0, "9 passed"),
        ("commit", "perf: one query for line items"),
        ("say", "The report takes 0.4 s now and keeps its order."),
    ),
    session(
        ["gradle", "Kotlin 2", "build.gradle.kts", "gradlew test", "Unresolved reference", "Move the annotation processor",
         "Parser.kt", "ksp"],
        ("ask", "Move the gradle build to Kotlin 2."),
        ("plan", "Raise the versions", "completed"), ("plan", "Move the annotation processor", "pending"),
        ("edit", "build.gradle.kts"), ("edit", "gradle/libs.versions.toml"), ("edit", "src/main/kotlin/Parser.kt"),
        ("run", "./gradlew test", 1, "e: Parser.kt:14 error: Unresolved reference: kapt\nBUILD FAILED in 12s"),
        ("say", "kapt has to become ksp before the tests compile."),
    ),
    session(
        ["onboarding", "three steps", "skip link", "Wizard.vue", "wizard.spec.js", "npm test", "Translate the texts",
         "keyboard"],
        ("ask", "Build an onboarding wizard with three steps."),
        ("new", "src/Wizard.vue"), ("new", "tests/wizard.spec.js"),
        ("run", "npm test", 0, "Tests: 14 passed, 14 total"),
        ("ask", "It needs a skip link, and the keyboard has to work."),
        ("plan", "Skip link", "completed"), ("plan", "Translate the texts", "pending"),
        ("edit", "src/Wizard.vue"), ("edit", "tests/wizard.spec.js"),
        ("run", "npm test", 0, "Tests: 17 passed, 17 total"),
        ("say", "The wizard is done but for the translations."),
    ),
]  # fmt: skip
