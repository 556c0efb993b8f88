"""Decimal numbers of so many digits."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any

from windrow.common.basic_types import BasicType, BasicTypeInfo
from windrow.errors import TypeConversionError, shorten


class BigDecimalTypeInfo(BasicTypeInfo):
    """A ``Decimal`` or None, rounded to ``scale`` digits behind the point (Flink's ``BigDecimalTypeInfo``).

    Example:
        >>> BigDecimalTypeInfo(3, 1).to_internal_type(Decimal("1.25"))
        Decimal('1.3')
    """

    def __init__(self, precision: int, scale: int) -> None:
        super().__init__(BasicType.BIG_DEC)
        self.precision = precision
        self.scale = scale

    def to_internal_type(self, obj: Any) -> Decimal | None:
        """The number, rounded half up as Flink does.

        Raises:
            TypeConversionError: it is no decimal number, or has too many digits.
        """
        value: Decimal | None = self._convert(obj)
        if value is None:
            return None
        context = Context(prec=self.precision, rounding=ROUND_HALF_UP)
        try:
            return value.quantize(Decimal(1).scaleb(-self.scale), context=context)
        except InvalidOperation:
            msg = f"DECIMAL({self.precision}, {self.scale}) takes {self.precision} digits; got {shorten(obj)}"
            raise TypeConversionError(msg) from None

    def converter(self) -> Callable[[Any], Any]:
        return self.to_internal_type

    def _parts(self) -> Hashable:
        return self.precision, self.scale

    def __repr__(self) -> str:
        return f"BigDecimal({self.precision}, {self.scale})"
