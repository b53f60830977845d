"""Commands that public repositories tell people, agents and build servers to run, and what each one checks.

By repository: from its workflows, Makefile, `package.json`, `tox.ini`, or what it tells contributors and
agents (AGENTS.md, CLAUDE.md, CONTRIBUTING). A command that checks nothing is `none`; where a text leaves a
place open (`<PROJECT>`) it is filled. Repositories behind `##` were kept aside: the table is not mended on
them, only measured. `⏎` is a line's end. What only rewrites files, installs, cleans, starts
something or makes code is no check; what compiles is a build; a linter that mends counts as a linter.
"""

from __future__ import annotations

from typing import NamedTuple

_COMMANDS = r"""
# google-gemini/gemini-cli
build | npm run build --workspaces
build | npm run build && npm run build:sandbox && npm run build:vscode
build | node scripts/build.js
tests | npm run test --workspaces --if-present
tests | npm run test:ci --workspaces --if-present && npm run test:scripts
tests | vitest run --config ./scripts/tests/vitest.config.ts
tests | cross-env VERBOSE=true KEEP_OUTPUT=true npm run test:integration:sandbox:none
tests | cross-env GEMINI_SANDBOX=false vitest run --root ./integration-tests
lint | eslint . --ext .ts,.tsx && eslint integration-tests && eslint scripts
lint | node scripts/lint.js
lint | eslint --fix --max-warnings 0 --no-warn-ignored
types | npm run typecheck --workspaces --if-present
none | cross-env NODE_ENV=development node scripts/start.js
none | cross-env DEBUG=1 node --inspect-brk scripts/start.js
none | CODER_AGENT_PORT=41242 npm run start --workspace @google/gemini-cli-a2a-server
none | node scripts/generate-git-commit-info.js
none | tsx ./scripts/generate-settings-schema.ts
none | prettier --experimental-cli --write .
none | node scripts/clean.js
none | npm ci
none | gcloud auth configure-docker us-west1-docker.pkg.dev
none | npx google-artifactregistry-auth
none | node scripts/version.js
# pydantic/pydantic
lint | flake8 pydantic/ tests/
lint | python setup.py check -rms
tests | pytest pydantic -p no:sugar -q --cache-clear
tests | pytest --cov=pydantic
tests | pytest --cov=pydantic && (echo "building coverage html"; coverage html)
none | isort -rc -w 120 pydantic
none | pip install -U setuptools pip
none | pip install -r tests/requirements.txt
none | python setup.py clean
none | rm -rf build
none | rm -rf `find . -name __pycache__`
# tokio-rs/tokio
tests | cargo nextest run --features full
tests | cargo test --doc --features full
tests | RUSTFLAGS="$RUSTFLAGS -C panic=abort -Zpanic-abort-tests" cargo nextest run --workspace --exclude tokio-macros --exclude tests-build --all-features --tests
tests | set -euxo pipefail ⏎ cargo nextest run --all-features ⏎ cargo test --doc --all-features
tests | cargo hack test --each-feature
tests | cargo miri test --features full --lib --no-fail-fast
tests | valgrind --error-exitcode=1 --leak-check=full --show-leak-kinds=all --fair-sched=yes ./target/debug/test-mem
tests | cargo test --workspace --all-features --target x86_64-unknown-linux-gnu --tests -- --test-threads 1 --nocapture
build | cargo check --benches
build | cargo check --workspace --all-features --tests
build | cargo build --features rt-net --bin test-mem
build | cargo hack check -Zbuild-std --workspace --each-feature --target armv7-sony-vita-newlibeabihf
none | sudo apt-get install -y llvm
none | sed -i '/\[features\]/a plsend = ["parking_lot/send_guard"]' tokio/Cargo.toml
none | exit 0
# redis/redis
build | make REDIS_CFLAGS='-Werror' BUILD_TLS=yes
build | make SANITIZER=address REDIS_CFLAGS='-Werror'
build | make REDIS_CFLAGS='-Werror' 32bit
build | make REDIS_CFLAGS='-Werror' MALLOC=libc
tests | ./runtest --verbose --tags -slow --dump-logs
tests | ./runtest-moduleapi --verbose --dump-logs
tests | ./runtest-sentinel
tests | ./runtest-cluster
none | sudo apt-get install tcl8.6 tclx -y
none | sudo apt-get update && sudo apt-get install libc6-dev-i386
none | yum -y install gcc make
## openai/codex
tests | cargo test -p codex-tui
tests | cargo test -p codex-app-server-protocol
tests | just test
lint | just bazel-lock-check
none | just fmt
none | just fix -p codex-core
none | just write-config-schema
none | just bazel-lock-update
none | cargo insta pending-snapshots -p codex-tui
none | cargo insta show -p codex-tui path/to/file.snap.new
none | cargo insta accept -p codex-tui
none | cargo install cargo-insta
# vuejs/core
types | tsc --incremental --noEmit
types | tsc -p packages-private/dts-built-test/tsconfig.json && tsc -p ./packages-private/dts-test/tsconfig.test.json
build | tsc -p tsconfig.build.json --noCheck && rollup -c rollup.dts.config.js
build | node scripts/build.js vue -f global -d
build | cd packages-private/sfc-playground && npm run build
lint | eslint --cache .
lint | prettier --check --cache .
tests | vitest
tests | vitest --project unit*
tests | vitest run --project unit* --coverage
tests | run-s build-dts test-dts-only
tests | pnpm lint-staged && pnpm check
none | vitest bench --project=unit --outputJson=temp/bench.json
none | node scripts/dev.js
none | rimraf --glob packages/*/dist temp .eslintcache
none | prettier --write --cache .
none | conventional-changelog -p angular -i CHANGELOG.md -s
none | vite packages-private/sfc-playground --host
none | npx only-allow pnpm
none | node scripts/release.js
none | open http://localhost:3000/packages-private/template-explorer/local.html
# phoenixframework/phoenix
build | mix compile --warnings-as-errors
tests | mix test
tests | cd installer ⏎ mix test
tests | cd assets ⏎ npm install ⏎ npm test
tests | mix test --include database
none | mix deps.get --only test
none | mix clean
none | mix local.rebar --force
none | apk add --no-progress --update git socat make gcc libc-dev
none | socat TCP-LISTEN:5432,fork TCP-CONNECT:postgres:5432&
# rubocop/rubocop
tests | bundle exec rake
lint | codespell --ignore-words=codespell.txt
lint | yamllint .
lint | find . -type f | xargs ./misspell -i 'enviromnent' -error
none | rubocop -V
none | bundle exec rake changelog:new
none | bundle exec rake changelog:fix
## laravel/framework
tests | vendor/bin/phpunit --verbose
none | composer require guzzlehttp/guzzle:^7.2 --no-interaction --no-update
none | composer update --prefer-stable --prefer-dist --no-interaction --no-progress
none | git config --global core.autocrlf false
# hashicorp/terraform
tests | for dir in $(go list -m -f '{{.Dir}}' github.com/hashicorp/terraform/...); do ⏎ (cd $dir && go test -cover "./...") ⏎ done
tests | go test -race ./internal/terraform ./internal/command ./internal/states
tests | TF_ACC=1 go test -v ./internal/command/e2etest
lint | make fmtcheck importscheck vetcheck copyright generate staticcheck exhaustive protobuf
none | make syncdeps
none | CHANGED="$(git status --porcelain)"
none | git diff
# prometheus/prometheus
build | make GOOPTS=--tags=stringlabels GO_ONLY=1 SKIP_GOLANGCI_LINT=1
build | make -C documentation/examples/remote_storage
build | make build
tests | go test --tags=stringlabels ./tsdb/ -test.tsdb-isolation=false
tests | go test --tags=dedupelabels ./...
tests | GOARCH=386 go test ./cmd/prometheus
tests | make test GO_ONLY=1 test-flags=""
tests | make ui-test
tests | go test $TestTargets -vet=off -v
lint | make ui-lint
lint | make install-goyacc check-generated-parser
none | go install ./cmd/promtool/.
none | go install github.com/google/go-jsonnet/cmd/jsonnet@latest
none | make -C documentation/prometheus-mixin clean
none | make -C documentation/prometheus-mixin jb_install
none | ./scripts/ui_release.sh --copy
none | sudo apt-get update && sudo apt-get -y install libsnmp-dev
# facebook/react
build | node ./scripts/rollup/build-all-release-channels.js
build | yarn build-for-devtools --type=NODE_DEV
build | cross-env RELEASE_CHANNEL=experimental yarn build react/index,react/jsx,react-dom/index --type=NODE
lint | node ./scripts/tasks/eslint.js
types | node ./scripts/tasks/flow.js
types | node ./scripts/tasks/flow-ci.js
tests | node ./scripts/jest/jest-cli.js
tests | node ./scripts/jest/jest-cli.js --release-channel=stable
tests | cd fixtures/dom && yarn && yarn predev && yarn test
none | node ./scripts/prettier/index.js write-changed
none | node scripts/error-codes/extract-errors.js
none | node ./scripts/release/publish-using-ci-workflow.js
none | node ./scripts/release/download-experimental-build.js --commit=$(git rev-parse HEAD)
# apache/airflow
tests | uv run --project airflow-core pytest path/to/test.py::TestClass::test_method -xvs
tests | uv run --project providers/amazon pytest path/to/package -xvs
tests | uv run --project scripts pytest scripts/tests/ -xvs
tests | breeze run pytest tests/unit -xvs
tests | breeze testing core-tests --run-in-parallel
tests | breeze testing helm-tests --use-xdist --kubernetes-version 1.35.0
types | prek run mypy-airflow-core --all-files
types | breeze run mypy path/to/code
lint | prek run ruff --from-ref main
lint | prek run --from-ref main --stage pre-commit
lint | uv run ruff check --fix airflow-core/src/airflow/models/dag.py
none | uv run ruff format airflow-core/src/airflow/models/dag.py
none | uv tool install prek
none | prek install
none | scripts/tools/setup_breeze
none | uv run --project airflow-core python dev/my_script.py
none | breeze run airflow dags list
none | breeze down --cleanup-mypy-cache
none | docker network prune
none | git remote -v
none | git remote rename apache upstream
none | gh repo fork apache/airflow --remote --remote-name origin
none | uv lock
# astral-sh/uv
tests | ./scripts/run-integration-tests.sh -E 'test(test_name)'
tests | ./scripts/run-integration-tests.sh --workspace
tests | UV_TEST_BIN="$PWD/target/debug/uv" cargo insta test --accept --test-runner nextest --package uv-integration
tests | UV_TEST_BIN="$PWD/target/debug/uv" cargo test --package uv-integration --test it lock -- --exact
build | cargo build --package uv --bin uv --features uv-publish/test
build | cargo build --target x86_64-unknown-linux-musl --profile profiling
build | docker build -t uv-builder -f crates/uv-dev/builder.dockerfile --load .
lint | cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
lint | cargo xwin clippy --workspace --all-targets --all-features --locked -- -D warnings
lint | uvx ruff check .
lint | shellcheck scripts/release.sh
lint | uvx typos
lint | cargo shear
types | uvx ty check python/uv
none | cargo run python install
none | cargo run -- pip install requests
none | cargo insta review
none | ./scripts/apply-ci-snapshots.sh
none | cargo fmt --all
none | uvx ruff format .
none | npx prettier --write .
none | cargo install cargo-xwin --locked
none | rustup target add x86_64-pc-windows-msvc
none | cargo depgraph --dedup-transitive-deps --workspace-only | dot -Tpng > graph.png
none | docker run --rm -v .:/src/ -w /src/ node:alpine npx prettier --write .
none | cargo dev generate-all
none | uv run --only-group docs mkdocs serve -f mkdocs.yml
none | sudo apt install build-essential
none | RUST_LOG=trace uv
# vercel/next.js
build | pnpm --filter=next build
build | pnpm build
build | pnpm build-all
build | next build --webpack
build | pnpm build 2>&1 | tee /tmp/build.log
tests | pnpm test-dev-turbo test/path/to/test.ts
tests | pnpm test-start-webpack test/path/to/test.ts
tests | pnpm test-dev-turbo -t "pattern"
tests | pnpm test-unit
tests | HEADLESS=true pnpm test-dev-turbo test/path/to/test.ts > /tmp/test-output.log 2>&1
types | pnpm --filter=next types
types | pnpm types
lint | pnpm lint
lint | npx eslint --config eslint.config.mjs --fix packages/next/src/build/index.ts
lint | cargo fmt -- --check
none | pnpm --filter=next dev
none | next dev --webpack
none | pnpm new-test
none | pnpm new-test -- --args true my-feature e2e
none | pnpm prettier-fix
none | pnpm prettier --with-node-modules --ignore-path .prettierignore --write packages/next/src/build/index.ts
none | grep "●" /tmp/test-output.log
none | grep -A5 "Error:" /tmp/test-output.log
none | tail -5 /tmp/test-output.log
none | node scripts/pr-status.js
none | git checkout canary
# square/okhttp
tests | ./gradlew check -PandroidBuild=true -PgraalBuild=true -x test -x test
tests | ./gradlew test -Dtest.java.version=11
tests | ./gradlew test -Dokhttp.platform=conscrypt
tests | ./gradlew -PgraalBuild=true native-image-tests:nativeTest
tests | ./gradlew -PandroidBuild=true :android-test:test
tests | ./gradlew -PandroidBuild=true :android-test:connectedCheck
build | ./gradlew okcurl:nativeBuild
none | ./gradlew clean publish --stacktrace
none | sudo udevadm control --reload-rules
none | echo 'KERNEL=="kvm", GROUP="kvm", MODE="0666", OPTIONS+="static_node=kvm"' | sudo tee /etc/udev/rules.d/99-kvm4all.rules
# dotnet/efcore
tests | dotnet exec EFCore.Tests.dll --filter-method '*Query*' --filter-not-trait category=failing --ignore-exit-code 8
none | . ./restore.sh
none | . ./activate.sh
# apple/swift-nio
build | swift build
tests | swift test
tests | docker-compose -f docker/docker-compose.yaml run test
none | swift run NIOHTTP1Server
none | swift package generate-xcodeproj
none | echo "Hello SwiftNIO" | nc localhost 9999
none | docker-compose -f docker/docker-compose.yaml up echo
none | apt-get install -y git curl libatomic1 libxml2 netcat-openbsd lsof perl
# rails/rails
lint | bundle exec rubocop --parallel
none | bundle config path vendor/bundle
none | bundle install --jobs 4 --retry 3
## pallets/flask
tests | py.test
tests | tox
none | pip install pytest
none | pip install --editable .
none | git clone https://github.com/pallets/flask.git
## symfony/symfony
tests | ./phpunit --exclude-group tty,benchmark,intl-data,integration
tests | script -e -c './phpunit --group tty' /dev/null
tests | ./build/php/bin/php ./phpunit --colors=always src/Symfony/Component/Process
none | ./phpunit install
none | php .github/build-packages.php HEAD^ 6.2 src/Symfony/Bridge/PhpUnit
none | composer install -q --optimize-autoloader
none | git fetch --depth=2 origin 6.2
none | tar -xjf php-8.1.2-pcntl-sigchild.tar.bz2
none | patch -sp1 < .github/expected-missing-return-types.diff
# flutter/packages
lint | dart run $REPO_ROOT/script/tool/bin/flutter_plugin_tools.dart analyze --packages path_provider
lint | dart run $REPO_ROOT/script/tool/bin/flutter_plugin_tools.dart license-check
tests | dart run $REPO_ROOT/script/tool/bin/flutter_plugin_tools.dart dart-test --packages path_provider
none | dart run $REPO_ROOT/script/tool/bin/flutter_plugin_tools.dart format --packages path_provider
none | dart run $REPO_ROOT/script/tool/bin/flutter_plugin_tools.dart update-excerpts --packages path_provider
none | dart run build_runner build -d
none | dart run pigeon --input pigeons/messages.dart
none | dart pub get
none | flutter doctor --verbose
none | flutter precache --force
# django/channels
tests | py.test -v tests/test_http.py
lint | pyflakes channels tests
lint | black --check channels tests
lint | isort --check-only --diff --recursive channels tests
none | pip freeze
# curl/curl
build | cmake --build .
build | cd bearssl-0.6 ⏎ make
build | RUSTFLAGS="--cfg hyper_unstable_ffi" cargo +nightly rustc --features client,http1,http2,ffi -Z unstable-options --crate-type cdylib
none | cmake -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_PREFIX=$HOME/msh3 ..
none | cmake --install .
none | make DESTDIR=$HOME/mbedtls install
none | make -j1 install_sw
none | ./configure --prefix=$HOME/libressl
none | ./autogen.sh
none | sudo python3 -m pip install -r tests/http/requirements.txt
none | gcc --version
# microsoft/TypeScript
build | hereby local
tests | hereby runtests
tests | hereby runtests-parallel
tests | hereby runtests --runner=fourslash
tests | hereby runtests --tests=tests/cases/fourslash/completionForObjectProperty.ts
lint | hereby lint
none | hereby clean
none | hereby baseline-accept
none | hereby format
none | npm install -g hereby
# scikit-learn/scikit-learn
tests | nosetests --with-doctest --with-coverage scikits/learn/ --cover-package scikits/learn
build | python setup.py build_ext -i
none | find . -name "*.pyc" | xargs rm -f
# encode/httpx
lint | venv/bin/black --check --diff httpx tests
lint | venv/bin/ruff check httpx tests
types | venv/bin/mypy httpx tests
none | ./scripts/sync-version
# anthropics/claude-code-action
tests | bun test
types | bun run typecheck
lint | bun run format:check
none | bun run format
# home-assistant/core
lint | uv run prek run --all-files
none | script/setup
# mikkoha/use-storage-persisted-state
tests | npm run test
tests | npm run check
none | npm run format
# Comfy-Org/ComfyUI-Launcher
types | npm run typecheck
lint | npm run lint
build | npm run build
# drquicksilver/animated-birthday
types | npm run type-check
## kazuhideoki/voice_input
build | cargo build --release
build | cargo check
lint | cargo clippy
tests | cargo test --test performance_test -- --ignored --nocapture
none | cargo run
none | rustfmt src/*.rs
# gpu-mode/popcorn-cli
lint | cargo clippy --all-targets --all-features -- -D warnings
# chuyii/envdiff-docs
lint | npm run lint
## sveltejs/svelte
build | pnpm -r --filter=./packages/* build
build | npm run build --prefix sites/svelte-5-preview
build | cd packages/svelte && pnpm build && cd ../../ && pnpm -r check
lint | cd packages/svelte && pnpm exec rollup -c && cd ../../ && prettier --check . && eslint ./
tests | vitest run --coverage
none | prettier --write .
none | changeset version && pnpm -r generate:version && git add --all
none | changeset publish
## spf13/cobra
tests | go test -v ./...
tests | richgo test -v ./...
lint | golangci-lint run -v
none | go get -v ./...
none | rm -rf ./bin
## elastic/elasticsearch
lint | ./gradlew spotlessJavaCheck
lint | ./gradlew :server:spotlessJavaCheck
tests | ./gradlew test
tests | ./gradlew :server:test --tests org.elasticsearch.package.ClassName
tests | ./gradlew ":rest-api-spec:yamlRestTest" --tests "org.elasticsearch.test.rest.ClientYamlTestSuiteIT.test {yaml=cat/10_basic}"
tests | ./gradlew ":x-pack:plugin:esql:internalClusterTest" --tests "org.elasticsearch.xpack.esql.CsvIT.*stats*"
none | ./gradlew spotlessApply
none | ./gradlew generateTransportVersion
## BurntSushi/ripgrep
build | cargo build --verbose --workspace --features pcre2
build | cross build --verbose --workspace --target aarch64-unknown-linux-gnu
build | cargo build --verbose
tests | cargo test --verbose --workspace --features pcre2
tests | cross test --verbose --workspace --target aarch64-unknown-linux-gnu
tests | ci/test-complete
tests | cargo test --manifest-path crates/cli/Cargo.toml --lib print_hostname -- --nocapture
lint | cargo fmt --all --check
none | ci/ubuntu-install-packages
none | rustup target add wasm32-wasi
none | tar xf cross-x86_64-unknown-linux-musl.tar.gz
none | mkdir "$dir"
none | cat "$stderr"
## psf/requests
tests | py.test --verbose --cov-report term --cov=requests test_requests.py
tests | py.test --junitxml=junit.xml
none | pip install -r requirements.txt
none | curl http://ci.kennethreitz.org/job/ca-bundle/lastSuccessfulBuild/artifact/cacerts.pem -o requests/cacert.pem
none | rm -fr requests/packages/urllib3
none | mv urllib3/urllib3 requests/packages/
none | python setup.py sdist upload
none | python setup.py bdist_wheel upload
## apache/maven
build | mvn -DdistributionTargetDir="$HOME/app/maven/apache-maven-4.1.x-SNAPSHOT" clean package
## neovim/neovim
build | cmake --build .deps
build | cmake -B build -G Ninja ⏎ cmake --build build
lint | cmake --build build --target lintc-clang-tidy
none | cmake -S cmake.deps -B .deps -G Ninja
none | tar -cvf lint.tar build .deps
none | wget --directory-prefix="$BIN_DIR" https://github.com/JohnnyMorganz/StyLua/releases/latest/download/stylua-linux-x86_64.zip
none | ./.github/scripts/install_deps.sh
## gohugoio/hugo
lint | staticcheck ./...
tests | sass --version; ⏎ mage -v check;
tests | mage -v test;
none | go install github.com/magefile/mage@v1.15.0
none | go install honnef.co/go/tools/cmd/staticcheck@latest
none | brew install pandoc
none | pandoc -v
none | echo "${DART_SASS_SHA_LINUX}  dart-sass-${SASS_VERSION}-linux-x64.tar.gz" | sha256sum -c;
## mastodon/mastodon
build | cross-env RAILS_ENV=production NODE_ENV=production ./bin/webpack
lint | eslint --ext=js . --cache
lint | sass-lint -v
tests | cross-env NODE_ENV=test jest --coverage
none | node ./config/webpack/translationRunner.js
none | node ./streaming/index.js
none | git push --tags
## jqlang/jq
build | autoreconf -i ⏎ ./configure --disable-docs YACC="$(which bison) -y" ⏎ make ⏎ strip jq
tests | make check
none | sudo apt-get update -qq
none | autoreconf -i
none | cp artifacts/jq-dist/jq-* release/
none | gh release upload $TAG_NAME --clobber release/jq-*
none | brew update || brew update-reset
## langchain-ai/langchain
tests | make test
tests | uv run --group test pytest tests/unit_tests/test_specific.py
lint | make lint
types | uv run --group lint mypy .
none | make format
none | uv sync --all-groups
none | uv sync --group test
none | uv run langchain-profiles refresh --provider openai --data-dir ../partners/openai/langchain_openai/data
none | gh workflow run 63880841 --repo langchain-ai/langchain -f working-directory=openrouter
none | gh run view 63880841 --repo langchain-ai/langchain
## phpstan/phpstan-src
tests | XDEBUG_MODE=off php tests/vendor/bin/paratest --runner WrapperRunner --no-coverage
tests | php vendor/bin/phpunit tests/PHPStan/Reflection/ReflectionProviderGoldenTest.php
lint | XDEBUG_MODE=off php vendor/bin/parallel-lint --colors --exclude tests/bench/data src tests
lint | XDEBUG_MODE=off php build-cs/vendor/bin/phpcs
types | php bin/phpstan clear-result-cache -q && php -d memory_limit=599M bin/phpstan -v
types | php -d memory_limit=599M bin/phpstan
none | composer install --working-dir tests
none | git -C build-cs fetch origin && git -C build-cs reset --hard origin/2.x
none | XDEBUG_MODE=off php build-cs/vendor/bin/phpcbf
## nodejs/undici
lint | standard | snazzy
tests | tap test/*.js --no-coverage && jest test/jest/test
none | npx concurrently -k -s first "node benchmarks/server.js" "node -e 'setTimeout(() => {}, 1000)' && node benchmarks"
## denoland/deno
build | cargo build --bin deno
build | cargo check -p deno_runtime
lint | ./tools/lint.js
lint | ./tools/format.js && ./tools/lint.js
tests | cargo test spec::test_name
tests | cargo test unit_node::crypto_test
tests | cargo test --bin deno
none | ./tools/format.js
none | ./target/debug/deno eval 'console.log("Hello from dev build")'
none | ./target/debug/deno run --allow-net --allow-read script.ts
none | DENO_LOG=debug ./target/debug/deno run script.ts
none | cargo update
none | cargo outdated
none | lldb ./target/debug/deno
## vitejs/vite
types | tsc -p scripts --noEmit && pnpm -r --parallel run typecheck
tests | pnpm test-unit && pnpm test-serve && pnpm test-build
tests | VITE_TEST_BUILD=1 vitest run -c vitest.config.e2e.ts
tests | vitest run
build | pnpm --filter=docs run docs-build
build | pnpm -r --filter='./packages/*' run build
none | pnpm --filter=docs run docs-serve
none | pnpm -r --parallel --filter='./packages/*' run dev
none | tsx scripts/release.ts
none | pnpm exec lint-staged --concurrent false
## grafana/grafana
build | make build-backend
build | yarn build
tests | go test -run TestName ./pkg/services/myservice/
tests | make test-go-unit
tests | make test-go-integration
tests | yarn test path/to/file
tests | yarn e2e:playwright path/to/test.spec.ts
tests | yarn jest --no-watch
lint | make lint-go
lint | yarn lint
types | yarn typecheck
none | make run
none | yarn start
none | yarn prettier:write
none | make gen-go
none | make swagger-gen
none | make i18n-extract
none | yarn install --immutable
none | make devenv sources=influxdb
none | make lefthook-install
none | make update-workspace
## supabase/supabase
build | turbo run build --filter=studio
lint | turbo run lint
types | turbo --continue typecheck
lint | prettier -c '{apps,packages}/**/*.{js,jsx,ts,tsx,css,md,mdx,json}'
tests | turbo run test --filter=docs
tests | pnpm --prefix e2e/studio run e2e
none | turbo run clean --parallel && rimraf -G node_modules/{*,.bin,.modules.yaml}
none | turbo run dev --filter=www --parallel
none | pnpm --prefix e2e/studio run supabase:start
none | ab -t 5 -c 20 -T application/json http://localhost:8000/
none | supabase gen types typescript --local > ./supabase/functions/common/database-types.ts
## pytorch/pytorch
lint | spin lint
none | spin fixlint
none | pip install -e . -v --no-build-isolation
"""


class PublicCommand(NamedTuple):
    """One command, where it stands, and what it checks."""

    repository: str
    line: str
    kind: str | None
    """None for a command that checks nothing."""

    is_kept_aside: bool
    """Whether its repository belongs to those that the table was not mended on."""


def _commands() -> list[PublicCommand]:
    found, repository, aside = [], "", False
    for row in _COMMANDS.strip().split("\n"):
        if row.startswith("#"):
            marks, _, repository = row.partition(" ")
            aside = marks == "##"
            continue
        kind, _, line = row.partition(" | ")
        line = line.replace(" ⏎ ", "\n")
        found.append(PublicCommand(repository, line, None if kind == "none" else kind, aside))
    return found


PUBLIC_COMMANDS = _commands()
