# make install | demo | test | test-all | lint | bench. Each makes .venv first if it has to.

PYTHON ?= python3
BIN := .venv/bin
DEMO := runs/demo
PYTEST := $(BIN)/python -m pytest -q

.PHONY: install demo test test-all lint bench mutation clean

install: .venv/installed

.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "kloepper needs Python 3.11 or newer; say make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

# A small player learns by self-play, then meets the heuristic bots.
demo: install
	@rm -rf $(DEMO)
	$(BIN)/kloepper train kloepper/smoke --out $(DEMO)
	$(BIN)/kloepper arena net:$(DEMO) random greedy rules --deals 2000 --seed 1 --out $(DEMO)/arena

# Everything CI runs: style and types, the suite, and twice a part of it in other ways of running.
test: lint
	$(PYTEST) -n 2
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 $(PLAIN_PYTHON)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -n 2 $(BOUNDS_CHECKED)

# The rules as plain Python: what the compiler saw is what a debugger and a coverage tool see.
PLAIN_PYTHON := tests/env/rules tests/env/test_state.py tests/env/test_tricks_tables.py
# Array bounds checked: in another cache, for numba ignores the switch where it finds a function.
BOUNDS_CHECKED := tests/env/rules tests/env/test_observe.py tests/agents/kloepper/test_rules.py

test-all: test
	$(PYTEST) -n 2 -m slow

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

bench: install
	$(BIN)/kloepper bench

mutation: install
	$(BIN)/python -m tests.mutation

clean:
	rm -rf .venv runs build dist
