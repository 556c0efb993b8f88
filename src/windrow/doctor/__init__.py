"""The doctor: checks what jobs need on this machine, and says what to do."""
