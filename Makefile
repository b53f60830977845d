.PHONY: site test fast thorough lock bench pictures torture

test: ## the checks, with real clients
	python3 tests/run.py

fast: ## what needs no network and no client
	python3 tests/run.py --fast

thorough: ## every check, with all hostile texts and at every instant: hours
	TORTURE_SECONDS=1 python3 tests/run.py

bench: ## the table of budgets
	.venv/bin/python benchmarks/run.py

pictures: ## docs/pictures: terminals drawn, pages taken with a real browser
	.venv/bin/python -m docs.pictures.report

torture: ## races, kills, full disks, hostile input, an hour of fuzzing: TORTURE_SECONDS=20 make torture
	.venv/bin/python -m pytest tests/torture tests/hostile -q

site: ## the documents as a site in build/site, built strictly: a link that leads nowhere ends it
	NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --strict --quiet

# The first line of requirements.lock is the name of its environment: bin/agent-progress reads it.
LOCK = uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header $(UPGRADE)
lock: ## pin the packages, with hashes, for every platform; the newest versions: make lock UPGRADE=--upgrade
	$(LOCK) --output-file requirements.lock requirements.in
	$(LOCK) --constraint requirements.lock --output-file requirements-team.lock requirements-team.in
	$(LOCK) --constraint requirements.lock --constraint requirements-team.lock \
		--output-file requirements-dev.lock requirements-dev.in
	python3 -c 'import hashlib, pathlib; file = pathlib.Path("requirements.lock"); lock = file.read_bytes(); \
		file.write_bytes(b"# environment: %s\n" % hashlib.sha256(lock).hexdigest()[:16].encode() + lock)'
