"""Words of the language by what they do in a sentence: duty, denial, cause, command (S18.3).

What each group weighs is in `worth.weights`.

General words only: nothing here is the name of a thing that some project has. A group is one feature,
so that a word never seen in training counts as its neighbours do.
"""

from __future__ import annotations

GROUPS: dict[str, str] = {
    "duty": (
        "must should shall need needs needed required requires require mandatory ensure ensures "
        "enforce enforced "
        "remember important critical essential crucial expect expects expected supposed"
    ),
    "always": "always every each all any only exactly strictly everywhere whenever consistently",
    "never": "never don't dont mustn't shouldn't forbidden prohibited disallowed avoid avoids beware careful",
    "denial": (
        "not no cannot can't cant won't without isn't aren't doesn't didn't none neither nor nothing unable "
        "lacks lack missing absent unsupported impossible"
    ),
    "cause": (
        "because since so therefore thus hence otherwise causes caused causing leads due why reason means"
    ),
    "contrast": (
        "but however although though instead rather unlike whereas despite except unless yet while vs versus "
        "even actually still"
    ),
    "condition": "if when where unless until before after once then whether",
    "failure": (
        "fail fails failed failing failure failures error errors crash crashes crashed broke "
        "broken break breaks "
        "bug bugs hang hangs hung timeout timeouts flaky invalid wrong incorrect incorrectly silently panic "
        "deadlock leak leaks race conflict conflicts clash clashes ambiguous ambiguity overflow "
        "corrupt stale "
        "reject rejects rejected throw throws raise raises warning warnings trap gotcha pitfall caveat"
    ),
    "unfinished": (
        "todo pending remaining remains incomplete unfinished partial partially deferred skipped "
        "skip blocked "
        "unresolved unverified untested unimplemented placeholder stub later future next follow-up followup "
        "outstanding todo awaiting waiting manual manually optional postponed"
    ),
    "known": "known existing pre-existing preexisting limitation limitations unrelated baseline legacy",
    "remedy": (
        "fix fixed fixes workaround resolved resolve solution solved resolves mitigated prevent prevents"
    ),
    "made": (
        "added created implemented wrote built introduced extended defined registered wired "
        "exported integrated "
        "generated set made add create implement adds creates implements"
    ),
    "changed": (
        "updated changed modified refactored renamed moved replaced removed deleted converted "
        "migrated extracted "
        "improved enhanced cleaned simplified reworked adjusted update updates"
    ),
    "recorded": (
        "marked committed pushed merged documented logged recorded noted reviewed read analyzed examined "
        "confirmed checked verified validated ran tested synced advanced delegated prepared cleared"
    ),
    "use": "use uses using used prefer prefers call calls pass passing via through",
    "run": (
        "run runs running execute executes command commands invoke start build install start launch rebuild"
    ),
    "tests": (
        "test tests testing suite spec specs unit integration e2e coverage typecheck typechecks "
        "type-check lint "
        "linter linting format formatting check checks ci assertion assertions regression"
    ),
    "passing": "pass passes passed passing green succeed succeeds successful successfully clean ok",
    "done": "done complete completed finished all-done finish completes ready implemented closed",
    "state": "status current currently now latest state progress phase stage version branch release",
    "habit": (
        "pattern patterns convention conventions style follow follows follow standard naming "
        "consistent usually "
        "typically generally approach way structure default defaults same similar"
    ),
    "support": (
        "supports support allows allow lets enables enable provides provide handles handle accepts works work"
    ),
    "decision": "decided decision chose choose chosen design tradeoff trade-off approved accepted rejected",
    "change of mind": (
        "corrected correction actually turned turns no-longer formerly superseded outdated deprecated"
    ),
    "place": "in at under inside from into located lives file files directory folder path module root",
    "storage": (
        "git commit repo repository config configuration environment env setting settings variable variables"
    ),
    "time": "before after first last until during order timing time async await concurrent sequential",
    "amount": "count total number most least many few several both one two three four five",
    "question": "why how what which who should? open question questions tbd",
    "person": "user users agent agents developer human customer client reviewer",
    "example": "e.g eg example examples such like i.e",
}

TOOL_WORDS = frozenset(
    (
        "npm npx pnpm yarn bun deno node cargo rustc go python python3 pip uv uvx poetry pytest "
        "ruff mypy tox make "
        "cmake just docker docker-compose podman kubectl git gh bash sh zsh source cd cp mv rm "
        "export curl wget "
        "dotnet mvn gradle ./gradlew java php composer bundle rake rails ruby mix elixir sbt "
        "stack cabal swift "
        "xcodebuild terraform ansible psql mysql sqlite3 redis-cli tsc eslint prettier vitest "
        "jest playwright vite "
        "webpack turbo nx brew apt apt-get sudo systemctl ssh env flutter dart zig"
    ).split()
)
"""Programs of the trade that are started by name."""
WIDE: dict[str, tuple[str, ...]] = {
    "duty": (
        "必须",
        "需要",
        "应该",
        "要求",
        "务必",
        "必須",
        "必要",
        "해야",
        "нужно",
        "необходимо",
        "следует",
    ),
    "never": ("不要", "禁止", "避免", "不能", "勿", "しない", "注意", "нельзя", "하지"),
    "denial": ("没有", "无法", "不", "未", "ない", "не ", "нет", "없"),
    "cause": ("因为", "由于", "所以", "导致", "因此", "ため", "原因", "потому", "때문"),
    "failure": ("失败", "错误", "报错", "异常", "问题", "失敗", "エラー", "ошибк", "오류", "실패"),
    "unfinished": ("待", "未完成", "尚未", "剩余", "后续", "下一步", "暂", "残", "次回", "осталось", "남은"),
    "made": ("新增", "添加", "实现", "创建", "增加", "追加", "実装", "добавлен", "추가", "구현"),
    "changed": ("修改", "更新", "重构", "调整", "改为", "删除", "変更", "修正", "изменен", "수정"),
    "recorded": ("确认", "检查", "验证", "记录", "提交", "確認", "проверен", "확인"),
    "use": ("使用", "采用", "通过", "使って", "использ", "사용"),
    "run": ("运行", "执行", "启动", "命令", "実行", "запуск", "실행"),
    "tests": ("测试", "テスト", "тест", "테스트"),
    "done": ("完成", "完了", "готов", "завершен", "완료"),
    "state": ("当前", "目前", "状态", "現在", "текущ", "현재"),
}
