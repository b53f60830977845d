"""Words of the language by what they do in a sentence: duty, denial, cause, command.

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
WIDE: dict[str, str] = {
    "duty": (
        "必须 必須 需要 应该 應該 应当 要求 务必 務必 一定要 记得 必要 べき 해야 필요 필수 "
        "нужно необходимо следует"
    ),
    "always": ("总是 始终 所有 每个 每次 全部 仅 只能 常に 必ず すべて 全て のみ だけ 항상 모든 반드시"),
    "never": ("不要 禁止 避免 不能 不得 不可 切勿 请勿 小心 勿 しない 注意 避け нельзя 하지 금지 주의"),
    "denial": "没有 沒有 无法 無法 缺少 缺乏 不 未 ない なし нет 없 않",
    "cause": (
        "因为 因為 由于 由於 所以 导致 導致 因此 否则 否則 原因 根因 ため ので から 理由 "
        "потому 때문 따라서 원인"
    ),
    "contrast": "但 然而 而是 而不是 尽管 虽然 仍 ただし しかし のに 하지만 그러나 대신",
    "condition": "如果 若 当 之前 之后 场合 場合 とき 前に 後に 경우 때 후에 전에",
    "failure": (
        "失败 失敗 错误 錯誤 报错 异常 崩溃 冲突 超时 无效 问题 エラー 不具合 バグ 例外 "
        "ошибк 오류 실패 버그 충돌"
    ),
    "unfinished": (
        "待 未完成 尚未 剩余 后续 下一步 暂 未验证 未测试 残 次回 未実装 今後 осталось 남은 미완 추후 다음"
    ),
    "known": "已知 现有 既存 限制 局限 制限 制約 既知 알려진 기존 제한",
    "remedy": "修复 修復 解决 解決 规避 対策 対応 直した 해결 수정",
    "made": "新增 添加 实现 創建 创建 增加 追加 実装 作成 добавлен 추가 구현 생성",
    "changed": ("修改 更新 重构 调整 改为 改成 删除 移除 变更 変更 修正 削除 изменен 수정 변경 삭제"),
    "recorded": "确认 確認 检查 验证 记录 提交 記録 検証 проверен 확인 검증 기록",
    "use": "使用 采用 通过 调用 使って 使う 利用 использ 사용",
    "run": "运行 执行 启动 命令 実行 起動 コマンド запуск 실행 명령",
    "tests": "测试 測試 テスト тест 테스트",
    "passing": "通过 全绿 成功 合格 通過 통과 성공",
    "done": "完成 完了 готов завершен 완료",
    "state": "当前 目前 状态 狀態 現在 状況 текущ 현재 상태",
    "habit": "约定 規約 规范 惯例 模式 统一 默认 默認 デフォルト パターン 규칙 기본 패턴",
    "support": "支持 允许 可以 提供 処理 対応 できる 지원 처리 가능",
    "decision": "决定 決定 选择 方案 設計 设计 採用 결정 선택 설계",
    "place": "位于 目录 文件 路径 配置 フォルダ ファイル 設定 파일 경로 설정",
}
"""The same of languages without spaces, and of Cyrillic: what stands anywhere in a text."""
