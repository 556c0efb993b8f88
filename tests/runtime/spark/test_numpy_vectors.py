"""NumPy does without AVX-512 on the processors on which it is slow there, and on no others."""

import os
import subprocess
import sys

import pytest

from windrow.runtime.spark.numpy_vectors import avoid_slow_vectors, has_slow_compress

ZEN_4 = (
    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel name\t: AMD EPYC\nflags\t\t: fpu avx2 avx512f\n"
)
VARIABLE = "NPY_DISABLE_CPU_FEATURES"


@pytest.mark.parametrize(
    ("processor", "slow"),
    [
        (ZEN_4, True),
        (ZEN_4 + "\n" + ZEN_4.replace(": 25", ": 26"), True),
        (ZEN_4.replace("AuthenticAMD", "GenuineIntel"), False),
        (ZEN_4.replace(": 25", ": 26"), False),
        (ZEN_4.replace(" avx512f", ""), False),
        ("Features\t: fp asimd\n", False),
        ("", False),
    ],
    ids=["zen 4", "the first one counts", "intel", "zen 5", "zen 3", "arm", "nothing"],
)
def test_it_is_a_matter_of_the_processor(processor, slow):
    """Of AMD's fourth Zen alone; the third one has no such vectors."""
    assert has_slow_compress(processor) is slow


def test_what_the_user_has_set_stays(tmp_path, monkeypatch):
    """And where nothing is known of the processor nothing is set."""
    processors = tmp_path / "cpuinfo"
    monkeypatch.delenv(VARIABLE, raising=False)
    avoid_slow_vectors(processors)
    assert VARIABLE not in os.environ
    processors.write_text(ZEN_4)
    monkeypatch.setenv("NPY_ENABLE_CPU_FEATURES", "X86_V3")  # NumPy refuses both
    avoid_slow_vectors(processors)
    assert VARIABLE not in os.environ
    monkeypatch.delenv("NPY_ENABLE_CPU_FEATURES")
    monkeypatch.setenv(VARIABLE, "AVX2")
    avoid_slow_vectors(processors)
    assert os.environ[VARIABLE] == "AVX2"


def test_numpy_knows_the_names(tmp_path, monkeypatch):
    """Of features that it does not have it warns when it is imported, and of those that it needs it fails."""
    processors = tmp_path / "cpuinfo"
    processors.write_text(ZEN_4)
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.delenv(VARIABLE)
    avoid_slow_vectors(processors)
    code = (
        "import numpy; from numpy._core._multiarray_umath import __cpu_features__ as f; print(f.get('X86_V4', False))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ, timeout=60
    )
    assert told.stdout == "False\n"
    assert "not part of the dispatched" not in told.stderr
