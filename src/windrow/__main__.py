"""``python -m windrow`` is the command line."""

from windrow.cli import main

main(prog_name="windrow")
