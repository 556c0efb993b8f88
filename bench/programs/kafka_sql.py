"""A Kafka topic of JSON, summed by key and window in SQL, with Flink's texts for Windrow and for Flink.

Arguments: engine (``windrow`` or ``pyflink``), folder with the texts, the query's name there, parallelism, brokers,
warm-up topic, topic, runs, jar (for Flink). Prints a line of JSON per timed run. What comes out is dropped where it is
made; it is counted in a run of its own.
"""

import json
import sys
import time
from pathlib import Path


class Job:
    """What all runs have in common."""

    def __init__(self, engine, texts, query, parallelism, servers, jar=None):
        self.engine = engine
        self.parallelism = parallelism
        self.servers = servers
        self.jar = jar
        self.ddl = (Path(texts) / "kafka.sql").read_text()
        self.query = (Path(texts) / f"{query}.sql").read_text()

    def tables(self, topic, *, streaming=True):
        """An environment that knows the topic."""
        if self.engine == "windrow":
            from windrow.table import EnvironmentSettings, TableEnvironment
        else:
            from pyflink.table import EnvironmentSettings, TableEnvironment
        settings = EnvironmentSettings.in_streaming_mode() if streaming else EnvironmentSettings.in_batch_mode()
        tables = TableEnvironment.create(settings)
        tables.get_config().set("parallelism.default", self.parallelism)
        tables.get_config().set("table.local-time-zone", "UTC")
        if self.jar is not None:
            tables.get_config().set("pipeline.jars", Path(self.jar).as_uri())
        for statement in self.ddl.format(topic=topic, servers=self.servers).split(";"):
            tables.execute_sql(statement)
        return tables

    def windowed_sum(self, topic):
        """Sum once and return the seconds it took."""
        tables = self.tables(topic)
        started = time.perf_counter()
        tables.execute_sql(f"INSERT INTO dropped {self.query}").wait()
        return time.perf_counter() - started

    def count(self, topic):
        """How many sums there are, and what they add up to."""
        # Flink has no SESSION in batch mode: of the changes of a stream the last one is what there is at its end.
        tables = self.tables(topic, streaming="SESSION" in self.query)
        if self.engine == "pyflink":
            # Else each session changes the count, and Python is given all changes one by one: that takes minutes.
            tables.get_config().set("table.exec.mini-batch.enabled", "true")
            tables.get_config().set("table.exec.mini-batch.allow-latency", "1 h")
            tables.get_config().set("table.exec.mini-batch.size", "1000000000")
        counted = f"SELECT COUNT(*), SUM(total) FROM ({self.query})"
        with tables.execute_sql(counted).collect() as results:
            *_, row = results
        return {"results": row[0], "total": row[1]}


def main():
    """Count, warm up, then time the runs."""
    engine, texts, query, parallelism, servers, warm_up, topic, runs, *jar = sys.argv[1:]
    job = Job(engine, texts, query, parallelism, servers, *jar)
    counted = job.count(topic)
    job.windowed_sum(warm_up)
    for _ in range(int(runs)):
        print(json.dumps({"seconds": round(job.windowed_sum(topic), 3), **counted}), flush=True)


if __name__ == "__main__":
    main()
