"""Into tables of Delta: `python -m tests.connectors.delta.programs FOLDER JARS`.

Each of two outputs of one query goes to a table. When the query has ended, the last commit is removed from its
checkpoint, as if the program had been killed before it, and the query goes on.
"""

import json
import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from windrow.common import Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.delta import DeltaSink

#: Files of the input; each is a batch.
FILES, LINES = 3, 10


def spark_for(jars):
    builder = SparkSession.builder.master("local[2]").config("spark.jars", jars).config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", 2).config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    builder = builder.config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    builder = builder.config("spark.databricks.delta.snapshotPartitions", 1)
    catalog = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
    return builder.config("spark.sql.catalog.spark_catalog", catalog).getOrCreate()


def run(spark, folder, sums, elements):
    """The query, to the end of what is there; the numbers of the batches that it has given."""
    live = spark.readStream.schema("key int, value int").option("maxFilesPerTrigger", 1).json(f"{folder}/in")
    env = StreamExecutionEnvironment.get_execution_environment(spark).set_parallelism(2)
    pairs = env.from_dataframe(live).map(lambda row: (row.key, row.value), Types.TUPLE([Types.INT(), Types.INT()]))
    totals = pairs.key_by(lambda pair: pair[0]).reduce(lambda one, other: (one[0], one[1] + other[1]))
    outputs = env.to_dataframe({"totals": (totals, "key int, total int"), "pairs": (pairs, "key int, value int")})
    given = []

    def write(batch, number):
        batch.persist()
        sums(batch.where("output = 'totals'").select("totals.*"), number)
        elements(batch.where("output = 'pairs'").select("pairs.*"), number)
        batch.unpersist()
        given.append(number)

    writer = outputs.writeStream.foreachBatch(write).option("checkpointLocation", f"{folder}/checkpoint")
    writer.trigger(availableNow=True).start().awaitTermination()
    return given


def main(folder, jars):
    spark = spark_for(jars)
    Path(folder, "in").mkdir()
    for file in range(FILES):
        rows = [{"key": number % 3, "value": number} for number in range(file * LINES, (file + 1) * LINES)]
        given = Path(folder, "in", f"{file}.json")
        given.write_text("\n".join(map(json.dumps, rows)))
        os.utime(given, (file + 1, file + 1))  # Spark takes them by their age
    sums = DeltaSink.for_path(f"{folder}/totals").with_partition_columns("key").build()
    elements = DeltaSink.for_table("pairs").with_option("path", f"{folder}/pairs").build()
    first = run(spark, folder, sums, elements)
    for file in Path(folder, "checkpoint", "commits").glob(f"*{FILES - 1}*"):
        file.unlink()
    again = run(spark, folder, sums, elements)
    tables = {
        name: sorted(map(list, spark.read.format("delta").load(f"{folder}/{name}").collect()))
        for name in ("totals", "pairs")
    }
    print(json.dumps({"first": first, "again": again, **tables}))


if __name__ == "__main__":
    main(*sys.argv[1:])
