.PHONY: test fast lock bench

test: ## every check, with real clients
	python3 tests/run.py

fast: ## what needs no network and no client
	python3 tests/run.py --fast

bench: ## the table of budgets
	.venv/bin/python benchmarks/run.py

# The first line of requirements.lock states the hash of the rest: bin/agent-progress finds environments by it.
lock: ## pin the newest versions, with hashes, for every platform
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade \
		--output-file requirements.lock requirements.in
	hash=$$(sha256sum requirements.lock | cut -c1-16) && sed -i.old \
		"1i # environment: $$hash (sha256 of the lines below: bin/agent-progress reads it here)" requirements.lock \
		&& rm requirements.lock.old
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
		--constraint requirements.lock --output-file requirements-dev.lock requirements-dev.in
