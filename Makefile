# Each target makes the virtual environment by itself when it is not there, and puts
# into it what it needs: the demo the library alone, tests browsers and Spark as well.
PYTHON ?= python3
BIN := .venv/bin
DEMO_READY := .venv/.demo-ready
READY := .venv/.ready
DOCS_READY := .venv/.docs-ready

# Threads of scikit-learn sleep while they wait: the other process needs the core.
export OMP_WAIT_POLICY := passive

# Each process has a core: two threads of polars would wait for each other.
export POLARS_MAX_THREADS := 1

# Python keeps what it compiles, whatever the terminal says: else each process that a
# test starts reads all sources anew, and each worker rewrites all asserts.
unexport PYTHONDONTWRITEBYTECODE

# A file's tests stay together: what they share is made once, and what takes long
# (browsers, Java) comes early, as files are collected.
IN_PARALLEL = -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: demo test test-all lint docs build matrix bench bench-refine bench-choice mutants clean

demo: $(DEMO_READY)
	$(BIN)/microcell demo demo --overwrite

test: lint
	$(BIN)/python -m pytest -q $(IN_PARALLEL) -m "not slow"

test-all: lint $(DOCS_READY)
	MICROCELL_EXAMPLES=explore $(BIN)/python -m pytest -q $(IN_PARALLEL)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Offline; a warning is an error. `DOCS=-Dplot_gallery=0` leaves the examples unrun.
docs: $(DOCS_READY)
	$(BIN)/python -m sphinx -W --keep-going -q -j auto $(DOCS) docs docs/_build/html
	$(BIN)/python docs/check_site.py docs/_build/html

build: $(READY)
	$(BIN)/python -m build --no-isolation

matrix:
	$(PYTHON) tools/matrix.py

bench: $(READY)
	$(BIN)/python -m benchmarks

bench-refine: $(READY)
	$(BIN)/python -m benchmarks.refine

bench-choice: $(READY)
	$(BIN)/python -m benchmarks.trade_offs

mutants: $(READY)
	$(BIN)/python tests/mutants.py --n 60

$(DEMO_READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	touch $@

$(READY): $(DEMO_READY) tests/references.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[test]"
	$(BIN)/python -m pip install --quiet --no-deps --requirement tests/references.txt
	touch $@

$(DOCS_READY): $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[docs]"
	touch $@

clean:
	rm -rf .venv demo dist docs/_build docs/api/packages docs/gallery
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .kernel_cache
