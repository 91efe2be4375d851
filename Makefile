# One place for commands. `make help` explains each of them.

PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
PYTEST := $(BIN)/python -m pytest
# browser tests wait more than they compute: three at a time keep two cores busy
WORKERS ?= 3

.DEFAULT_GOAL := help
.PHONY: help setup lock fix check test browser faults bench demo docs ci clean

help: ## explain every target
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

setup: $(STAMP) ## make .venv, install the locked dependencies, find or install a browser
	@$(BIN)/python -m browser.install

$(STAMP): requirements.lock pyproject.toml
	@echo "setup: making $(VENV) with $$($(PYTHON) --version)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setup: installing the locked dependencies (about a minute the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lock: ## resolve the dependencies anew into requirements.lock (needs uv)
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --upgrade \
	  --generate-hashes --no-emit-index-url --no-header --quiet -o requirements.lock

fix: $(STAMP) ## let ruff format and mend what it can
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

check: $(STAMP) ## ruff, mypy strict, import layers, generated docs fresh
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python docs/generate.py --check

test: setup check ## everything that proves the promises, browser tests included
	@$(PYTEST) -n $(WORKERS) --dist worksteal tests --ignore=tests/simx/web
	@$(PYTEST) -p playwright tests/simx/web

browser: setup ## only the tests that drive a real Chromium
	@$(PYTEST) -n $(WORKERS) --dist worksteal tests/browser tests/e2e

faults: setup ## the long fault suites (kill storms); CI runs their short form in `test`
	@POSTPROOF_FAULTS=long $(PYTEST) -n $(WORKERS) --dist worksteal tests/faults tests/e2e --timeout=3600

bench: setup ## measure speed beside bare scripts; ONLY=name runs one row
	@$(BIN)/python -m tests.bench $(if $(ONLY),--only $(ONLY),)

demo: setup ## the main job on the simulated X: five posts, one of them through a kill
	@$(BIN)/postproof demo

docs: $(STAMP) ## write the generated docs pages
	@$(BIN)/python docs/generate.py

ci: test ## what CI runs

clean: ## remove the environment and caches
	rm -rf $(VENV) .cache
