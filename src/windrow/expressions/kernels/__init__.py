"""The kernels that compute calls, by the names of functions and operators."""

from windrow.expressions.function import FUNCTIONS, Kernel
from windrow.expressions.kernels import (
    arithmetic,
    collections,
    comparison,
    conditional,
    hashes,
    json,
    keys,
    strings,
    temporal,
    user,
)

__all__ = ["KERNELS"]

#: By name.
KERNELS: dict[str, Kernel] = {
    **{name: found.kernel for name, found in FUNCTIONS.items()},
    **arithmetic.OPERATORS,
    **comparison.OPERATORS,
    **collections.OPERATORS,
    **strings.OPERATORS,
    **temporal.OPERATORS,
    **conditional.OPERATORS,
    **hashes.OPERATORS,
    **json.OPERATORS,
    **keys.OPERATORS,
    **user.OPERATORS,
}
