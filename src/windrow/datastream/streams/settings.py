"""Settings of any operator or sink: its name, its uid, its parallelism."""

from __future__ import annotations

from typing import Any, Self

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.checks import instance_of, text
from windrow.common.execution_config import check_parallelism
from windrow.common.settings.notices import Notices
from windrow.datastream.slot_sharing_group import SlotSharingGroup
from windrow.errors import ConfigurationError, UsageError
from windrow.graph.transformations import PartitionTransformation, Transformation, UnionTransformation


class TransformationSettings(ExplainsAbsentMethods):
    """Methods that set something of ``_transformation`` and return the stream or sink itself.

    A union and a partitioner are no operators: naming them, say, raises a ``UsageError``.
    """

    _transformation: Transformation
    _notices: Notices
    #: Why the parallelism is 1 and stays so; None where it can be set.
    _non_parallel: str | None = None

    def get_name(self) -> str:
        """The operator's name."""
        return self._transformation.name

    def name(self, name: str) -> Self:
        """Name the operator, as errors and plans show it."""
        self._operator().name = text(name, "name")
        return self

    def uid(self, uid: str) -> Self:
        """Give the operator an identity that stays the same when the program changes: its state is found by it."""
        self._operator().uid = text(uid, "uid")
        return self

    def set_uid_hash(self, uid_hash: str) -> Self:
        """Another way to give the operator its identity."""
        return self.uid(uid_hash)

    def set_description(self, description: str) -> Self:
        """Say what the operator does, for those who read the plan."""
        self._operator().description = instance_of(description, str, "description")
        return self

    def description(self, description: str) -> Self:
        """The same as :meth:`set_description`."""
        return self.set_description(description)

    def set_parallelism(self, parallelism: int) -> Self:
        """Set how many subtasks the operator has.

        Raises:
            ConfigurationError: it is not from 1 to 32768, or the operator can have one subtask only.
        """
        if check_parallelism(parallelism, "parallelism") > 1 and self._non_parallel is not None:
            msg = f"the parallelism of {self._non_parallel} is 1; got {parallelism}"
            raise ConfigurationError(msg)
        self._operator().parallelism = None if parallelism < 0 else parallelism
        return self

    def set_max_parallelism(self, max_parallelism: int) -> Self:
        """Set the upper bound of the operator's parallelism. A job has one number of key groups, its environment's."""
        checked = check_parallelism(max_parallelism, "max_parallelism")
        self._operator().max_parallelism = None if checked < 0 else checked
        return self

    def force_non_parallel(self) -> Self:
        """Give the operator a single subtask, for good."""
        operator = self._operator()
        operator.parallelism = operator.max_parallelism = 1
        self._non_parallel = f"operator {operator.name!r}, which was forced to be non-parallel,"
        return self

    def set_buffer_timeout(self, timeout_millis: int) -> Self:
        """Accepted, with a warning: on Spark a batch is what is buffered."""
        instance_of(timeout_millis, int, "timeout_millis")
        return self._without_effect("set_buffer_timeout")

    def start_new_chain(self) -> Self:
        """Accepted, with a warning: chaining changes no result, and operators without an exchange are chained."""
        return self._without_effect("start_new_chain")

    def disable_chaining(self) -> Self:
        """Accepted, as :meth:`start_new_chain`."""
        return self._without_effect("disable_chaining")

    def slot_sharing_group(self, slot_sharing_group: str | SlotSharingGroup) -> Self:
        """Accepted, with a warning: Spark shares its executors among all operators."""
        if not isinstance(slot_sharing_group, SlotSharingGroup):
            kind: Any = str
            instance_of(slot_sharing_group, kind, "slot_sharing_group")
        return self._without_effect("slot_sharing_group")

    def _without_effect(self, method: str) -> Self:
        self._notices.check(f"DataStream.{method}")
        return self

    def _operator(self) -> Transformation:
        operator = self._transformation
        if isinstance(operator, PartitionTransformation | UnionTransformation):
            msg = (
                f"a {operator.name.lower()} is no operator, so it has no name, uid or parallelism of its own: set them "
                "on the operators before and behind it"
            )
            raise UsageError(msg)
        return operator
