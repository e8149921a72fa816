# Everything runs in an environment of its own (.venv), which is made from Python alone.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# More than there are cores, perhaps: most of the time is spent on waiting for processes.
PYTEST_ARGS ?= -n 3

.DEFAULT_GOAL := help
.PHONY: help test lint check format docs bench-queue bench-voices bench-formats bench-loudness bench-watching mutants clean

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

$(VENV)/installed-%: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	touch $@

test: $(VENV)/installed-test  ## Run all tests, on SQLite and on a real PostgreSQL
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/installed-test $(VENV)/installed-check  ## Check format, style, types and imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

check: lint test  ## Everything that has to pass before a change lands

format: $(VENV)/installed-check  ## Put the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/installed-test  ## Write anew the parts of docs/ that come from the code
	$(BIN)/python -m docs.lifecycle

bench-queue: $(VENV)/installed-bench  ## Measure the queue beside raw SQL and its peers (about 5 minutes)
	$(BIN)/python -m benchmarks.queue $(BENCH_ARGS)

bench-voices: $(VENV)/installed-test  ## Measure pyttsx3 beside the direct call of espeak-ng
	$(BIN)/python -m benchmarks.voices $(BENCH_ARGS)

bench-formats: $(VENV)/installed-test  ## Measure what every format costs in space and time
	$(BIN)/python -m benchmarks.formats $(BENCH_ARGS)

bench-loudness: $(VENV)/installed-test  ## Measure what it costs that every chapter is equally loud
	$(BIN)/python -m benchmarks.loudness $(BENCH_ARGS)

bench-watching: $(VENV)/installed-test  ## Measure how soon a file in a watched folder is spoken
	$(BIN)/python -m benchmarks.watching $(BENCH_ARGS)

mutants: $(VENV)/installed-test  ## Break fences and promises one by one, and see that a test fails each time
	$(BIN)/python -m tests.mutants

clean:  ## Remove the environment and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
