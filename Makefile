# Everything runs in a virtual environment that this file makes and keeps up to date. All that is
# fetched is pinned in requirements/ by version and hash; pip's own configuration says from where.

VENV ?= .venv
PYTHON ?=
JOBS ?= auto

# Tests start the program some hundred times: without bytecode on disk each start compiles the whole package once more.
unexport PYTHONDONTWRITEBYTECODE

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

.PHONY: help play serve load crash simulate-floor test quick check format docs pages pictures screenshots bench bench-shuffle bench-agreement bench-recall coverage \
    known-tables witnesses reference trace-bite pins clean

help:
	@echo 'make play      deal at a table in the terminal'
	@echo 'make serve     open a floor at 127.0.0.1:8021, in floor.db'
	@echo 'make test      run the whole test suite'
	@echo 'make quick     run the tests that are not marked slow (under a minute)'
	@echo 'make check     lint, types, and the tidy test'
	@echo 'make format    let ruff lay out the code and fix what it can'
	@echo 'make docs      build the documentation as a site that needs no network, in build/site'
	@echo 'make pages     write the pages that come from the product: numbers, reference, index of records, notebook'
	@echo 'make pictures  draw the pictures of the documentation from the product'
	@echo 'make screenshots  write pictures of every page and of a table of every game, at three sizes, into build/screenshots'
	@echo 'make bench     run the benchmarks'
	@echo 'make bench-shuffle  shuffle every pack ten million times, test it, write bench/reports/shuffle.md'
	@echo 'make bench-agreement  every game and side wager, simulated and exact, ROUNDS=1e9 for each figure'
	@echo 'make bench-recall  store STORED=1000000 rounds, get some of them back over HTTP, and audit them all'
	@echo 'make load      500 robots at 100 served tables, and how many commands a second were acknowledged, on SQLite or DATABASE=postgresql'
	@echo 'make crash     kill a served floor KILLS=30 times while robots play, and audit what it has stored'
	@echo 'make simulate-floor  play SEEDS=200 floors in one process, with failing stores and lost messages'
	@echo 'make coverage  run the suite and report what it does not reach'
	@echo 'make known-tables  recompute what every game is worth, for the lobby of the terminal table'
	@echo 'make witnesses  run what the clause registers cite, and keep for every enforced clause what cites it'
	@echo 'make reference  rewrite the table of parameters and docs/rulebook.schema.json, after a change of parameters'
	@echo 'make trace-bite  flip every value of the books, and list those that no cited test notices'
	@echo 'make pins      resolve requirements/*.txt again (PINS_FLAGS=--upgrade for new versions)'
	@echo 'make clean     remove the environments and everything built'

serve: $(VENV)/.serve
	@$(BIN)/pitboss serve

play: $(VENV)/.play
	@$(BIN)/pitboss play

test: $(VENV)/.test
	@tools/install-system
	@$(PYTEST)

quick: $(VENV)/.test
	@$(PYTEST) -m 'not slow'

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src
	$(BIN)/python -m pytest -q tests/house/test_tidy.py

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.test
	@$(BIN)/python tools/build_site.py

pages: $(VENV)/.test
	@$(BIN)/python tools/make_pages.py
	@$(BIN)/python tools/run_notebook.py

pictures: $(VENV)/.test
	@$(BIN)/python tools/make_pictures.py

screenshots: $(VENV)/.test
	@$(BIN)/python tools/take_screenshots.py
	@$(BIN)/python tools/take_screenshots.py --theme pale

bench: $(VENV)/.test
	@found=; for script in bench/*.py; do \
	    [ -e "$$script" ] || continue; found=yes; \
	    echo "== $$script"; $(BIN)/python "$$script" || exit 1; \
	done; [ -n "$$found" ] || echo 'no benchmarks in bench/ yet'

STORED ?= 1000000

bench-recall: $(VENV)/.test
	@$(BIN)/python bench/recall.py --rounds $(STORED) --audit

bench-shuffle: $(VENV)/.test
	@$(BIN)/python bench/shuffle.py --full --report bench/reports/shuffle.md

DATABASE ?=

load: $(VENV)/.test
	@$(BIN)/python bench/load.py --database '$(DATABASE)'

KILLS ?= 30

crash: $(VENV)/.test
	@$(BIN)/python tests/tools/crash.py --kills $(KILLS)

SEEDS ?= 200

simulate-floor: $(VENV)/.test
	@$(BIN)/python tests/tools/floor_simulation.py --seeds $(SEEDS)
	@$(BIN)/python tests/tools/shared_floor_simulation.py --seeds $(SEEDS)

ROUNDS ?= 1e9

bench-agreement: $(VENV)/.test
	@$(BIN)/python bench/agreement.py --rounds $(ROUNDS) --report bench/reports/agreement.md

coverage: $(VENV)/.test
	@NUMBA_DISABLE_JIT=1 $(PYTEST) --cov --cov-report=term

known-tables: $(VENV)/.test
	@$(BIN)/python -m pitboss.odds.known_tables > .known && mv .known src/pitboss/odds/known_tables.json

witnesses: $(VENV)/.test
	@$(BIN)/python tests/tools/witnessing.py

reference: $(VENV)/.test
	@$(BIN)/python tests/tools/parameter_table.py
	@$(BIN)/pitboss rules --schema > .page && mv .page docs/rulebook.schema.json

trace-bite: $(VENV)/.test
	@$(BIN)/python tests/tools/trace_bite.py

clean:
	rm -rf .venv .venv-pins build dist src/*.egg-info .coverage htmlcov
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. A stamp in it says which pins it holds, so that only a change installs again.

$(BIN)/python:
	@tools/make-venv $(VENV) $(PYTHON)

$(VENV)/.play $(VENV)/.serve $(VENV)/.test: $(VENV)/.%: requirements/%.txt requirements/build.txt pyproject.toml | $(BIN)/python
	@echo 'installing what $< pins into $(VENV)'
	@$(PIP) install --quiet --require-hashes -r requirements/build.txt -r $<
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# The pins. uv resolves for every platform and every Python from 3.11 on; play takes the versions
# of test so that the two can share an environment.

COMPILE = .venv-pins/bin/uv --quiet --no-config pip compile --universal --python-version 3.11 \
    --fork-strategy fewest --generate-hashes --no-annotate --no-strip-extras \
    --custom-compile-command 'make pins' $(PINS_FLAGS)
TEST_EXTRAS := server tui charts frames envs cluster docs test

pins: .venv-pins/.pins
	$(COMPILE) requirements/pins.in -o requirements/pins.txt
	$(COMPILE) requirements/build.in -o requirements/build.txt
	$(COMPILE) pyproject.toml $(TEST_EXTRAS:%=--extra %) -o requirements/test.txt
	$(COMPILE) pyproject.toml --extra tui -c requirements/test.txt -o requirements/play.txt
	$(COMPILE) pyproject.toml --extra server -c requirements/test.txt -o requirements/serve.txt

.venv-pins/.pins: requirements/pins.txt
	@tools/make-venv .venv-pins $(PYTHON)
	@.venv-pins/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r $<
	@touch $@
