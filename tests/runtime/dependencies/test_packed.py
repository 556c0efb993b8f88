"""What a process has packed."""

from windrow.runtime.dependencies.named import Dependencies
from windrow.runtime.dependencies.packed import packed


def test_the_same_is_packed_once(tmp_path, monkeypatch):
    """A job that is started again, and the next one, take what is there, until a file has changed."""
    (tmp_path / "one.py").write_text("x = 1")
    needed = Dependencies((tmp_path,))
    first = packed(needed)
    monkeypatch.setattr("windrow.runtime.dependencies.packed.pack", None)
    assert packed(needed) is first
    monkeypatch.undo()
    (tmp_path / "one.py").write_text("x = 22")
    assert packed(needed) != first
