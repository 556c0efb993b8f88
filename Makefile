# The first command on a fresh clone may be any of these: each builds .venv when it is missing or out of date.
python := .venv/bin/python
stamp := .venv/.stamp

.PHONY: help setup demo test coverage test-kafka test-jdbc test-hadoop property chaos soak lint typecheck conformance pyflink-examples pyflink-tests api-table settings-table pictures bench bench-check bench-peers bench-join lock clean docs dist test-browser sql-functions-table sql-compare

help:
	@echo "make demo              windows, joins, late flights and SQL over real data: tables, pictures, out/demo"
	@echo "make test              every test, in three processes"
	@echo "make coverage          the same, and which lines of src/windrow they run, which takes longer"
	@echo "make test-kafka        the tests against a Kafka broker alone, which fail where it cannot be started"
	@echo "make test-jdbc         the tests of the JDBC sink alone, which fail where PostgreSQL cannot be started"
	@echo "make test-hadoop       the tests with HDFS, YARN and S3 alone, which fail where these cannot be started"
	@echo "make test-browser      the tests of the job page in Chromium alone, which fail where it cannot be had"
	@echo "make property          the property tests alone, with all examples that they name, not a quarter of them: WINDROW_EXAMPLES=1"
	@echo "make chaos             jobs whose processes are killed again and again, some half an hour: WINDROW_CHAOS_CYCLES=40"
	@echo "make soak              a job whose keys come and go, for an hour: WINDROW_SOAK_SECONDS=3600"
	@echo "make lint, typecheck   ruff and the rule of layers, mypy --strict"
	@echo "make conformance       the cases lifted from Flink's own operator tests"
	@echo "make pyflink-examples  PyFlink's example programs with their imports changed"
	@echo "make pyflink-tests     PyFlink's own DataStream tests with their imports changed: PYFLINK=the package in Flink's sources"
	@echo "make api-table         docs/api_coverage.md: which of Flink's methods are there, from the code"
	@echo "make settings-table    docs/settings.md: every setting and what becomes of it, from the code"
	@echo "make pictures          docs/images: the pictures of docs/pictures.md, from its programs"
	@echo "make docs              the pages of docs/ and a reference from the docstrings as a site, checked: out/site/index.html"
	@echo "make dist              wheel and source distribution, looked at, and tried with each Python that is here: out/dist"
	@echo "make sql-functions-table  docs/sql_functions.md: which of Flink's functions SQL has, from the code"
	@echo "make sql-compare       the queries of tests/table/flink_sql in Flink's SQL and in Windrow's, side by side"
	@echo "make bench             Windrow beside Flink Java on this machine, job by job (ROWS=\"tumbling sliding\": only these)"
	@echo "make bench-check       some of its rows: fails where one has become slower beside Flink than was recorded"
	@echo "make bench-peers       a windowed sum, Parquet in and Kafka in, beside PyFlink and Spark as well"
	@echo "make bench-join        an interval join's cost beside short and long buffers (QUICK=1: in seconds)"
	@echo "make setup, lock       build .venv from the lock files; resolve the lock files again"
	@echo "make clean             remove what the commands above wrote (not .venv)"

setup: $(stamp)

$(stamp): requirements.lock requirements-build.lock pyproject.toml scripts/setup
	@scripts/setup
	@touch $@

demo: $(stamp)
	@.venv/bin/windrow demo
	@.venv/bin/windrow demo --joins
	@.venv/bin/windrow sql -f examples/road_sensors.sql

test: $(stamp)
	@scripts/test

coverage: $(stamp)
	@WINDROW_COVERAGE=1 scripts/test

test-kafka: $(stamp)
	@WINDROW_REQUIRE_KAFKA=1 scripts/test -m kafka tests

test-jdbc: $(stamp)
	@WINDROW_REQUIRE_POSTGRES=1 scripts/test tests/connectors/jdbc

test-hadoop: $(stamp)
	@WINDROW_REQUIRE_HADOOP=1 scripts/test -m hadoop tests

test-browser: $(stamp)
	@WINDROW_REQUIRE_BROWSER=1 scripts/test -m browser tests

# WINDROW_EXAMPLES: 10 for ten times as many, say.
property: $(stamp)
	@WINDROW_EXAMPLES=$${WINDROW_EXAMPLES:-1} scripts/test -m property tests

# WINDROW_CHAOS_CYCLES, 40 unless set: how often something is killed. WINDROW_CHAOS_SEED: as in a run before.
chaos: $(stamp)
	@WINDROW_CHAOS_CYCLES=$${WINDROW_CHAOS_CYCLES:-40} scripts/test -s tests/chaos

soak: $(stamp)
	@WINDROW_SOAK_SECONDS=$${WINDROW_SOAK_SECONDS:-3600} scripts/test -s tests/soak

lint: $(stamp)
	@scripts/lint

typecheck: $(stamp)
	@scripts/typecheck

conformance: $(stamp)
	@.venv/bin/windrow conformance tests/conformance_data

pyflink-examples: $(stamp)
	@$(python) scripts/pyflink_examples.py

pyflink-tests: $(stamp)
	@$(python) scripts/pyflink_tests.py $(or $(PYFLINK),$(error say PYFLINK=flink-python/pyflink, the package in Flink's sources))

api-table: $(stamp)
	@$(python) scripts/api_table.py

settings-table: $(stamp)
	@$(python) scripts/settings_table.py

pictures: $(stamp)
	@$(python) scripts/pictures.py

docs: .venv/.docs-stamp
	@$(python) scripts/site.py

# What builds the site is not needed for anything else, and is installed when it is.
.venv/.docs-stamp: $(stamp) requirements-docs.lock
	@$(python) -m pip --disable-pip-version-check --quiet install --require-hashes --no-build-isolation -r requirements-docs.lock
	@touch $@

dist: $(stamp)
	@$(python) scripts/dist.py

sql-functions-table: $(stamp)
	@$(python) -m scripts.sql_functions_table

sql-compare: $(stamp)
	@$(python) -m scripts.sql_compare

bench: $(stamp)
	@$(python) -m bench $(ROWS)
	@$(python) -m bench.chart
	@$(python) -m bench.readme
	@$(if $(ROWS),,$(python) -m bench.kafka --sql --events 12000000)
	@$(if $(ROWS),,$(python) -m bench.state_size)
	@$(if $(ROWS),,$(python) -m bench.delay)
	@$(if $(ROWS),,$(python) -m bench.idle)
	@$(if $(ROWS),,$(python) -m bench.page_cost)

bench-check: $(stamp)
	@$(python) -m bench.check

bench-peers: $(stamp)
	@$(python) -m bench.windows
	@$(python) -m bench.parquet
	@$(python) -m bench.kafka

bench-join: $(stamp)
	@$(python) -m bench.interval_join $(if $(QUICK),--quick)

lock:
	@scripts/lock

clean:
	rm -rf out .bench .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis spark-warehouse
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +
