"""The benchmark's jobs as Windrow programs: ``python -m bench.jobs``, which a run of the benchmark starts."""
