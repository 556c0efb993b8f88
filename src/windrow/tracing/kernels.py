"""Kernels, by the operations that they evaluate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow.compute as pc

from windrow.tracing import integer_kernels as ints
from windrow.tracing import number_kernels as numbers
from windrow.tracing import text_kernels as texts

KERNELS: dict[str, Callable[..., Any]] = {
    "add": ints.add,
    "subtract": ints.subtract,
    "multiply": ints.multiply,
    "negative": ints.negative,
    "absolute": ints.absolute,
    "floor_divide": ints.floor_divide,
    "modulo": ints.modulo,
    "shift_left": ints.shift_left,
    "shift_right": ints.shift_right,
    "bit_and": ints.bit_and,
    "bit_or": ints.bit_or,
    "bit_xor": ints.bit_xor,
    "invert": ints.invert,
    "int_of_bool": ints.int_of_bool,
    "true_divide": numbers.true_divide,
    "float_of_int": numbers.float_of_int,
    "exact_float_of_int": numbers.exact_float_of_int,
    "int_of_float": numbers.int_of_float,
    "round_float": numbers.round_float,
    "floor": numbers.floor,
    "ceil": numbers.ceil,
    "square_root": numbers.square_root,
    "float_add": np.add,
    "float_subtract": np.subtract,
    "float_multiply": np.multiply,
    "float_divide": numbers.float_divide,
    "float_floor_divide": numbers.float_floor_divide,
    "float_modulo": numbers.float_modulo,
    "float_negative": np.negative,
    "float_absolute": np.abs,
    "less": numbers.comparison(np.less),
    "less_equal": numbers.comparison(np.less_equal),
    "greater": numbers.comparison(np.greater),
    "greater_equal": numbers.comparison(np.greater_equal),
    "equal": numbers.comparison(np.equal),
    "not_equal": numbers.comparison(np.not_equal),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": np.logical_not,
    "select": numbers.select,
    "text_select": texts.text_select,
    "text_less": texts.comparison(pc.less),
    "text_less_equal": texts.comparison(pc.less_equal),
    "text_greater": texts.comparison(pc.greater),
    "text_greater_equal": texts.comparison(pc.greater_equal),
    "text_equal": texts.comparison(pc.equal),
    "text_not_equal": texts.comparison(pc.not_equal),
    "text_length": texts.text_length,
    "text_join": texts.text_join,
    "starts_with": texts.starts_with,
    "ends_with": texts.ends_with,
    "contains": texts.contains,
    "upper": texts.upper,
    "lower": texts.lower,
    "strip": texts.strip,
    "replace": texts.replace,
    "text_item": texts.text_item,
    "text_slice": texts.text_slice,
    "text_split": texts.text_split,
    "text_part": texts.text_part,
    "int_of_text": texts.int_of_text,
    "float_of_text": texts.float_of_text,
    "text_of_int": texts.text_of_int,
}
