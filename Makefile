.PHONY: site test fast thorough coverage lock bench pictures torture

test: ## the checks, with real clients
	python3 tests/run.py

fast: ## what needs no network and no client
	python3 tests/run.py --fast

thorough: ## every check, each test in all its variants and at every instant: hours
	TORTURE_SECONDS=1 python3 tests/run.py

coverage: ## every check, and which branches no test runs, for twice the time
	python3 tests/run.py --coverage

bench: ## the table of budgets
	.venv/bin/python benchmarks/run.py

pictures: ## docs/pictures: terminals drawn, pages taken with a real browser
	.venv/bin/python -m docs.pictures.report

torture: ## races, kills, full disks, hostile input, an hour of fuzzing: TORTURE_SECONDS=20 make torture
	.venv/bin/python -m pytest tests/torture tests/hostile -q

site: ## the documents as a site in build/site, built strictly: a link that leads nowhere ends it
	NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --strict --quiet

# The first line of a lock file states the hash of the rest: bin/agent-progress, and core/packages, find directories by it.
lock: ## pin the newest versions, with hashes, for every platform
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade \
		--output-file requirements.lock requirements.in
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade \
		--constraint requirements.lock --output-file requirements-team.lock requirements-team.in
	python3 -c 'import hashlib, pathlib; \
		told = {"requirements.lock": b"bin/agent-progress reads it here", \
			"requirements-team.lock": b"it names the directory of these packages"}; \
		files = [(pathlib.Path(name), why) for name, why in told.items()]; \
		[file.write_bytes(b"# environment: " + hashlib.sha256(rest).hexdigest()[:16].encode() + \
		b" (sha256 of the lines below: " + why + b")\n" + rest) for file, why in files for rest in [file.read_bytes()]]'
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
		--constraint requirements.lock --constraint requirements-team.lock \
		--output-file requirements-dev.lock requirements-dev.in
