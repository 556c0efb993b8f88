"""Servers that tests start: where one cannot be had its tests are skipped, or fail if they are required."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def is_required(server: str) -> bool:
    """Whether the variable of a server says so: ``WINDROW_REQUIRE_KAFKA``, say."""
    return os.environ.get(f"WINDROW_REQUIRE_{server}", "0") not in ("", "0")


def cannot_be_had(server: str, why: str) -> NoReturn:
    """Skip the test that needs the server, or fail it."""
    (pytest.fail if is_required(server) else pytest.skip)(why)
