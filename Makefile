# Needs a stock Python 3.11 or newer with venv, and make. Everything else goes into .venv.
PYTHON ?= python3
SEED ?= 1
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# The program's directory for the service, whose user may not read home directories.
PREFIX ?= /opt/quilt-companion

CATALOGUES := companion/languages
SOURCES := $(wildcard $(CATALOGUES)/*/LC_MESSAGES/companion.po)
COMPILED := $(SOURCES:.po=.mo) $(SOURCES:companion.po=page.json)

# What npm needs to check the page's scripts; the program's folder has none of it.
NPM := packaging/page

# Ends a program that has started servers together with make, also if make is killed (Linux).
WITH_MAKE := $(if $(shell command -v setpriv),setpriv --pdeathsig TERM)

# The output of the type checker, which runs beside the checks of the scripts and the first tests.
TYPES := $(VENV)/.types

# A file's tests stay on one worker, because shared fixtures are created once for each worker. Files keep their order: ordered
# by number of tests, the slowest files, which have few, would run last and leave the other workers idle.
SHARED_OUT := -n auto --dist loadfile --no-loadscope-reorder

# Without its bytecode cache, every program under test would compile all modules again, which takes a second each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup play club club-soak test scripts test-camera crash soak fuzz bench check messages drawings lock licences install deb clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1: /'

setup: $(STAMP) $(COMPILED)  ## install the program as .venv/bin/companion, with all development tools

$(STAMP): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	PYTHONWARNINGS='ignore:Editable installation' \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

# The installation compiles the catalogues; this rule is for those edited since. It does not use `pybabel compile`, which
# takes a percent sign before a space for a placeholder and fails.
$(COMPILED) &: $(SOURCES) $(CATALOGUES)/compiling.py | $(STAMP)
	$(BIN)/python $(CATALOGUES)/compiling.py $(SOURCES)

DEMO_AFTER ?= 20

play: setup  ## open the home; if nobody chooses there, a simulated game is played to its final score
	$(BIN)/companion home --demo-after $(DEMO_AFTER) --seed $(SEED)

club: setup  ## run a club's evening on this machine: broker, database, hall and eight simulated tables; needs Mosquitto
	$(WITH_MAKE) $(BIN)/python bench/club/evening.py --seed $(SEED)

club-soak: setup  ## kill hall, broker and database in turn while 50 simulated tables play; fails if an event is lost
	$(WITH_MAKE) $(BIN)/python bench/club/scale.py --tables 50 --every 5 --seconds 80 --kill

# In a fresh clone the type checker takes as long as a third of the tests, on one core: meanwhile the page's scripts are checked
# on another one, and modules and tests compiled, which each worker would do for itself at the same time.
test: setup  ## run the linters, the type checkers and all tests
	$(BIN)/ruff check .
	$(BIN)/mypy >$(TYPES) 2>&1 & types=$$!; \
	$(MAKE) --no-print-directory scripts; checked=$$?; \
	[ -d tests/__pycache__ ] || $(BIN)/pytest --collect-only -qq >/dev/null; \
	$(BIN)/pytest $(SHARED_OUT); tested=$$?; \
	wait $$types; typed=$$?; cat $(TYPES); exit $$((checked | tested | typed))

# The page works as it is written; with npm its scripts are checked, and a package bundles them.
scripts: $(COMPILED)  ## check the types of the page's scripts, lint and test them; needs npm
	@if command -v npm >/dev/null && { [ $(NPM)/node_modules/.package-lock.json -nt $(NPM)/package-lock.json ] || npm --prefix $(NPM) ci; }; \
	then npm --prefix $(NPM) run --silent check; \
	else echo "LEFT OUT: the page's scripts are neither checked nor tested, for npm or its packages are not there" >&2; fi

test-camera: setup  ## test capture with the real picamera2 and libcamera's virtual camera, in a chroot; needs root
	tests/camera/run.sh

KILLS ?= 1000
CUTS ?= 20000

crash: setup  ## kill the program 1,000 times and simulate 20,000 power cuts; fails if data is lost; needs a C compiler and mosquitto, takes one to two hours
	$(BIN)/python -m tests.crash.run --kills $(KILLS) --cuts $(CUTS) --seed $(SEED)

GAMES ?= 500
FIRST ?= 1
EVERY ?= 8

soak: setup  ## play 500 simulated games while devices, disk, SQLite, network and clock fail at random; GAMES=10 takes a few minutes
	$(BIN)/python -m tests.soak.run --games $(GAMES) --first $(FIRST) --every $(EVERY) --seed $(SEED)

# The seeds of the corruption are numbers; a failing one is printed.
fuzz: setup  ## test with corrupted files, requests of every kind and evenings of every course for some minutes; FUZZ_TIMES=N for longer
	FUZZ_TIMES=$${FUZZ_TIMES:-25} $(BIN)/pytest $(SHARED_OUT) tests/hostile

# make bench OPTIONS="--json now.json --against then.json"
bench: setup  ## run the benchmarks with their baselines; OPTIONS="--json FILE --against FILE" stores and compares results
	$(BIN)/python -m bench.every $(OPTIONS)

check: test  ## the same as test

# A catalogue names the files of each message without line numbers, so that it changes only when messages do.
messages: setup  ## update the translation catalogues from the messages in the source
	$(BIN)/pybabel -q extract --mapping=pyproject.toml --no-default-keywords -k said:1 -k counted:1,2 -k meant:1c,2 \
		--add-location=file --sort-by-file --no-wrap --omit-header --output-file=$(CATALOGUES)/messages.pot \
		companion hardware calibration
	for language in ru fa; do $(BIN)/pybabel -q update --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		--no-wrap --input-file=$(CATALOGUES)/messages.pot --locale=$$language \
		--output-file=$(CATALOGUES)/$$language/LC_MESSAGES/companion.po || exit 1; done
	rm $(CATALOGUES)/messages.pot
	$(MAKE) --no-print-directory $(COMPILED)

drawings: setup  ## translate the drawings of the documents, from docs/pictures/labels.toml
	$(BIN)/python -m bench.drawings.translating

# The result is reviewed like any other change: the diff shows the new versions.
lock: setup  ## lock the newest compatible versions with their hashes in packaging/locked/, and list their licences
	[ -x $(VENV)/lock/bin/uv ] || { $(PYTHON) -m venv $(VENV)/lock && \
		$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.5'; }
	packaging/lock.sh $(CURDIR)/$(VENV)/lock/bin/uv
	$(MAKE) --no-print-directory licences

licences: setup  ## update packaging/LICENCES.md
	$(BIN)/python packaging/licences.py

install:  ## install the program in /opt/quilt-companion and start its service; needs root; PARTS=hall also installs a club's hall
	PARTS=$(PARTS) packaging/install-program.sh $(PYTHON) $(PREFIX)
	$(PREFIX)/bin/companion install

deb:  ## build a Debian package for this machine's release and architecture in dist/
	packaging/deb/build.sh dist

clean:  ## remove .venv, node_modules, caches and build results
	rm -rf $(VENV) $(NPM)/node_modules .mypy_cache .ruff_cache .pytest_cache build dist *.egg-info $(COMPILED)
