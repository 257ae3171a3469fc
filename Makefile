# Needs a stock Python 3.11 or newer with venv, and make. Everything else goes into .venv.
PYTHON ?= python3
SEED ?= 1
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Where the service's program lives: its own user may not look into anybody's home.
PREFIX ?= /opt/quilt-companion

CATALOGUES := companion/languages
SOURCES := $(wildcard $(CATALOGUES)/*/LC_MESSAGES/companion.po)
COMPILED := $(SOURCES:.po=.mo) $(SOURCES:companion.po=page.json)

# What the type checker says while the tests run: it fills the time in which they wait for a table's pictures.
TYPES := $(VENV)/.types

# A file's tests stay with one worker, for what they share is made once in each. The files keep their order: by number of
# tests the dearest, which have few, would come last, and one worker would wait for the other.
SHARED_OUT := -n auto --dist loadfile --no-loadscope-reorder

# Where Python may not keep what it has compiled, every program under test compiles all of it anew, for a second each.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup play club club-soak test scripts test-camera crash soak fuzz bench check messages drawings lock licences install deb clean

help:  ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1: /'

setup: $(STAMP) $(COMPILED)  ## install into .venv; .venv/bin/companion is there afterwards

$(STAMP): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	PYTHONWARNINGS='ignore:Editable installation' \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

# The installation compiles them; this is for those that were edited since. Not by `pybabel compile`, which takes a percent
# sign before a space for a placeholder, and fails.
$(COMPILED) &: $(SOURCES) catalogues.py | $(STAMP)
	$(BIN)/python catalogues.py $(SOURCES)

play: setup  ## play a simulated evening to its final score while you watch
	$(BIN)/companion play --simulate --autoplay --circle seen --seed $(SEED)

club: setup  ## a club's evening on this machine: broker, database, hall and eight simulated tables; needs Mosquitto
	$(BIN)/python bench/club/evening.py --seed $(SEED)

club-soak: setup  ## kill hall, broker and database in turn under 50 simulated tables; fails if an event is lost
	$(BIN)/python bench/club/scale.py --tables 50 --every 5 --seconds 80 --kill

test: setup scripts  ## run the linters, the type checkers and all tests
	$(BIN)/ruff check .
	$(BIN)/mypy >$(TYPES) 2>&1 & types=$$!; \
	$(BIN)/pytest $(SHARED_OUT); tested=$$?; \
	wait $$types; typed=$$?; cat $(TYPES); exit $$((tested | typed))

# The page needs no npm, and no step between what is written and what is served: only what checks its scripts does.
scripts:  ## check the types of the page's scripts, and lint them; needs npm
	@if command -v npm >/dev/null && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund; }; \
	then npm run --silent check; \
	else echo "LEFT OUT: the page's scripts are neither type checked nor linted, for npm or its packages are not there" >&2; fi

test-camera: setup  ## capture through the real picamera2 and libcamera's virtual camera, in a chroot; needs root
	tests/camera/run.sh

KILLS ?= 1000
CUTS ?= 20000

crash: setup  ## kill the program 1,000 times and cut the power 20,000 times: nothing is lost; needs a C compiler, takes an hour
	$(BIN)/python -m tests.crash.run --kills $(KILLS) --cuts $(CUTS) --seed $(SEED)

GAMES ?= 500
FIRST ?= 1
EVERY ?= 8

soak: setup  ## play 500 simulated games while devices, disk, SQLite, network and clock fail at random; GAMES=10 takes some minutes
	$(BIN)/python -m tests.soak.run --games $(GAMES) --first $(FIRST) --every $(EVERY) --seed $(SEED)

# Numbers are the seeds of how files are spoiled; a failing one is printed. schemathesis, which many packages come with,
# stays out of the environment that everything else runs in.
fuzz: setup  ## spoil every kind of file and request for some minutes; FUZZ_TIMES=N for longer
	FUZZ_TIMES=$${FUZZ_TIMES:-25} $(BIN)/pytest $(SHARED_OUT) tests/hostile
	[ -x $(VENV)/fuzz/bin/schemathesis ] || { $(PYTHON) -m venv $(VENV)/fuzz && \
		$(VENV)/fuzz/bin/python -m pip install --quiet --disable-pip-version-check 'schemathesis>=4.30,<5'; }
	PATH="$(VENV)/fuzz/bin:$$PATH" $(BIN)/python bench/page/interface.py
	PATH="$(VENV)/fuzz/bin:$$PATH" $(BIN)/python bench/page/interface.py --without-key

# make bench OPTIONS="--json now.json --against then.json"
bench: setup  ## run the benchmarks with their baselines; OPTIONS="--json FILE --against FILE" keeps and compares figures
	$(BIN)/python -m bench.every $(OPTIONS)

check: test  ## the same as test

# A catalogue names the files that a message stands in, without lines, so that it changes with its messages alone.
messages: setup  ## bring the catalogues of translations up to date with the messages in the source
	$(BIN)/pybabel -q extract --mapping=pyproject.toml --no-default-keywords -k said:1 -k counted:1,2 -k meant:1c,2 \
		--add-location=file --sort-by-file --no-wrap --omit-header --output-file=$(CATALOGUES)/messages.pot \
		companion hardware calibration
	for language in ru fa; do $(BIN)/pybabel -q update --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		--no-wrap --input-file=$(CATALOGUES)/messages.pot --locale=$$language \
		--output-file=$(CATALOGUES)/$$language/LC_MESSAGES/companion.po || exit 1; done
	rm $(CATALOGUES)/messages.pot
	$(MAKE) --no-print-directory $(COMPILED)

drawings:  ## write the owners' drawings in other languages, from docs/pictures/labels.toml
	$(PYTHON) drawings.py

# Reviewed like any other change: the difference says which versions are new.
lock: setup  ## take the newest versions that fit into packaging/locked/, with their hashes, and list their licences
	[ -x $(VENV)/lock/bin/uv ] || { $(PYTHON) -m venv $(VENV)/lock && \
		$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.5'; }
	packaging/lock.sh $(CURDIR)/$(VENV)/lock/bin/uv
	$(MAKE) --no-print-directory licences

licences: setup  ## write packaging/LICENCES.md anew
	$(BIN)/python packaging/licences.py

install:  ## install the program into /opt/quilt-companion and start it as a service; needs root; PARTS=hall for a club's hall, too
	PARTS=$(PARTS) packaging/install-program.sh $(PYTHON) $(PREFIX)
	$(PREFIX)/bin/companion install

deb:  ## build a Debian package for this machine's release and processor, into dist/
	packaging/deb/build.sh dist

clean:  ## remove what setup installed
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache build dist *.egg-info $(COMPILED)
