"""Types of the table ecosystem, as far as files of the DataStream API are described by them. There is no Table API."""

from windrow.absent.explained import module_getattr
from windrow.absent.modules import reason_for_module
from windrow.table.types import DataTypes

__all__ = ["DataTypes"]

__getattr__ = module_getattr(__name__, otherwise=reason_for_module("windrow.table.table"))
