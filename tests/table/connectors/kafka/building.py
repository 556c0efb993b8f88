"""Tables of topics, and messages as the client has them, without a broker."""

from dataclasses import dataclass

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import StreamTableEnvironment

OPTIONS = {"connector": "kafka", "topic": "t", "properties.bootstrap.servers": "127.0.0.1:1", "format": "json"}


@dataclass
class Message:
    """What a test reads; by default a record of partition 1 with a value alone."""

    of_value: bytes | None
    of_key: bytes | None = None
    time: tuple[int, int] = (1, 5_000)
    of_headers: list | None = None

    def value(self):
        return self.of_value

    def key(self):
        return self.of_key

    def timestamp(self):
        return self.time

    def headers(self):
        return self.of_headers

    def topic(self):
        return "t"

    def partition(self):
        return 1

    def offset(self):
        return 17

    def leader_epoch(self):
        return None


def local_tables():
    """Tables of an environment in this process."""
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def statement(columns="a INT, b STRING", **changed):
    """CREATE TABLE with options; double underscores stand for dots, single ones for hyphens, None leaves one out."""
    options = OPTIONS | {key.replace("__", ".").replace("_", "-"): value for key, value in changed.items()}
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in options.items() if value is not None)
    return f"CREATE TABLE k ({columns}) WITH ({listed})"


def refusal(columns="a INT, b STRING", **changed):
    """What is said of a table that there cannot be."""
    try:
        local_tables().execute_sql(statement(columns, **changed))
    except SqlError as error:
        return str(error)
    return ""
