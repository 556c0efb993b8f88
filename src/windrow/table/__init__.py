"""Types of the table ecosystem, as far as files of the DataStream API are described by them. There is no Table API."""

from windrow.table.types import DataTypes

__all__ = ["DataTypes"]
