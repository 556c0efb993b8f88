"""``windrow port``: PyFlink programs become Windrow programs, and what differs is told."""
