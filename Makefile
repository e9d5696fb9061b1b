# A thin wrapper: README.md and CONTRIBUTING.md show the same lines for use without make.
PYTHON ?= python3

.PHONY: venv demo test test_slow test_study test_torch test_browser test_lowest kernel index lint docs static build release clean

venv:
	$(PYTHON) -m venv .venv

demo: venv
	.venv/bin/python -m pip install --quiet --editable .
	.venv/bin/rlct net linear 5 3 5 --rank 1 --check

test: venv
	.venv/bin/python -m pip install --quiet --editable '.[dev]'
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/python -m pytest -q -n logical --dist worksteal

test_slow: venv
	.venv/bin/python -m pip install --quiet --editable '.[dev]'
	.venv/bin/python -m pytest -q -n logical --dist worksteal -m slow tests

test_study: venv
	.venv/bin/python -m pip install --quiet --editable '.[dev,torch]'
	.venv/bin/python tests/renew/study_record.py

test_torch: venv
	.venv/bin/python -m pip install --quiet --editable '.[dev,torch]'
	.venv/bin/python -m pytest -q -n logical --dist worksteal -m 'not study' tests/torch rlct/answers rlct/sampling/markov_chains rlct/sampling/modules rlct/sampling/networks

test_browser: venv
	.venv/bin/python -m pip install --quiet --editable '.[dev,browser]'
	.venv/bin/python -m pytest -q -rs -n logical --dist loadfile -m '' tests/browser

test_lowest: venv
	.venv/bin/python -m venv build/lowest
	.venv/bin/python tests/lowest.py >build/lowest/requirements.txt
	build/lowest/bin/python -m pip install --quiet --requirement build/lowest/requirements.txt
	PYTHONPATH=. build/lowest/bin/python -m pytest -q -n logical --basetemp build/lowest/pytest -m 'light and not slow and not study' tests

kernel:
	validation/kernel/build.sh build/kernel

index: venv
	.venv/bin/python -m pip install --quiet --editable '.[dev]'
	.venv/bin/python tests/renew

lint: venv
	.venv/bin/python -m pip install --quiet --editable '.[dev]'
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	.venv/bin/mypy

docs: venv
	.venv/bin/python -m pip install --quiet --editable '.[docs]'
	.venv/bin/python -m sphinx -W -q -j auto -c docs . build/docs

static: venv
	.venv/bin/python -m pip install --quiet --editable .
	.venv/bin/python static/build.py build/static

build: venv
	.venv/bin/python -m pip install --quiet 'build>=1.2'
	.venv/bin/python -m build

release:
	.ci/run release

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
