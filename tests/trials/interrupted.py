"""A program that waits for a slow job in one of several ways: for trials that interrupt it, or let it end."""

import sys
import time
from pathlib import Path

from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment


def main(runtime: str, how: str, mark: str) -> None:
    def slow(number):
        if number == 1:
            print("begun")
            Path(mark).touch()
        if number:
            time.sleep(0.01)
        return number

    env = StreamExecutionEnvironment.get_execution_environment(Configuration().set_string("windrow.runtime", runtime))
    slowly = env.from_collection(range(100_000 if how != "succeed" else 1)).map(slow)
    if how == "collect":
        list(slowly.execute_and_collect())
        return
    slowly.sink_to(DiscardingSink())
    if how in ("execute", "succeed"):
        env.execute()
        return
    client = env.execute_async()
    if how == "result":
        client.get_job_execution_result().result()
    while not Path(mark).exists():  # "leave": the program ends, and the job does not
        time.sleep(0.05)


if __name__ == "__main__":
    main(*sys.argv[1:])
