"""What is left and what is known to be broken is told, whichever language a log names such sections in."""

from __future__ import annotations

import pytest

from tests.journeys.project_life import Life

LANGUAGES = {
    "zh": ("已知问题", "起重机的钩子在退潮时卡住", "剩余工作", "年度报告"),
    "ja": ("既知の問題", "干潮時にクレーンが止まる", "残りの作業", "年次報告"),
    "ko": ("알려진 문제", "썰물에 크레인이 멈춘다", "남은 작업", "연간 보고서"),
    "ru": ("Известные проблемы", "Кран стоит при отливе", "Оставшиеся задачи", "Годовой отчёт"),
    "es": ("Problemas conocidos", "La grúa se para con marea baja", "Trabajo restante", "Informe anual"),
    "pt": ("Problemas conhecidos", "O guindaste para na maré baixa", "Trabalho restante", "Relatório anual"),
    "fr": ("Problèmes connus", "La grue s'arrête à marée basse", "Travail restant", "Rapport annuel"),
    "de": ("Bekannte Probleme", "Der Kran steht bei Ebbe still", "Verbleibende Arbeit", "Jahresbericht"),
    "it": ("Problemi noti", "La gru si ferma con la bassa marea", "Attività rimanenti", "Rapporto annuale"),
    "nl": ("Bekende problemen", "De kraan staat stil bij eb", "Resterend werk", "Jaarverslag"),
    "pl": ("Znane problemy", "Dźwig staje podczas odpływu", "Pozostałe zadania", "Raport roczny"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_known_problem_of_an_older_entry_and_the_work_that_remains(life: Life, language: str) -> None:
    known, problem, remaining, step = LANGUAGES[language]
    life.write(
        "progress.md",
        f"# Log\n\n## 2026-03-01 - US-001: Crane\n- A\n- **{known}:**\n  - {problem}\n\n"
        f"## 2026-03-02 - US-002: Berths\n- B\n\n**{remaining}**\n- {step}\n",
    )
    head = life.context.partition("## Story Status")[0]
    assert f"Next: {step}\n" in head
    assert f"Left open earlier:\n- US-001: {known}: {problem}\n" in head


def test_a_form_in_two_languages_says_what_is_left(life: Life) -> None:
    life.write(
        "memory-bank/progress.md",
        "# 進捗 (Progress)\n\n## 1. 港の様子 (What Works)\n- 桟橋の一覧\n\n"
        "## 2. 港の課題 (What's Left to Build)\n- 年次報告\n\n## 3. 港の注意 (Known Issues)\n- クレーンが止まる\n",
    )
    assert "Next: 年次報告\n" in life.context
