"""Notebooks in a real kernel, as Jupyter starts it: one that has an event loop of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[2] / "examples"
_SECONDS = 120


def kernel_environment(folder: Path, **variables: str) -> dict[str, str]:
    """The environment of a kernel that leaves its files in ``folder``."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK_")}
    places = {name: str(folder / name) for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")}
    return {**environment, **places, **variables}


def executed(name: str, folder: Path, **variables: str) -> Any:
    """The notebook with its outputs, executed in ``folder``; raises if a cell does."""
    notebook = nbformat.read(EXAMPLES / name, as_version=4)
    client = NotebookClient(notebook, timeout=_SECONDS, resources={"metadata": {"path": str(folder)}})
    client.execute(env=kernel_environment(folder, **variables))
    return notebook


def outputs(notebook: Any, kind: str) -> list[str]:
    """What cells have shown in one form, ``image/svg+xml`` or ``text/html``, say, or printed (``stdout``)."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.get("name") == kind:
                found.append(output["text"])
            elif kind in output.get("data", ()):
                found.append(output["data"][kind])
    return found


class Kernel:
    """A kernel that cells are sent to one by one."""

    def __init__(self, manager: KernelManager) -> None:
        self._manager = manager
        self._client = manager.blocking_client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=_SECONDS)

    def run(self, code: str) -> str:
        """What a cell has printed; fails if it raises."""
        printed: list[str] = []

        def keep(message: Mapping[str, Any]) -> None:
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])

        reply = self._client.execute_interactive(code, timeout=_SECONDS, output_hook=keep)
        assert reply["content"]["status"] == "ok", reply["content"]
        return "".join(printed)

    def interrupted(self, code: str, sign: str) -> str:
        """Run a cell, interrupt it when ``sign`` has been printed, and give the name of the error."""
        sent = False

        def interrupt(message: Mapping[str, Any]) -> None:
            nonlocal sent
            if not sent and message["msg_type"] == "stream" and sign in message["content"]["text"]:
                sent = True
                self._manager.interrupt_kernel()

        reply = self._client.execute_interactive(code, timeout=_SECONDS, output_hook=interrupt)
        assert sent, f"nothing has printed {sign!r}"
        name: str = reply["content"].get("ename", "no error")
        return name

    def close(self) -> None:
        """End the kernel."""
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)


@contextmanager
def kernel(folder: Path, **variables: str) -> Iterator[Kernel]:
    """A kernel of this Python."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env=kernel_environment(folder, **variables), cwd=str(folder))
    opened = Kernel(manager)
    try:
        yield opened
    finally:
        opened.close()
