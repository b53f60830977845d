"""What headings and labels announce, in the words of agents."""

from __future__ import annotations

import pytest

from progress_plugin.text.labels import plain, split_label, undecorated
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("Learnings for future iterations", SectionKind.LEARNED),
        ("🔑 Key Takeaways", SectionKind.LEARNED),
        ("Hard-won Rust lessons", SectionKind.LEARNED),
        ("Removed gotchas", None),
        ("Rules that are not negotiable", SectionKind.PATTERN),
        ("Hard constraints", SectionKind.PATTERN),
        ("Design principles", SectionKind.PATTERN),
        ("Non-negotiables", SectionKind.PATTERN),
        ("Rules engine", None),
        ("Structural process learnings (worth keeping)", SectionKind.LEARNED),
        ("4. Lessons Learned", SectionKind.LEARNED),
        ("9. ⚠️ Warnings / gotchas for next session", SectionKind.GOTCHA),
        ("What I learned", SectionKind.LEARNED),
        ("Notes for the next agent", SectionKind.LEARNED),
        ("Technical notes", SectionKind.LEARNED),
        ("Deployment notes", SectionKind.NOTES),
        ("Codebase Patterns (read these first)", SectionKind.PATTERN),
        ("Patterns & Gotchas", SectionKind.PATTERN),
        ("Gotchas encountered", SectionKind.GOTCHA),
        ("Known limitations", SectionKind.GOTCHA),
        ("Dependencies discovered", SectionKind.DEPENDENCY),
        ("Notes", SectionKind.NOTES),
        ("Learnings sections", None),
        ("Insights enabled", None),
        ("Pattern matching", None),
        ("Files changed", SectionKind.FILES),
        ("Next steps", SectionKind.NEXT),
        ("Test results", SectionKind.CHECKS),
        ("Ticket ID", SectionKind.TICKET),
        ("Blockers/Concerns", SectionKind.BLOCKED),
        ("Root cause", SectionKind.OTHER),
        ("x" * 300, None),
        ("", None),
    ],
)
def test_a_name_announces_its_section(name: str, section: SectionKind | None) -> None:
    assert section_of(name) is section


@pytest.mark.parametrize(
    "name",
    ["经验教训", "本次发现与说明", "注意事项", "学び", "落とし穴", "교훈", "Выводы", "Aprendizajes", "Lecciones aprendidas",
     "Lições aprendidas", "Leçons apprises", "Erkenntnisse für später", "Fallstricke", "Buenas prácticas", "Muster", "Co zaskoczyło", "Spielregeln", "Was uns überrascht hat"],
)  # fmt: skip
def test_names_in_other_languages_teach_too(name: str) -> None:
    assert section_of(name) in TEACHING


@pytest.mark.parametrize(
    "name", ["下一步", "验证结果", "本次涉及文件", "Próximos pasos", "Nächste Schritte", "テスト結果", "状态"]
)
def test_names_in_other_languages_end_a_section(name: str) -> None:
    assert section_of(name) not in {*TEACHING, None}


@pytest.mark.parametrize(
    "name",
    ["Offen", "Noch zu tun", "Lo que falta", "O que falta", "Reste à faire", "Da fare", "Do zrobienia", "残りの作業",
     "剩余工作", "3. 未完成的部分", "Оставшиеся задачи", "Verbleibende Arbeit", "Travail restant", "Trabajo restante",
     "Còn lại"],
)  # fmt: skip
def test_names_in_other_languages_say_what_is_left_to_do(name: str) -> None:
    assert section_of(name) is SectionKind.NEXT


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("2. 埠頭の様子 (What's Left to Build)", SectionKind.NEXT),
        ("埠头（Known Issues & Bugs）", SectionKind.OTHER),
        ("Причалы [Key Learnings]", SectionKind.LEARNED),
        ("Die Kräne (Tests)", SectionKind.CHECKS),
        ("埠頭の様子 (7 of 9)", None),
        ("Harbour walls (next steps)", None),
    ],
)
def test_a_name_in_another_language_may_be_translated_behind_it(
    name: str, section: SectionKind | None
) -> None:
    assert section_of(name) is section


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("**Status**: done", ("Status", "done")),
        ("**Status:** done", ("Status", "done")),
        ("⚠️ **Gotcha:** hot", ("Gotcha", "hot")),
        ("[x] Task: mill", ("Task", "mill")),
        ("**12 concerns** (from review):", ("12 concerns (from review)", "")),
        ("**Left to do** (needs the owner): the mill", ("Left to do (needs the owner)", "the mill")),
        ("**Oil** (linseed) the mill", ("", "**Oil** (linseed) the mill")),
        ("**Oil** the mill", ("", "**Oil** the mill")),
        ("任务：磨坊", ("任务", "磨坊")),
        ("任务： 磨坊", ("任务", "磨坊")),
        ("see http://x.org: fine", ("", "see http://x.org: fine")),
    ],
)
def test_a_label_is_taken_off(text: str, parts: tuple[str, str]) -> None:
    assert split_label(text) == parts


def test_decoration_and_marks_are_taken_off() -> None:
    assert undecorated("✅ – done") == "done"
    assert undecorated("") == ""
    assert plain("**a**  `b` ~~c~~") == "a b c"


def test_paths_are_found_with_and_without_code_marks() -> None:
    text = "In `src/mill.py`, lib/wheel.ts and `docs/how-to` but not 3.5, e.g., v1.2 or https://a.b/c.html; `./run.sh`"
    assert paths_in(text) == ("src/mill.py", "lib/wheel.ts", "docs/how-to", "run.sh")
    assert paths_in("none here") == ()


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("the `Dockerfile` must pin its base", ("Dockerfile",)),
        ("deploy/Dockerfile.dev: no root", ("deploy/Dockerfile.dev",)),
        ("The Makefile needs tabs.", ("Makefile",)),
        ("Jenkinsfile, Procfile and ./ops/Vagrantfile", ("Jenkinsfile", "Procfile", "ops/Vagrantfile")),
        ("`.env.example` lists each key of .env.", (".env.example", ".env")),
        ("apps/web/.env.local wins", ("apps/web/.env.local",)),
        (".gitignore, .eslintrc.cjs and `.npmrc`", (".gitignore", ".eslintrc.cjs", ".npmrc")),
        (".github/workflows/tide.yml waits", (".github/workflows/tide.yml",)),
        ("`conf/nginx.conf.template` is filled in", ("conf/nginx.conf.template",)),
        ("no profile, lockfile, `.map()` or a.Makefiles", ()),
    ],
)
def test_files_without_an_ending_and_with_a_leading_dot_are_paths(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths
