"""Names of side outputs."""

from __future__ import annotations

from windrow.common.typeinfo import DeclaredType, TypeInformation, as_type_information
from windrow.errors import ConfigurationError


class OutputTag:
    """The name and type of a side output. A function yields ``(tag, value)`` to put a value there.

    Two tags with the same id are the same side output: that is what ``get_side_output`` goes by, also after a tag
    has travelled to another process.

    Args:
        tag_id: the name, unique within the operator.
        type_info: the type of its elements; a list of types means a row of them, None any Python object.

    Raises:
        ConfigurationError: the id is not a non-empty string.

    Example:
        >>> OutputTag("late") == OutputTag("late")
        True
    """

    __slots__ = ("tag_id", "type_info")

    def __init__(self, tag_id: str, type_info: DeclaredType = None) -> None:
        if not isinstance(tag_id, str) or not tag_id:
            msg = f"tag_id of an OutputTag must be a non-empty string; got {tag_id!r}"
            raise ConfigurationError(msg)
        self.tag_id = tag_id
        self.type_info: TypeInformation = as_type_information(type_info, "type_info of an OutputTag")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OutputTag) and self.tag_id == other.tag_id

    def __hash__(self) -> int:
        return hash(self.tag_id)

    def __repr__(self) -> str:
        return f"OutputTag({self.tag_id!r})"
