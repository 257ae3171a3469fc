# Needs a stock Python 3.11 or newer with venv, and make. Everything else goes into .venv.
PYTHON ?= python3
SEED ?= 1
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Where the service's program lives: its own user may not look into anybody's home.
PREFIX ?= /opt/quilt-companion
# A Raspberry Pi needs its drivers; elsewhere they cannot even be built.
PI_EXTRA := $(shell grep -qs "Raspberry Pi" /proc/device-tree/model && echo "[pi]")

CATALOGUES := companion/languages
COMPILED := $(patsubst %.po,%.mo,$(wildcard $(CATALOGUES)/*/LC_MESSAGES/companion.po))

# What the type checker says while the tests run: it fills the time in which they wait for a table's pictures.
TYPES := $(VENV)/.types

# A file's tests stay with one worker, for what they share is made once in each. The files keep their order: by number of
# tests the dearest, which have few, would come last, and one worker would wait for the other.
SHARED_OUT := -n auto --dist loadfile --no-loadscope-reorder

# Where Python may not keep what it has compiled, every program under test compiles all of it anew, for a second each.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup play test test-camera check messages install clean

help:  ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1: /'

setup: $(STAMP) $(COMPILED)  ## install into .venv; .venv/bin/companion is there afterwards

$(STAMP): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

# The installation compiles them all; this is for those that were edited since. Not by `pybabel compile`, which takes a
# percent sign before a space for a placeholder, and fails.
COMPILE := import sys; from babel.messages import mofile, pofile; \
	mofile.write_mo(open(sys.argv[2], "wb"), pofile.read_po(open(sys.argv[1], "rb")))

$(COMPILED): %.mo: %.po | $(STAMP)
	$(BIN)/python -c '$(COMPILE)' $< $@

play: setup  ## play a simulated evening to its final score while you watch
	$(BIN)/companion play --simulate --autoplay --circle seen --seed $(SEED)

test: setup  ## run the linters, the type checker and all tests
	$(BIN)/ruff check .
	$(BIN)/mypy >$(TYPES) 2>&1 & types=$$!; \
	$(BIN)/pytest $(SHARED_OUT); tested=$$?; \
	wait $$types; typed=$$?; cat $(TYPES); exit $$((tested | typed))

test-camera: setup  ## capture through the real picamera2 and libcamera's virtual camera, in a chroot; needs root
	tests/camera/run.sh

check: test  ## the same as test

# A catalogue names the files that a message stands in, without lines, so that it changes with its messages alone.
messages: setup  ## bring the catalogues of translations up to date with the messages in the source
	$(BIN)/pybabel -q extract --no-default-keywords -k said:1 -k counted:1,2 --add-location=file --sort-by-file --no-wrap \
		--omit-header --output-file=$(CATALOGUES)/messages.pot companion hardware calibration
	for language in ru fa; do $(BIN)/pybabel -q update --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		--no-wrap --input-file=$(CATALOGUES)/messages.pot --locale=$$language \
		--output-file=$(CATALOGUES)/$$language/LC_MESSAGES/companion.po || exit 1; done
	rm $(CATALOGUES)/messages.pot
	$(MAKE) --no-print-directory $(COMPILED)

install:  ## install the program into /opt/quilt-companion and start it as a service; needs root
	$(PYTHON) -m venv --system-site-packages $(PREFIX)
	$(PREFIX)/bin/python -m pip install --quiet --disable-pip-version-check '.$(PI_EXTRA)'
	$(PREFIX)/bin/companion install

clean:  ## remove what setup installed
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build *.egg-info $(COMPILED)
