# make install | demo | test | test-all | test-lowest | test-latest | lint | bench | docs: see CONTRIBUTING.md.
# Each makes .venv first if it has to.

PYTHON ?= python3
BIN := .venv/bin
DEMO := runs/demo
PYTEST := $(BIN)/python -m pytest -q

.PHONY: install demo test test-all test-lowest test-latest lint bench docs mutation clean

install: .venv/installed

.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "kloepper needs Python 3.11 or newer; say make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

# A small player is taught, goes on by self-play, and meets the heuristic bots.
demo: install
	@rm -rf $(DEMO)
	$(BIN)/kloepper train kloepper/demo --out $(DEMO)
	$(BIN)/kloepper arena net:$(DEMO) random greedy rules --deals 2000 --seed 1 --out $(DEMO)/arena
	@echo
	@echo "The match as a page:  $(DEMO)/arena/report.html"
	@echo "Play against it:      $(BIN)/kloepper play --seats you,net:$(DEMO),rules,rules"
	@echo "Half an hour's run:   $(BIN)/kloepper train kloepper/half_hour --out runs/half_hour"

# Everything CI runs: style and types, the suite, and twice a part of it in other ways of running.
test: lint
	$(PYTEST) -n 2
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 $(PLAIN_PYTHON)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -n 2 $(BOUNDS_CHECKED)

# The rules as plain Python: what the compiler saw is what a debugger and a coverage tool see.
PLAIN_PYTHON := tests/env/rules tests/env/test_state.py tests/env/test_tricks_tables.py
# Array bounds checked: in another cache, for numba ignores the switch where it finds a function.
BOUNDS_CHECKED := tests/env/rules tests/env/test_observe.py tests/env/test_hostile_calls.py \
	$(addprefix tests/agents/,kloepper/test_rules.py kloepper/test_last_cards.py test_hostile_asking.py)

test-all: test
	$(PYTEST) -n 2 -m slow
	$(MAKE) test-lowest test-latest

# The lowest versions that pyproject.toml allows. Warnings are let through: what is old warns of
# what is newer than itself.
test-lowest:
	$(PYTHON) -m venv --clear .venv-lowest
	$(PYTHON) -m tests.lowest > .venv-lowest/lowest.txt
	.venv-lowest/bin/pip install --quiet -c constraints.txt -c .venv-lowest/lowest.txt $(TESTABLE)
	.venv-lowest/bin/python -m pytest -q -n 2 -W default $(OTHER_VERSIONS)
	NO_MKDOCS_2_WARNING=1 .venv-lowest/bin/mkdocs build --quiet --strict -d .venv-lowest/docs

# The newest versions there are today.
test-latest:
	$(PYTHON) -m venv --clear .venv-latest
	.venv-latest/bin/pip install --quiet -c constraints.txt $(TESTABLE)
	.venv-latest/bin/python -m pytest -q -n 2 $(OTHER_VERSIONS)
	NO_MKDOCS_2_WARNING=1 .venv-latest/bin/mkdocs build --quiet --strict -d .venv-latest/docs

# What users install and what runs tests. The other tools of `dev` have bounds of their own on the
# same dependencies, among which pip would search for a long time.
TESTABLE := -e '.[train,plots,render,docs]' hypothesis pytest pytest-xdist

# Where dependencies are used: environments, files, pictures, command line, training.
OTHER_VERSIONS := tests/cli tests/training $(addprefix tests/env/test_,aec.py batch.py gym.py gym_vector.py \
	jit.py raster.py records.py render.py) $(addprefix tests/agents/test_,arena.py arena_report.py)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

bench: install
	$(BIN)/kloepper bench

# The pages below docs/, the notebooks as they ran, and the API reference, as a site in build/docs.
docs: install
	NO_MKDOCS_2_WARNING=1 EXECUTE_NOTEBOOKS=true $(BIN)/mkdocs build --strict

mutation: install
	$(BIN)/python -m tests.mutation

clean:
	rm -rf .venv .venv-lowest .venv-latest runs build dist
