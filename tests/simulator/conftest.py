from tests.simulator.settings import SEED


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"simulator seed: {SEED} (again with WINDROW_SIMULATOR_SEED={SEED})")
