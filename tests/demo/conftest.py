"""The demo leaves its histories in the temporary folder, and its page open: here both go behind a file's tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest

from windrow.ui.job_ui import close_pages


@pytest.fixture(scope="module", autouse=True)
def _own_histories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("histories")))
        yield
    close_pages()
