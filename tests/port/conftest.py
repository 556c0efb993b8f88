import pytest

from bench.environments import BENCH, FLINK_VERSION, installed_flink


@pytest.fixture(scope="session")
def flink_wheel_at_hand():
    """PyFlink's examples, if they are here; ``make pyflink-examples`` brings them."""
    if installed_flink() is None and not list((BENCH / "wheels").glob(f"apache_flink-{FLINK_VERSION}-*.whl")):
        pytest.skip("PyFlink's examples are not here: make pyflink-examples downloads them to .bench/")
